package catalogue

import (
	"context"

	"emissor/nfse"
	"emissor/store/lifecycle"
)

// Issue accepts a note with one commit, after which the service will process it.
// created is false where the reference names a note already: then the acceptance is
// that note's. A different request under that reference is the error
// idempotency_conflict.
//
// A replay is recognized before anything is checked that can change with time.
func (c *Catalogue) Issue(
	ctx context.Context, key nfse.APIKey, requestID string, issuance nfse.Issuance,
) (accepted lifecycle.Acceptance, created bool, err error) {
	note, known, err := c.draft(ctx, lifecycle.NewNote{Issuance: issuance, Key: key, RequestID: requestID})
	if err != nil {
		return lifecycle.Acceptance{}, false, err
	}
	if known != nil {
		return *known, false, nil
	}
	return c.store.Lifecycle.AcceptNote(ctx, note)
}

// Draft is Issue without the commit, for a person, who chooses the defaults that a key would
// have: a note as it would be accepted, to be reviewed first and then passed to
// store.Changes.AcceptNote. known is the note that the reference names already, by the same
// request; nil where it is new.
func (c *Catalogue) Draft(ctx context.Context, scope nfse.Scope, defaults nfse.Defaults, requestID string,
	issuance nfse.Issuance, details nfse.NoteDetails,
) (note lifecycle.NewNote, known *lifecycle.Acceptance, err error) {
	return c.draft(ctx, lifecycle.NewNote{Issuance: issuance, Key: nfse.APIKey{Scope: scope, Defaults: defaults},
		RequestID: requestID, Details: details})
}

// DraftReplacement is Draft for a note with details that replaces another: its day of competence
// is that note's, however long ago.
func (c *Catalogue) DraftReplacement(ctx context.Context, scope nfse.Scope, defaults nfse.Defaults, requestID string,
	issuance nfse.Issuance, details nfse.NoteDetails) (note lifecycle.NewNote, known *lifecycle.Acceptance, err error) {
	note, known, err = c.draft(ctx, lifecycle.NewNote{Issuance: issuance,
		Key: nfse.APIKey{Scope: scope, Defaults: defaults}, RequestID: requestID, Details: details})
	if err == nil && known != nil {
		err = c.store.Lifecycle.SameReplacement(ctx, scope, *known, *details.Replaces)
	}
	return note, known, err
}

func (c *Catalogue) draft(ctx context.Context, note lifecycle.NewNote) (_ lifecycle.NewNote,
	known *lifecycle.Acceptance,
	err error) {
	if note.Issuance, err = canonical(note.Issuance, note.Key.Livemode); err != nil {
		return note, nil, err
	}
	if foreign := note.Details.ForeignTaker; foreign != nil {
		note.Issuance.CustomerID, note.Issuance.Customer = "", abroad(*foreign)
	}
	accepted, replayed, err := c.store.Lifecycle.Replay(ctx, note.Key.Scope, note.Issuance)
	if err != nil {
		return note, nil, err
	}
	if replayed {
		return note, &accepted, c.store.Lifecycle.SameDetails(ctx, note.Key.Scope, accepted, note.Details)
	}
	note, err = c.prepare(ctx, note)
	return note, nil, err
}

// abroad is a customer abroad as far as the API can say it.
func abroad(taker nfse.ForeignParty) *nfse.InlineTaker {
	inline := nfse.InlineTaker{
		TaxID: nfse.ForeignTaxID(taker), Name: taker.Name,
		Address: nfse.Address{Street: &taker.Street, Number: &taker.Number, District: &taker.District},
	}
	if taker.Complement != "" {
		inline.Address.Complement = &taker.Complement
	}
	return &inline
}

// prepare checks what can change with time, service, customer and municipality,
// and takes the note's snapshots.
func (c *Catalogue) prepare(ctx context.Context, note lifecycle.NewNote) (lifecycle.NewNote, error) {
	if taker := note.Issuance.Customer; taker != nil && taker.MunicipalityCode != nil {
		if _, err := MunicipalityCode(*taker.MunicipalityCode); err != nil {
			return note, nfse.Invalid("municipality_code", "%s", err)
		}
	}
	if err := c.checkCompetence(ctx, note); err != nil {
		return note, err
	}
	service, err := c.usableService(ctx, note.Key.Scope, note.ServiceID)
	if err != nil {
		return note, err
	}
	note.Service = service.Snapshot(note.Description)
	if note.Details.ForeignTaker != nil {
		takeAbroad(&note, *note.Issuance.Customer)
	} else if note.Issuance.Customer != nil {
		err = c.takeInline(ctx, &note, *note.Issuance.Customer)
	} else {
		err = c.takeOnRecord(ctx, &note, note.CustomerID)
	}
	return note, err
}

func (c *Catalogue) usableService(ctx context.Context, scope nfse.Scope, id string) (nfse.Service, error) {
	if !nfse.IsID(nfse.PrefixService, id) {
		return nfse.Service{}, nfse.NotFound(nfse.CodeServiceNotFound, "service")
	}
	service, err := c.store.Catalogues.Service(ctx, scope, id)
	switch {
	case nfse.IsCode(err, nfse.CodeServiceNotFound):
		return service, nfse.NotFound(nfse.CodeServiceNotFound, "service")
	case err != nil:
		return service, err
	case !service.Active:
		return service, nfse.NewError(nfse.CodeServiceInactive, "service", "the service is inactive")
	}
	return service, nil
}
