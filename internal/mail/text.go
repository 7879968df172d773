package mail

import (
	"strconv"
	"strings"
	"text/template"
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
	`Olá, {{.Name}}.

{{.Issuer}} emitiu a NFS-e (nota fiscal de serviço eletrônica){{with .Number}} nº {{.}}{{end -}}
{{" "}}no valor de {{.Reais}}. {{if .DANFSe -}}
O arquivo XML da nota e sua forma impressa (DANFSe, em PDF) estão anexos.
{{- else}}O arquivo XML da nota está anexo.{{end}}
{{if .Cancelled}}
A nota foi cancelada depois de emitida e não vale mais.
{{end}}{{if .WithoutFiscalValue}}
Esta nota foi emitida no ambiente de testes da autoridade (produção restrita) e não tem valor fiscal.
{{end}}
Competência: {{.Competence.Format "02/01/2006"}}
{{with .AccessKey}}Chave de acesso: {{.}}
{{end}}{{with .PublicURL}}Confira a nota no portal nacional da NFS-e: {{.}}
{{end}}{{with .CityURL}}Confira e imprima a nota no site da prefeitura que a emitiu: {{.}}
{{end}}
Mensagem automática.

----

Hello, {{.Name}}.

{{.Issuer}} issued the service invoice (NFS-e){{with .Number}} no. {{.}}{{end}} for {{.BRL}}. {{if .DANFSe -}}
Its XML file and its printed form (DANFSe, a PDF) are attached.
{{- else}}Its XML file is attached.{{end}}
{{if .Cancelled}}
The invoice was cancelled after it was issued and is no longer valid.
{{end}}{{if .WithoutFiscalValue}}
This invoice was issued in the authority's test system (produção restrita) and has no fiscal value.
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
	var out strings.Builder
	err := body.Execute(&out, struct {
		Message
		Reais, BRL string
	}{m, "R$ " + money(m.AmountCents, ".", ","), "BRL " + money(m.AmountCents, ",", ".")})
	return out.String(), err
}

// money formats an amount in cents, with a separator between thousands and one
// before the cents.
func money(cents int64, thousands, decimal string) string {
	digits := strconv.FormatInt(cents/100, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + thousands + digits[at:]
	}
	return digits + decimal + string([]byte{byte('0' + cents/10%10), byte('0' + cents%10)})
}
