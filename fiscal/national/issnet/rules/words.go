package rules

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	national "emissor/fiscal/national/rules"
)

// This file alone recognizes what the servers say only in words, without a code that means it.

// words are texts, each with the code that stands for it here: as they are without accents, in small
// letters, the words in this order.
var words = []struct {
	code string
	said []string
	from string // where it was seen
}{
	{DPSExists, []string{"dps", "ja existe"}, "Ribeirão Preto, 2026-08"},
	{DPSExists, []string{"dps", "ja", "convertid"}, "manual of the supplier, 6.1.2"},
	{NoteCancelled, []string{"ja", "cancelada"}, "a client of Brasília, for cancellations"},
	{DPSNotFound, []string{"dps", "nao", "encontrad"}, "an example of an answer to ConsultarNfseDps"},
	{DPSNotFound, []string{"dps", "nao", "localizad"}, "the same in other words"},
	{codeRefused, []string{"ctribmun"}, "Brasília and Ribeirão Preto, 2026-08"},
	{codeRefused, []string{"codigo", "tribut", "nao", "pertence"}, "Brasília, 2026-09"},
	{codeRefused, []string{"codigo", "tribut", "nao", "administrad"}, "Ribeirão Preto, 2026-08"},
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
		if inOrder(plain, one.said) {
			return one.code
		}
	}
	return ""
}

// inOrder reports whether a text has all parts, one after the other.
func inOrder(text string, parts []string) (found bool) {
	for _, part := range parts {
		if _, text, found = strings.Cut(text, part); !found {
			return false
		}
	}
	return true
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
