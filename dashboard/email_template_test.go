package dashboard_test

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
)

// sendTemplate sends the form of the e-mail's words, with a file where there is one.
func (p *person) sendTemplate(t *testing.T, file []byte, pairs ...string) page {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	must(t, form.WriteField("env", "test"))
	for i := 0; i < len(pairs); i += 2 {
		must(t, form.WriteField(pairs[i], pairs[i+1]))
	}
	if file != nil {
		part, err := form.CreateFormFile("logo", "logo.png")
		must(t, err)
		_, err = part.Write(file)
		must(t, err)
	}
	must(t, form.Close())
	return p.send(t, http.MethodPost, p.site.at("/emails/template"), nil, form.FormDataContentType(), &body)
}

// picture is a PNG of a size, with words in it that are no pixels.
func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	var file bytes.Buffer
	must(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, width, height))))
	return append(file.Bytes(), "hostile"...)
}

// An owner gives the e-mails words and a logo: they are previewed with the newest note, kept with an entry
// in the audit log, and two people at once are told of each other.
func TestEmailTemplate_Page(t *testing.T) {
	t.Parallel()
	s, _, _, _ := newSettled(t)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	shown := owner.get(t, s.at("/emails/template")).expect(t, http.StatusOK, "Com a sua nota mais recente.", "Olá, ",
		"<code>{competence}</code>")
	version := shown.fields().Get("version")
	if body := editor.get(t, s.at("/emails/template")).expect(t, http.StatusOK).body; strings.Contains(body, "<textarea") {
		t.Error("an editor has the form")
	}
	owner.get(t, s.at("/emails")).expect(t, http.StatusOK, `href="/emails/template`)

	words := "Bom dia, {customer}! <b>{amount}</b>"
	owner.sendTemplate(t, nil, "portuguese", words, "version", version, "preview", "yes").expect(t, http.StatusOK,
		"Bom dia, Maria da Silva! &lt;b&gt;R$ 150,00&lt;/b&gt;", "Hello, Maria da Silva.")
	if s.Count(t, `SELECT count(*) FROM email_templates`) != 0 {
		t.Error("a preview is kept")
	}
	owner.sendTemplate(t, nil, "portuguese", "{valor} {numero}", "version", version).
		expect(t, http.StatusUnprocessableEntity, "<code>{valor}</code> <code>{numero}</code>", `href="#portuguese"`,
			"{valor} {numero}</textarea>")
	for says, file := range map[string][]byte{"não é uma imagem PNG ou JPEG": []byte("<svg/>"),
		"grande demais": picture(t, 1201, 1)} {
		owner.sendTemplate(t, file, "version", version).expect(t, http.StatusUnprocessableEntity, says, `href="#logo"`)
	}
	owner.sendTemplate(t, picture(t, 300, 60), "portuguese", words, "version", version).expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/emails/template")).expect(t, http.StatusOK, "E-mail salvo", "Os e-mails já levam um logotipo",
		"Bom dia, Maria da Silva!")
	logo := editor.get(t, s.at("/emails/template/logo")).expect(t, http.StatusOK)
	if logo.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(logo.body, "\x89PNG") ||
		strings.Contains(logo.body, "hostile") {
		t.Errorf("the logo is %q", logo.body)
	}
	owner.get(t, s.at("/audit")).expect(t, http.StatusOK, "mudou o e-mail ao tomador", "texto em português (resumo)")

	// Another one was quicker; what was typed stays, and saves over theirs when it is sent again.
	late := owner.sendTemplate(t, nil, "english", "Dear {customer}", "version", version).
		expect(t, http.StatusConflict, "Outra pessoa mudou este e-mail", "Dear {customer}</textarea>", "Bom dia, {customer}!")
	owner.sendTemplate(t, nil, "english", "Dear {customer}", "version", late.fields().Get("version"),
		"remove_logo", "on").expect(t, http.StatusSeeOther)
	if kept := s.Text(t, `SELECT portuguese || '|' || english FROM email_templates WHERE logo IS NULL`); kept !=
		"|Dear {customer}" {
		t.Errorf("kept is %s", kept)
	}
}

// A company's words are its own: another one has ours, and an invented note while it has none.
func TestEmailTemplate_OfEachCompany(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Escola")
	s.Exec(t, `INSERT INTO email_templates (organization_id, portuguese, english) VALUES ($1, 'Só da clínica', '')`,
		s.Organization.ID)
	owner := s.signedIn(t, "owner@example.com", other.ID, nfse.RoleOwner)
	body := owner.get(t, s.of("/emails/template", other.ID, "test")).expect(t, http.StatusOK, "nota de exemplo",
		"Escola emitiu").body
	if strings.Contains(body, "Só da clínica") {
		t.Error("another company's words are shown")
	}
	owner.get(t, s.at("/emails/template")).expect(t, http.StatusNotFound)
}
