package rooms

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	written := writtenTests(t)
	least := map[string]int{"docs/security.md": 50, "docs/architecture.md": 25}
	for path, page := range pages(t) {
		named := namedTest.FindAllStringSubmatch(page, -1)
		if len(named) < least[path] {
			t.Errorf("%s names only %d tests", path, len(named))
		}
		for _, test := range named {
			if written[test[1]] == nil {
				t.Errorf("%s names %s, which is none", path, test[1])
			}
		}
		delete(least, path)
	}
	for path := range least {
		t.Errorf("there is no %s", path)
	}
}

// Each test that .ci/run has the race detector watch, or that make test leaves out, exists in packages that this is
// said of alone: one of another package by the same name would be left out there.
func TestLists_Exist(t *testing.T) {
	written := writtenTests(t)
	for path, packages := range map[string][]string{
		"dev/raced_tests.txt": {"worker", "store", "api"},
		"dev/long_tests.txt":  {"worker", "store", "api", "dashboard", "cmd/emissor"},
	} {
		list, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(list)) {
			name := strings.TrimSpace(line)
			if strings.HasPrefix(line, "#") {
				continue
			}
			in := written[name]
			elsewhere := func(folder string) bool { return !slices.Contains(packages, folder) }
			if len(in) == 0 || slices.ContainsFunc(in, elsewhere) {
				t.Errorf("%s: %s is a test of %q", path, name, in)
			}
		}
	}
}

// writtenTests are all tests, with the folders of those that have the name.
func writtenTests(t *testing.T) map[string][]string {
	written := map[string][]string{}
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
		folder, _ := filepath.Rel(root, filepath.Dir(path))
		for _, found := range writtenTest.FindAllSubmatch(source, -1) {
			written[string(found[1])] = append(written[string(found[1])], filepath.ToSlash(folder))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return written
}
