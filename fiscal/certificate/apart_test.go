package certificate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
)

// This test is also the program that opens files.
func init() {
	if len(os.Args) == 2 && os.Args[1] == "open-pfx" {
		if len(os.Environ()) > 0 {
			fmt.Fprintln(os.Stderr, "it sees the environment")
			os.Exit(1)
		}
		if err := certificate.ServeApart(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
}

func self() []string { return []string{os.Args[0], "open-pfx"} }

func TestReadPFXApart(t *testing.T) {
	t.Parallel()
	issued := certificatetest.NewChain(t).Issue(t, certificatetest.Template(company))
	pfx := certificatetest.PFX(t, issued, password)
	bundle, err := certificate.ReadPFXApart(t.Context(), self(), pfx, password)
	if err != nil {
		t.Fatal(err)
	}
	here, err := certificate.ReadPFX(pfx, password)
	if err != nil {
		t.Fatal(err)
	}
	of := func(b *certificate.Bundle) []byte {
		content, err := b.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	if !slices.Equal(of(bundle), of(here)) {
		t.Error("it reads something else than ReadPFX does")
	}
	_, err = certificate.ReadPFXApart(t.Context(), self(), pfx, "another")
	expectError(t, err, "password", "not the file's")
	_, err = certificate.ReadPFXApart(t.Context(), self(), []byte("nothing"), "")
	expectError(t, err, "certificate", "not a PFX")
	_, err = certificate.ReadPFXApart(t.Context(), []string{"/bin/false"}, pfx, password)
	expectError(t, err, "certificate", "not a PFX")
	for _, program := range [][]string{nil, {"/nowhere"}} {
		if _, err := certificate.ReadPFXApart(t.Context(), program, pfx, password); err == nil {
			t.Errorf("%v opens it", program)
		}
	}
}

// A file whose cost is out of sight is opened until its time is over, and no longer.
func TestReadPFXApart_Slow(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer end()
	_, err := certificate.ReadPFXApart(ctx, self(), certificatetest.SlowPFX(t), "")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}
