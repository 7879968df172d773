// Package cataloguetest is for tests of the authorities' catalogues of rules.
package cataloguetest

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the document of the rules anew")

// Document compares a file of docs with what the catalogue says; with -update it is
// written.
func Document(t *testing.T, file string, written []byte) {
	t.Helper()
	path := "../../../docs/" + file
	if *update {
		if err := os.WriteFile(path, written, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stored, written) {
		t.Errorf("docs/%s is not what the catalogue says: go test -run TestDocs -update, in this folder", file)
	}
}

// Quoted is the name of a field as the documents write it; empty for none.
func Quoted(field string) string {
	if field == "" {
		return ""
	}
	return "`" + field + "`"
}
