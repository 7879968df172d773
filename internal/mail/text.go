package mail

import (
	"embed"
	"strings"
	"text/template"

	"emissor/nfse"
)

//go:embed templates/*.txt
var files embed.FS

// templates are the bodies of e-mails, each in Portuguese and in English.
var templates = template.Must(template.ParseFS(files, "templates/*.txt"))

// body is a template filled with data.
func body(template string, data any) (string, error) {
	var out strings.Builder
	err := templates.ExecuteTemplate(&out, template, data)
	return out.String(), err
}

func (m Message) subject() string {
	subject := "NFS-e emitida por / issued by "
	if m.Number != "" {
		subject = "NFS-e " + m.Number + " emitida por / issued by "
	}
	if m.Cancelled {
		return subject + m.Issuer + " (cancelada / cancelled)"
	}
	return subject + m.Issuer
}

// text returns the body, in Portuguese and in English.
func (m Message) text() (string, error) {
	if m.WithoutFiscalValue {
		m.PublicURL = "" // nobody can verify it there
	}
	filled := struct {
		Message
		Reais, BRL           string
		ReaisToPay, BRLToPay string // empty: it is the price, or not to be paid
	}{Message: m, Reais: nfse.Reais(m.AmountCents), BRL: brl(m.AmountCents)}
	if toPay := m.ToPayCents; toPay != nil && *toPay != m.AmountCents && !m.Cancelled {
		filled.ReaisToPay, filled.BRLToPay = nfse.Reais(*toPay), brl(*toPay)
	}
	filled.Words = Words{
		m.filled(m.Words.Portuguese, filled.Reais, filled.ReaisToPay, m.Competence.Format("02/01/2006")),
		m.filled(m.Words.English, filled.BRL, filled.BRLToPay, m.Competence.Format("2 January 2006")),
	}
	return body("note.txt", filled)
}

func brl(cents int64) string { return "BRL " + nfse.FormatCents(cents, ",", ".") }
