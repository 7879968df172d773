package xmlread

import (
	"bytes"
	"encoding/xml"
	"io"

	"emissor/nfse/fact"
)

// What is wrong with a document that is within the bounds.
var (
	errNotTheXML = fact.Failure(fact.DocumentNotTheXML.Fact())
	errGoesOn    = fact.Failure(fact.DocumentGoesOn.Fact())
)

// Into reads one document, within the bounds, and nothing after it, into a value as
// encoding/xml has it. Its errors are made of facts, which read after the name of what
// they are about.
func Into(document []byte, into any) error {
	if err := Check(document); err != nil {
		return err
	}
	return decode(xml.NewDecoder(bytes.NewReader(document)), into)
}

// TextInto is Into for a document that came as the text of another. The encoding that it
// declares is how it was once stored, and is ignored.
func TextInto(document []byte, into any) error {
	if err := Check(document); err != nil {
		return err
	}
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(document, []byte("\ufeff"))))
	decoder.CharsetReader = asItIs
	return decode(decoder, into)
}

func asItIs(_ string, input io.Reader) (io.Reader, error) { return input, nil }

func decode(decoder *xml.Decoder, into any) error {
	if decoder.Decode(into) != nil {
		return errNotTheXML
	}
	return ended(decoder)
}

// ended refuses what stands behind the end of a document, but comments and white space.
func ended(decoder *xml.Decoder) error {
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return nil
		}
		text, isText := token.(xml.CharData)
		_, isComment := token.(xml.Comment)
		if err != nil || !isComment && (!isText || len(bytes.TrimSpace(text)) > 0) {
			return errGoesOn
		}
	}
}
