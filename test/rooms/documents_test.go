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

// root is the repository.
const root = "../.."

// What documents say is shown by a test is: every test that they name exists, and
// security.md and architecture.md name many.
func TestDocuments_NamedTestsExist(t *testing.T) {
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
	least := map[string]int{"docs/security.md": 50, "docs/architecture.md": 25}
	for path, page := range pages(t) {
		named := namedTest.FindAllStringSubmatch(page, -1)
		if len(named) < least[path] {
			t.Errorf("%s names only %d tests", path, len(named))
		}
		for _, test := range named {
			if !written[test[1]] {
				t.Errorf("%s names %s, which is none", path, test[1])
			}
		}
		delete(least, path)
	}
	for path := range least {
		t.Errorf("there is no %s", path)
	}
}
