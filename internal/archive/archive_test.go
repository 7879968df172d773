package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"emissor/internal/archive"
	"emissor/internal/packed"
)

// made is a segment of documents of two issuers, one packed with a version alone.
func made(t *testing.T, documents [][]byte) (content []byte) {
	t.Helper()
	segment := archive.NewSegment("2026-01")
	for i, plain := range documents {
		with := archive.Dictionary{ID: packed.Latest, Version: packed.Latest}
		if certificates := packed.Certificates(plain); len(certificates) > 0 {
			with = archive.Dictionary{ID: uint32(packed.FirstOwnID + i%2), Version: packed.Latest,
				Certificates: certificates}
		}
		dictionary, err := packed.NewDictionary(with.ID, with.Version, with.Certificates)
		must(t, err)
		frame, err := dictionary.Pack(plain)
		must(t, err)
		_, err = segment.Add(archive.Document{NoteID: noteID(i), Frame: frame, Plain: plain}, with)
		must(t, err)
	}
	content, err := segment.Content()
	must(t, err)
	return content
}

func noteID(i int) string { return fmt.Sprintf("nfse_%026d", i) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func samples() (documents [][]byte) {
	for i := range 50 {
		certificate := ""
		if i%3 > 0 {
			certificate = fmt.Sprintf("<X509Certificate>MII%d</X509Certificate>", i%2)
		}
		documents = append(documents, fmt.Appendf(nil, `<?xml version="1.0" encoding="UTF-8"?><NFSe><nNFSe>%d</nNFSe>`+
			`<xNome>Clínica São José %d</xNome>%s</NFSe>`, i, rand.Int64(), certificate))
	}
	return documents
}

// Each document comes back, and after a change of any byte of a segment no other document does.
func TestSegment(t *testing.T) {
	documents := samples()
	content := made(t, documents)
	stored, err := archive.Read(content)
	must(t, err)
	must(t, stored.Check())
	if stored.Month != "2026-01" || len(stored.Entries) != len(documents) || stored.First() != noteID(0) ||
		stored.Last() != noteID(len(documents)-1) {
		t.Errorf("it has %d documents of %s", len(stored.Entries), stored.Month)
	}
	for i, entry := range stored.Entries {
		plain, err := stored.Document(entry)
		if err != nil || entry.NoteID != noteID(i) || !bytes.Equal(plain, documents[i]) {
			t.Errorf("%s came back as %q, %v", entry.NoteID, plain, err)
		}
	}
	end := len(content)
	for at := 0; at < end; at += 1 + at%7 {
		if at > end-archive.FooterBytes && content[at] == ' ' {
			continue // what fills the last line says nothing
		}
		changed := bytes.Clone(content)
		changed[at] ^= 0x10
		other, err := archive.Read(changed)
		if err == nil {
			err = other.Check()
		}
		if err != nil {
			continue
		}
		// A bit that says nothing of a document: the digest of the whole file, which the database has, shows it.
		for i, entry := range other.Entries {
			if plain, err := other.Document(entry); err != nil || !bytes.Equal(plain, documents[i]) {
				t.Errorf("a byte at %d of %d is another, and nobody sees it", at, end)
			}
		}
	}
	for _, cut := range []int{0, 1, archive.FooterBytes, end / 2, end - 1} {
		if _, err := archive.Read(content[:cut]); !errors.Is(err, archive.ErrBroken) {
			t.Errorf("cut off after %d bytes: %v", cut, err)
		}
	}
}

// Anybody who has the file, the program zstd and Python reads it by the script of the manual, in twenty years too.
func TestSegment_ReadByTheScript(t *testing.T) {
	for _, program := range []string{"zstd", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("not on this machine: ", program)
		}
	}
	manual, err := os.ReadFile("../../docs/operations/archive.md")
	must(t, err)
	_, script, ok := strings.Cut(string(manual), "```python\n")
	script, _, ended := strings.Cut(script, "\n```")
	if !ok || !ended {
		t.Fatal("the manual has no script")
	}
	folder := t.TempDir()
	documents := samples()
	must(t, os.WriteFile(filepath.Join(folder, "a.segment"), made(t, documents), 0o600))
	must(t, os.WriteFile(filepath.Join(folder, "read.py"), []byte(script), 0o600))
	read := exec.Command("python3", "read.py", "a.segment")
	read.Dir = folder
	if output, err := read.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for i, plain := range documents {
		written, err := os.ReadFile(filepath.Join(folder, noteID(i)+".xml"))
		if err != nil || !bytes.Equal(written, plain) {
			t.Errorf("%s: %q, %v", noteID(i), written, err)
		}
	}
}
