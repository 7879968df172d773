package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

// generalError is the city's code for a cancellation that failed, without saying why.
const generalError = "1304"

// Disposition returns what a rejection with this code asks for. One that cannot
// be repeated safely asks first, whatever becomes of the note. One that is not the city's
// decides nothing.
func Disposition(kind fiscal.Kind, code string) fiscal.Disposition {
	if !Known(code) {
		return fiscal.Uncatalogued
	}
	disposition := Catalogue.Disposition(code)
	if repairs[code].Act != "" && kind == fiscal.Issue && disposition == fiscal.Final {
		return fiscal.NeedsPerson
	}
	if kind == fiscal.Cancel && code != generalError && asksFirst(disposition) {
		return fiscal.Final // what is asked about first is what an RPS may have made
	}
	return disposition
}

func asksFirst(disposition fiscal.Disposition) bool {
	return disposition == fiscal.AlreadyExists || disposition == fiscal.NeedsConfirmation
}

// Known reports whether the catalogue has a code of the city's.
func Known(code string) bool {
	rule, known := Catalogue.Rule(code)
	return known && rule.About != rulecatalogue.AboutEmissor
}
