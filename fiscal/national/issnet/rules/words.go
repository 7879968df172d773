package rules

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	national "emissor/fiscal/national/rules"
)

// This file alone recognizes what the servers say only in words, without a code that means it.

// words are texts, each with the code that stands for it here: as they are without accents, in small
// letters. What says that nothing is there, or that a note is cancelled, counts without another
// question, and is matched closely: a text that only has the same words says neither.
var words = []struct {
	code string
	said *regexp.Regexp
	from string // where it was seen
}{
	{DPSExists, regexp.MustCompile(`\bdps\b.*\bja existe\b`), "Ribeirão Preto, 2026-08"},
	{DPSExists, regexp.MustCompile(`\bdps\b.*\bja\b.*\bconvertid`), "manual of the supplier, 6.1.2"},
	{NoteCancelled, regexp.MustCompile(`\bja (esta |foi |se encontra |encontra-se )?cancelada\b`),
		"a client of Brasília, for cancellations"},
	{DPSNotFound, regexp.MustCompile(`^(a )?dps (informada )?nao (foi )?(encontrad|localizad)[ao]\b`),
		"an example of an answer to ConsultarNfseDps"},
	{codeRefused, regexp.MustCompile(`ctribmun`), "Brasília and Ribeirão Preto, 2026-08"},
	{codeRefused, regexp.MustCompile(`codigo.*tribut.*nao.*pertence`), "Brasília, 2026-09"},
	{codeRefused, regexp.MustCompile(`codigo.*tribut.*nao.*administrad`), "Ribeirão Preto, 2026-08"},
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
func meaningOf(said string) string {
	plain := folded(said)
	for _, one := range words {
		if one.said.MatchString(plain) {
			return one.code
		}
	}
	return ""
}

// folded is a text without accents, in small letters.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
}
