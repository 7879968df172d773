package saopaulo

import (
	"maps"
	"slices"
	"strconv"

	"emissor/test/simulators/shared/checkdigit"
)

// taxpayerAnswer lists registrations, with whether each issues notes.
func taxpayerAnswer(taxID string, registrations map[string]bool) answer {
	switch {
	case !checkdigit.CNPJ(taxID) && !checkdigit.CPF(taxID):
		return answer{events: []event{refuse(1109)}}
	case len(registrations) == 0:
		return answer{events: []event{warn(1405)}}
	}
	var x xmlWriter
	for _, registration := range slices.Sorted(maps.Keys(registrations)) {
		x.raw(`<Detalhe xmlns="">`)
		x.text("InscricaoMunicipal", registration)
		x.text("EmiteNFe", strconv.FormatBool(registrations[registration]))
		x.raw("</Detalhe>")
	}
	return answer{tail: x.String()}
}
