package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/seal"
	"emissor/store"
	"emissor/workflows"
)

// Issuance is a live note's way to a signed document: what it needs, its number,
// its signature. Sending it is in transmissions.go.
type Issuance struct {
	Notes
	Authorities Authorities
	Keyring     *Keyring
	Quiet       time.Duration // how long after a sending a question that finds nothing is believed
	Call        time.Duration // the longest a call to an authority may take
}

// Authorities are those that this process speaks to, by name.
type Authorities map[string]fiscal.Authority

// NumberNote takes the note's fiscal number, once nothing is missing that the
// rest of the way needs. What certainly would be rejected is, before a number
// is taken.
func (a *Issuance) NumberNote(ctx context.Context, noteID string) (workflows.Standing, error) {
	for {
		standing, err := a.number(ctx, noteID)
		var missing *Hold
		if !errors.As(err, &missing) {
			return standing, a.failure(ctx, noteID, err)
		}
		fresh, err := a.hold(ctx, noteID, missing)
		if err != nil {
			return workflows.Standing{}, a.failure(ctx, noteID, err)
		}
		if !fresh {
			standing.Held = true
			return standing, nil
		}
		// Again, now that the note is known to wait: what it misses may have come just before.
	}
}

func (a *Issuance) number(ctx context.Context, noteID string) (workflows.Standing, error) {
	live, err := a.Store.LiveNote(ctx, noteID)
	if err != nil {
		return workflows.Standing{}, err
	}
	standing := standingOf(live)
	if live.Status != nfse.StatusProcessing {
		return standing, nil
	}
	profile, err := a.profile(ctx, live)
	if err != nil {
		return standing, err
	}
	authority, err := a.Authorities.serving(profile)
	if err != nil {
		return standing, err
	}
	if live.Document == nil {
		if rejection := authority.Check(document(live, profile), time.Now()); rejection != nil {
			settled, err := a.Store.SettleRejected(ctx, noteID, *rejection)
			return a.report(ctx, noteID, settled, err)
		}
	}
	if _, err := a.credentials(ctx, live, profile); err != nil {
		return standing, err
	}
	if live.Document == nil {
		if _, err := a.Store.TakeNumber(ctx, noteID, profile); err != nil {
			return standing, err
		}
	}
	if live.HeldReason != nil {
		if err := a.Store.ReleaseNote(ctx, noteID); err != nil {
			return standing, err
		}
	}
	standing.Authority = profile.Authority
	return standing, nil
}

// SignDocument renders and signs a numbered document, and stores it: what is
// sent later are these bytes.
func (a *Issuance) SignDocument(ctx context.Context, noteID string) (workflows.Standing, error) {
	live, err := a.Store.LiveNote(ctx, noteID)
	if err != nil {
		return workflows.Standing{}, a.failure(ctx, noteID, err)
	}
	standing := standingOf(live)
	if live.Document == nil || live.Document.State != store.DocumentNumbered {
		return standing, nil
	}
	err = a.sign(ctx, live)
	var missing *Hold
	if errors.As(err, &missing) {
		standing.Held = true
		_, err = a.hold(ctx, noteID, missing)
	}
	return standing, a.failure(ctx, noteID, err)
}

func (a *Issuance) sign(ctx context.Context, live store.LiveNote) error {
	authority, session, err := a.session(ctx, live)
	if err != nil {
		return err
	}
	rendering, err := authority.Render(document(live, live.Document.Profile), session.Credentials, time.Now())
	var layout *fiscal.LayoutError
	switch {
	case errors.As(err, &layout):
		return &Hold{Reason: fmt.Sprintf("the authority asks for the layout %s, which this version does not have: upgrade", layout.Layout)}
	case err != nil:
		return fmt.Errorf("render the document: %w", err)
	}
	return a.Store.SaveRendering(ctx, live.Document.ID, store.Rendering{
		DocumentID: rendering.ID, Layout: rendering.Layout, Digest: rendering.Digest, XML: rendering.XML,
		CertificateID: session.Credentials.ID,
	})
}

// session is what is needed to speak to the authority of a numbered note. A Hold
// says what is missing.
func (a *Issuance) session(ctx context.Context, live store.LiveNote) (fiscal.Authority, fiscal.Session, error) {
	profile := live.Document.Profile
	authority, err := a.Authorities.serving(profile)
	if err != nil {
		return nil, fiscal.Session{}, err
	}
	credentials, err := a.credentials(ctx, live, profile)
	if err != nil {
		return nil, fiscal.Session{}, err
	}
	return authority, fiscal.Session{Production: profile.Production, Credentials: credentials, Issuer: profile.Document}, nil
}

// credentials opens the organization's certificate. That the worker has no
// keyset is for an operator to mend, too.
func (a *Issuance) credentials(ctx context.Context, live store.LiveNote, profile nfse.FiscalProfile) (*fiscal.Credentials, error) {
	credentials, err := a.Keyring.Open(ctx, live.Scope.OrganizationID, profile.Document, time.Now())
	if errors.Is(err, seal.ErrNoKeyset) {
		err = &Hold{Reason: "the worker cannot open the certificate: " + err.Error()}
	}
	return credentials, err
}

// profile is the organization's, or the one that the number was taken under.
func (a *Issuance) profile(ctx context.Context, live store.LiveNote) (nfse.FiscalProfile, error) {
	if live.Document != nil {
		return live.Document.Profile, nil
	}
	profile, err := a.Store.FiscalProfile(ctx, live.Scope.OrganizationID)
	if errors.Is(err, store.ErrNoFiscalProfile) {
		err = &Hold{Reason: err.Error()}
	}
	return profile, err
}

func (a Authorities) serving(profile nfse.FiscalProfile) (fiscal.Authority, error) {
	authority, known := a[profile.Authority]
	if !known || !authority.Serves(profile.Production) {
		environment := "restricted"
		if profile.Production {
			environment = "production"
		}
		return nil, &Hold{Reason: fmt.Sprintf("the worker is not configured for the environment %s of the authority %q", environment, profile.Authority)}
	}
	return authority, nil
}

// hold records what a note waits for, and says so once.
func (a *Issuance) hold(ctx context.Context, noteID string, missing *Hold) (fresh bool, err error) {
	fresh, err = a.Store.HoldNote(ctx, noteID, missing.Reason)
	if fresh {
		a.Logger.WarnContext(ctx, "a live note waits for an operator", "note_id", noteID, "reason", missing.Reason)
	}
	return fresh, err
}

func (a *Issuance) failure(ctx context.Context, noteID string, err error) error {
	return failure(ctx, a.Logger.With("note_id", noteID), err)
}

func standingOf(live store.LiveNote) workflows.Standing {
	standing := workflows.Standing{Status: live.Status, Livemode: true, CancellationPending: isCancelling(live.Note)}
	if live.Document != nil {
		standing.Authority = live.Document.Authority
	}
	return standing
}

func document(live store.LiveNote, profile nfse.FiscalProfile) fiscal.Document {
	d := fiscal.Document{Note: live.Note, Issuer: profile, ConfirmMunicipalOperation: live.ConfirmMunicipalOperation}
	if live.Document != nil {
		d.Number, d.Renderings, d.Layout = live.Document.Number, live.Document.Renderings, live.Document.Layout
	}
	return d
}
