package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"emissor/dev/licences"
)

// checkNotice holds the file NOTICE against what is linked into the program of the product in a folder, or writes it.
// It fails for a module whose licence is unknown or refused.
func checkNotice(ctx context.Context, folder string, write bool) error {
	environment := append(os.Environ(), "GOOS=linux", "GOARCH=amd64") // the same from every machine
	modules, err := licences.Of(ctx, folder, "./cmd/emissor", environment)
	if err != nil {
		return err
	}
	notice, err := notice(modules)
	if err != nil {
		return err
	}
	file := filepath.Join(folder, "NOTICE")
	if write {
		return os.WriteFile(file, notice, 0o644)
	}
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, notice) {
		return fmt.Errorf("NOTICE does not say what is linked: make notice writes it")
	}
	return nil
}

const noticeBegins = `Emissor
Copyright 2026 the maintainers of Emissor

Licensed under the Apache License, Version 2.0: see LICENSE. Its program has the modules below in it, each under its own
licence. The texts of these are in the file licences.txt of every release and of its image.

`

// notice names the modules, their licences, and what their own notices say.
func notice(modules []licences.Module) ([]byte, error) {
	var notice bytes.Buffer
	notice.WriteString(noticeBegins)
	lines := tabwriter.NewWriter(&notice, 0, 4, 2, ' ', 0)
	var refused []string
	for _, m := range modules {
		if !m.Usable {
			refused = append(refused, m.Path+" ("+m.Names+")")
		}
		fmt.Fprintf(lines, "%s\t%s\n", m.Path, m.Names)
	}
	if len(refused) > 0 {
		return nil, fmt.Errorf("linked under a licence that is not known, or asks for the source: %s",
			strings.Join(refused, ", "))
	}
	if err := lines.Flush(); err != nil {
		return nil, err
	}
	for _, m := range modules {
		if m.Notices != "" {
			fmt.Fprintf(&notice, "\n%s\n\n%s\n", m.Path, strings.TrimSpace(m.Notices))
		}
	}
	return notice.Bytes(), nil
}
