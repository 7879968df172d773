package company

import (
	"context"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/description"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/lifecycle"
)

// ToReplace is an issued note that may be replaced by another.
type ToReplace struct {
	lifecycle.Replaceable
	Issuer nfse.FiscalProfile // at present, who issues the other: of the same day of competence
	how    *description.Replacement
	sites  func(fiscal.Declaration) (*nfse.Work, *nfse.CulturalEvent)
}

// ReadToReplace reads a note that is to be replaced. An error about the note says why it is not:
// its authority replaces none, it does not stand, something else is on its way, or an event bars it.
// One that is replaced, or being replaced, Check refuses.
func ReadToReplace(ctx context.Context, s *store.Store, scope nfse.Scope, noteID string) (ToReplace, error) {
	note, err := s.Lifecycle.Replaceable(ctx, scope, noteID)
	if err != nil {
		return ToReplace{}, err
	}
	to := ToReplace{Replaceable: note}
	by, _ := authorities.Named(note.IssuedBy.Authority)
	if to.how, to.sites = by.Replacement, by.Sites; to.how == nil {
		return to, nfse.NewError(nfse.CodeNoteNotCancellable, "note",
			"its authority (%s) has no replacement of notes through this program: cancel the note and issue another, "+
				"or replace it on the authority's own site", by.English)
	}
	if note.ReplacedBy == "" { // else it is known only by the reference whether that is what is asked for
		if err := lifecycle.MayBeReplaced(note.Note); err != nil {
			return to, err
		}
	}
	for _, event := range note.Events {
		if code := to.how.RuleAgainst(event); code != "" {
			return to, nfse.NewError(nfse.CodeNoteNotCancellable, "note",
				"a party has confirmed the note (event %s), so that it cannot be replaced (%s)", event, code)
		}
	}
	profile, err := s.Companies.FiscalProfile(ctx, scope.OrganizationID)
	if err != nil {
		return to, err
	}
	to.Issuer = profile.On(note.Competence)
	if to.Issuer.Authority != note.IssuedBy.Authority || to.Issuer.Production != note.IssuedBy.Production {
		return to, nfse.NewError(nfse.CodeNoteNotCancellable, "note",
			"the organization issues by another authority or environment now than this note was issued by")
	}
	return to, nil
}

// Replaceable reports whether the authority that issued a note by a profile has the replacement of
// notes.
func Replaceable(by *nfse.FiscalProfile) bool {
	if by == nil {
		return false
	}
	authority, _ := authorities.Named(by.Authority)
	return authority.Replacement != nil
}

// Reasons are the codes of why the note can be replaced, as far as the company's profile tells; the last one is
// said in words.
func (t ToReplace) Reasons() (fitting []string) {
	for _, reason := range t.how.Reasons {
		if t.how.Fits(reason, t.IssuedBy, t.Issuer) {
			fitting = append(fitting, reason)
		}
	}
	return fitting
}

// Locked are the fields of the form that must stay as they are.
func (t ToReplace) Locked() []string { return t.how.Locked(t.Issuer) }

// Declared is what the note has declared.
func (t ToReplace) Declared() fiscal.Declaration {
	return fiscal.Declaration{
		Note: t.Note, Issuer: t.IssuedBy, Classification: t.Classification, Taxation: t.Taxation,
		Details: t.LiveNote.Details,
	}
}

// Given are the details that the other note begins with: those of this one, and its work and event
// where these were set for its service or customer, of which others may be set by now.
func (t ToReplace) Given() nfse.NoteDetails {
	details := t.LiveNote.Details
	details.Work, details.Event = t.sites(t.Declared())
	return details
}

// Details are the details of the note that replaces this one, for a reason: what the form does not have is as it was.
// An error names the field reason_code or reason_text.
func (t ToReplace) Details(reasonCode, reasonText string) (nfse.NoteDetails, error) {
	reasons := t.Reasons()
	if !slices.Contains(reasons, reasonCode) {
		return nfse.NoteDetails{}, nfse.Invalid("reason_code", "must be one of: %s", strings.Join(reasons, ", "))
	}
	if reasonText == "" && reasonCode == reasons[len(reasons)-1] {
		return nfse.NoteDetails{}, nfse.Invalid("reason_text", "must say what the reason %s is", reasonCode)
	}
	details := t.Given()
	details.Replaces = &nfse.Replaced{
		NoteID: t.ID, AccessKey: *t.Authority.AccessKey, ReasonCode: reasonCode, ReasonText: reasonText,
		Original: t.how.Original(t.Declared()),
	}
	return details, nil
}

// Check refuses a note that would replace this one and that the authority would certainly refuse
// for it: it changes what must stay, or the issuer is another. An error about this one says why it
// is not replaced any more.
func (t ToReplace) Check(ctx context.Context, s *store.Store, note lifecycle.NewNote) (*nfse.Rejection, error) {
	if err := lifecycle.MayBeReplaced(t.Note); err != nil {
		return nil, err
	}
	service, err := s.Catalogues.ServiceTaxation(ctx, note.Key.Scope, note.Service.ID)
	if err != nil {
		return nil, err
	}
	taxation := t.Taxation
	taxation.Service = &service
	return t.how.Check(fiscal.Declaration{
		Note: nfse.Note{AmountCents: note.AmountCents, Competence: note.Competence, ISSWithheld: note.ISSWithheld,
			Service: note.Service, Customer: note.Customer},
		Issuer: t.Issuer, Taxation: taxation, Details: note.Details,
	}), nil
}

// Again is a request for the same once more, under a reference. A customer abroad, who has no tax id,
// is among the details alone.
func (t ToReplace) Again(reference string) nfse.Issuance {
	issuance := nfse.Issuance{
		Reference: reference, ServiceID: t.ServiceID, AmountCents: t.AmountCents, Competence: t.Competence,
		Description: &t.Service.Description, ISSWithheld: t.ISSWithheld,
	}
	if t.LiveNote.Details.ForeignTaker == nil {
		issuance.Customer = &nfse.InlineTaker{TaxID: t.Customer.TaxID, Name: t.Customer.Name,
			Address: t.Customer.Address, MunicipalityCode: t.Customer.MunicipalityCode}
	}
	return issuance
}
