package rooms

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goBlock is one of Go in CONTRIBUTING.md, of which the first line says where it stands.
var goBlock = regexp.MustCompile("(?ms)^   ```go\n   // (.+?)\n(.+?)^   ```$")

// Who follows CONTRIBUTING.md has a family of cities' servers: its blocks, as they stand, are a folder and two lines,
// and its test passes.
func TestContributing_CityFamily(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	made, lines := map[string]string{}, 0
	place := func(name, content string) {
		file := filepath.Join(t.TempDir(), filepath.Base(name))
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		made[filepath.Join(tree, name)] = file
	}
	for _, found := range goBlock.FindAllStringSubmatch(string(page), -1) {
		content := strings.ReplaceAll("\n"+found[2], "\n   ", "\n")
		if name, isLine := strings.CutPrefix(found[1], "a line of "); isLine {
			place(name, withLine(t, filepath.Join(tree, name), strings.TrimSpace(content)))
			continue
		}
		place(found[1], content)
		lines += strings.Count(content, "\n")
	}
	if len(made) != 5 || lines > 200 {
		t.Fatalf("the page has %d files, and %d lines in them", len(made), lines)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": made})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(t.TempDir(), "toy.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", built, "-overlay", file, "./fiscal/national/toy")
	build.Dir, build.Env = tree, append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if output, err := exec.Command(built, "-test.run", "TestToy", "-test.v").CombinedOutput(); err != nil ||
		!strings.Contains(string(output), "--- PASS: TestToy") {
		t.Errorf("%v\n%s", err, output)
	}
}

// withLine is a table of families with another line, and what it imports.
func withLine(t *testing.T, name, line string) string {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	imports := "\ttoy \"emissor/fiscal/national/toy/rules\"\n"
	if strings.HasPrefix(line, "toyrules.") {
		imports = "\t\"emissor/fiscal/national/toy\"\n\ttoyrules \"emissor/fiscal/national/toy/rules\"\n"
	}
	begins := regexp.MustCompile(`(?m)^var \w+ = map\[cities\.Family\]\w+\{$`)
	if len(begins.FindAll(source, -1)) != 1 {
		t.Fatalf("%s has not one table of families", name)
	}
	text := begins.ReplaceAllString(string(source), "$0\n\t"+line)
	return strings.Replace(text, "import (\n", "import (\n"+imports, 1)
}
