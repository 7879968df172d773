package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The bugs are not in the product's source: an overlay of go build puts all of them
// into what is built for the tests. A process has the one that its environment names.
const plantedVariable = "EMISSOR_PLANTED"

// plant returns the overlay.
func plant(t *testing.T) string {
	t.Helper()
	files := map[string]string{}
	for _, folder := range editedFolders() {
		files[filepath.Join(folder, "planted_bugs.go")] = fmt.Sprintf(`package %s

import "os"

func planted(bug string) bool { return os.Getenv(%q) == bug }
`, filepath.Base(folder), plantedVariable)
	}
	for _, bug := range bugs {
		for _, edit := range bug.edits {
			text, edited := files[edit.file]
			if !edited {
				source, err := os.ReadFile(inModule(edit.file))
				check(t, err)
				text = string(source)
			}
			if n := strings.Count(text, edit.before); n != 1 {
				t.Fatalf("%s: %s has this %d times, not once:\n%s", bug.name, edit.file, n, edit.before)
			}
			files[edit.file] = strings.Replace(text, edit.before, edit.after, 1)
		}
	}
	return writeOverlay(t, files)
}

// editedFolders returns the folders of the packages that bugs are planted in.
func editedFolders() (folders []string) {
	for _, bug := range bugs {
		for _, edit := range bug.edits {
			folders = append(folders, filepath.Dir(edit.file))
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// inModule is the path of a file of the product's module.
func inModule(path string) string { return filepath.Join("../../..", path) }

func writeOverlay(t *testing.T, files map[string]string) (overlay string) {
	t.Helper()
	dir := t.TempDir()
	var content struct{ Replace map[string]string }
	content.Replace = map[string]string{}
	for path, text := range files {
		replaced, err := filepath.Abs(inModule(path))
		check(t, err)
		by := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		check(t, os.WriteFile(by, []byte(text), 0o600))
		content.Replace[replaced] = by
	}
	encoded, err := json.Marshal(content)
	check(t, err)
	overlay = filepath.Join(dir, "overlay.json")
	check(t, os.WriteFile(overlay, encoded, 0o600))
	return overlay
}

// The place of every bug is found once, and what is edited compiles. A change of the product's code there needs a
// change of the edit.
func TestBugs_CanBePlanted(t *testing.T) {
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-overlay", plant(t))
	build.Dir, build.Env = inModule("."), append(os.Environ(), "CGO_ENABLED=0")
	for _, folder := range editedFolders() {
		build.Args = append(build.Args, "emissor/"+folder)
		// What a test has read go test remembers: it runs this again when a file of the folder has changed.
		_, err := os.ReadDir(inModule(folder))
		check(t, err)
	}
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
