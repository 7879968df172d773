// Package wording reads what the authorities' rules mean in our words: tables of tabs,
// in which {name} stands for a phrase that several rules share. Each authority keeps
// tables and phrases of its own, in English and in Portuguese.
package wording

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Rows reads the rows of a table below the first line, which names the columns. Lines
// that begin with # are comments.
func Rows(table string) [][]string {
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSuffix(table, "\n"), "\n")[1:] {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return rows
}

// Phrases are texts by their names, and which of them something uses.
type Phrases struct {
	texts map[string]string
	used  map[string]bool
}

// ParsePhrases reads a table of names and phrases. A phrase may hold those above it.
func ParsePhrases(table string) (Phrases, error) {
	read := Phrases{map[string]string{}, map[string]bool{}}
	for _, row := range Rows(table) {
		if _, repeated := read.texts[row[0]]; repeated || len(row) != 2 {
			return read, fmt.Errorf("phrase %s: is there twice, or has not two columns", row[0])
		}
		text, err := read.Expand(row[1])
		if err != nil {
			return read, fmt.Errorf("phrase %s: %w", row[0], err)
		}
		read.texts[row[0]] = text
	}
	return read, nil
}

var phraseName = regexp.MustCompile(`\{[^{}]*\}`)

// Expand puts phrases in the place of their names, which braces mark.
func (p Phrases) Expand(text string) (expanded string, err error) {
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

// AllUsed refuses phrases that nothing uses.
func (p Phrases) AllUsed() error {
	for name := range p.texts {
		if !p.used[name] {
			return fmt.Errorf("phrase %s: is used nowhere", name)
		}
	}
	return nil
}

// Words are what is said of one rule: what it means, and what a person does.
type Words struct{ Explanation, Action string }

// Words reads a row of a rule's code, its explanation and its action.
func (p Phrases) Words(row []string) (one Words, err error) {
	if len(row) != 3 {
		return one, fmt.Errorf("has %d columns", len(row))
	}
	if one.Explanation, err = p.Expand(row[1]); err != nil {
		return one, err
	}
	if one.Action, err = p.Expand(row[2]); err != nil {
		return one, err
	}
	if row[0] == "" || one.Explanation == "" || one.Action == "" {
		return one, errors.New("lacks its code, its explanation or its action")
	}
	return one, nil
}
