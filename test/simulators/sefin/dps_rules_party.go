package sefin

import (
	"strings"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/checkdigit"
	"emissor/test/simulators/shared/xmltree"
)

// partyCodes are the codes by which one and the same rule refuses a taker, an intermediary or
// a supplier. An empty one is a rule that there is not.
type partyCodes struct {
	cnpj, unknownCNPJ string // a wrong check digit; not on record
	cpf, unknownCPF   string
	noNIF             string // neither NIF nor why there is none, beside an address abroad
	noReason          string // 0 is no reason why there is no NIF
	noAddressAbroad   string // a NIF without one
	country           string // of an address abroad: Brazil, or none
	municipality, cep string // that do not exist, or not together
	email             string
}

// party applies the rules that are alike for everybody beside the provider.
func (r *dpsReview) party(party *etree.Element, codes partyCodes) {
	get := func(path string) string { return xmltree.TextAt(party, path) }
	has := func(path string) bool { return xmltree.At(party, path) != nil }
	reject := func(wrong bool, code string) { r.rejectIf(wrong && code != "", code) }
	if cnpj := get("CNPJ"); cnpj != "" {
		reject(!checkdigit.CNPJ(cnpj), codes.cnpj)
		reject(!r.registry.knowsTaker(cnpj), codes.unknownCNPJ)
	}
	if cpf := get("CPF"); cpf != "" {
		reject(!checkdigit.CPF(cpf), codes.cpf)
		reject(!r.registry.knowsTaker(cpf), codes.unknownCPF)
	}
	abroad := has("end/endExt")
	reject(abroad && !has("NIF") && !has("cNaoNIF"), codes.noNIF)
	reject(get("cNaoNIF") == "0", codes.noReason)
	reject(has("NIF") && !abroad, codes.noAddressAbroad)
	reject(abroad && !foreignCountry(get("end/endExt/cPais")), codes.country)
	if municipality := get("end/endNac/cMun"); municipality != "" {
		if !r.registry.knowsMunicipality(municipality) {
			reject(true, codes.municipality)
		} else {
			reject(!r.registry.postalCodeOf(get("end/endNac/CEP"), municipality), codes.cep)
		}
	}
	if email := get("email"); email != "" {
		reject(!validEmail(email), codes.email)
	}
}

func validEmail(email string) bool {
	name, domain, found := strings.Cut(email, "@")
	return found && name != "" && strings.Contains(strings.Trim(domain, "."), ".") && !strings.ContainsAny(domain, "@ ")
}
