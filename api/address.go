package api

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"emissor/nfse"
)

// The rules of an address, the same inline and on record.
var (
	streetType = line(1, 20)
	street     = line(1, maxStreet)
	number     = line(1, 60)
	district   = line(1, 60)
	complement = line(1, 156)
)

// maxStreet is what a fiscal document holds of a street with its type (xLgr).
const (
	maxStreet     = 255
	streetTooLong = "together with its street_type must have at most 255 characters"
)

// streetFits reports whether type and street fit into one field together.
func streetFits(address nfse.Address) bool {
	if address.StreetType == nil || address.Street == nil {
		return true
	}
	return utf8.RuneCountInString(norm.NFC.String(*address.StreetType+*address.Street)) <= maxStreet
}
