package rules

import (
	"strconv"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// IBSCBSRequiredFrom is the first day of competence of which every DPS must have the group IBSCBS. The
// manual of 2026-08 demands it of competences after 2026-10-01, but a message of version 1.01 always has
// it (E160, E183), and each is of that version: so it is the first day of which any may have it.
const IBSCBSRequiredFrom nfse.Day = "2026-01-01"

// Holds says what of a declaration the layout of these servers does not take, and the national one
// does (schema of 2026-10): nothing is sent before a person has decided. None where all of it is taken.
func Holds(row cities.Row, declaration fiscal.Declaration) fact.Fact {
	service := declaration.Note.Service.ID
	city := row.Municipality().String()
	if untaken := untaken(declaration); untaken != "" {
		return fact.CityLayoutLacks.With("city", city, "what", untaken)
	}
	if code := declaration.MunicipalCode(); code != "" && !isInt(code) {
		return fact.CityCodeNumber.With("city", city, "service", service)
	}
	if declaration.Classification == nil {
		return fact.ClassificationRequired.With("from", IBSCBSRequiredFrom, "service", service)
	}
	return fact.Fact{}
}

// untaken names the first part of a declaration that the servers do not take, as the layouts call it;
// empty for none. Where works, events and real estate are is written in other elements there.
func untaken(declaration fiscal.Declaration) string {
	switch classified := declaration.Classification; {
	case taxation.WorkOf(declaration) != nil:
		return "obra"
	case taxation.EventOf(declaration) != nil:
		return "atvEvento"
	case classified != nil && classified.Property != nil:
		return "imovel"
	case hasPartyWithoutReason(declaration):
		return "cNaoNIF 0"
	case taxation.ExportOfDeclaration(declaration).ForeignTrade:
		return untakenAbroad(declaration.Abroad())
	}
	return ""
}

// hasPartyWithoutReason reports whether a party abroad has no NIF, and it is not said why (cNaoNIF 0).
func hasPartyWithoutReason(declaration fiscal.Declaration) bool {
	without := func(foreign *nfse.ForeignParty) bool {
		return foreign != nil && foreign.NIF == "" && foreign.NoNIF == 0
	}
	if by := declaration.Details.Intermediary; by != nil && without(by.Foreign) {
		return true
	}
	for _, document := range declaration.Deduction().Documents {
		if document.Supplier != nil && without(document.Supplier.Foreign) {
			return true
		}
	}
	return without(declaration.Details.ForeignTaker)
}

// untakenAbroad is the code of the group comExt that stands for "not known" or "none" nationally, and
// that the servers do not have.
func untakenAbroad(abroad nfse.Abroad) string {
	switch {
	case abroad.Mode == 0:
		return "mdPrestacao 0"
	case abroad.Relationship == 0:
		return "vincPrest 0"
	}
	return ""
}

// isInt reports whether a code is an xsd:int that loses nothing: without zeros before it.
func isInt(code string) bool {
	number, err := strconv.ParseInt(code, 10, 32)
	return err == nil && number > 0 && !strings.HasPrefix(code, "0")
}
