// Package archive has the form of the files in which documents are kept outside the database: segments.
//
//	segment := archive.NewSegment("2026-01")
//	entry, err := segment.Add(archive.Document{NoteID: id, Frame: frame, Plain: plain}, dictionary)
//	content, err := segment.Content()          // what is put into the archive
//
//	read, err := archive.Read(content)         // the digests of its index and of what it says of itself are right
//	err = read.Check()                         // and those of all its documents
//
// A month of documents is one or more segments of a bounded size. A segment has everything that reading it needs: the
// frames as the database had them (package packed), one after the other, then its index, which is one zstd frame of
// JSON lines, and in its last FooterBytes a line of JSON that says where the index is. docs/operations/archive.md
// describes it for people who have the file and nothing else.
package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"

	"emissor/internal/packed"
)

const (
	// Format is the version of the form that is written.
	Format = 1

	// FooterBytes is how long the last part of a segment is, which says where its index is.
	FooterBytes = 512

	// SegmentBytes is the size after which a segment gets no further document. A segment is held in memory twice while
	// it is checked.
	SegmentBytes = 16 << 20

	// maxIndex bounds what an index is unpacked to, in bytes.
	maxIndex = 1 << 28
)

// head begins a segment, for people.
const head = "Emissor archive, format 1: zstd frames, an index, and a last line that says where it is.\n"

// Document is a document as it is stored.
type Document struct {
	NoteID string
	Frame  []byte // packed
	Plain  []byte
}

// Dictionary is what frames are unpacked with beside the text of a version. One with an id below packed.FirstOwnID is
// a version alone.
type Dictionary struct {
	ID           uint32 `json:"dictionary"`
	Version      int    `json:"version"`
	Certificates []byte `json:"certificates"`
}

// Entry is what the index says of a document.
type Entry struct {
	NoteID     string `json:"note"`
	From       int64  `json:"from"`
	Length     int    `json:"length"`
	SHA256     string `json:"sha256"` // of the plain bytes
	Bytes      int    `json:"bytes"`  // of them
	Dictionary uint32 `json:"with"`
}

// Digest is the SHA-256 of the plain bytes.
func (e Entry) Digest() ([]byte, error) {
	digest, err := hex.DecodeString(e.SHA256)
	if err != nil || len(digest) != sha256.Size {
		return nil, broken("the digest of %s is none", e.NoteID)
	}
	return digest, nil
}

// footer is the last line of a segment.
type footer struct {
	Format      int    `json:"emissor_archive"`
	Month       string `json:"month"`
	Documents   int    `json:"documents"`
	IndexFrom   int64  `json:"index_from"`
	IndexLength int    `json:"index_length"`
	IndexSHA256 string `json:"index_sha256"` // of the index as it is stored
}

// Segment is a file of documents that is being made.
type Segment struct {
	month        string
	content      bytes.Buffer
	entries      []Entry
	dictionaries map[uint32]Dictionary
}

// NewSegment begins a segment of a month, as 2026-01.
func NewSegment(month string) *Segment {
	s := &Segment{month: month, dictionaries: map[uint32]Dictionary{}}
	s.content.WriteString(head)
	return s
}

// Add adds a document that was packed with a dictionary, and says where it stands.
func (s *Segment) Add(document Document, with Dictionary) (Entry, error) {
	if !packed.Is(document.Frame) {
		return Entry{}, fmt.Errorf("archive: the document of %s is not packed", document.NoteID)
	}
	digest := sha256.Sum256(document.Plain)
	entry := Entry{NoteID: document.NoteID, From: int64(s.content.Len()), Length: len(document.Frame),
		SHA256: hex.EncodeToString(digest[:]), Bytes: len(document.Plain), Dictionary: with.ID}
	s.content.Write(document.Frame)
	s.entries = append(s.entries, entry)
	s.dictionaries[with.ID] = with
	return entry, nil
}

// Entries are the documents so far.
func (s *Segment) Entries() []Entry { return s.entries }

// Full reports whether no further document is to be added.
func (s *Segment) Full() bool { return s.content.Len() >= SegmentBytes }

// Content is the whole segment. Nothing is added afterwards.
func (s *Segment) Content() ([]byte, error) {
	index, err := s.index()
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(index)
	last, err := json.Marshal(footer{Format: Format, Month: s.month, Documents: len(s.entries),
		IndexFrom: int64(s.content.Len()), IndexLength: len(index), IndexSHA256: hex.EncodeToString(digest[:])})
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	padded := bytes.Repeat([]byte{' '}, FooterBytes)
	copy(padded, last)
	padded[FooterBytes-1] = '\n'
	s.content.Write(index)
	s.content.Write(padded)
	return s.content.Bytes(), nil
}

// index is the index as it is stored: the texts of versions, the dictionaries and the documents, a line each.
func (s *Segment) index() ([]byte, error) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	texts := map[int]bool{}
	for _, dictionary := range s.dictionaries {
		if !texts[dictionary.Version] {
			text, known := packed.Text(dictionary.Version)
			if !known {
				return nil, fmt.Errorf("archive: dictionary %d is of version %d, which this program does not know",
					dictionary.ID, dictionary.Version)
			}
			if err := encoder.Encode(versionText{dictionary.Version, text}); err != nil {
				return nil, err
			}
			texts[dictionary.Version] = true
		}
	}
	for _, dictionary := range s.dictionaries {
		if err := encoder.Encode(dictionary); err != nil {
			return nil, err
		}
	}
	for _, entry := range s.entries {
		if err := encoder.Encode(entry); err != nil {
			return nil, err
		}
	}
	writer, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	defer func() { _ = writer.Close() }()
	return writer.EncodeAll(lines.Bytes(), nil), nil
}

// versionText is a line of the index: the text that all dictionaries of a version begin with.
type versionText struct {
	Version int    `json:"text_of_version"`
	Text    []byte `json:"text"`
}

// Stored is a segment that was read. It needs neither a database nor the texts that this program has.
type Stored struct {
	Month   string
	Entries []Entry

	content      []byte
	dictionaries map[uint32]Dictionary
	texts        map[int][]byte
}

// ErrBroken says that a segment is not what was written.
var ErrBroken = errors.New("archive: the segment is not what was written")

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrBroken, fmt.Sprintf(format, args...))
}

// Read reads the index of a segment. Documents are checked by Document or Check.
func Read(content []byte) (*Stored, error) {
	if len(content) < len(head)+FooterBytes || !bytes.HasPrefix(content, []byte(head)) {
		return nil, broken("it does not begin as one, or is cut off")
	}
	var last footer
	if err := json.Unmarshal(content[len(content)-FooterBytes:], &last); err != nil {
		return nil, broken("its last line cannot be read: %s", err)
	}
	end := int64(len(content) - FooterBytes)
	switch {
	case last.Format != Format:
		return nil, fmt.Errorf("archive: the segment is of format %d; this program reads %d", last.Format, Format)
	case last.IndexFrom < int64(len(head)) || last.IndexLength < 0 || last.IndexFrom+int64(last.IndexLength) != end:
		return nil, broken("its index is not where its last line says")
	}
	index := content[last.IndexFrom:end]
	if digest := sha256.Sum256(index); hex.EncodeToString(digest[:]) != last.IndexSHA256 {
		return nil, broken("its index has another digest")
	}
	s := &Stored{Month: last.Month, content: content, dictionaries: map[uint32]Dictionary{}, texts: map[int][]byte{}}
	if err := s.readIndex(index); err != nil {
		return nil, err
	}
	if len(s.Entries) != last.Documents || len(s.Entries) == 0 {
		return nil, broken("it has %d documents, and says %d", len(s.Entries), last.Documents)
	}
	for _, entry := range s.Entries {
		if entry.From < int64(len(head)) || entry.Length <= 0 || entry.From > math.MaxInt64-int64(entry.Length) ||
			entry.From+int64(entry.Length) > last.IndexFrom {
			return nil, broken("the document of %s is not before the index", entry.NoteID)
		}
	}
	return s, nil
}

func (s *Stored) readIndex(index []byte) error {
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxIndex))
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	defer reader.Close()
	lines, err := reader.DecodeAll(index, nil)
	if err != nil {
		return broken("its index cannot be unpacked: %s", err)
	}
	for line := range bytes.Lines(lines) {
		var one struct {
			Entry
			Dictionary
			versionText
			ID      uint32 `json:"dictionary"`
			Version int    `json:"version"`
		}
		if err := json.Unmarshal(line, &one); err != nil {
			return broken("a line of its index cannot be read: %s", err)
		}
		switch {
		case one.NoteID != "":
			s.Entries = append(s.Entries, one.Entry)
		case one.Text != nil:
			s.texts[one.versionText.Version] = one.Text
		default:
			s.dictionaries[one.ID] = Dictionary{one.ID, one.Version, one.Certificates}
		}
	}
	return nil
}

// First is the first note of the segment.
func (s *Stored) First() string { return s.Entries[0].NoteID }

// Last is the last note of the segment.
func (s *Stored) Last() string { return s.Entries[len(s.Entries)-1].NoteID }

// Frame is a document as it is stored.
func (s *Stored) Frame(entry Entry) []byte {
	return s.content[entry.From : entry.From+int64(entry.Length)]
}

// With is the dictionary that a document was packed with.
func (s *Stored) With(entry Entry) Dictionary { return s.dictionaries[entry.Dictionary] }

// Document unpacks a document, which has the digest that the index says.
func (s *Stored) Document(entry Entry) ([]byte, error) {
	dictionary, err := s.dictionary(entry.Dictionary)
	if err != nil {
		return nil, err
	}
	plain, err := dictionary.Unpack(s.Frame(entry))
	if err != nil {
		return nil, broken("the document of %s cannot be unpacked: %s", entry.NoteID, err)
	}
	if digest := sha256.Sum256(plain); hex.EncodeToString(digest[:]) != entry.SHA256 {
		return nil, broken("the document of %s has another digest", entry.NoteID)
	}
	return plain, nil
}

func (s *Stored) dictionary(id uint32) (*packed.Dictionary, error) {
	of, ok := s.dictionaries[id]
	text, known := s.texts[of.Version]
	if !ok || !known {
		return nil, broken("it lacks dictionary %d", id)
	}
	return packed.WithText(id, text, of.Certificates), nil
}

// Check unpacks every document.
func (s *Stored) Check() error {
	for _, entry := range s.Entries {
		if _, err := s.Document(entry); err != nil {
			return err
		}
	}
	return nil
}
