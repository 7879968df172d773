package sefin

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/beevik/etree"
)

// xmlDocument is a received document: its tree, and the bytes of its root element as
// they came.
type xmlDocument struct {
	root *etree.Element
	raw  []byte
}

// parseDocument reads a document that should have the root named. It refuses
// what the authority refuses before it looks at the schema, E1226 without a word more (recording 15).
func parseDocument(document []byte, rootName string) (*xmlDocument, *rejection) {
	if !utf8.Valid(document) {
		return nil, reject("E1229")
	}
	document = bytes.TrimPrefix(document, []byte("\uFEFF"))
	raw, rejected := scan(document, rootName)
	if rejected != nil {
		return nil, rejected
	}
	tree := etree.NewDocument()
	if err := tree.ReadFromBytes(raw); err != nil {
		return nil, reject("E1226")
	}
	return &xmlDocument{root: tree.Root(), raw: raw}, nil
}

// scan cuts the root element out of a document. A DOCTYPE is refused as no XML
// of this protocol: entities would let a document say more than was signed.
func scan(document []byte, rootName string) ([]byte, *rejection) {
	decoder := xml.NewDecoder(bytes.NewReader(document))
	decoder.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errEncoding }
	start, depth := int64(-1), 0
	for {
		before := decoder.InputOffset()
		token, err := decoder.RawToken()
		switch {
		case errors.Is(err, errEncoding):
			return nil, reject("E1229")
		case err != nil:
			return nil, reject("E1226")
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, reject("E1226")
		case xml.StartElement:
			if depth == 0 {
				start = before
				if t.Name.Local != rootName {
					return nil, reject("E1242")
				}
			}
			depth++
			if prefixed(t) {
				return nil, reject("E1228")
			}
		case xml.EndElement:
			if depth--; depth == 0 {
				end := decoder.InputOffset()
				if !nothingElse(decoder) {
					return nil, reject("E1226")
				}
				return document[start:end], nil
			}
		}
	}
}

var errEncoding = errors.New("the encoding is not UTF-8")

func prefixed(element xml.StartElement) bool {
	if element.Name.Space != "" {
		return true
	}
	for _, attribute := range element.Attr {
		if attribute.Name.Space != "" {
			return true
		}
	}
	return false
}

// nothingElse reports whether what follows the root element is no more than comments and white space.
func nothingElse(decoder *xml.Decoder) bool {
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return err == io.EOF
		}
		switch t := token.(type) {
		case xml.Comment:
		case xml.CharData:
			if strings.TrimSpace(string(t)) != "" {
				return false
			}
		default:
			return false
		}
	}
}
