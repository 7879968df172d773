package rooms

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// pages are the documents that people read, by their path in the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			path, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.ToSlash(path)] = string(text)
		}
	}
	return texts
}

var (
	block   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// prose is a page without its blocks of code.
func prose(page string) string { return block.ReplaceAllString(page, "") }

// anchor is the name by which a heading is linked to, as GitHub makes it.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// Every relative link of a document leads to a file, and its anchor to a heading there.
func TestDocuments_LinksLeadSomewhere(t *testing.T) {
	all, followed := pages(t), 0
	for path, page := range all {
		for _, found := range link.FindAllStringSubmatch(prose(page), -1) {
			if strings.Contains(found[1], "://") || strings.HasPrefix(found[1], "mailto:") {
				continue
			}
			followed++
			target, name, anchored := strings.Cut(found[1], "#")
			leadsTo := path
			if target != "" {
				leadsTo = filepath.ToSlash(filepath.Join(filepath.Dir(path), target))
			}
			if _, err := os.Stat(filepath.Join(root, leadsTo)); err != nil {
				t.Errorf("%s links to %s, which is not there", path, leadsTo)
			} else if anchored && !hasAnchor(all[leadsTo], name) {
				t.Errorf("%s links to the heading #%s, which %s has not", path, name, leadsTo)
			}
		}
	}
	if followed < 100 {
		t.Errorf("only %d links were followed", followed)
	}
}

func hasAnchor(page, name string) bool {
	for _, found := range heading.FindAllStringSubmatch(prose(page), -1) {
		if anchor(found[1]) == name {
			return true
		}
	}
	return false
}

// Every page of docs/operations is on its index.
func TestDocuments_EveryTaskIsOnTheIndex(t *testing.T) {
	all := pages(t)
	index := all["docs/operations/README.md"]
	for path := range all {
		folder, name := filepath.Split(path)
		if folder == "docs/operations/" && name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("the index of docs/operations has no %s", name)
		}
	}
}

// The README is read by who has never seen this, in one go.
func TestDocuments_READMEIsShort(t *testing.T) {
	if lines := strings.Count(pages(t)["README.md"], "\n"); lines > 150 {
		t.Errorf("the README has %d lines", lines)
	}
}

var (
	namedPath = regexp.MustCompile("`([a-z][\\w.-]*(?:/[\\w.-]+)+/?)`")
	// generatedPages name elements of documents by paths that look like those of files.
	generatedPages = regexp.MustCompile(`^docs/(rules.*|evidence)\.md$`)
	// madeElsewhere are paths that are no files of the repository.
	madeElsewhere = map[string]bool{
		"cmd/emissor/NAME.go":       true, // a file that somebody adds
		"deploy/ca":                 true, // of an installation
		"deploy/caddy/certificates": true, // likewise
		"deploy/keyset/keyset.json": true, // likewise
		"emissor/VERSION":           true, // what a connection to the database is called
	}
)

// A path of the repository that a document names exists.
func TestDocuments_NamedPathsExist(t *testing.T) {
	named := 0
	for path, page := range pages(t) {
		if generatedPages.MatchString(path) {
			continue
		}
		for _, found := range namedPath.FindAllStringSubmatch(prose(page), -1) {
			named++
			if _, err := os.Stat(filepath.Join(root, found[1])); err != nil && !madeElsewhere[found[1]] {
				t.Errorf("%s names %s, which is not there", path, found[1])
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d paths were found", named)
	}
}
