package mails

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/frame"
	"emissor/internal/mail"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/store/mails"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// RoutesOfEmailTemplate are for the company's own words and logo in its e-mails to customers.
func RoutesOfEmailTemplate(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/emails/template", frame.SeeCompany, frame.Nothing, showEmailTemplate),
		frame.On("POST", "/emails/template", frame.ManageCompany, frame.AFile, saveEmailTemplate),
		frame.On("GET", "/emails/template/logo", frame.SeeCompany, frame.Nothing, showEmailLogo),
	}
}

// emailTemplatePage is what the company's e-mails say, with an example.
type emailTemplatePage struct {
	Form         *frame.Form
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

func showEmailTemplate(r *frame.Request) error {
	now, err := r.D.Store.Mails.EmailTemplate(r.Context(), r.Scope.OrganizationID)
	if err != nil {
		return err
	}
	form := frame.FormOf(map[string]string{"portuguese": now.Portuguese, "english": now.English})
	return showTemplate(r, http.StatusOK, emailTemplatePage{Form: form, Version: now.Version(), Now: now})
}

// showTemplate shows the form with what its words come to.
func showTemplate(r *frame.Request, status int, page emailTemplatePage) error {
	page.Placeholders, page.MaxWidth, page.MaxHeight = mail.Placeholders, mail.MostLogoWidth, mail.MostLogoHeight
	if page.Form.Good() {
		message, found, err := exampleMessage(r)
		if err != nil {
			return err
		}
		message.Words = mail.Words{Portuguese: page.Form.Value("portuguese"), English: page.Form.Value("english")}
		page.Example = !found
		if page.Subject, page.Text, err = message.Preview(); err != nil {
			return err
		}
	}
	return r.RenderStatus(status, "email_template", "email_template.title", page)
}

// saveEmailTemplate keeps words and logo, or only shows what they come to.
func saveEmailTemplate(r *frame.Request) error {
	now, err := r.D.Store.Mails.EmailTemplate(r.Context(), r.Scope.OrganizationID)
	if err != nil {
		return err
	}
	form := r.NewForm(templateFields...)
	page := emailTemplatePage{Form: form, Version: r.PostForm.Get("version"), Now: now}
	to := mails.EmailTemplate{Portuguese: page.readWords("portuguese"), English: page.readWords("english"),
		Logo: now.Logo}
	if to.Logo, err = readLogo(r, form, now.Logo); err != nil {
		return err
	}
	if !form.Good() {
		return showTemplate(r, http.StatusUnprocessableEntity, page)
	}
	if r.PostForm.Get("preview") != "" {
		return showTemplate(r, http.StatusOK, page)
	}
	err = r.Changes().Mails.SetEmailTemplate(r.Context(), r.Scope.OrganizationID, to, page.Version)
	if errors.Is(err, postgres.ErrChanged) {
		if page.Now, err = r.D.Store.Mails.EmailTemplate(r.Context(), r.Scope.OrganizationID); err != nil {
			return err
		}
		page.Conflict, page.Version = true, page.Now.Version()
		return showTemplate(r, http.StatusConflict, page)
	}
	if err != nil {
		return err
	}
	return r.Redirect(r.Link("/emails/template"), "email_template.saved")
}

// readWords reads the words of a language, and says what is wrong with them.
func (p *emailTemplatePage) readWords(field string) string {
	words, good := mail.TidyWords(p.Form.Value(field))
	p.Form.Values[field] = words
	unknown := mail.UnknownPlaceholders(words)
	switch {
	case !good:
		p.Form.AddProblem(field, "email_template.words.wrong")
	case len(unknown) > 0:
		p.Unknown = append(p.Unknown, unknown...)
		p.Form.AddProblem(field, "email_template.unknown")
	}
	return words
}

// readLogo is the logo that the form asks for: a new one, none, or the one that there is.
func readLogo(r *frame.Request, form *frame.Form, now []byte) ([]byte, error) {
	file, err := r.File("logo")
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
		form.AddProblem("logo", "email_template.logo.format")
	case errors.Is(err, mail.ErrLogoSize):
		form.AddProblem("logo", "email_template.logo.size")
	case errors.Is(err, mail.ErrLogoBytes):
		form.AddProblem("logo", "email_template.logo.bytes")
	case err != nil:
		return nil, err
	}
	return logo, nil
}

// showEmailLogo sends the company's logo, as the e-mails have it.
func showEmailLogo(r *frame.Request) error {
	now, err := r.D.Store.Mails.EmailTemplate(r.Context(), r.Scope.OrganizationID)
	if err != nil {
		return err
	}
	if now.Logo == nil {
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	r.W.Header().Set("Content-Type", "image/png")
	http.ServeContent(r.W, r.Request, "", time.Time{}, strings.NewReader(string(now.Logo)))
	return nil
}

// exampleMessage is the e-mail of the newest issued note of the scope; of an invented one where there is
// none yet.
func exampleMessage(r *frame.Request) (message mail.Message, found bool, err error) {
	message = mail.Message{Name: "Maria da Silva", Issuer: r.Organization, Number: "123", AmountCents: 150_000,
		Competence: nfse.DayOf(time.Now()).Begin(), DANFSe: []byte("x"),
		PublicURL: "https://www.nfse.gov.br/ConsultaPublica"}
	page, err := r.D.Store.Notes.FilterNotes(r.Context(), r.Scope, notes.NoteFilter{Status: nfse.StatusIssued, Limit: 1})
	if err != nil || len(page.Notes) == 0 {
		return message, false, err
	}
	note := page.Notes[0]
	message.Name, message.Number, message.AmountCents = note.Customer.Name, frame.NumberOf(note), note.AmountCents
	message.Competence = note.Competence.Begin()
	profile, err := r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
	if err != nil && !errors.Is(err, companies.ErrNoFiscalProfile) {
		return message, false, err
	}
	if err == nil && note.Authority != nil && note.Livemode {
		by := company.Present(profile)
		message.AccessKey = nfse.OrEmpty(note.Authority.AccessKey)
		message.CityURL = company.OwnURL(&by, note.Authority.Number, note.Authority.VerificationCode)
		if message.PublicURL = ""; message.CityURL == "" {
			message.PublicURL = company.PublicURL(&by, note.Authority.AccessKey)
		}
	}
	return message, true, nil
}
