package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
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
func (a *Issuance) NumberNote(ctx context.Context, noteID string) (standing workflows.Standing, err error) {
	standing.Held, err = a.orHold(ctx, noteID, func() (err error) {
		standing, err = a.number(ctx, noteID)
		return err
	})
	return standing, a.failure(ctx, noteID, err)
}

// orHold does something, or holds the note for what it misses. Once the note is
// known to wait it is tried again: what it misses may have come just before.
func (a *Issuance) orHold(ctx context.Context, noteID string, do func() error) (held bool, err error) {
	for {
		err := do()
		var missing *Hold
		if !errors.As(err, &missing) {
			return false, err
		}
		fresh, err := a.hold(ctx, noteID, missing)
		if err != nil || !fresh {
			return err == nil, err
		}
	}
}

func (a *Issuance) number(ctx context.Context, noteID string) (workflows.Standing, error) {
	live, err := a.Store.LiveNote(ctx, noteID)
	if err != nil {
		return workflows.Standing{}, err
	}
	standing := standingOf(live)
	if live.Status != nfse.StatusProcessing || live.Document != nil && isSettled(live.Document.State) {
		return standing, nil // the authority is not needed any more
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
	if _, err := a.Keyring.Open(ctx, live.Scope.OrganizationID, profile.TaxID, time.Now()); err != nil {
		return standing, err
	}
	if live.Document == nil {
		if err := a.takeNumber(ctx, noteID, profile); err != nil {
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

// mostTaken is how many numbers of a sequence a note finds in use by another
// system before an operator has to choose another series.
const mostTaken = 3

func (a *Issuance) takeNumber(ctx context.Context, noteID string, profile nfse.FiscalProfile) error {
	taken, err := a.Store.TakenNumbers(ctx, noteID, profile)
	if err != nil {
		return err
	}
	if taken >= mostTaken {
		return &Hold{Reason: fmt.Sprintf("another system uses the series %d: choose one that nothing else uses, by emissor fiscal-profile set --series", profile.Series)}
	}
	_, err = a.Store.TakeNumber(ctx, noteID, profile)
	return err
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
	standing.Held, err = a.orHold(ctx, noteID, func() error { return a.sign(ctx, live) })
	return standing, a.failure(ctx, noteID, err)
}

const (
	// renderingsInARow is how often a document is rendered again at once because
	// of its form. After that it is tried at every look of the held note.
	renderingsInARow = 6
	renderingPause   = 10 * time.Minute
)

func (a *Issuance) sign(ctx context.Context, live store.LiveNote) error {
	if d := live.Document; d.Treatment == string(fiscal.RenderAgain) && d.Renderings >= renderingsInARow && d.SinceSent < renderingPause {
		return &Hold{Reason: fmt.Sprintf("the authority refuses the form of the document (%s), however it is rendered: check this machine's clock; it is tried again every hour", d.Refusal.Code)}
	}
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
		a.Logger.ErrorContext(ctx, "a document cannot be rendered", "note_id", live.ID, "error", err)
		return &Hold{Reason: "the document cannot be rendered; the worker's log says why"}
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
	credentials, err := a.Keyring.Open(ctx, live.Scope.OrganizationID, profile.TaxID, time.Now())
	if err != nil {
		return nil, fiscal.Session{}, err
	}
	return authority, fiscal.Session{Production: profile.Production, Credentials: credentials, Issuer: profile.TaxID}, nil
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
