package catalogue

import (
	"context"

	"emissor/nfse"
	"emissor/store"
)

// Issue accepts a note, which from then on will be done, and says so in one
// commit. created is false where the reference names the note already: then the
// acceptance is of the note that it names. Another request under that reference
// is the error idempotency_conflict.
//
// A replay is recognized before anything that can change with time is looked at.
func (c *Catalogue) Issue(
	ctx context.Context, key nfse.APIKey, requestID string, issuance nfse.Issuance,
) (accepted store.Acceptance, created bool, err error) {
	return c.issue(ctx, store.NewNote{Issuance: issuance, Key: key, RequestID: requestID}, c.store.AcceptNote)
}

// IssueByHand is Issue for a person, who chooses what a key would bring along.
func (c *Catalogue) IssueByHand(ctx context.Context, changes *store.Changes, scope nfse.Scope, defaults nfse.Defaults,
	requestID string, issuance nfse.Issuance) (accepted store.Acceptance, created bool, err error) {
	note := store.NewNote{Issuance: issuance, Key: nfse.APIKey{Scope: scope, Defaults: defaults}, RequestID: requestID}
	return c.issue(ctx, note, changes.AcceptNote)
}

// accept is how the store takes a note.
type accept = func(context.Context, store.NewNote) (store.Acceptance, bool, error)

func (c *Catalogue) issue(ctx context.Context, note store.NewNote, accept accept) (accepted store.Acceptance,
	created bool, err error) {
	if note.Issuance, err = canonical(note.Issuance, note.Key.Livemode); err != nil {
		return store.Acceptance{}, false, err
	}
	accepted, replayed, err := c.store.Replay(ctx, note.Key.Scope, note.Issuance)
	if err != nil || replayed {
		return accepted, false, err
	}
	note, err = c.prepare(ctx, note)
	if err != nil {
		return store.Acceptance{}, false, err
	}
	return accept(ctx, note)
}

// prepare checks what can change with time, service, customer and municipality,
// and takes the note's snapshots.
func (c *Catalogue) prepare(ctx context.Context, note store.NewNote) (store.NewNote, error) {
	if taker := note.Issuance.Customer; taker != nil && taker.MunicipalityCode != nil {
		if _, err := MunicipalityCode(*taker.MunicipalityCode); err != nil {
			return note, nfse.Invalid("municipality_code", "%s", err)
		}
	}
	service, err := c.usableService(ctx, note.Key.Scope, note.ServiceID)
	if err != nil {
		return note, err
	}
	note.Service = service.Snapshot(note.Description)
	if note.Issuance.Customer != nil {
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
	service, err := c.store.Service(ctx, scope, id)
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
