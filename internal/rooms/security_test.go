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

// What docs/security.md says is shown by a test is: every test that it names
// exists.
func TestSecurity_NamedTestsExist(t *testing.T) {
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
	page, err := os.ReadFile(filepath.Join(root, "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := namedTest.FindAllSubmatch(page, -1)
	if len(named) < 50 {
		t.Fatalf("the page names only %d tests", len(named))
	}
	for _, name := range named {
		if !written[string(name[1])] {
			t.Errorf("there is no %s", name[1])
		}
	}
}
