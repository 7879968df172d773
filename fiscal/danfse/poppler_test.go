package danfse_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tool runs a program on a file, and returns what it prints.
func tool(t testing.TB, debianPackage, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("%s is missing: install Debian's package %s", name, debianPackage)
	}
	output, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(output)
}

// stored writes a page into a file.
func stored(t testing.TB, page []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.pdf")
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// read returns the text of a page, each run of space as one.
func read(t testing.TB, page []byte) string {
	t.Helper()
	text := tool(t, "poppler-utils", "pdftotext", "-raw", stored(t, page), "-")
	return strings.Join(strings.Fields(text), " ")
}

// letters is how a word across the page is read.
func letters(word string) string { return strings.Join(strings.Split(word, ""), " ") }

func says(t testing.TB, page []byte, parts ...string) {
	t.Helper()
	text := read(t, page)
	missing := slices.DeleteFunc(parts, func(part string) bool { return strings.Contains(text, part) })
	if len(missing) > 0 {
		t.Errorf("the page does not say %q:\n%s", missing, text)
	}
}

func saysNot(t testing.TB, page []byte, parts ...string) {
	t.Helper()
	text := read(t, page)
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("the page says %q:\n%s", part, text)
		}
	}
}
