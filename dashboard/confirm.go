package dashboard

import (
	"strconv"
	"strings"

	accesspages "emissor/dashboard/access"
	batchpages "emissor/dashboard/batches"
	cataloguepages "emissor/dashboard/catalogues"
	companypages "emissor/dashboard/companies"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	operatepages "emissor/dashboard/operate"
	webhookpages "emissor/dashboard/webhooks"
	"emissor/issuing/company"
)

// acts are the acts of the routes that ask for AConfirmation, by their paths. Where there is
// no act (nil) nothing is asked: it can be undone, or the page refuses it and says why.
var acts = map[string]func(*frame.Request) (*frame.Act, error){
	"/notes/{id}/cancel":                             cancelling,
	"/notes/{id}/analysis":                           notepages.RequestingAnalysis,
	"/notes/{id}/redrive":                            redriving,
	"/integrations/keys/{id}/revoke":                 revokingKey,
	"/integrations/endpoints/{id}/rotate":            ofEndpoint("act.endpoint.rotate", "endpoints.rotate.means"),
	"/integrations/endpoints/{id}/disable":           ofEndpoint("act.endpoint.disable", "endpoints.disable.means"),
	"/integrations/endpoints/{id}/remove":            ofEndpoint("act.endpoint.remove", "endpoints.remove.means"),
	"/catalogue/services/{id}/classification/remove": unclassifying,
	"/catalogue/works/{id}/close":                    cataloguepages.Works.Closing,
	"/catalogue/events/{id}/close":                   cataloguepages.CulturalEvents.Closing,
	"/recurring/{id}/end":                            batchpages.EndingRecurring,
	"/recurring/{id}/months/{month}/issue":           batchpages.IssuingRecurring,
	"/company/profile":                               companypages.ChangingProfile,
	"/company/next-number":                           settingNextNumber,
	"/company/certificates/{id}/remove":              removingCertificate,
	"/company/city-login/remove":                     companypages.RemovingCityLogin,
	"/people/invitations/{id}/revoke":                accesspages.RevokingInvitation,
	"/people/{id}/role":                              accesspages.ChangingRole,
	"/people/{id}/link":                              accesspages.RecoveringMember,
	"/people/{id}/remove":                            accesspages.RemovingMember,
	"/session/passkeys/{id}/remove":                  removingPasskey,
	"/oidc/unlink":                                   unlinkingProvider,
	"/operations/series/release":                     operatepages.ReleasingSeries,

	"/catalogue/services/{id}/classification/links/{link}/revoke": cataloguepages.RevokingAsked,
}

func cancelling(r *frame.Request) (*frame.Act, error) {
	note, err := notepages.OfNote(r)
	form, code, text := r.ReadCancellation()
	if err != nil || !form.Good() {
		return nil, err
	}
	means := "note.cancel.test"
	if r.Scope.Livemode {
		means = "note.cancel.means"
	}
	return r.ActOnNote(note, "note.cancel", means, frame.Line{Label: "note.cancel.code",
		Text: r.Language.Say("note.cancel.code."+code) + ": " + text}), nil
}

func redriving(r *frame.Request) (*frame.Act, error) {
	note, err := notepages.OfNote(r)
	if err != nil || !note.Moving() {
		return nil, err
	}
	return r.ActOnNote(note, "note.redrive", "note.redrive.means"), nil
}

func revokingKey(r *frame.Request) (*frame.Act, error) {
	key, err := webhookpages.ApiKey(r)
	if err != nil {
		return nil, err
	}
	label := key.Label
	if label == "" {
		label = r.Language.Say("keys.unnamed")
	}
	return &frame.Act{Title: "act.key.revoke", Means: r.Language.Say("keys.revoke.means"),
		Back:  r.Link("/integrations/keys/" + key.ID),
		Facts: []frame.Line{{Label: "keys.label", Text: label}, {Label: "operations.id", Text: key.ID}}}, nil
}

func ofEndpoint(title, means string) func(*frame.Request) (*frame.Act, error) {
	return func(r *frame.Request) (*frame.Act, error) {
		endpoint, err := webhookpages.Endpoint(r)
		if err != nil || endpoint.DeletedAt != nil {
			return nil, err
		}
		return &frame.Act{Title: title, Means: r.Language.Say(means), Back: r.Link("/integrations/endpoints/" +
			endpoint.ID),
			Facts: []frame.Line{{Label: "endpoints.url", Text: endpoint.URL}}}, nil
	}
}

func unclassifying(r *frame.Request) (*frame.Act, error) {
	service, err := r.D.Store.Catalogues.Service(r.Context(), r.Scope, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return &frame.Act{Title: "classify.remove", Means: r.Language.Say("classify.remove.means"),
		Back:  r.Link("/catalogue/services/" + service.ID + "/classification"),
		Facts: []frame.Line{{Label: "notes.service", Text: service.Name}}}, nil
}

func settingNextNumber(r *frame.Request) (*frame.Act, error) {
	page, _, err := companypages.Page(r)
	if err != nil || page.Series == nil {
		return nil, err
	}
	profile := page.Series.Of
	number, err := strconv.ParseInt(strings.TrimSpace(r.PostForm.Get("next_number")), 10, 64)
	if err != nil || company.CheckNextNumber(profile, number) != nil {
		return nil, nil
	}
	return &frame.Act{Title: "company.next_number.set", Means: r.Language.Say("company.numbers.means"),
		Back: r.Link("/company"), Facts: []frame.Line{
			{Label: "company.series", Text: strconv.Itoa(profile.Series)},
			{Label: "company.next_number.now", Text: strconv.FormatInt(page.Series.Next, 10)},
			{Label: "company.next_number", Text: strconv.FormatInt(number, 10)},
		}}, nil
}

func removingCertificate(r *frame.Request) (*frame.Act, error) {
	certificates, err := r.D.Store.Companies.Certificates(r.Context(), r.Scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, one := range certificates {
		if one.ID == r.PathValue("id") {
			return &frame.Act{Title: "act.certificate.remove", Means: r.Language.Say("certificate.remove.means"),
				Back: r.Link("/company"), Facts: []frame.Line{
					{Label: "certificate.subject", Text: one.Subject}, {Label: "customer.tax_id", Text: format.TaxID(one.TaxID)},
					{Label: "certificate.until", Text: format.Day(r.Language, one.NotAfter)},
				}}, nil
		}
	}
	return nil, notepages.ErrNotKnown
}

func removingPasskey(r *frame.Request) (*frame.Act, error) {
	passkeys, err := r.D.Store.Access.Passkeys(r.Context(), r.User.ID)
	if err != nil {
		return nil, err
	}
	for _, one := range passkeys {
		if one.ID == r.PathValue("id") {
			return &frame.Act{Title: "act.passkey.remove", Means: r.Language.Say("act.passkey.remove.means"),
				Back: "/session", Facts: []frame.Line{{Label: "keys.label", Text: one.Label},
					{Label: "endpoints.created", Text: format.Moment(r.Language, one.CreatedAt)}}}, nil
		}
	}
	return nil, notepages.ErrNotKnown
}

func unlinkingProvider(r *frame.Request) (*frame.Act, error) {
	if err := accesspages.SignOnDoor(r); err != nil {
		return nil, err
	}
	return &frame.Act{Title: "act.unlink", Means: r.Language.Say("act.unlink.means"), Back: "/session",
		Facts: []frame.Line{{Label: "oidc.account", Text: r.D.SignOn.Name}}}, nil
}
