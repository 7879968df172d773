package rules

import (
	"regexp"
	"strings"

	national "emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
)

// This file alone recognizes what the servers say only in words, without a code that means it.

// words are texts that come without a code. What says that nothing is there, or that a note is cancelled,
// counts without another question, and is matched closely: a text that only has the same words says neither.
var words = []rulecatalogue.Said{
	{Code: DPSExists, Words: regexp.MustCompile(`\bdps\b.*\bja existe\b`),
		From: "Ribeirão Preto, 2026-08"},
	{Code: DPSExists, Words: regexp.MustCompile(`\bdps\b.*\bja\b.*\bconvertid`),
		From: "manual of the supplier, 6.1.2"},
	{Code: NoteCancelled, Words: regexp.MustCompile(`\bja (esta |foi |se encontra |encontra-se )?cancelada\b`),
		From: "a client of Brasília, for cancellations"},
	{Code: DPSNotFound, Words: regexp.MustCompile(`^(a )?dps (informada )?nao (foi )?(encontrad|localizad)[ao]\b`),
		From: "an example of an answer to ConsultarNfseDps"},
	{Code: codeRefused, Words: regexp.MustCompile(`ctribmun`),
		From: "Brasília and Ribeirão Preto, 2026-08"},
	{Code: codeRefused, Words: regexp.MustCompile(`codigo.*tribut.*nao.*pertence`),
		From: "Brasília, 2026-09"},
	{Code: codeRefused, Words: regexp.MustCompile(`codigo.*tribut.*nao.*administrad`),
		From: "Ribeirão Preto, 2026-08"},
}

// CodeOf returns a code as it came, or where there came none the one that stands for the words.
func CodeOf(code, said string) string {
	if national.IsCode(code) {
		return code
	}
	if meaning := meaningOf(said); meaning != "" {
		return meaning
	}
	if strings.Trim(code, "-0 ") == "" {
		return noCode
	}
	return code // of another form than every code that was reported
}

// meaningOf returns the code that stands for words; empty for others.
func meaningOf(said string) string { return rulecatalogue.CodeSaid(words, said) }
