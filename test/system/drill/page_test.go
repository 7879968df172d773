package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

const pages = "../../../docs/operations"

var (
	anyCommands = regexp.MustCompile("(?m)^ *```sh *$")
	usedBlock   = regexp.MustCompile(`(backup|failover)Page, "([a-z-]+)"|(backup|failover)Page\.block\("([a-z.-]+)"`)
)

// Each block of commands of the pages is a step of the drill, and has the name of one.
func TestPages_EveryBlockIsDrilled(t *testing.T) {
	drilled := map[string][]string{}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range sources {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range usedBlock.FindAllStringSubmatch(string(source), -1) {
			drilled[found[1]+found[3]] = append(drilled[found[1]+found[3]], found[2]+found[4])
		}
	}
	for _, name := range []string{"backup", "failover"} {
		p, err := readPage(pages, name+".md")
		if err != nil {
			t.Fatal(err)
		}
		var written []string
		for block := range p.blocks {
			written = append(written, block)
		}
		slices.Sort(written)
		slices.Sort(drilled[name])
		if steps := slices.Compact(drilled[name]); !slices.Equal(written, steps) {
			t.Errorf("%s.md has the blocks\n%q, and drilled are\n%q", name, written, steps)
		}
		text, err := os.ReadFile(filepath.Join(pages, name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		if anyCommands.Match(text) {
			t.Errorf("%s.md has commands without a name, which are not drilled", name)
		}
	}
}
