package access

import (
	"context"

	"emissor/dashboard/frame"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/access"
)

// linkMessage is the e-mail with a link.
func linkMessage(link access.Link, url string) mail.LinkMessage {
	return mail.LinkMessage{
		ID: link.ID, Date: link.CreatedAt.Time, Until: link.ExpiresAt.Time, To: link.Email, URL: url,
		Invitation: link.Kind == nfse.LinkInvitation, Organization: nfse.OrEmpty(link.OrganizationName),
	}
}

// MailLink mails a link. Before that it records that the link goes to the address only, so
// that it must be shown to nobody else, even where the mail server fails.
func MailLink(ctx context.Context, records *store.Store, sender *mail.Sender, link access.Link, url string) error {
	if err := records.Access.LinkMailed(ctx, link.ID); err != nil {
		return err
	}
	return sender.SendLink(ctx, linkMessage(link, url))
}

func showNewLink(r *frame.Request, link access.Link, text string) error {
	url := frame.LinkURL(r.D.URL, text)
	return r.ShowNewLink(frame.NewLink{
		ID: link.ID, Email: link.Email, Until: link.ExpiresAt, URL: url,
		Title: "people.link", Back: r.Link("/people"), ToBack: "people.link.back",
	}, func(ctx context.Context) error { return MailLink(ctx, r.D.Store, r.D.Mail, link, url) })
}
