package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// licence is recognized by a phrase of its text. Licences that require to publish the
// source of what they are linked with, or of changes, are refused.
type licence struct {
	name    string
	phrase  string
	refused bool
}

var licences = []licence{
	{"AGPL", "gnu affero general public license", true},
	{"LGPL", "gnu lesser general public license", true},
	{"GPL", "gnu general public license", true},
	{"MPL", "mozilla public license", true},
	{"EPL", "eclipse public license", true},
	{"CDDL", "common development and distribution license", true},
	{"SSPL", "server side public license", true},
	{"BUSL", "business source license", true},
	{"Apache-2.0", "apache license version 2.0", false},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy", false},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose", false},
	{"ISC", "permission to use, copy, modify, and distribute this software for any purpose", false},
	{"BSD", "redistribution and use in source and binary forms", false},
	{"Unlicense", "this is free and unencumbered software released into the public domain", false},
	{"CC0-1.0", "cc0 1.0 universal", false},
}

// accepted are modules without a licence file that a person has checked, and why they are
// accepted. Another version must be checked again.
var accepted = map[string]string{
	"github.com/nexus-rpc/nexus-proto-annotations@v0.1.0": "no file: generated options of go.temporal.io/api (MIT)",
}

// name returns the names of the licences of a text. ok is false when one of them is
// refused, or none is known.
func name(text string) (names string, ok bool) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	var found []string
	ok = true
	for _, l := range licences {
		if strings.Contains(text, l.phrase) && !slices.Contains(found, l.name) {
			found = append(found, l.name)
			ok = ok && !l.refused
		}
	}
	if len(found) == 0 {
		return "unknown", false
	}
	return strings.Join(found, ", "), ok
}

// module is a module that is linked.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// printLicences prints the licence of each module that is linked into a program,
// as the files at the module's root say.
func printLicences(ctx context.Context, out io.Writer, folder, program string) error {
	modules, err := linked(ctx, folder, program)
	if err != nil {
		return err
	}
	lines := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(lines, "MODULE\tVERSION\tLICENCE")
	var refused []string
	for _, m := range modules {
		text, err := licenceText(m.Dir)
		if err != nil {
			return err
		}
		names, ok := name(text)
		if why, known := accepted[m.Path+"@"+m.Version]; known && strings.TrimSpace(text) == "" {
			names, ok = why, true
		}
		if !ok {
			refused = append(refused, m.Path+" ("+names+")")
		}
		fmt.Fprintf(lines, "%s\t%s\t%s\n", m.Path, m.Version, names)
	}
	if err := lines.Flush(); err != nil {
		return err
	}
	if len(refused) > 0 {
		return fmt.Errorf("linked under a licence that is not known, or asks for the source: %s",
			strings.Join(refused, ", "))
	}
	return nil
}

func linked(ctx context.Context, folder, program string) (modules []module, err error) {
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Module", program)
	list.Dir = folder
	output, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(output)))
	for {
		var p struct{ Module *module }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module != nil && !p.Module.Main && !slices.Contains(modules, *p.Module) {
			modules = append(modules, *p.Module)
		}
	}
	slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	return modules, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying`)

// licenceText is the text of all licence files at a module's root.
func licenceText(folder string) (text string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		file, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return "", err
		}
		text += string(file) + "\n"
	}
	return text, nil
}
