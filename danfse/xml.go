package danfse

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

const (
	fiscalNamespace = "http://www.sped.fazenda.gov.br/nfse"

	// Far above what the authority issues, so that no document is dear to read.
	maxDocument = 2 << 20
	maxDepth    = 32
)

// fields are the texts of a document by their path below the root, as
// "infNFSe/emit/xNome"; an attribute's path ends in "/@" and its name. A group is
// there too, with an empty text.
type fields map[string][]string

// get returns the text at a path, the first where there are several, or "".
func (f fields) get(path string) string {
	if texts := f[path]; len(texts) > 0 {
		return texts[0]
	}
	return ""
}

// has reports whether an element is there, be it empty.
func (f fields) has(path string) bool { return len(f[path]) > 0 }

// first returns the first text that is not empty.
func (f fields) first(paths ...string) string {
	for _, path := range paths {
		if text := f.get(path); text != "" {
			return text
		}
	}
	return ""
}

// read reads a document: the name of its root and the fields of the root's own
// namespace. Signatures are of another.
func read(document []byte) (root xml.Name, read fields, err error) {
	if len(document) > maxDocument {
		return root, nil, errors.New("the document is too large to be an NFS-e")
	}
	decoder := xml.NewDecoder(bytes.NewReader(document))
	read = fields{}
	type element struct {
		path string
		text strings.Builder
		leaf bool
	}
	var open []*element
	for {
		token, err := decoder.Token()
		if err == io.EOF && root.Local != "" {
			return root, read, nil
		}
		if err != nil {
			return root, nil, errors.New("the document is not the XML of a note")
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch {
			case len(open) == maxDepth:
				return root, nil, errors.New("the document is nested too deeply to be an NFS-e")
			case len(open) == 0 && root.Local != "":
				return root, nil, errors.New("the document goes on after its end")
			case len(open) == 0:
				root = token.Name
				open = append(open, &element{})
				continue
			case token.Name.Space != root.Space:
				if err := decoder.Skip(); err != nil {
					return root, nil, errors.New("the document is not the XML of a note")
				}
				continue
			}
			parent := open[len(open)-1]
			parent.leaf = false
			child := &element{path: strings.TrimPrefix(parent.path+"/"+token.Name.Local, "/"), leaf: true}
			for _, attribute := range token.Attr {
				path := child.path + "/@" + attribute.Name.Local
				read[path] = append(read[path], attribute.Value)
			}
			open = append(open, child)
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text.Write(token)
			}
		case xml.EndElement:
			ended := open[len(open)-1]
			open = open[:len(open)-1]
			text := ""
			if ended.leaf {
				text = strings.TrimSpace(ended.text.String())
			}
			read[ended.path] = append(read[ended.path], text)
		}
	}
}
