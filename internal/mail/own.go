package mail

import (
	"context"
	"net/mail"
	"time"

	gomail "github.com/wneessen/go-mail"

	"emissor/nfse/fact"
)

// own is an e-mail in the installation's own name, as plain text.
type own struct {
	to, id   string
	date     time.Time
	subject  string
	template string
}

// sendOwn makes one attempt to send an e-mail whose template is filled with data, as Send does.
func (s *Sender) sendOwn(ctx context.Context, message own, data any) error {
	composed, err := s.composeOwn(message, data)
	if err != nil {
		return err
	}
	return s.deliver(ctx, message.to, composed)
}

func (s *Sender) composeOwn(message own, data any) (*gomail.Msg, error) {
	if !isAddress(message.to) {
		return nil, &failure{step: stepCompose, why: fact.MailAddressWrong.Fact(), permanent: true}
	}
	text, err := body(message.template, data)
	if err != nil {
		return nil, &failure{step: stepCompose, why: inWords(err)}
	}
	composed := gomail.NewMsg(plain...)
	composed.FromMailAddress(&mail.Address{Name: "Emissor", Address: s.options.From})
	composed.ToMailAddress(&mail.Address{Address: message.to})
	s.begin(composed, message.id, message.date, message.subject, text)
	return composed, nil
}
