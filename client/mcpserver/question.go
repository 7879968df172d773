package mcpserver

import (
	"cmp"
	"strconv"
	"strings"

	"emissor/nfse"
)

// line is one of those by which a person is shown what is done: a label of ours, and a value.
type line struct{ label, value string }

// question is what a person is asked, a line each. A value of others is quoted, so that it cannot look like another
// line, or hide anything.
func question(act string, lines []line) string {
	var text strings.Builder
	text.WriteString(act + " This has fiscal value.\n")
	for _, one := range lines {
		if one.value != "" {
			text.WriteString("\n" + one.label + ": " + one.value)
		}
	}
	return text.String()
}

// longestShown is of a text of others, in characters.
const longestShown = 300

// quoted shows a text of others; nothing for an empty one.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	more := ""
	if runes := []rune(text); len(runes) > longestShown {
		text, more = string(runes[:longestShown]), " and more"
	}
	return strconv.QuoteToGraphic(text) + more
}

// optional shows a text of others that may be left out.
func optional(text *string) string {
	if text == nil {
		return ""
	}
	return quoted(*text)
}

// party shows somebody by name and CPF or CNPJ.
func party(name, document string) string {
	id, err := nfse.ParseTaxID(document)
	if err != nil {
		return quoted(name) + ", " + quoted(document)
	}
	kind := "CPF "
	if id.IsCNPJ() {
		kind = "CNPJ "
	}
	return quoted(name) + ", " + kind + id.Masked()
}

// yes shows what is only said where it is so.
func yes(is bool) string { return map[bool]string{true: "yes"}[is] }

// reasons are the reasons of a cancellation by their codes.
var reasons = map[string]string{"1": "error in issuance", "2": "service not rendered", "9": "other"}

func reason(code string) string { return cmp.Or(reasons[code], quoted(code)) }
