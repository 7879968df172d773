package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// page is a page of the handbook: its blocks of code that have a name are what the drill does.
type page struct {
	file   string
	blocks map[string]string // by name
}

// namedBlock is a block whose first line has a language and a name.
var namedBlock = regexp.MustCompile("(?ms)^( *)```(?:sh|ini) ([a-z.-]+)\n(.*?)^ *```$")

// readPage reads a page in a folder.
func readPage(folder, name string) (*page, error) {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	p := &page{file: name, blocks: map[string]string{}}
	for _, found := range namedBlock.FindAllStringSubmatch(string(text), -1) {
		indent, block, text := found[1], found[2], found[3]
		if p.blocks[block] != "" {
			return nil, fmt.Errorf("%s has two blocks %q", name, block)
		}
		var lines strings.Builder
		for line := range strings.Lines(text) {
			lines.WriteString(strings.TrimPrefix(line, indent))
		}
		p.blocks[block] = lines.String()
	}
	return p, nil
}

// block is a block, in which examples are replaced: pairs of what the page has, and what it is here. A page
// that lacks one of them says something else than what is done.
func (p *page) block(name string, examples ...string) (string, error) {
	text, exists := p.blocks[name]
	if !exists {
		return "", fmt.Errorf("%s has no block %q", p.file, name)
	}
	for pair := range slices.Chunk(examples, 2) {
		if !strings.Contains(text, pair[0]) {
			return "", fmt.Errorf("the block %q of %s has no %s", name, p.file, pair[0])
		}
	}
	return strings.NewReplacer(examples...).Replace(text), nil
}
