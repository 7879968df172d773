// Package packed makes documents small where they are stored: each is compressed with zstd and a dictionary, and
// comes back byte for byte.
//
//	dictionary := packed.NewDictionary(id, packed.Latest, packed.Certificates(document))
//	stored := dictionary.Pack(document)
//	plain, err := dictionary.Unpack(stored)
//
// A dictionary is the text of a version, which documents of our authorities have in common, and the certificates of
// one issuer and authority, which are most of what does not compress. Its id stands in each frame, so that what is
// stored says by itself how it is read (DictionaryOf). Bytes that are no frame are plain: documents that were stored
// before there was this package.
package packed

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Latest is the version that new dictionaries have.
const Latest = 1

// versions are the texts of all versions. They never change: what was packed with one is read with it.
var versions = map[int][]byte{1: dictionary1}

//go:embed dictionary1.txt
var dictionary1 []byte

// FirstOwnID is the lowest id of dictionaries with certificates. Those below are versions alone.
const FirstOwnID = 256

// maxPlain bounds what one frame is unpacked to, in bytes.
const maxPlain = 1 << 28

// window is how far back a document refers to itself, in bytes: most are smaller, and a larger one would be memory of
// each encoder. What was packed with a larger one is read all the same.
const window = 128 << 10

// Dictionary packs and unpacks. It is safe for concurrent use, and keeps nothing but its certificates.
type Dictionary struct {
	id                 uint32
	text, certificates []byte
}

// NewDictionary makes the dictionary of a version and of certificates, as Certificates found them. The same
// arguments make the same dictionary, for ever.
func NewDictionary(id uint32, version int, certificates []byte) (*Dictionary, error) {
	text, ok := versions[version]
	if !ok {
		return nil, fmt.Errorf("packed: dictionary %d is of version %d, which this program does not know", id, version)
	}
	return WithText(id, text, certificates), nil
}

// WithText is NewDictionary for who has the text of the version himself.
func WithText(id uint32, text, certificates []byte) *Dictionary {
	return &Dictionary{id: id, text: text, certificates: certificates}
}

// content is what documents may refer to.
func (d *Dictionary) content() []byte { return slices.Concat(d.text, d.certificates) }

// Certificates is how many bytes of certificates the dictionary has.
func (d *Dictionary) Certificates() int { return len(d.certificates) }

// encoders and decoders belong to no company: each is given the dictionary of the document at hand. One encoder is a
// megabyte, so there are no more than are at work at once.
var (
	encoders = sync.Pool{New: func() any {
		// By the checksum another dictionary of the same number is an error, never another document.
		return must(zstd.NewWriter(nil, zstd.WithWindowSize(window), zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(true),
			zstd.WithSingleSegment(true)))
	}}
	decoders = sync.Pool{New: func() any {
		return must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(maxPlain)))
	}}
)

// must is for options that are constants.
func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

// Version is the dictionary of a version alone, whose id is the version.
func Version(version int) (*Dictionary, error) { return NewDictionary(uint32(version), version, nil) }

// Pack compresses a document. An empty one stays empty: it says that nothing is kept.
func (d *Dictionary) Pack(plain []byte) ([]byte, error) {
	if len(plain) == 0 {
		return plain, nil
	}
	encoder := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(encoder)
	if err := encoder.ResetWithOptions(nil, zstd.WithEncoderDictRaw(d.id, d.content())); err != nil {
		return nil, fmt.Errorf("packed: %w", err)
	}
	// Not EncodeAll, which would index the dictionary once more.
	var stored bytes.Buffer
	encoder.ResetContentSize(&stored, int64(len(plain)))
	if _, err := encoder.Write(plain); err != nil {
		return nil, fmt.Errorf("packed: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("packed: %w", err)
	}
	return stored.Bytes(), nil
}

// Unpack returns the document that was packed with this dictionary.
func (d *Dictionary) Unpack(stored []byte) ([]byte, error) {
	decoder := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(decoder)
	if err := decoder.ResetWithOptions(nil, zstd.WithDecoderDictDelete(),
		zstd.WithDecoderDictRaw(d.id, d.content())); err != nil {
		return nil, fmt.Errorf("packed: %w", err)
	}
	plain, err := decoder.DecodeAll(stored, nil)
	if err != nil {
		// Not wrapped: the end of a frame that was cut is none of a connection.
		return nil, fmt.Errorf("packed: %d bytes with dictionary %d: %v", len(stored), d.id, err)
	}
	return plain, nil
}

// frame begins all that is packed, and no XML or JSON (RFC 8878, 3.1.1).
var frame = []byte{0x28, 0xB5, 0x2F, 0xFD}

// Is reports whether stored bytes are packed; otherwise they are plain.
func Is(stored []byte) bool { return bytes.HasPrefix(stored, frame) }

// Unpack returns the plain bytes of what is plain, or packed with a version alone, as the bodies of events are.
func Unpack(stored []byte) ([]byte, error) {
	if !Is(stored) {
		return stored, nil
	}
	id, err := DictionaryOf(stored)
	if err != nil {
		return nil, err
	}
	dictionary, err := Version(int(id))
	if err != nil {
		return nil, err
	}
	return dictionary.Unpack(stored)
}

// HeadBytes is how much of the beginning DictionaryOf and Size read.
const HeadBytes = zstd.HeaderMaxSize

// DictionaryOf is the id of the dictionary that packed bytes, or their first HeadBytes, were made with.
func DictionaryOf(stored []byte) (uint32, error) {
	var header zstd.Header
	if err := header.Decode(stored[:min(len(stored), HeadBytes)]); err != nil {
		return 0, fmt.Errorf("packed: %d bytes: %v", len(stored), err)
	}
	return header.DictionaryID, nil
}

// Size is how many bytes the document has of which these are the first HeadBytes, or all of the given size, as
// stored.
func Size(head []byte, size int) int {
	if !Is(head) {
		return size
	}
	var header zstd.Header
	if err := header.Decode(head); err != nil {
		return size
	}
	return int(header.FrameContentSize)
}

// Text is the text of a version, for who keeps what is packed together with what reads it.
func Text(version int) (text []byte, known bool) {
	text, known = versions[version]
	return text, known
}
