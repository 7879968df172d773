package dashboard_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"emissor/dashboard/words"
)

var (
	keyText    = regexp.MustCompile(`"([a-z_]+\.[a-zA-Z_.-]*)"`)
	tableEntry = regexp.MustCompile(`(?m)^\t"([a-z_]+\.[a-zA-Z_.-]+)":\s*\{"`)
)

// Every key that a page says is there in both languages, and none is there that no
// page says. A key that is put together begins with a text that ends in a dot, as
// (print "status." .Status): that uses all keys that begin so.
func TestWords_NoneMissingNoneUnused(t *testing.T) {
	said := map[string]bool{}
	var beginnings []string
	for _, pattern := range []string{"*.go", "templates/*.gohtml"} {
		files, err := filepath.Glob(pattern)
		must(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			content, err := os.ReadFile(file)
			must(t, err)
			for _, found := range keyText.FindAllStringSubmatch(string(content), -1) {
				key := found[1]
				if strings.HasSuffix(key, ".") {
					beginnings = append(beginnings, key)
					continue
				}
				said[key] = true
				if !words.Has(key) && isKey(key) {
					t.Errorf("%s says %s, which is not there", file, key)
				}
			}
		}
	}
	files, err := filepath.Glob("words/*.go")
	must(t, err)
	entries := 0
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		for _, found := range tableEntry.FindAllStringSubmatch(string(content), -1) {
			entries++
			if key := found[1]; !said[key] && !begins(key, beginnings) &&
				!said[strings.TrimSuffix(key, ".text")] && !said[strings.TrimSuffix(key, ".one")] {
				t.Errorf("%s has %s, which nothing says", file, key)
			}
		}
	}
	if entries < 100 {
		t.Errorf("only %d messages were found", entries)
	}
}

// isKey tells keys from names of files and the like.
func isKey(text string) bool {
	first, _, _ := strings.Cut(text, ".")
	for _, known := range []string{
		"frame", "section", "language", "role", "status", "confirm", "passkey", "passkeys", "problem", "sign_in", "link",
		"session", "people", "notes", "note", "step", "overview",
	} {
		if first == known {
			return true
		}
	}
	return false
}

func begins(key string, beginnings []string) bool {
	for _, beginning := range beginnings {
		if strings.HasPrefix(key, beginning) {
			return true
		}
	}
	return false
}

// The English page has no Portuguese left, and the other way round: both texts of a
// message are filled in alike.
func TestWords_SameArguments(t *testing.T) {
	verb := regexp.MustCompile(`%[a-z]`)
	files, err := filepath.Glob("words/*.go")
	must(t, err)
	entry := regexp.MustCompile(`(?m)^\t"([^"]+)":\s*\{"(.*)", "(.*)"\},$`)
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		for _, found := range entry.FindAllStringSubmatch(string(content), -1) {
			if len(verb.FindAllString(found[2], -1)) != len(verb.FindAllString(found[3], -1)) || found[2] == "" || found[3] == "" {
				t.Errorf("%s: the texts of %s differ in what is filled in", file, found[1])
			}
		}
	}
}
