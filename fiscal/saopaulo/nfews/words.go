package nfews

import (
	"regexp"
	"slices"
	"strings"

	"emissor/nfse/fact"
)

// This file alone recognizes what the city says only in words, without a code that means
// it.

// envelopeRefusals are the words, in any case, of the SOAP faults by which the framework of the
// service (ASP.NET, System.Web.Services.Protocols) says that it has not looked for a message,
// because of the form of the request, and who has seen them.
var envelopeRefusals = []struct{ words, source string }{
	{words: "did not recognize the value of http header soapaction",
		source: "the city's, of SOAP 1.1 with the header, as integrators measured in 2026"},
	{words: "without a valid action parameter",
		source: "the city's, of SOAP 1.2 without the header, as integrators measured in 2026"},
	{words: "possible soap version mismatch",
		source: "other services of the framework, of an envelope of the version that they do not take"},
}

// refusesEnvelope reports whether a fault is of the form of the request.
func refusesEnvelope(fault string) bool {
	fault = strings.ToLower(fault)
	return slices.ContainsFunc(envelopeRefusals, func(known struct{ words, source string }) bool {
		return strings.Contains(fault, known.words)
	})
}

// numberInWords is the first number behind the word for a note, as in the words of alert 217
// in the city's manual: A NF-e (8) referente ao RPS ...
var numberInWords = regexp.MustCompile(`(?i)NFS?-?e\b\D{0,20}?([0-9]{1,12})`)

// cancelledNote is the number of the note that was cancelled, or CityNoteUnnamed, by the words
// of alert 217. It is shown to a person, and decides nothing.
func cancelledNote(words string) any {
	words = strings.ReplaceAll(words, "NF-e", "NFe")
	if found := numberInWords.FindStringSubmatch(words); found != nil {
		return found[1]
	}
	return fact.CityNoteUnnamed.Fact()
}
