package rules

import (
	"embed"
	"errors"
	"regexp"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	national "emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
)

// Name is the family's, in the table of cities and in what is stored.
const Name = "fiorilli"

// Empty is the word of a row by which an answer without a note and without a message finds nothing.
const Empty = "empty"

// Quirks are the quirks of the family.
var Quirks = map[cities.Quirk]cities.Meaning{
	cities.Cancelling: cities.CancellingBy("off", "e101101"),
	cities.NotFoundCodes: {Check: isNotFound,
		Means: "the codes by which the question about a declaration finds nothing, or that an empty answer says so"},
}

var notFoundForm = regexp.MustCompile(`^([A-Z]{1,2}[0-9]{1,4}|empty)(,([A-Z]{1,2}[0-9]{1,4}|empty))*$`)

func isNotFound(value string) error {
	if !notFoundForm.MatchString(value) {
		return errors.New("must be codes as N15,E92, or empty")
	}
	return nil
}

// The words of ours for what the servers say without a code, or with one of several.
const (
	NoteCancelled = "note_cancelled"
	noCode        = "no_code"
)

// tables are as rulecatalogue.BuiltIn names them.
//
//go:embed *.tsv
var tables embed.FS

// Catalogue is what is known of the family's own codes, and of the national ones, which it gives too.
var Catalogue = rulecatalogue.BuiltIn(tables, rulecatalogue.Source{
	Name: Name, Base: national.Catalogue,
	ActsIn: func(kind fiscal.Kind, rule rulecatalogue.Rule) bool {
		return (kind == fiscal.Issue) == (rule.Code != NoteCancelled)
	},
})

// Handling returns what a refusal by a code asks for. One of a code that nobody has reported is a question.
func Handling(code, _ string) fiscal.Handling {
	if rule, own := Catalogue.Own(code); own {
		return rule.Handling
	}
	return national.Handling(code, "")
}

// IsFailure reports whether by a code the server says that it failed, as nationally: what was done is not known.
func IsFailure(code string) bool { return slices.Contains([]string{"E999", "E9999", "RNG9999"}, code) }

var alertForm = regexp.MustCompile(`^(A[0-9]{1,4}|L000)$`)

// IsAlert reports whether a code is none of a refusal.
func IsAlert(code string) bool { return alertForm.MatchString(code) }

// RepairOf returns what is known of a code by which a document is refused.
func RepairOf(code string) fiscal.Repair {
	switch code {
	case "E172": // the signature, as E0714 is nationally
		return national.RepairOf("E0714")
	case "N13":
		return fiscal.Repair{Subject: "DPS", Whose: fiscal.OfProgram, Act: fiscal.ReportDefect, Ours: true}
	}
	return national.RepairOf(code)
}

// words are texts that count without another question, and are matched closely.
var words = []rulecatalogue.Said{
	{Code: NoteCancelled, Words: regexp.MustCompile(`\bja (esta |foi |se encontra |encontra-se )?cancelada\b`),
		From: "a client's test of an answer, not of a host"},
}

// cancelled is a status by which the note is cancelled now.
var cancelled = []rulecatalogue.Said{
	{Code: NoteCancelled, Words: regexp.MustCompile(`^(nfs-?e |nota )?cancelad[ao]( com sucesso)?\W*$`),
		From: "a client's test of an answer; another client takes it, and more"},
}

// CodeOf returns a code as it came, or the one that stands for the words. That a note has its event of cancellation
// already is E0840 nationally.
func CodeOf(code, said string) string {
	switch {
	case code == "E0840" || !known(code) && rulecatalogue.CodeSaid(words, said) != "":
		return NoteCancelled
	case code == "":
		return noCode
	}
	return code
}

func known(code string) bool {
	_, is := Catalogue.Rule(code)
	return is
}

// SaysCancelled reports whether by the status of an answer the note is cancelled now.
func SaysCancelled(status string) bool { return rulecatalogue.CodeSaid(cancelled, status) != "" }
