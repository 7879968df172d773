// Package licences says under which licences the modules of a program are.
package licences

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
)

// licence is recognized by a phrase of its text. Licences that require to publish the
// source of what they are linked with are refused. MPL-2.0 asks for that of changed files
// alone, and no module is changed: a release refuses one that is replaced.
type licence struct {
	name    string
	phrase  string
	refused bool
}

var licences = []licence{
	{"AGPL", "gnu affero general public license", true},
	{"LGPL", "gnu lesser general public license", true},
	{"GPL", "gnu general public license", true},
	{"MPL-2.0", "mozilla public license version 2.0", false},
	{"MPL-2.0", "mozilla public license, version 2.0", false},
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

// secondary is where MPL-2.0 names the licences that it may be combined with.
var secondary = regexp.MustCompile(`["“]secondary license["”] means .* those licenses\.`)

// name returns the names of the licences of a text. ok is false when one of them is
// refused, or none is known.
func name(text string) (names string, ok bool) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	text = secondary.ReplaceAllString(text, "")
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

// Module is a module that is linked into a program.
type Module struct {
	Path, Version string
	Names         string // of its licences, as the files at its root say
	Text          string // of those files
	Notices       string // that must go with copies
	Usable        bool   // no licence is unknown, or asks for the source
}

// Of lists the modules that are linked into a program of the module in a folder, except that module itself. The go
// command runs in the given environment.
func Of(ctx context.Context, folder, program string, environment []string) (modules []Module, err error) {
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Module", program)
	list.Dir, list.Env, list.Stderr = folder, environment, os.Stderr
	output, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	known := map[string]bool{}
	decoder := json.NewDecoder(strings.NewReader(string(output)))
	for {
		var p struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || p.Module.Main || known[p.Module.Path] {
			continue
		}
		known[p.Module.Path] = true
		m := Module{Path: p.Module.Path, Version: p.Module.Version}
		text, err := texts(p.Module.Dir, licenceFile)
		if err != nil {
			return nil, err
		}
		m.Names, m.Usable = name(text)
		if why, checked := accepted[m.Path+"@"+m.Version]; checked && strings.TrimSpace(text) == "" {
			m.Names, m.Usable = why, true
		}
		m.Text = text
		if m.Notices, err = texts(p.Module.Dir, noticeFile); err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b Module) int { return cmp.Compare(a.Path, b.Path) })
	return modules, nil
}

var (
	licenceFile = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying`)
	noticeFile  = regexp.MustCompile(`(?i)^notice`)
)

// texts is the text of all files of a name at a module's root.
func texts(folder string, name *regexp.Regexp) (text string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !name.MatchString(entry.Name()) {
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
