package danfse

import (
	"fmt"

	"emissor/internal/xmlread"
)

const fiscalNamespace = "http://www.sped.fazenda.gov.br/nfse"

// fields are the texts of a document by their path below the root, as package xmlread
// has them.
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

// read reads a document: the name of its root and the fields of it.
func read(document []byte) (root xmlread.Name, read fields, err error) {
	root, read, err = xmlread.Fields(document)
	if err != nil {
		return root, nil, fmt.Errorf("the document %w", err)
	}
	return root, read, nil
}
