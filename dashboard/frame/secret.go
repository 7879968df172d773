package frame

import (
	"encoding/base64"
	"html/template"

	"emissor/nfse"
)

// Receiver is a sample of a program that receives webhooks and checks their
// signatures, ready to run.
type Receiver struct {
	Language string // its name
	Files    []ReceiverFile
}

type ReceiverFile struct {
	Name string // to save it as
	Code string
	Copy string // the code as it is copied
}

// SecretPage shows a key or a secret, once: it cannot be shown again when the page is
// reloaded.
type SecretPage struct {
	Title     string // key
	Means     string // key of what to do with it
	Text      string
	File      string       // to save it as
	Download  template.URL // of the text, without asking the server again
	Back      string       // path of the page to go on to
	Until     *nfse.Timestamp
	Receivers []Receiver // of an endpoint
}

func (r *Request) ShowSecret(page SecretPage) error {
	page.Download = template.URL("data:text/plain;base64," + base64.StdEncoding.EncodeToString([]byte(page.Text+"\n")))
	r.Uncompressed()
	return r.Render("secret", page.Title, page)
}
