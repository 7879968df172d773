package rooms

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var namedRoom = regexp.MustCompile("`([a-z/-]+)`")

// Who reads CONTRIBUTING.md finds every package in its table, but for helpers of one package's tests and
// the parts of test/simulators/shared.
func TestContributing_NamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for _, found := range namedRoom.FindAllStringSubmatch(line, -1) {
			named[path.Base(found[1])] = true
		}
	}
	for _, p := range list(t) {
		room := strings.TrimPrefix(p.ImportPath, module)
		if strings.HasSuffix(room, "test") || strings.HasPrefix(room, "test/simulators/shared/") {
			continue
		}
		if !named[path.Base(room)] {
			t.Errorf("the table of CONTRIBUTING.md does not name %s", room)
		}
	}
}
