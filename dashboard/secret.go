package dashboard

import (
	"encoding/base64"
	"html/template"

	"emissor/nfse"
)

// secretPage shows a key or a secret, once: it cannot be shown again when the page is
// reloaded.
type secretPage struct {
	Title     string // key
	Means     string // key of what to do with it
	Text      string
	File      string       // to save it as
	Download  template.URL // of the text, without asking the server again
	Back      string       // path of the page to go on to
	Until     *nfse.Timestamp
	Receivers []receiver // of an endpoint
}

func (r *request) showSecret(page secretPage) error {
	page.Download = template.URL("data:text/plain;base64," + base64.StdEncoding.EncodeToString([]byte(page.Text+"\n")))
	r.uncompressed()
	return r.render("secret", page.Title, page)
}
