package schema

import (
	"emissor/internal/text"
	"emissor/nfse"
)

// Line makes a text fit for an element of one line (TSString).
func Line(s string) string { return text.Line(s) }

// Lines does so line by line, for a description (xDescServ).
func Lines(s string) string { return text.Lines(s) }

// StreetLine joins the kind of street and its name (xLgr).
func StreetLine(address nfse.Address) string { return text.StreetLine(address) }
