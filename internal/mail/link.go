package mail

import (
	"context"
	"net/mail"
	"strings"
	"text/template"
	"time"

	gomail "github.com/wneessen/go-mail"

	"emissor/nfse/fact"
)

// LinkMessage is the e-mail with a one-time link of the dashboard, which is shown nowhere
// else. When a message is lost another link is made.
type LinkMessage struct {
	ID    string    // of the link on record
	Date  time.Time // when the link was made
	Until time.Time // when it ends

	To           string
	Organization string // of an invitation; empty: to operate the installation, or no invitation
	Invitation   bool   // else it is for an account that exists
	URL          string
}

// SendLink makes one attempt, as Send does.
func (s *Sender) SendLink(ctx context.Context, message LinkMessage) error {
	composed, err := s.composeLink(message)
	if err != nil {
		return err
	}
	return s.deliver(ctx, message.To, composed)
}

func (s *Sender) composeLink(message LinkMessage) (*gomail.Msg, error) {
	if !isAddress(message.To) {
		return nil, &failure{step: stepCompose, why: fact.MailAddressWrong.Fact(), permanent: true}
	}
	message.Organization = oneLine(message.Organization)
	var text strings.Builder
	if err := linkBody.Execute(&text, message); err != nil {
		return nil, &failure{step: stepCompose, why: inWords(err)}
	}
	composed := gomail.NewMsg(gomail.WithCharset(gomail.CharsetUTF8), gomail.WithEncoding(gomail.EncodingQP),
		gomail.WithNoDefaultUserAgent())
	composed.FromMailAddress(&mail.Address{Name: "Emissor", Address: s.options.From})
	composed.ToMailAddress(&mail.Address{Address: message.To})
	composed.SetMessageIDWithValue(message.ID + "@" + s.domain)
	composed.SetDateWithValue(message.Date.UTC())
	composed.SetGenHeader("Auto-Submitted", "auto-generated")
	subject := "Seu link de acesso ao Emissor / Your access link to Emissor"
	if message.Invitation {
		subject = "Convite para o Emissor / Invitation to Emissor"
	}
	composed.Subject(subject)
	composed.SetBodyString(gomail.TypeTextPlain, text.String())
	return composed, nil
}

// zoneOfReaders is the time zone of moments in e-mails: Brasília's, which has had no
// summer time since 2019.
var zoneOfReaders = time.FixedZone("BRT", -3*60*60)

// UntilText writes when the link ends.
func (m LinkMessage) UntilText() string { return m.Until.In(zoneOfReaders).Format("02/01/2006 15:04") }

// UntilEnglish writes the same in English.
func (m LinkMessage) UntilEnglish() string {
	return m.Until.In(zoneOfReaders).Format("2 Jan 2006 15:04")
}

var linkBody = template.Must(template.New("link").Parse(
	`{{if .Organization}}Você foi convidado a entrar em {{.Organization}}, no Emissor.
{{- else if .Invitation}}Você foi convidado a operar uma instalação do Emissor.
{{- else}}Este é o seu link de acesso ao Emissor.{{end}}

{{.URL}}

Ele vale uma única vez, até {{.UntilText}} (horário de Brasília). Se você não o esperava, ignore esta mensagem.

----

{{if .Organization}}You are invited to join {{.Organization}} at Emissor.
{{- else if .Invitation}}You are invited to operate an installation of Emissor.
{{- else}}This is your access link to Emissor.{{end}}

{{.URL}}

It works once, until {{.UntilEnglish}} (time of Brasília). If you did not expect it, ignore this message.
`))
