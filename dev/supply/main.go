// Command supply checks what the product is built from: it asks a database for known
// vulnerabilities, and holds the file NOTICE against what is linked.
//
//	supply -database FOLDER|URL -govulncheck PACKAGE@VERSION -bin FOLDER [-must] PRODUCT MODULE...
//	supply -write-notice PRODUCT
//
// Vulnerabilities are looked for in all modules, licences in the first.
// It fails for a vulnerability that the code reaches, for a licence that is unknown or requires to publish source, and
// for a NOTICE that another product had. Where the database cannot be reached its last line says that they were not
// looked for, and since when; it does not fail for that, but with -must, for a release.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var v vulnerabilities
	flag.StringVar(&v.database, "database", "https://vuln.go.dev", "folder or URL of the Go vulnerability database")
	flag.StringVar(&v.tool, "govulncheck", "", "package@version of govulncheck")
	flag.StringVar(&v.bin, "bin", "", "folder of built tools; the day of the last look is kept beside them")
	flag.BoolVar(&v.must, "must", false, "fail where they cannot be looked for, or by a database older than 30 days")
	write := flag.Bool("write-notice", false, "write NOTICE, and do nothing else")
	flag.Parse()
	v.modules, v.day = flag.Args(), filepath.Join(v.bin, "vulnerabilities.day")
	failed := false
	checks := []func() error{
		func() error { return checkNotice(ctx, flag.Arg(0), *write) },
		func() error { return v.check(ctx, os.Stdout) },
	}
	if *write {
		checks = checks[:1]
	}
	for _, check := range checks {
		if err := check(); err != nil {
			fmt.Fprintln(os.Stderr, "supply:", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}
