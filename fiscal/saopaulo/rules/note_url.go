package rules

import "net/url"

// NoteURL is the city's public page of a note of a registration without zeros before it.
func NoteURL(registration, number, verificationCode string) string {
	return "https://nfe.prefeitura.sp.gov.br/contribuinte/notaprint.aspx?inscricao=" +
		url.QueryEscape(registration) + "&nf=" + url.QueryEscape(number) +
		"&verificacao=" + url.QueryEscape(verificationCode)
}
