package rules

import (
	"embed"
	"regexp"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	national "emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
)

// Name is the family's, by which what is stored names its catalogue.
const Name = "dsf"

const (
	// Failed is the code of a failure inside the server (JDBC, ORA-02049): what was stored is not known.
	Failed = "L9999"
	// cancelledAlready is the code of the same in a test of an open client; it was not seen otherwise.
	cancelledAlready = "E1102"
	// alreadyCancelled is a word of ours for a cancellation of a note that is cancelled: it comes
	// without a code.
	alreadyCancelled = "note_cancelled"
)

// Quirks are the quirks of the family. Where its paths are adn, a server has the paths of an older edition.
var Quirks = map[cities.Quirk]cities.Meaning{
	cities.Paths: {Check: cities.OneOf("adn"), Means: "the operations are under other paths than those of the family"},
	cities.KeyInfo: {Check: cities.OneOf("full"),
		Means: "a signature names its certificate by subject and serial number too"},
	cities.Cancelling: cities.CancellingBy("off"),
}

// tables are as rulecatalogue.BuiltIn names them.
//
//go:embed *.tsv
var tables embed.FS

// Catalogue is what is known of the family's own codes, and of the national ones, which it gives too.
var Catalogue = rulecatalogue.BuiltIn(tables, rulecatalogue.Source{
	Name: Name, Base: national.Catalogue,
	Fields: []string{"service.municipal_tax_code"},
	ActsIn: func(kind fiscal.Kind, rule rulecatalogue.Rule) bool {
		return (kind == fiscal.Issue) == (rule.Code != alreadyCancelled && rule.Code != cancelledAlready)
	},
})

// Handling returns what a refusal by a code asks for.
func Handling(code, complement string) fiscal.Handling {
	if rule, own := Catalogue.Own(code); own {
		return rule.Handling
	}
	return national.Handling(code, complement)
}

// repairs are the codes by which the city refuses what is of the company's settings or
// registration: the note waits until a person has put that right.
var repairs = map[string]fiscal.Repair{
	"L0001": {Subject: "cTribMun", Whose: fiscal.OfCity, Act: fiscal.AskCity, Scope: fiscal.ScopeService},
	"L0005": {Subject: "prest", Whose: fiscal.OfProfile, Act: fiscal.GiveRegistration, Scope: fiscal.ScopeCompany},
	"L0008": ofClassification("cIndOp"),
	"L0010": ofClassification("cNBS"),
	"L0017": {Subject: "cTribMun", Whose: fiscal.OfService, Act: fiscal.CorrectTaxation, Scope: fiscal.ScopeService},
	"L0022": {Subject: "serie", Whose: fiscal.OfProfile, Act: fiscal.ChooseSeries, Scope: fiscal.ScopeCompany},
}

func ofClassification(subject string) fiscal.Repair {
	return fiscal.Repair{
		Subject: subject, Whose: fiscal.OfService, Act: fiscal.CorrectClassified, Scope: fiscal.ScopeService,
	}
}

// RepairOf returns what is known of a code by which a document is refused.
func RepairOf(code string) fiscal.Repair {
	if repair, own := repairs[code]; own {
		return repair
	}
	return national.RepairOf(code)
}

// words are texts of the server that come without a code. That a note is cancelled counts without another
// question, and is matched closely: one that was replaced is not active either.
var words = []rulecatalogue.Said{
	{Code: alreadyCancelled, Words: regexp.MustCompile(`\bnao esta ativa\W+situacao atual\W+cancelada\b`),
		From: "Teresina's test system, 2026-10-02, HTTP 400"},
}

// CodeOf returns the code that stands for words without one; empty for others.
func CodeOf(said string) string { return rulecatalogue.CodeSaid(words, said) }
