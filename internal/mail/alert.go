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

// AlertMessage tells a person of what needs somebody, in both languages.
type AlertMessage struct {
	ID   string    // of the e-mail on record, so the same on every attempt
	Date time.Time // when it was put on record

	To           string
	Organization string // its name; empty: it is of the installation
	Sections     []AlertSection
	SettingsURL  string // where the person says what they are told of; empty: unknown
}

// AlertSection are the alerts of one kind.
type AlertSection struct {
	Portuguese, English string // what they are of, with their number
	Lines               []AlertLine
	More                int // that are not listed
}

// AlertLine is one alert.
type AlertLine struct {
	Portuguese, English string
	URL                 string // of its page; empty: unknown
}

// SendAlert makes one attempt, as Send does.
func (s *Sender) SendAlert(ctx context.Context, message AlertMessage) error {
	composed, err := s.composeAlert(message)
	if err != nil {
		return err
	}
	return s.deliver(ctx, message.To, composed)
}

func (s *Sender) composeAlert(message AlertMessage) (*gomail.Msg, error) {
	if !isAddress(message.To) {
		return nil, &failure{step: stepCompose, why: fact.MailAddressWrong.Fact(), permanent: true}
	}
	message.Organization = oneLine(message.Organization)
	if message.Organization == "" {
		message.Organization = "Emissor"
	}
	for i := range message.Sections {
		for j, line := range message.Sections[i].Lines {
			message.Sections[i].Lines[j] = AlertLine{oneLine(line.Portuguese), oneLine(line.English), line.URL}
		}
	}
	var text strings.Builder
	if err := alertBody.Execute(&text, message); err != nil {
		return nil, &failure{step: stepCompose, why: inWords(err)}
	}
	composed := gomail.NewMsg(gomail.WithCharset(gomail.CharsetUTF8), gomail.WithEncoding(gomail.EncodingQP),
		gomail.WithNoDefaultUserAgent())
	composed.FromMailAddress(&mail.Address{Name: "Emissor", Address: s.options.From})
	composed.ToMailAddress(&mail.Address{Address: message.To})
	composed.SetMessageIDWithValue(message.ID + "@" + s.domain)
	composed.SetDateWithValue(message.Date.UTC())
	composed.SetGenHeader("Auto-Submitted", "auto-generated")
	composed.Subject(message.Organization + ": pendências / needs attention")
	composed.SetBodyString(gomail.TypeTextPlain, text.String())
	return composed, nil
}

var alertBody = template.Must(template.New("alert").Parse(
	`{{.Organization}}
{{range .Sections}}
{{.Portuguese}}
{{range .Lines}}- {{.Portuguese}}
{{with .URL}}  {{.}}
{{end}}{{end}}{{with .More}}… e mais {{.}}
{{end}}{{end}}
{{with .SettingsURL}}Escolha o que você recebe: {{.}}
{{end}}
----
{{range .Sections}}
{{.English}}
{{range .Lines}}- {{.English}}
{{with .URL}}  {{.}}
{{end}}{{end}}{{with .More}}… and {{.}} more
{{end}}{{end}}
{{with .SettingsURL}}Choose what you are sent: {{.}}
{{end}}`))
