package rooms

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest   = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`")
	writtenTest = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w*)\(`)
)

// What security.md and architecture.md say is shown by a test is: every test that they
// name exists.
func TestDocuments_NamedTestsExist(t *testing.T) {
	const root = "../.."
	written := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		for _, found := range writtenTest.FindAllSubmatch(source, -1) {
			written[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, least := range map[string]int{"security.md": 50, "architecture.md": 25} {
		page, err := os.ReadFile(filepath.Join(root, "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		named := namedTest.FindAllSubmatch(page, -1)
		if len(named) < least {
			t.Errorf("%s names only %d tests", name, len(named))
		}
		for _, test := range named {
			if !written[string(test[1])] {
				t.Errorf("%s names %s, which is none", name, test[1])
			}
		}
	}
}
