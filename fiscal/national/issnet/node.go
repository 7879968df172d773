package issnet

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"

	"emissor/fiscal/national/schema"
)

// node is an element of an answer. It is read by its local name: elements come with and without a
// namespace, with and without a prefix.
type node struct {
	XMLName    xml.Name
	Attributes []xml.Attr `xml:",any,attr"`
	Text       string     `xml:",chardata"`
	Nodes      []node     `xml:",any"`

	raw []byte // of a document, as it came; nil where it must be written anew
}

func (n node) is(name string) bool { return n.XMLName.Local == name }

// all are the children of one of these names.
func (n node) all(names ...string) (found []node) {
	for _, child := range n.Nodes {
		for _, name := range names {
			if child.is(name) {
				found = append(found, child)
			}
		}
	}
	return found
}

// text is that of the first child of a name.
func (n node) text(name string) string {
	for _, child := range n.all(name) {
		return strings.TrimSpace(child.Text)
	}
	return ""
}

func (n node) attribute(name string) string {
	for _, attribute := range n.Attributes {
		if attribute.Name.Local == name {
			return attribute.Value
		}
	}
	return ""
}

const signatureNamespace = "http://www.w3.org/2000/09/xmldsig#"

// document is an element as a document by itself: byte for byte, with the namespace that it had from the
// answer. Where it has prefixes, no namespaces or an older name it is written anew, under the name that
// the national layout has for its root, in the namespaces of that layout.
func (n node) document(root string) []byte {
	if n.raw != nil && n.is(root) {
		switch own := n.attribute("xmlns"); own {
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

func (n node) write(b *bytes.Buffer, within string) {
	namespace := schema.Namespace
	if n.is("Signature") || within == signatureNamespace {
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
