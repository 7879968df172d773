package xmlread

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
)

// Indented writes a document for reading, an element a line, and about limit bytes of it at most. It is
// not for machines: spaces around texts are left out. ok says that it is XML.
func Indented(document []byte, limit int) (text string, ok bool) {
	var out bytes.Buffer
	from, to := xml.NewDecoder(bytes.NewReader(document)), xml.NewEncoder(&out)
	to.Indent("", "  ")
	from.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.New("another charset") }
	for {
		token, err := from.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", false
		}
		switch one := token.(type) {
		case xml.CharData:
			if token = xml.CharData(bytes.TrimSpace(one)); len(bytes.TrimSpace(one)) == 0 {
				continue
			}
		case xml.StartElement:
			token = plainNames(one)
		case xml.EndElement:
			token = xml.EndElement{Name: plainName(one.Name)}
		}
		if err := to.EncodeToken(token); err != nil {
			return "", false
		}
		if out.Len() > limit {
			break
		}
	}
	if err := to.Flush(); err != nil || out.Len() == 0 {
		return "", false
	}
	return out.String(), true
}

// plainNames writes the names of an element as they stand in the document.
func plainNames(element xml.StartElement) xml.StartElement {
	plain := xml.StartElement{Name: plainName(element.Name)}
	for _, attribute := range element.Attr {
		plain.Attr = append(plain.Attr, xml.Attr{Name: plainName(attribute.Name), Value: attribute.Value})
	}
	return plain
}

func plainName(name xml.Name) xml.Name {
	if name.Space == "" {
		return name
	}
	return xml.Name{Local: name.Space + ":" + name.Local}
}
