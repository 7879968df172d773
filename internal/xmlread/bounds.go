package xmlread

import (
	"bytes"
	"encoding/xml"
	"errors"

	"emissor/nfse/fact"
)

// The bounds of a document.
const (
	MaxBytes      = 1 << 20
	MaxDepth      = 64     // elements within elements
	MaxNodes      = 10_000 // elements, comments, instructions
	MaxAttributes = 32     // of one element
	// MaxPrefixes bounds the namespaces that are declared, each under a name of its
	// own: canonicalization looks at all of them in every element.
	MaxPrefixes = 32
)

// ErrExceeded is wrapped by the errors of documents beyond the bounds. They are made of
// facts, which read after the name of what they are about.
var ErrExceeded = errors.New("more than is read of any document")

// ErrTooLarge says that a document has more bytes than MaxBytes.
var ErrTooLarge = exceeded(fact.DocumentTooLarge.With("mib", MaxBytes>>20))

// Check refuses a document beyond the bounds. It does not judge whether a document is
// well-formed: it stops where it is not, as every reader will.
func Check(document []byte) error {
	if len(document) > MaxBytes {
		return ErrTooLarge
	}
	decoder := xml.NewDecoder(bytes.NewReader(document))
	decoder.CharsetReader = asItIs
	depth, nodes, prefixes := 0, 0, map[string]bool{}
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return nil
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			nodes++
			if len(token.Attr) > MaxAttributes {
				return exceeded(fact.DocumentTooManyAttributes.With("most", MaxAttributes))
			}
			for _, attribute := range token.Attr {
				if attribute.Name.Space == "xmlns" {
					prefixes[attribute.Name.Local] = true
				}
			}
		case xml.EndElement:
			depth = max(0, depth-1)
		case xml.Comment, xml.ProcInst, xml.Directive:
			nodes++
		}
		switch {
		case depth > MaxDepth:
			return exceeded(fact.DocumentTooDeep.With("most", MaxDepth))
		case nodes > MaxNodes:
			return exceeded(fact.DocumentTooManyElements.With("most", MaxNodes))
		case len(prefixes) > MaxPrefixes:
			return exceeded(fact.DocumentTooManyNamespaces.With("most", MaxPrefixes))
		}
	}
}

// exceeded makes an error that is ErrExceeded and says only what is beyond.
func exceeded(beyond fact.Fact) error { return &excess{fact.Failure(beyond)} }

type excess struct{ error }

// Unwrap is the error that the fact made.
func (e *excess) Unwrap() error { return e.error }

// Is makes every excess ErrExceeded.
func (e *excess) Is(target error) bool { return target == ErrExceeded }
