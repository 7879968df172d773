package testkit

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// PDFText reads the text of a page, with single spaces.
func PDFText(t testing.TB, page []byte) string {
	t.Helper()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Fatal("pdftotext is missing: install Debian's package poppler-utils")
	}
	command := exec.CommandContext(t.Context(), "pdftotext", "-raw", "-", "-")
	command.Stdin = bytes.NewReader(page)
	text, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}
