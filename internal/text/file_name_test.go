package text_test

import (
	"mime"
	"strings"
	"testing"

	"emissor/internal/text"
)

func TestNoteFile(t *testing.T) {
	for _, c := range []struct{ number, company, name, plain string }{
		{"123", "Clínica São João", "NFS-e 123 - Clínica São João.pdf", "NFS-e 123 - Clinica Sao Joao.pdf"},
		{"", "Acme", "NFS-e - Acme.pdf", "NFS-e - Acme.pdf"},
		{"../../etc/passwd", `a"b\c/d:e`, "NFS-e .. .. etc passwd - a b c d e.pdf",
			"NFS-e .. .. etc passwd - a b c d e.pdf"},
		{"1", "x\r\nBcc: a@b", "NFS-e 1 - xBcc a@b.pdf", "NFS-e 1 - xBcc a@b.pdf"},
		{"1", "gpj\u202eexe", "NFS-e 1 - gpjexe.pdf", "NFS-e 1 - gpjexe.pdf"},
		{"1", "漢字 🎉", "NFS-e 1 - 漢字 🎉.pdf", "NFS-e 1 - -- -.pdf"},
		{"1", " . ", "NFS-e 1.pdf", "NFS-e 1.pdf"},
	} {
		name := text.NoteFile(c.number, c.company, ".pdf")
		if plain := text.ASCIIFile(name); name != c.name || plain != c.plain {
			t.Errorf("%q of %q is called %q and %q", c.number, c.company, name, plain)
		}
		kind, parameters, err := mime.ParseMediaType(text.Attachment(name))
		if err != nil || kind != "attachment" || parameters["filename"] != c.name {
			t.Errorf("%q is read as %q: %v", c.name, parameters["filename"], err)
		}
	}
	long := text.Attachment(text.NoteFile("1", strings.Repeat("🎉", 500), ".xml"))
	if len(long) > 998 || strings.ContainsAny(long, "\r\n") {
		t.Errorf("the header has %d bytes", len(long))
	}
}
