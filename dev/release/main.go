// Command release makes the files of a release from a commit: for each platform the binary, an image and a list of
// what it is made of; and for all of them the licences and the checksums.
//
//	release [-commit HEAD] [-out FOLDER] [-platforms linux/amd64,linux/arm64] [-registry HOST/PATH]
//
// The files follow from the commit and the toolchain that its go.mod names, to the byte: anybody who makes them
// again, in any folder, gets the same checksums. Nothing is sent anywhere but, where a registry is named, the image
// of all platforms and the Helm chart, whose values name that image; their digests are printed, to be signed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	repository := flag.String("repository", ".", "folder of the repository")
	commit := flag.String("commit", "HEAD", "what is released")
	out := flag.String("out", "dist", "folder in which the release gets one of its own, by its version")
	platforms := flag.String("platforms", "linux/amd64,linux/arm64", "operating systems and architectures")
	registry := flag.String("registry", "", "publish image and chart to this registry (host and path)")
	flag.Parse()
	folder, err := makeRelease(ctx, options{
		repository: *repository, commit: *commit, out: *out, platforms: strings.Split(*platforms, ","),
		registry: *registry,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
	fmt.Println("the release is in", folder)
}
