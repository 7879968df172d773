package xmlread

import (
	"bytes"
	"encoding/xml"
	"strings"
)

// Name is the name of an element, with the namespace that it is of.
type Name = xml.Name

// Fields reads one document, within the bounds, and nothing after it: the name of its
// root, and the texts of the root's own namespace by their path below it, as
// "infNFSe/emit/xNome", in the order of the document. An attribute's path ends in "/@"
// and its name. A group is there too, with an empty text. What is of another namespace,
// as a signature, is passed over.
func Fields(document []byte) (root Name, fields map[string][]string, err error) {
	if err := Check(document); err != nil {
		return root, nil, err
	}
	decoder := xml.NewDecoder(bytes.NewReader(document))
	if root, err = begin(decoder); err != nil {
		return root, nil, err
	}
	w := walk{decoder, root.Space, map[string][]string{}}
	if err := w.element(""); err != nil {
		return root, nil, err
	}
	return root, w.fields, ended(decoder)
}

// begin reads up to the root of a document.
func begin(decoder *xml.Decoder) (root Name, err error) {
	for {
		token, err := decoder.Token()
		if err != nil {
			return root, errNotTheXML
		}
		if element, is := token.(xml.StartElement); is {
			return element.Name, nil
		}
	}
}

// walk goes through a document and keeps the fields of one namespace.
type walk struct {
	decoder   *xml.Decoder
	namespace string
	fields    map[string][]string
}

// element reads an element that has begun, with what is in it, up to its end.
func (w walk) element(path string) error {
	var text strings.Builder
	for leaf := true; ; {
		token, err := w.decoder.Token()
		if err != nil {
			return errNotTheXML
		}
		switch token := token.(type) {
		case xml.StartElement:
			if err := w.child(path, token); err != nil {
				return err
			}
			leaf = leaf && token.Name.Space != w.namespace
		case xml.CharData:
			text.Write(token)
		case xml.EndElement:
			if !leaf {
				text.Reset()
			}
			w.keep(path, strings.TrimSpace(text.String()))
			return nil
		}
	}
}

func (w walk) child(parent string, began xml.StartElement) error {
	if began.Name.Space != w.namespace {
		if w.decoder.Skip() != nil {
			return errNotTheXML
		}
		return nil
	}
	path := strings.TrimPrefix(parent+"/"+began.Name.Local, "/")
	for _, attribute := range began.Attr {
		w.keep(path+"/@"+attribute.Name.Local, attribute.Value)
	}
	return w.element(path)
}

func (w walk) keep(path, text string) { w.fields[path] = append(w.fields[path], text) }
