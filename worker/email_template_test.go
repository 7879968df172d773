package worker_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"emissor/internal/mail"
	"emissor/store/mails"
	"emissor/test/testkit"
)

// The e-mail of a note has the words and the logo of its own company, and of no other.
func TestEmail_OwnWordsAndLogo(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	ours := p.issued(t, "da-clinica")
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 300, 60))); err != nil {
		t.Fatal(err)
	}
	logo, err := mail.ParseLogo(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	err = p.Changes().Mails.SetEmailTemplate(t.Context(), p.key.OrganizationID, mails.EmailTemplate{
		Portuguese: "Prezada {customer}, segue a nota de {amount}.", Logo: logo}, mails.EmailTemplate{}.Version())
	if err != nil {
		t.Fatal(err)
	}
	p.newOrganization(t, "Escola")
	theirs := p.issued(t, "da-escola")
	p.run(t, ours)
	p.run(t, theirs)
	sent := func(id string) bool { return p.Text(t, `SELECT status FROM emails WHERE id = $1`, id) == "sent" }
	testkit.Eventually(t, "both are sent", func() bool { return sent(ours) && sent(theirs) })
	for _, message := range p.box.Received() {
		own := strings.Contains(message, "image/png") && strings.Contains(message, "Prezada Maria da Concei")
		if clinic := strings.Contains(message, "<"+ours+"@"); clinic != own {
			t.Errorf("of the clinic: %v, with its words and logo: %v\n%s", clinic, own, message)
		}
	}
}
