package sefin

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"unicode"

	"emissor/internal/xmlread"
	"emissor/nfse/fact"
)

const (
	maxBase64   = 2                // times that base64 is taken off: base64 of base64 occurs (GET of an event)
	maxDocument = xmlread.MaxBytes // of a document once decompressed
)

var (
	errNotBase64  = fact.Failure(fact.DocumentNotBase64.Fact())
	errNotGzip    = fact.Failure(fact.DocumentNotGzip.Fact())
	gzipSignature = []byte{0x1f, 0x8b}
)

// zippers are kept because one is a megabyte, and each document needs it for a moment.
var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// pack returns the body of a request: one member, a document as base64 of gzip.
func pack(member string, document []byte) ([]byte, error) {
	var packed bytes.Buffer
	text := base64.NewEncoder(base64.StdEncoding, &packed)
	zipped := zippers.Get().(*gzip.Writer)
	defer zippers.Put(zipped)
	zipped.Reset(text)
	if _, err := zipped.Write(document); err != nil {
		return nil, err
	}
	if err := errors.Join(zipped.Close(), text.Close()); err != nil {
		return nil, err
	}
	return json.Marshal(map[string]string{member: packed.String()})
}

// unpack returns the exact bytes of a document. Some deployments wrap base64
// twice, break its lines, leave out its padding or add bytes after the gzip
// stream, whose checksum tells where it ends.
func unpack(text string) ([]byte, error) {
	packed, err := decodeBase64([]byte(text))
	for decoded := 1; err == nil; decoded++ {
		if bytes.HasPrefix(packed, gzipSignature) {
			return decompress(packed, maxDocument)
		}
		if decoded == maxBase64 {
			return nil, errNotGzip
		}
		packed, err = decodeBase64(packed)
	}
	return nil, err
}

func decodeBase64(text []byte) ([]byte, error) {
	bare := bytes.TrimRight(bytes.Map(withoutSpace, text), "=")
	decoded, err := base64.RawStdEncoding.AppendDecode(nil, bare)
	if err != nil || len(decoded) == 0 {
		return nil, errNotBase64
	}
	return decoded, nil
}

func withoutSpace(r rune) rune {
	if unicode.IsSpace(r) {
		return -1
	}
	return r
}

// decompress refuses a document of more bytes than most.
func decompress(packed []byte, most int) ([]byte, error) {
	rest := bytes.NewReader(packed)
	reader, err := gzip.NewReader(rest)
	if err != nil {
		return nil, errNotGzip
	}
	var document bytes.Buffer
	for {
		reader.Multistream(false)
		room := int64(most - document.Len())
		if n, err := io.Copy(&document, io.LimitReader(reader, room+1)); err != nil {
			return nil, fact.Failure(fact.DocumentDamaged.Fact())
		} else if n > room {
			return nil, xmlread.ErrTooLarge
		}
		if reader.Reset(rest) != nil {
			return document.Bytes(), nil
		}
	}
}
