package words

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// literal is a text in a page's source that could be a key, or the beginning of one.
var literal = regexp.MustCompile(`"([a-z_]+\.[a-zA-Z_.-]*)"`)

// literals are the literals of the dashboard's Go files and templates, by the file.
func literals(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, pattern := range []string{"../*.go", "../*/*.go", "../templates/*.gohtml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range literal.FindAllStringSubmatch(string(content), -1) {
				found[file] = append(found[file], match[1])
			}
		}
	}
	return found
}

// Every key that a page says is there, and none is there that no page says. A key that
// is put together begins with a text that ends in a dot, as (print "status." .Status):
// that uses all keys that begin so.
func TestWords_NoneMissingNoneUnused(t *testing.T) {
	areas := map[string]bool{} // what keys begin with
	for key := range messages() {
		area, _, _ := strings.Cut(key, ".")
		areas[area] = true
	}
	var said []string
	for file, texts := range literals(t) {
		said = append(said, texts...)
		for _, text := range texts {
			area, _, _ := strings.Cut(text, ".")
			if areas[area] && !strings.HasSuffix(text, ".") && !Has(text) {
				t.Errorf("%s says %s, which is not there", file, text)
			}
		}
	}
	for key := range messages() {
		if !slices.ContainsFunc(said, func(text string) bool {
			return text == key || text == strings.TrimSuffix(key, ".text") || text == strings.TrimSuffix(key, ".one") ||
				strings.HasSuffix(text, ".") && strings.HasPrefix(key, text) && text != "."
		}) {
			t.Errorf("nothing says %s", key)
		}
	}
	if len(messages()) < 100 {
		t.Errorf("there are only %d messages", len(messages()))
	}
}

// Both texts of a message are there, and have the same filled in.
func TestWords_SameInBothLanguages(t *testing.T) {
	verb := regexp.MustCompile(`%\w`)
	for key, message := range messages() {
		if message.portuguese == "" || message.english == "" || !slices.Equal(
			verb.FindAllString(message.portuguese, -1), verb.FindAllString(message.english, -1)) {
			t.Errorf("the texts of %s do not agree: %q and %q", key, message.portuguese, message.english)
		}
	}
}

// A count says its number, once, or one in letters.
func TestCount(t *testing.T) {
	for key := range messages() {
		key, counts := strings.CutSuffix(key, ".one")
		if !counts {
			continue
		}
		for _, language := range Languages {
			for number := range 3 {
				if said := language.Count(key, number); strings.Contains(said, "%!") {
					t.Errorf("%s of %d in %s says %q", key, number, language, said)
				}
			}
		}
	}
}

// A problem says what it means and what to do.
func TestWords_ProblemsAreExplained(t *testing.T) {
	for key := range messages() {
		if strings.HasPrefix(key, "problem.") && strings.Count(key, ".") == 1 && key != "problem.request" && key != "problem.home" && !Has(key+".text") {
			t.Errorf("%s has no text", key)
		}
	}
}

func TestChoose(t *testing.T) {
	for _, one := range []struct {
		chosen, accepted string
		expected         Language
	}{
		{"", "", Portuguese}, {"en", "pt-BR", English}, {"pt-BR", "en", Portuguese}, {"fr", "en-US,en;q=0.8", English},
		{"", "fr", Portuguese}, {"", "pt-PT", Portuguese}, {"", ";;;", Portuguese},
	} {
		if found := Choose(one.chosen, one.accepted); found != one.expected {
			t.Errorf("%+v: %s", one, found)
		}
	}
}
