package mail

import (
	"context"
	"time"
)

// LinkMessage is the e-mail with a one-time link of the dashboard, which is shown nowhere
// else. When a message is lost another link is made.
type LinkMessage struct {
	ID    string    // of the link on record
	Date  time.Time // when the link was made
	Until time.Time // when it ends

	To           string
	Organization string // of an invitation, or of the service; empty: to operate the installation, or no invitation
	Invitation   bool   // else it is for an account that exists, or to classify a service
	Service      string // that is to be classified; empty: none
	URL          string
}

// SendLink makes one attempt, as Send does.
func (s *Sender) SendLink(ctx context.Context, message LinkMessage) error {
	message.Organization, message.Service = oneLine(message.Organization), oneLine(message.Service)
	subject := "Seu link de acesso ao Emissor / Your access link to Emissor"
	switch {
	case message.Invitation:
		subject = "Convite para o Emissor / Invitation to Emissor"
	case message.Service != "":
		subject = "Classificação de um serviço para IBS e CBS / Classification of a service for IBS and CBS"
	}
	return s.sendOwn(ctx, own{to: message.To, id: message.ID, date: message.Date, template: "link.txt",
		subject: subject},
		message)
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
