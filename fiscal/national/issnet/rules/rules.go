package rules

import (
	"embed"
	"regexp"

	"emissor/fiscal"
	national "emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
)

// Name is the family's, by which what is stored names its catalogue.
const Name = "issnet"

// The words of ours for what the servers say without a code.
const (
	DPSExists     = "dps_exists"
	DPSNotFound   = "dps_not_found"
	NoteCancelled = "note_cancelled"
	codeRefused   = "municipal_code_refused"
	noCode        = "no_code"
)

// tables are as rulecatalogue.BuiltIn names them.
//
//go:embed *.tsv
var tables embed.FS

// Catalogue is what is known of the family's own codes, and of the national ones, which it gives too.
var Catalogue = rulecatalogue.BuiltIn(tables, rulecatalogue.Source{
	Name: Name, Base: national.Catalogue,
	Fields: []string{"service.municipal_tax_code"},
	ActsIn: func(kind fiscal.Kind, rule rulecatalogue.Rule) bool {
		return (kind == fiscal.Issue) == (rule.Code != NoteCancelled)
	},
})

// Handling returns what a refusal by a code asks for. One of a code that nobody has reported is a
// question where its words say that something exists already: by which code that comes is not known.
func Handling(code, words string) fiscal.Handling {
	if rule, own := Catalogue.Own(code); own {
		return rule.Handling
	}
	handling := national.Handling(code, "")
	if handling == fiscal.Uncatalogued && meaningOf(words) == DPSExists {
		return fiscal.AlreadyExists
	}
	return handling
}

// IsFailure reports whether by a code the server says that it failed: what was done is not known.
// E999 is none here: by it an operation is switched off, and nothing was done.
func IsFailure(code string) bool { return code == "E232" || code == "E9999" || code == "RNG9999" }

var alertForm = regexp.MustCompile(`^(A[0-9]{3}|L000|S000)$`)

// IsAlert reports whether a code is none of a refusal: an alert (A001), L000, and S000, by which a
// file is valid.
func IsAlert(code string) bool { return alertForm.MatchString(code) }

// repairs are the codes by which the city refuses what is of the company's settings or registration,
// of this program, or switched off: the note waits until that has been put right.
var repairs = map[string]fiscal.Repair{
	"E043": {Subject: "prest/IM", Whose: fiscal.OfProfile, Act: fiscal.GiveRegistration, Scope: fiscal.ScopeCompany},
	"E138": {Subject: "EmiteNfse", Whose: fiscal.OfCity, Act: fiscal.AskCity, Scope: fiscal.ScopeCompany},
	"E999": {Subject: "GerarNfse", Whose: fiscal.OfCity, Act: fiscal.AwaitCity, Scope: fiscal.ScopeCompany},

	"E160": ofProgram, "E183": ofProgram, "L107": ofProgram, "EM003": ofProgram,

	codeRefused: {Subject: "cTribMun", Whose: fiscal.OfService, Act: fiscal.CorrectTaxation,
		Scope: fiscal.ScopeService},
}

var ofProgram = fiscal.Repair{Subject: "DPS", Whose: fiscal.OfProgram, Act: fiscal.ReportDefect, Ours: true}

// RepairOf returns what is known of a code by which a document is refused.
func RepairOf(code string) fiscal.Repair {
	if repair, own := repairs[code]; own {
		return repair
	}
	return national.RepairOf(code)
}
