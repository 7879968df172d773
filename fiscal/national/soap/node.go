package soap

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"

	"emissor/fiscal/national/schema"
)

// Node is an element of an answer. It is read by its local name: elements come with and without a
// namespace, with and without a prefix.
type Node struct {
	XMLName    xml.Name
	Attributes []xml.Attr `xml:",any,attr"`
	Text       string     `xml:",chardata"`
	Nodes      []Node     `xml:",any"`

	raw []byte // of a document, as it came; nil where it must be written again
}

// Is reports whether it has this name.
func (n Node) Is(name string) bool { return n.XMLName.Local == name }

// All are the children of one of these names.
func (n Node) All(names ...string) (found []Node) {
	for _, child := range n.Nodes {
		for _, name := range names {
			if child.Is(name) {
				found = append(found, child)
			}
		}
	}
	return found
}

// Value is the text of the first child of a name.
func (n Node) Value(name string) string {
	for _, child := range n.All(name) {
		return strings.TrimSpace(child.Text)
	}
	return ""
}

// Attribute is one of it; empty where it has none of the name.
func (n Node) Attribute(name string) string {
	for _, attribute := range n.Attributes {
		if attribute.Name.Local == name {
			return attribute.Value
		}
	}
	return ""
}

// Within are the elements of a name within an element, however deep, but for what is within one of them.
func (n Node) Within(name string) (found []Node) {
	for _, child := range n.Nodes {
		if child.Is(name) {
			found = append(found, child)
		} else {
			found = append(found, child.Within(name)...)
		}
	}
	return found
}

const signatureNamespace = "http://www.w3.org/2000/09/xmldsig#"

// Document is an element as a document by itself: byte for byte, with the namespace that it had from the answer.
// Where it has prefixes, no namespaces or an older name it is written again, under the name that the national layout
// has for its root, in the namespaces of that layout.
func (n Node) Document(root string) []byte {
	if n.raw != nil && n.Is(root) {
		switch own := n.Attribute("xmlns"); own {
		case schema.Namespace:
			return n.raw
		case "":
			return slices.Concat([]byte("<"+root+` xmlns="`+schema.Namespace+`"`), n.raw[len("<"+root):])
		}
	}
	var b bytes.Buffer
	n.XMLName.Local = root
	n.write(&b, "")
	return b.Bytes()
}

func (n Node) write(b *bytes.Buffer, within string) {
	namespace := schema.Namespace
	if n.Is("Signature") || within == signatureNamespace {
		namespace = signatureNamespace
	}
	b.WriteString("<" + n.XMLName.Local)
	if namespace != within {
		b.WriteString(` xmlns="` + namespace + `"`)
	}
	for _, attribute := range n.Attributes {
		if attribute.Name.Space != "" || attribute.Name.Local == "xmlns" {
			continue // a namespace or its prefix, or what is no part of the layout
		}
		b.WriteString(" " + attribute.Name.Local + `="`)
		_ = xml.EscapeText(b, []byte(attribute.Value)) // a buffer takes everything
		b.WriteString(`"`)
	}
	b.WriteString(">")
	for _, child := range n.Nodes {
		child.write(b, namespace)
	}
	if len(n.Nodes) == 0 {
		_ = xml.EscapeText(b, []byte(n.Text))
	}
	b.WriteString("</" + n.XMLName.Local + ">")
}
