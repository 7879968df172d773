package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

// generalError is the city's code for a cancellation that failed, without saying why.
const generalError = "1304"

// Handling returns what a rejection with this code asks for. An issuance that the catalogue ends waits for a person
// instead, where a person can correct what was refused. A cancellation ends where the catalogue asks first what an RPS
// may have made, but for generalError, after which it asks too. A code that is not the city's decides nothing.
func Handling(kind fiscal.Kind, code string) fiscal.Handling {
	if !Known(code) {
		return fiscal.Uncatalogued
	}
	handling := Catalogue.Handling(code)
	if repairs[code].Act != "" && kind == fiscal.Issue && handling == fiscal.Final {
		return fiscal.NeedsPerson
	}
	if kind == fiscal.Cancel && code != generalError && asksFirst(handling) {
		return fiscal.Final // what is asked about first is what an RPS may have made
	}
	return handling
}

func asksFirst(handling fiscal.Handling) bool {
	return handling == fiscal.AlreadyExists || handling == fiscal.NeedsConfirmation
}

// Known reports whether the catalogue has a code of the city's.
func Known(code string) bool {
	rule, known := Catalogue.Rule(code)
	return known && rule.About != rulecatalogue.AboutEmissor
}
