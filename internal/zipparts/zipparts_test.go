package zipparts_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"testing"
	"time"

	"emissor/internal/zipparts"
)

var at = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)

// A ZIP of parts is read by the standard library, with few files and with more than 65,535.
func TestParts_AreAZIP(t *testing.T) {
	t.Parallel()
	for _, parts := range []int{0, 3, 700} {
		var whole, directory []byte
		files := int64(0)
		for i := range parts {
			var some []zipparts.File
			for j := range 100 {
				some = append(some, zipparts.File{Name: fmt.Sprintf("nota/%d-%d.xml", i, j),
					Content: fmt.Appendf(nil, "<nota>%d</nota>", i*j)})
			}
			part, err := zipparts.New(int64(len(whole)), at, some...)
			if err != nil {
				t.Fatal(err)
			}
			whole, directory, files = append(whole, part.Content...), append(directory, part.Directory...), files+100
		}
		index := []byte("arquivo;sha256\r\n")
		head, err := zipparts.Head(int64(len(whole)), at, "indice.csv", crc32.ChecksumIEEE(index), int64(len(index)))
		if err != nil {
			t.Fatal(err)
		}
		whole = append(append(whole, head.Content...), index...)
		directory = append(directory, head.Directory...)
		begin := int64(len(whole))
		whole = append(append(whole, directory...), zipparts.End(begin, int64(len(directory)), files+1)...)

		read, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(read.File)) != files+1 {
			t.Fatalf("the ZIP has %d files, want %d", len(read.File), files+1)
		}
		for _, file := range read.File {
			content, err := file.Open()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(content); err != nil { // which compares the checksum
				t.Fatalf("%s: %v", file.Name, err)
			}
		}
	}
}

// Beyond 4 GB a part's directory is still what its files are found by.
func TestParts_BeyondFourGigabytes(t *testing.T) {
	t.Parallel()
	for _, position := range []int64{1<<32 - 200, 1<<32 - 1, 1 << 32, 1 << 33} {
		part, err := zipparts.New(position, at, zipparts.File{Name: "a.xml", Content: []byte("<a/>")})
		if err != nil {
			t.Fatal(err)
		}
		begin := position + int64(len(part.Content))
		tail := append(append(append([]byte{}, part.Content...), part.Directory...),
			zipparts.End(begin, int64(len(part.Directory)), 1)...)
		read, err := zip.NewReader(moved{bytes.NewReader(tail), position}, position+int64(len(tail)))
		if err != nil {
			t.Fatalf("at %d: %v", position, err)
		}
		content, err := read.Open("a.xml")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(content); string(got) != "<a/>" || err != nil {
			t.Errorf("at %d: %q, %v", position, got, err)
		}
	}
}

// moved is a reader whose bytes begin at a position; those before are zeros.
type moved struct {
	tail     *bytes.Reader
	position int64
}

func (m moved) ReadAt(p []byte, off int64) (int, error) {
	if off >= m.position {
		return m.tail.ReadAt(p, off-m.position)
	}
	zeros := min(int64(len(p)), m.position-off)
	clear(p[:zeros])
	n, err := m.tail.ReadAt(p[zeros:], 0)
	return int(zeros) + n, err
}
