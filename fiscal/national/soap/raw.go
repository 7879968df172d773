package soap

import (
	"bytes"
	"encoding/xml"
	"io"
)

// isDocument reports whether an element is a document: a note, or an event.
func isDocument(name string) bool {
	return name == "NFSe" || name == "Nfse" || name == "evento" || name == "Evento"
}

// KeepRaw gives the documents in an answer their bytes in the text that it was read from.
func (n *Node) KeepRaw(text []byte) {
	documents, raw := n.documents(), rawDocuments(text)
	if len(documents) != len(raw) {
		return
	}
	for i, one := range documents {
		one.raw = raw[i]
	}
}

// documents are those within an element, in their order.
func (n *Node) documents() (found []*Node) {
	for i := range n.Nodes {
		if child := &n.Nodes[i]; isDocument(child.XMLName.Local) {
			found = append(found, child)
		} else {
			found = append(found, child.documents()...)
		}
	}
	return found
}

// rawDocuments are the documents of a text that was read before, in their order; nil in the place of one
// whose bytes do not stand by themselves, because it has prefixes or takes a namespace off.
func rawDocuments(text []byte) (found [][]byte) {
	decoder := xml.NewDecoder(bytes.NewReader(text))
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	start, depth, plain := int64(0), 0, true
	for {
		before := decoder.InputOffset()
		token, err := decoder.RawToken()
		if err != nil {
			return found
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth == 0 && !isDocument(token.Name.Local) {
				continue
			}
			if depth == 0 {
				start, plain = before, true
			}
			depth++
			plain = plain && token.Name.Space == "" && !takesNamespaceOff(token)
		case xml.EndElement:
			if depth == 0 {
				continue
			}
			if depth--; depth > 0 {
				continue
			}
			raw := text[start:decoder.InputOffset()]
			if !plain {
				raw = nil
			}
			found = append(found, raw)
		}
	}
}

func takesNamespaceOff(element xml.StartElement) bool {
	for _, attribute := range element.Attr {
		if attribute.Name.Space == "" && attribute.Name.Local == "xmlns" && attribute.Value == "" {
			return true
		}
	}
	return false
}
