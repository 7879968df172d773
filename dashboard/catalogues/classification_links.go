package catalogues

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"emissor/dashboard/frame"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/store/catalogues"
)

// linkLasts is how long a link to classify a service works.
const linkLasts = 7 * 24 * time.Hour

// AskAccountant makes a link by which somebody without an account classifies the service, once.
func AskAccountant(r *frame.Request) error {
	page, err := newClassificationPage(r, r.PathValue("id"))
	if err != nil {
		return err
	}
	page.Ask = r.NewForm("email")
	email, err := nfse.ParseEmail(page.Ask.Value("email"))
	if err != nil || nfse.IsLostAddress(email) {
		page.Ask.AddProblem("email", "people.email.wrong")
		return renderClassification(r.D, r, http.StatusUnprocessableEntity, page)
	}
	if !r.MayMakeLink(email) {
		page.Ask.AddProblem("email", "people.links.many")
		return renderClassification(r.D, r, http.StatusTooManyRequests, page)
	}
	text := nfse.NewLinkText()
	link, err := r.Changes().Catalogues.AskToClassify(r.Context(), r.Scope, page.Service.ID, email, text,
		r.D.Mail != nil, linkLasts)
	if err != nil {
		return err
	}
	url := r.D.URL.JoinPath("classify", text).String()
	return r.ShowNewLink(frame.NewLink{
		ID: link.ID, Email: email, Until: link.ExpiresAt, URL: url,
		Title: "classify.accountant.made",
		Back:  classificationOf(r, link.ServiceID), ToBack: "classify.accountant.back",
	}, func(ctx context.Context) error {
		return r.D.Mail.SendLink(ctx, mail.LinkMessage{
			ID: link.ID, Date: r.D.Now(), Until: link.ExpiresAt.Time, To: email, URL: url,
			Organization: link.Organization, Service: page.Service.Name,
		})
	})
}

func RevokingAsked(r *frame.Request) (*frame.Act, error) {
	id := r.PathValue("id")
	links, err := r.D.Store.Catalogues.ClassificationLinks(r.Context(), r.Scope, id)
	for _, one := range links {
		if one.ID == r.PathValue("link") {
			return &frame.Act{Title: "act.asked.revoke", Means: r.Language.Say("act.invitation.revoke.means"),
				Back: classificationOf(r, id), Facts: []frame.Line{{Label: "people.email", Text: one.Email}}}, nil
		}
	}
	return nil, err
}

func RevokeAsked(r *frame.Request) error {
	id := r.PathValue("id")
	err := r.Changes().Catalogues.RevokeClassificationLink(r.Context(), r.Scope, id, r.PathValue("link"))
	if err != nil {
		return err
	}
	return r.Redirect(classificationOf(r, id), "classify.accountant.revoked")
}

// askedPage is the form for who has a link. Whoever it is, they are nobody here, and see nothing else.
func askedPage(r *frame.Request) (page classificationPage, link catalogues.ClassificationLink, err error) {
	r.User, r.Memberships = nfse.User{}, nil
	text, err := r.LinkText()
	if err == nil {
		link, err = r.D.Store.Catalogues.ClassificationLink(r.Context(), text)
	}
	if err != nil {
		return page, link, goneIfNone(err)
	}
	r.Scope, r.Organization = link.Scope, link.Organization
	page, err = newClassificationPage(r, link.ServiceID)
	page.Asked, page.Action, page.May = &link, r.URL.Path, true
	return page, link, err
}

func goneIfNone(err error) error {
	if nfse.IsCode(err, nfse.CodeNotFound) {
		return frame.ErrLinkGone
	}
	return err
}

// ShowAsked uses nothing up: programs that scan mail follow links.
func ShowAsked(r *frame.Request) error {
	page, _, err := askedPage(r)
	if err != nil {
		return err
	}
	return renderClassification(r.D, r, http.StatusOK, page)
}

// ClassifyAsked takes what who has a link has chosen. Storing it uses the link up.
func ClassifyAsked(r *frame.Request) error {
	page, link, err := askedPage(r)
	if err == nil {
		err = r.ReadForm()
	}
	if err != nil {
		return err
	}
	return takeClassification(r, page, func(classified nfse.Classification, version string) error {
		changes := r.ChangesOf(link.ID) // the link, and so who was asked, is who does it
		err := changes.Catalogues.ClassifyByLink(r.Context(), r.PathValue("text"), classified, cmp.Or(version, "none"))
		if err != nil {
			return goneIfNone(err) // it was used just now
		}
		return r.Render("asked", "asked.thanks", page)
	})
}
