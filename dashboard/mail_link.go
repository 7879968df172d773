package dashboard

import (
	"context"
	"time"

	"emissor/mail"
	"emissor/nfse"
	"emissor/store"
)

// mailDeadline is how long a page waits for the mail server.
const mailDeadline = 15 * time.Second

// LinkMessage is the e-mail with a link of which text is the secret.
func LinkMessage(link store.Link, url string) mail.LinkMessage {
	message := mail.LinkMessage{
		ID: link.ID, Date: link.CreatedAt.Time, Until: link.ExpiresAt.Time, To: link.Email, URL: url,
		Invitation: link.Kind == nfse.LinkInvitation,
	}
	if link.OrganizationName != nil {
		message.Organization = *link.OrganizationName
	}
	return message
}

// showNewLink mails a link where there is a mail server, and shows it in any case,
// once.
func (r *request) showNewLink(link store.Link, text string) error {
	page := newLinkPage{URL: LinkURL(r.d.URL, text), Link: link, Mail: "people.link.text"}
	if r.d.Mail != nil {
		page.Mail = "people.link.mailed"
		ctx, end := context.WithTimeout(r.Context(), mailDeadline)
		defer end()
		if err := r.d.Mail.SendLink(ctx, LinkMessage(link, page.URL)); err != nil {
			r.d.Logger.WarnContext(r.Context(), "a link could not be mailed", "request_id", r.id, "link_id", link.ID,
				"problem", mail.Summary(err))
			page.Mail = "people.link.not_mailed"
		}
	}
	return r.render("new_link", "people.link", page)
}
