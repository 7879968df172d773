package access

import (
	"context"
	"time"

	"emissor/dashboard/frame"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/access"
)

// mailDeadline is how long a page waits for the mail server.
const mailDeadline = 15 * time.Second

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

// showNewLink mails a link where there is a mail server, and else shows it, once: who makes
// a link for somebody is not to sign in by it.
func showNewLink(r *frame.Request, link access.Link, text string) error {
	url := frame.LinkURL(r.D.URL, text)
	r.Uncompressed()
	if r.D.Mail == nil {
		return r.Render("new_link", "people.link", newLinkPage{URL: url, Link: link, Mail: "people.link.text"})
	}
	page := newLinkPage{Link: link, Mail: "people.link.mailed"}
	ctx, end := context.WithTimeout(r.Context(), mailDeadline)
	defer end()
	if err := MailLink(ctx, r.D.Store, r.D.Mail, link, url); err != nil {
		r.D.Logger.WarnContext(r.Context(), "a link could not be mailed", "request_id", r.ID, "link_id", link.ID,
			"problem", mail.Summary(err))
		page.Mail = "people.link.not_mailed"
	}
	return r.Render("new_link", "people.link", page)
}
