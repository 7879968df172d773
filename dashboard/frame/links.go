package frame

import (
	"context"
	"encoding/hex"
	"net/http"
	"time"

	"emissor/internal/mail"
	"emissor/nfse"
)

// ErrLinkGone is the same answer to links that are unknown, used up, revoked or expired.
var ErrLinkGone = Problem{Status: http.StatusGone, Key: "link.gone"}

// LinkText is the secret part of the one-time link that the address has, of which one of a few tries is taken.
func (r *Request) LinkText() (string, error) {
	text := r.PathValue("text")
	if len(text) != len(nfse.NewLinkText()) {
		return "", ErrLinkGone
	}
	if !r.D.Tries.Allow("link "+hex.EncodeToString(nfse.HashLink(text)), r.D.Now()) {
		return "", Problem{Status: http.StatusTooManyRequests, Key: "problem.too_many"}
	}
	return text, nil
}

// mailDeadline is how long a page waits for the mail server.
const mailDeadline = 15 * time.Second

// NewLink is a one-time link that was made just now for somebody.
type NewLink struct {
	ID, Email    string
	Until        nfse.Timestamp
	Title        string // key
	Back, ToBack string // address of the page to go on to, and the key of what leads there
	URL          string // is shown where there is no mail server
	Mail         string // key of whether it was mailed
}

// ShowNewLink mails a link where there is a mail server, and else shows it, once: who makes
// a link for somebody is not to sign in by it.
func (r *Request) ShowNewLink(link NewLink, send func(context.Context) error) error {
	r.Uncompressed()
	if r.D.Mail == nil {
		link.Mail = "people.link.text"
		return r.Render("new_link", link.Title, link)
	}
	link.URL, link.Mail = "", "people.link.mailed"
	ctx, end := context.WithTimeout(r.Context(), mailDeadline)
	defer end()
	if err := send(ctx); err != nil {
		r.D.Logger.WarnContext(r.Context(), "a link could not be mailed", "request_id", r.ID, "link_id", link.ID,
			"problem", mail.Summary(err))
		link.Mail = "people.link.not_mailed"
	}
	return r.Render("new_link", link.Title, link)
}
