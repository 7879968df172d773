package rules

import (
	"net/url"
	"strings"
)

// PageURL is the city's public page of a note.
func PageURL(registration, number, verificationCode string) string {
	return "https://nfe.prefeitura.sp.gov.br/contribuinte/notaprint.aspx?inscricao=" +
		url.QueryEscape(strings.TrimLeft(registration, "0")) + "&nf=" + url.QueryEscape(number) +
		"&verificacao=" + url.QueryEscape(verificationCode)
}
