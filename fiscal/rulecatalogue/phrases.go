package rulecatalogue

import (
	"fmt"
	"regexp"
	"strings"

	"emissor/internal/tsv"
)

// phrases are texts by their names, and which of them something uses.
type phrases struct {
	texts map[string]string
	used  map[string]bool
}

// parsePhrases reads a table of names and phrases. A phrase may hold those above it.
func parsePhrases(table string) (phrases, error) {
	read := phrases{map[string]string{}, map[string]bool{}}
	for _, row := range tsv.Rows(table) {
		if _, repeated := read.texts[row[0]]; repeated || len(row) != 2 {
			return read, fmt.Errorf("phrase %s: is there twice, or has not two columns", row[0])
		}
		text, err := read.expand(row[1])
		if err != nil {
			return read, fmt.Errorf("phrase %s: %w", row[0], err)
		}
		read.texts[row[0]] = text
	}
	return read, nil
}

var phraseName = regexp.MustCompile(`\{[^{}]*\}`)

// expand puts phrases in the place of their names, which braces mark.
func (p phrases) expand(text string) (expanded string, err error) {
	expanded = phraseName.ReplaceAllStringFunc(text, func(braced string) string {
		name := strings.Trim(braced, "{}")
		phrase, known := p.texts[name]
		if !known {
			err = fmt.Errorf("there is no phrase %q", name)
		}
		p.used[name] = true
		return phrase
	})
	return expanded, err
}

// allUsed refuses phrases that nothing uses.
func (p phrases) allUsed() error {
	for name := range p.texts {
		if !p.used[name] {
			return fmt.Errorf("phrase %s: is used nowhere", name)
		}
	}
	return nil
}
