package dashboard

import (
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
)

// confirmedField is the field of a form whose sender has been shown its act and has
// confirmed it.
const confirmedField = "confirmed"

// act is something that cannot be undone, as it is shown before it is done.
type act struct {
	Title string // key of what is done, on the page and on its button
	Facts []line // about what it is done to
	Means string // what it results in, in the reader's language
	Back  string // the page that it was begun on
}

// line is a line of a description: the key of its label, and its text.
type line struct{ Label, Text string }

// acts are the acts of the routes that ask for aConfirmation, by their paths. Where there is
// no act (nil) nothing is asked: it can be undone, or the page refuses it and says why.
var acts = map[string]func(*request) (*act, error){
	"/notes/{id}/cancel":                             (*request).cancelling,
	"/notes/{id}/analysis":                           (*request).requestingAnalysis,
	"/notes/{id}/redrive":                            (*request).redriving,
	"/integrations/keys/{id}/revoke":                 (*request).revokingKey,
	"/integrations/endpoints/{id}/rotate":            ofEndpoint("act.endpoint.rotate", "endpoints.rotate.means"),
	"/integrations/endpoints/{id}/disable":           ofEndpoint("act.endpoint.disable", "endpoints.disable.means"),
	"/integrations/endpoints/{id}/remove":            ofEndpoint("act.endpoint.remove", "endpoints.remove.means"),
	"/catalogue/services/{id}/classification/remove": (*request).unclassifying,
	"/catalogue/works/{id}/close":                    (*request).closingWork,
	"/catalogue/events/{id}/close":                   (*request).closingEvent,
	"/recurring/{id}/end":                            (*request).endingRecurring,
	"/recurring/{id}/months/{month}/issue":           (*request).issuingRecurring,
	"/company/profile":                               (*request).changingProfile,
	"/company/next-number":                           (*request).settingNextNumber,
	"/company/certificates/{id}/remove":              (*request).removingCertificate,
	"/people/invitations/{id}/revoke":                (*request).revokingInvitation,
	"/people/{id}/role":                              (*request).changingRole,
	"/people/{id}/link":                              (*request).recoveringMember,
	"/people/{id}/remove":                            (*request).removingMember,
	"/session/passkeys/{id}/remove":                  (*request).removingPasskey,
	"/oidc/unlink":                                   (*request).unlinkingProvider,
	"/operations/series/release":                     (*request).releasingSeries,
}

func (r *request) actOnNote(note nfse.Note, title, means string, more ...line) *act {
	return &act{Title: title, Means: r.language.Say(means), Back: r.link("/notes/" + note.ID), Facts: append([]line{
		{"notes.reference", note.Reference}, {"notes.taker", note.Customer.Name},
		{"notes.amount", format.Money(r.language, note.AmountCents)},
	}, more...)}
}

func (r *request) cancelling() (*act, error) {
	note, err := r.ofNote()
	form, code, text := r.readCancellation()
	if err != nil || !form.good() {
		return nil, err
	}
	means := "note.cancel.test"
	if r.scope.Livemode {
		means = "note.cancel.means"
	}
	return r.actOnNote(note, "note.cancel", means, line{"note.cancel.code",
		r.language.Say("note.cancel.code."+code) + ": " + text}), nil
}

// readCancellation reads the form of a cancellation, and says in it what is wrong.
func (r *request) readCancellation() (form *form, code, text string) {
	form = r.newForm("reason_code", "reason_text")
	code, err := catalogue.ReasonCode(form.Value("reason_code"))
	if err != nil {
		form.wrong("reason_code", "note.cancel.code.wrong")
	}
	text, err = catalogue.ReasonText(form.Value("reason_text"))
	if err != nil {
		form.wrong("reason_text", "note.cancel.text.wrong")
	}
	return form, code, text
}

func (r *request) redriving() (*act, error) {
	note, err := r.ofNote()
	if err != nil || !note.Moving() {
		return nil, err
	}
	return r.actOnNote(note, "note.redrive", "note.redrive.means"), nil
}

func (r *request) revokingKey() (*act, error) {
	key, err := r.apiKey()
	if err != nil {
		return nil, err
	}
	label := key.Label
	if label == "" {
		label = r.language.Say("keys.unnamed")
	}
	return &act{Title: "act.key.revoke", Means: r.language.Say("keys.revoke.means"),
		Back:  r.link("/integrations/keys/" + key.ID),
		Facts: []line{{"keys.label", label}, {"operations.id", key.ID}}}, nil
}

func ofEndpoint(title, means string) func(*request) (*act, error) {
	return func(r *request) (*act, error) {
		endpoint, err := r.endpoint()
		if err != nil || endpoint.DeletedAt != nil {
			return nil, err
		}
		return &act{Title: title, Means: r.language.Say(means), Back: r.link("/integrations/endpoints/" + endpoint.ID),
			Facts: []line{{"endpoints.url", endpoint.URL}}}, nil
	}
}

func (r *request) unclassifying() (*act, error) {
	service, err := r.d.store.Catalogues.Service(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return &act{Title: "classify.remove", Means: r.language.Say("classify.remove.means"),
		Back:  r.link("/catalogue/services/" + service.ID + "/classification"),
		Facts: []line{{"notes.service", service.Name}}}, nil
}

func (r *request) settingNextNumber() (*act, error) {
	page, _, err := r.d.companyPage(r)
	if err != nil || page.Series == nil {
		return nil, err
	}
	profile := page.Series.of
	number, err := strconv.ParseInt(strings.TrimSpace(r.PostForm.Get("next_number")), 10, 64)
	if err != nil || company.CheckNextNumber(profile, number) != nil {
		return nil, nil
	}
	return &act{Title: "company.next_number.set", Means: r.language.Say("company.numbers.means"),
		Back: r.link("/company"), Facts: []line{
			{"company.series", strconv.Itoa(profile.Series)},
			{"company.next_number.now", strconv.FormatInt(page.Series.Next, 10)},
			{"company.next_number", strconv.FormatInt(number, 10)},
		}}, nil
}

func (r *request) removingCertificate() (*act, error) {
	certificates, err := r.d.store.Companies.Certificates(r.Context(), r.scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, one := range certificates {
		if one.ID == r.PathValue("id") {
			return &act{Title: "act.certificate.remove", Means: r.language.Say("certificate.remove.means"),
				Back: r.link("/company"), Facts: []line{
					{"certificate.subject", one.Subject}, {"customer.tax_id", format.TaxID(one.TaxID)},
					{"certificate.until", format.Day(r.language, one.NotAfter)},
				}}, nil
		}
	}
	return nil, errNotKnown
}

func (r *request) removingPasskey() (*act, error) {
	passkeys, err := r.d.store.Access.Passkeys(r.Context(), r.user.ID)
	if err != nil {
		return nil, err
	}
	for _, one := range passkeys {
		if one.ID == r.PathValue("id") {
			return &act{Title: "act.passkey.remove", Means: r.language.Say("act.passkey.remove.means"),
				Back: "/session", Facts: []line{{"keys.label", one.Label},
					{"endpoints.created", format.Moment(r.language, one.CreatedAt)}}}, nil
		}
	}
	return nil, errNotKnown
}

func (r *request) unlinkingProvider() (*act, error) {
	if err := r.signOnDoor(); err != nil {
		return nil, err
	}
	return &act{Title: "act.unlink", Means: r.language.Say("act.unlink.means"), Back: "/session",
		Facts: []line{{"oidc.account", r.d.signOn.Name}}}, nil
}
