package dashboard

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"emissor/internal/mail"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/store/mails"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// routesOfEmailTemplate are for the company's own words and logo in its e-mails to customers.
func (d *Dashboard) routesOfEmailTemplate() []route {
	return []route{
		{"GET", "/emails/template", seeCompany, nothing, d.showEmailTemplate},
		{"POST", "/emails/template", manageCompany, aFile, d.saveEmailTemplate},
		{"GET", "/emails/template/logo", seeCompany, nothing, d.showEmailLogo},
	}
}

// emailTemplatePage is what the company's e-mails say, with an example.
type emailTemplatePage struct {
	Form         *form
	Version      string // of the template that the form was made from
	Now          mails.EmailTemplate
	Conflict     bool     // somebody else changed it first: Now is what it is, Form what was typed
	Unknown      []string // placeholders that nothing of a note has
	Placeholders []string
	Subject      string // of the example
	Text         string // empty: the words are not good
	Example      bool   // there is no issued note to show it with
	MaxWidth     int    // of a logo, in pixels
	MaxHeight    int
}

// templateFields are the fields of the form besides the file.
var templateFields = []string{"portuguese", "english", "remove_logo"}

func (d *Dashboard) showEmailTemplate(r *request) error {
	now, err := d.store.Mails.EmailTemplate(r.Context(), r.scope.OrganizationID)
	if err != nil {
		return err
	}
	form := formOf(map[string]string{"portuguese": now.Portuguese, "english": now.English})
	return r.showTemplate(http.StatusOK, emailTemplatePage{Form: form, Version: now.Version(), Now: now})
}

// showTemplate shows the form with what its words come to.
func (r *request) showTemplate(status int, page emailTemplatePage) error {
	page.Placeholders, page.MaxWidth, page.MaxHeight = mail.Placeholders, mail.MostLogoWidth, mail.MostLogoHeight
	if page.Form.good() {
		message, found, err := r.exampleMessage()
		if err != nil {
			return err
		}
		message.Words = mail.Words{Portuguese: page.Form.Value("portuguese"), English: page.Form.Value("english")}
		page.Example = !found
		if page.Subject, page.Text, err = message.Preview(); err != nil {
			return err
		}
	}
	return r.renderStatus(status, "email_template", "email_template.title", page)
}

// saveEmailTemplate keeps words and logo, or only shows what they come to.
func (d *Dashboard) saveEmailTemplate(r *request) error {
	now, err := d.store.Mails.EmailTemplate(r.Context(), r.scope.OrganizationID)
	if err != nil {
		return err
	}
	form := r.newForm(templateFields...)
	page := emailTemplatePage{Form: form, Version: r.PostForm.Get("version"), Now: now}
	to := mails.EmailTemplate{Portuguese: page.readWords("portuguese"), English: page.readWords("english"),
		Logo: now.Logo}
	if to.Logo, err = r.readLogo(form, now.Logo); err != nil {
		return err
	}
	if !form.good() {
		return r.showTemplate(http.StatusUnprocessableEntity, page)
	}
	if r.PostForm.Get("preview") != "" {
		return r.showTemplate(http.StatusOK, page)
	}
	err = r.changes().Mails.SetEmailTemplate(r.Context(), r.scope.OrganizationID, to, page.Version)
	if errors.Is(err, postgres.ErrChanged) {
		if page.Now, err = d.store.Mails.EmailTemplate(r.Context(), r.scope.OrganizationID); err != nil {
			return err
		}
		page.Conflict, page.Version = true, page.Now.Version()
		return r.showTemplate(http.StatusConflict, page)
	}
	if err != nil {
		return err
	}
	return r.redirect(r.link("/emails/template"), "email_template.saved")
}

// readWords reads the words of a language, and says what is wrong with them.
func (p *emailTemplatePage) readWords(field string) string {
	words, good := mail.TidyWords(p.Form.Value(field))
	p.Form.values[field] = words
	unknown := mail.UnknownPlaceholders(words)
	switch {
	case !good:
		p.Form.wrong(field, "email_template.words.wrong")
	case len(unknown) > 0:
		p.Unknown = append(p.Unknown, unknown...)
		p.Form.wrong(field, "email_template.unknown")
	}
	return words
}

// readLogo is the logo that the form asks for: a new one, none, or the one that there is.
func (r *request) readLogo(form *form, now []byte) ([]byte, error) {
	file, err := r.file("logo")
	switch {
	case err != nil:
		return nil, err
	case form.Value("remove_logo") != "":
		return nil, nil
	case len(file) == 0:
		return now, nil
	}
	logo, err := mail.ParseLogo(file)
	switch {
	case errors.Is(err, mail.ErrLogoFormat):
		form.wrong("logo", "email_template.logo.format")
	case errors.Is(err, mail.ErrLogoSize):
		form.wrong("logo", "email_template.logo.size")
	case errors.Is(err, mail.ErrLogoBytes):
		form.wrong("logo", "email_template.logo.bytes")
	case err != nil:
		return nil, err
	}
	return logo, nil
}

// showEmailLogo sends the company's logo, as the e-mails have it.
func (d *Dashboard) showEmailLogo(r *request) error {
	now, err := d.store.Mails.EmailTemplate(r.Context(), r.scope.OrganizationID)
	if err != nil {
		return err
	}
	if now.Logo == nil {
		return problem{http.StatusNotFound, "problem.not_found"}
	}
	r.w.Header().Set("Content-Type", "image/png")
	http.ServeContent(r.w, r.Request, "", time.Time{}, strings.NewReader(string(now.Logo)))
	return nil
}

// exampleMessage is the e-mail of the newest issued note of the scope; of an invented one where there is
// none yet.
func (r *request) exampleMessage() (message mail.Message, found bool, err error) {
	message = mail.Message{Name: "Maria da Silva", Issuer: r.organization, Number: "123", AmountCents: 150_000,
		Competence: nfse.DayOf(time.Now()).Begin(), DANFSe: []byte("x"),
		PublicURL: "https://www.nfse.gov.br/ConsultaPublica"}
	page, err := r.d.store.Notes.FilterNotes(r.Context(), r.scope, notes.NoteFilter{Status: nfse.StatusIssued, Limit: 1})
	if err != nil || len(page.Notes) == 0 {
		return message, false, err
	}
	note := page.Notes[0]
	message.Name, message.Number, message.AmountCents = note.Customer.Name, numberOf(note), note.AmountCents
	message.Competence = note.Competence.Begin()
	profile, err := r.d.store.Companies.FiscalProfile(r.Context(), r.scope.OrganizationID)
	if err != nil && !errors.Is(err, companies.ErrNoFiscalProfile) {
		return message, false, err
	}
	if err == nil && note.Authority != nil && note.Livemode {
		by := company.Present(profile)
		message.AccessKey = text(note.Authority.AccessKey)
		message.CityURL = company.OwnURL(&by, note.Authority.Number, note.Authority.VerificationCode)
		if message.PublicURL = ""; message.CityURL == "" {
			message.PublicURL = company.PublicURL(&by, note.Authority.AccessKey)
		}
	}
	return message, true, nil
}
