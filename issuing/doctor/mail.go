package doctor

import (
	"context"

	"emissor/internal/mail"
	"emissor/nfse/fact"
)

// mail checks that the mail server lets us in. No message is submitted.
func (d *Doctor) mail(ctx context.Context) ([]Finding, error) {
	if d.Mail == nil {
		return []Finding{skipped(Mail, fact.DoctorMailNone.Fact())}, nil
	}
	if err := d.Mail.Check(ctx); err != nil {
		return []Finding{warning(Mail, fact.DoctorMailFails.With("server", d.Mail.Server(), "why", mail.Problem(err)),
			fact.DoctorDoMail.Fact())}, nil
	}
	return []Finding{good(Mail, fact.DoctorMailGood.With("server", d.Mail.Server()))}, nil
}
