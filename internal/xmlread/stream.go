package xmlread

import (
	"bufio"
	"context"
	"encoding/xml"
	"io"
)

// MaxStep is how many bytes a tag or text of a Stream may have. MaxDepth and MaxAttributes bound it besides.
const MaxStep = 1 << 20

// Stream goes through a document that is too large for the other readers, without keeping it. What it costs is
// bounded regardless of the document's length: no tag and no text may be as large as the document, and what takes no
// bytes once it is compressed still takes steps.
type Stream struct {
	decoder *xml.Decoder
	source  *allowance
	depth   int
	steps   *int
}

// Step is an element that begins, one that ends, or a text; comments and instructions are none of
// them. Names are without their namespaces.
type Step struct {
	Begins, Ends string
	Text         string
	attributes   []xml.Attr
}

// NewStream reads a document until the context ends. steps is how many tags, texts, comments and instructions
// may still be gone through, of this document and of others that share it.
func NewStream(ctx context.Context, document io.Reader, steps *int) *Stream {
	source := &allowance{Reader: bufio.NewReader(until{ctx, document})}
	return &Stream{decoder: xml.NewDecoder(source), source: source, steps: steps}
}

// Next is the next step: io.EOF after the last, ErrExceeded beyond the bounds, the reader's own
// error or the context's, or that the document is not well-formed.
func (s *Stream) Next() (step Step, err error) {
	s.source.left = MaxStep
	token, err := s.decoder.Token()
	if err != nil {
		return step, err
	}
	switch token := token.(type) {
	case xml.StartElement:
		s.depth++
		step.Begins, step.attributes = token.Name.Local, token.Attr
	case xml.EndElement:
		s.depth--
		step.Ends = token.Name.Local
	case xml.CharData:
		step.Text = string(token)
	}
	if *s.steps--; *s.steps < 0 || s.depth > MaxDepth || len(step.attributes) > MaxAttributes {
		return Step{}, ErrExceeded
	}
	return step, nil
}

// Attribute is the value of an attribute of an element that begins; empty: it has none.
func (s Step) Attribute(name string) string {
	for _, attribute := range s.attributes {
		if attribute.Name.Local == name && attribute.Name.Space != "xmlns" {
			return attribute.Value
		}
	}
	return ""
}

// allowance gives only so many bytes before it is filled again.
type allowance struct {
	*bufio.Reader
	left int
}

// ReadByte implements io.ByteReader, by which the decoder reads.
func (a *allowance) ReadByte() (byte, error) {
	if a.left--; a.left < 0 {
		return 0, ErrExceeded
	}
	return a.Reader.ReadByte()
}

// until is a reader that stops when its context ends.
type until struct {
	ctx context.Context
	io.Reader
}

// Read implements io.Reader.
func (u until) Read(into []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(into)
}
