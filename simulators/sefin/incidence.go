package sefin

import (
	"slices"
	"strings"
)

// performed are the subitems whose ISS is due where the service is performed
// (LC 116, art. 3); that of dueAtTaker is due at the taker's. All
// others are due where the provider is established.
var performed = []string{
	"0304", "0305", "0702", "0704", "0705", "0709", "0710", "0711", "0712", "0716", "0717", "0718", "0719",
	"1101", "1102", "1104", "1601", "1602", "1710", "2001", "2002", "2003", "2201",
}

// dueAtTaker is the subitem whose ISS is due where the taker is.
const dueAtTaker = "1705"

// incidence is the municipality to which the ISS of a service is due; empty when it
// is the taker's and none is known.
func incidence(service, issuer, place, taker string) string {
	subitem := service[:4]
	switch {
	case subitem == dueAtTaker:
		return taker
	case slices.Contains(performed, subitem), strings.HasPrefix(subitem, "12") && subitem != "1213":
		if place != "" {
			return place
		}
	}
	return issuer
}
