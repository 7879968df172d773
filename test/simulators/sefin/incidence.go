package sefin

import (
	"slices"
	"strings"
)

// performed are the subitems whose ISS is due where the service is performed
// (E1317), besides item 12; that of dueAtTaker is due at the taker's (E1321), and
// all others where the provider is established (E1325). LC 116, art. 3, has
// others still, but these rules are applied here and not the law.
var performed = []string{
	"0304", "0305", "0702", "0704", "0705", "0709", "0710", "0711", "0712", "0716", "0717", "0718", "0719",
	"1101", "1102", "1103", "1104", "1601", "1602", "1710", "2201",
}

// dueAtTaker is the subitem whose ISS is due where the taker is.
const dueAtTaker = "1705"

// waters is the place of what is performed at sea (Águas Marítimas), which is due
// where the provider is established (E1313).
const waters = "0000000"

// incidence is the municipality to which the ISS of a service is due; empty when it
// is the taker's and none is known.
func incidence(service, issuer, place, taker string) string {
	switch dueAt(service) {
	case atRecipient:
		return taker
	case performedAt:
		if place != "" && place != waters {
			return place
		}
	}
	return issuer
}

// dueAt says whose municipality it is to which the ISS of a service is due.
func dueAt(service string) supplyPlace {
	subitem := service[:4]
	switch {
	case subitem == dueAtTaker:
		return atRecipient
	case slices.Contains(performed, subitem), strings.HasPrefix(subitem, "12") && subitem != "1213":
		return performedAt
	}
	return atProvider
}
