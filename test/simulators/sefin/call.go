package sefin

import (
	"bytes"

	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/xmltree"
)

// call is one request, and what is known of it while it is served.
type call struct {
	*server.Call
	document   *xmlDocument // what was posted, or
	unreadable *rejection   // why it could not be read
	caller     caller
	city       *City // whose server was called; nil: the national system
	post       Post
}

// The JSON properties that carry posted documents.
const (
	dpsProperty          = "dpsXmlGZipB64"
	eventRequestProperty = "pedidoRegistroEventoXmlGZipB64"
)

// read opens the document that was posted, and records its id and digest as far as
// they can be read.
func (c *call) read() {
	property, root, signed := dpsProperty, "DPS", "infDPS"
	switch c.post.Scope {
	case Issue:
	case Cancel:
		property, root, signed = eventRequestProperty, "pedRegEvento", "infPedReg"
	default:
		return
	}
	if c.document, c.unreadable = open(c.Body, property, root); c.unreadable != nil {
		return
	}
	if element := xmltree.At(c.document.root, signed); element != nil {
		c.post.ID = element.SelectAttrValue("Id", "")
	}
	c.post.Digest = xmltree.TextAt(c.document.root, digestPath)
}

func open(body []byte, property, root string) (*xmlDocument, *rejection) {
	text, rejected := unpack(body, property)
	if rejected != nil {
		return nil, rejected
	}
	read, rejected := parseDocument(text, root)
	if rejected == nil && !bytes.HasPrefix(bytes.TrimPrefix(text, []byte("\uFEFF")), []byte("<?xml")) { // recorded
		return nil, reject("E1229")
	}
	return read, rejected
}
