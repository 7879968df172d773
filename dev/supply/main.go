// Command supply checks what the product is built from: it asks a database for known
// vulnerabilities, and prints the licence of every module that is linked.
//
//	supply -database FOLDER|URL -govulncheck PACKAGE@VERSION -bin FOLDER PRODUCT MODULE...
//
// Vulnerabilities are looked for in all modules, licences in the first.
// It fails for a vulnerability that the code reaches, and for a licence that is unknown or
// requires to publish source. Where the database cannot be reached it prints SKIPPED, and
// does not fail for that.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var v vulnerabilities
	flag.StringVar(&v.database, "database", "https://vuln.go.dev", "folder or URL of the Go vulnerability database")
	flag.StringVar(&v.tool, "govulncheck", "", "package@version of govulncheck")
	flag.StringVar(&v.bin, "bin", "", "folder of built tools")
	program := flag.String("program", "./cmd/emissor", "package whose licences are printed")
	flag.Parse()
	v.modules = flag.Args()
	failed := false
	for _, check := range []func() error{
		func() error { return v.check(ctx, os.Stdout) },
		func() error { return printLicences(ctx, os.Stdout, flag.Arg(0), *program) },
	} {
		if err := check(); err != nil {
			fmt.Fprintln(os.Stderr, "supply:", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}
