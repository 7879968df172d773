package mail

import (
	"strings"
	"text/template"

	"emissor/nfse"
)

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

var body = template.Must(template.New("body").Parse(
	`{{if .Words.Portuguese}}{{.Words.Portuguese}}
{{else}}Olá, {{.Name}}.

{{.Issuer}} emitiu a NFS-e (nota fiscal de serviço eletrônica){{with .Number}} nº {{.}}{{end -}}
{{" "}}no valor de {{.Reais}}. {{if .DANFSe -}}
O arquivo XML da nota e sua forma impressa (DANFSe, em PDF) estão anexos.
{{- else}}O arquivo XML da nota está anexo.{{end}}
{{end -}}
{{with .Replaces}}
Esta nota substitui a NFS-e nº {{.}}, que foi cancelada por isso e não vale mais.
{{end}}{{if .ReplacedBy}}
A nota foi substituída pela NFS-e nº {{.ReplacedBy}} e não vale mais.
{{else if .Cancelled}}
A nota foi cancelada depois de emitida e não vale mais.
{{end}}{{if .WithoutFiscalValue}}
Esta nota foi emitida no ambiente de testes da autoridade (produção restrita) e não tem valor fiscal.
{{end}}{{with .ReaisToPay}}
Valor a pagar, conforme a nota: {{.}}.
{{end}}
Competência: {{.Competence.Format "02/01/2006"}}
{{with .AccessKey}}Chave de acesso: {{.}}
{{end}}{{with .PublicURL}}Confira a nota no portal nacional da NFS-e: {{.}}
{{end}}{{with .CityURL}}Confira e imprima a nota no site da prefeitura que a emitiu: {{.}}
{{end}}
Mensagem automática.

----

{{if .Words.English}}{{.Words.English}}
{{else}}Hello, {{.Name}}.

{{.Issuer}} issued the service invoice (NFS-e){{with .Number}} no. {{.}}{{end}} for {{.BRL}}. {{if .DANFSe -}}
Its XML file and its printed form (DANFSe, a PDF) are attached.
{{- else}}Its XML file is attached.{{end}}
{{end -}}
{{with .Replaces}}
This invoice replaces the NFS-e no. {{.}}, which was cancelled by that and is no longer valid.
{{end}}{{if .ReplacedBy}}
The invoice was replaced by the NFS-e no. {{.ReplacedBy}} and is no longer valid.
{{else if .Cancelled}}
The invoice was cancelled after it was issued and is no longer valid.
{{end}}{{if .WithoutFiscalValue}}
This invoice was issued in the authority's test system (produção restrita) and has no fiscal value.
{{end}}{{with .BRLToPay}}
Amount to pay, as the invoice states: {{.}}.
{{end}}
Competence (the day of the service): {{.Competence.Format "2 January 2006"}}
{{with .AccessKey}}Access key: {{.}}
{{end}}{{with .PublicURL}}Verify the invoice at the national NFS-e portal: {{.}}
{{end}}{{with .CityURL}}Verify and print the invoice on the site of the city that issued it: {{.}}
{{end}}
This message was sent automatically.
`))

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
	var out strings.Builder
	err := body.Execute(&out, filled)
	return out.String(), err
}

func brl(cents int64) string { return "BRL " + nfse.FormatCents(cents, ",", ".") }
