package sefin

import "strings"

// xmlWriter writes compact XML without prefixes.
type xmlWriter struct{ strings.Builder }

func (x *xmlWriter) raw(xml string) { x.WriteString(xml) }

func (x *xmlWriter) text(name, value string) {
	x.WriteString("<" + name + ">")
	_, _ = xmlEscaper.WriteString(x, value)
	x.WriteString("</" + name + ">")
}

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
