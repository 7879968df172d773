package activities

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/metrics"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/retry"
	"emissor/store"
	"emissor/workflows"
)

// Distributions ask authorities what happened outside, to issuers' documents.
type Distributions struct {
	Store        *store.Store
	Authorities  Authorities
	Certificates *CertificateCache
	CallTimeout  time.Duration
	// Interval is the shortest pause when nothing more follows; the longest is three
	// times as long.
	Interval time.Duration
	Metrics  *metrics.Metrics
	Logger   *slog.Logger
}

var (
	// turnBackoff spreads those who wait for their turn.
	turnBackoff = retry.Backoff{Initial: 500 * time.Millisecond, Max: 30 * time.Second, Jitter: 0.5}
	// maxDistributionPause is that after failures.
	maxDistributionPause = time.Hour
)

// turnMargin is how long a turn outlasts the call that it is for.
const turnMargin = 10 * time.Second

// AskDistribution asks for the next page, stores what it holds and says when to ask
// again. Of all workers one asks at a time.
func (a *Distributions) AskDistribution(ctx context.Context, id string) (workflows.Asked, error) {
	asked, err := a.ask(ctx, id)
	var later RetryLater
	if errors.As(err, &later) {
		return asked, retryAfter(later.Code, later.Reason, turnBackoff.AtLeast(later.After, attempt(ctx)))
	}
	return asked, failure(ctx, a.Logger.With("distribution_id", id), err)
}

func (a *Distributions) ask(ctx context.Context, id string) (workflows.Asked, error) {
	d, organizations, err := a.Store.Distribution(ctx, id)
	if err != nil {
		return workflows.Asked{}, err
	}
	if len(organizations) == 0 {
		return workflows.Asked{Over: true}, a.Store.EndDistribution(ctx, id)
	}
	distributor, askers, err := a.askers(ctx, d, organizations)
	var missing *ActionRequired
	if errors.As(err, &missing) {
		return a.fail(ctx, d, fiscal.Page{Reason: missing.Reason})
	}
	if err != nil {
		return workflows.Asked{}, err
	}
	turn := store.NewTurn(d.Authority, d.Production, a.CallTimeout+turnMargin)
	leased, paused, err := a.Store.TakeTurn(ctx, turn)
	switch {
	case err != nil:
		return workflows.Asked{}, err
	case paused > 0:
		return workflows.Asked{Pause: retry.WithJitter(paused + time.Second)}, nil
	case leased > 0:
		return workflows.Asked{}, RetryLater{Code: "turn", Reason: "another issuer is asked about: one at a time"}
	}
	session := fiscal.Session{Production: d.Production, Credentials: askers[0].Credentials}
	page, failed := a.page(ctx, distributor, session, d)
	// The turn is given back whatever becomes of the page.
	uncut := context.WithoutCancel(ctx)
	err = a.Store.EndTurn(uncut, turn, page.Outcome == fiscal.PageThrottled, page.RetryAfter)
	if err = cmp.Or(failed, err); err != nil {
		return workflows.Asked{}, err
	}
	if err := a.Certificates.Asked(uncut, a.Logger, session.Credentials.ID, answered(page), page.ShutOut); err != nil {
		return workflows.Asked{}, err
	}
	another := func(one asker) bool { return !one.shutOut }
	if page.ShutOut && slices.ContainsFunc(askers[1:], another) {
		return workflows.Asked{}, nil // with the next one, at once: what failed is the certificate's
	}
	return a.save(uncut, d, page)
}

// answered reports whether a page is the authority's answer, which its certificate got.
func answered(page fiscal.Page) bool {
	return page.Outcome == fiscal.PageRead || page.Outcome == fiscal.PageCaughtUp
}

func (a *Distributions) page(ctx context.Context, distributor fiscal.Distributor, session fiscal.Session,
	d store.Distribution) (page fiscal.Page, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.CallTimeout)
	defer cancel()
	started := time.Now()
	page, err = guarded(ctx, func(ctx context.Context) fiscal.Page {
		return distributor.Distribute(ctx, session, d.TaxID, d.Position)
	})
	a.Metrics.Asked(d.Authority, "distribution", string(cmp.Or(page.Outcome, fiscal.PageFailed)), time.Since(started))
	return page, err
}

// save stores what a page holds.
func (a *Distributions) save(ctx context.Context, d store.Distribution, page fiscal.Page) (workflows.Asked, error) {
	if page.Outcome == fiscal.PageFailed || page.Outcome == fiscal.PageThrottled {
		return a.fail(ctx, d, page)
	}
	stored, err := a.Store.SavePage(ctx, d, page)
	if err != nil {
		return workflows.Asked{}, err
	}
	a.report(ctx, d, stored)
	if page.Full || !stored.Stored {
		return workflows.Asked{}, nil
	}
	return workflows.Asked{Pause: a.pause()}, nil
}

// pause is that of an issuer of whom all is known.
func (a *Distributions) pause() time.Duration {
	return retry.Between(a.Interval, 3*a.Interval)
}

// fail records why there is no page, once, and waits longer each time.
func (a *Distributions) fail(ctx context.Context, d store.Distribution, page fiscal.Page) (workflows.Asked, error) {
	failures, fresh, err := a.Store.FailDistribution(ctx, d.ID, page.Reason)
	if err != nil {
		return workflows.Asked{}, err
	}
	log := a.Logger.With("distribution_id", d.ID, "authority", d.Authority, "production", d.Production)
	if fresh {
		log.WarnContext(ctx, "what happens outside could not be asked for; it is tried again", "reason", page.Reason)
	}
	if fresh && page.Alarm {
		a.Metrics.Alarmed(d.Authority)
	}
	if page.Outcome == "" { // nobody was asked
		return workflows.Asked{Pause: a.pause()}, nil
	}
	backoff := retry.Backoff{Initial: a.Interval, Max: maxDistributionPause, Jitter: 0.2}
	return workflows.Asked{Pause: backoff.AtLeast(min(page.RetryAfter, maxDistributionPause), failures)}, nil
}

// report counts what was new, and tells of what a person should look at.
func (a *Distributions) report(ctx context.Context, d store.Distribution, stored store.StoredPage) {
	log := a.Logger.With("distribution_id", d.ID, "authority", d.Authority, "production", d.Production)
	for _, item := range stored.Events {
		kind := "unread"
		if item.Event != nil {
			kind = "other"
			if item.Event.Known {
				kind = item.Event.Type
			}
		}
		a.Metrics.HappenedOutside(kind)
	}
	for _, refused := range stored.Refused {
		a.Metrics.RowFailed(LoopDistributions)
		log.ErrorContext(ctx, "the database does not take something that was distributed", "error", refused)
	}
	for _, item := range stored.Flagged {
		a.Metrics.FlaggedOutside(d.Authority)
		a.Metrics.Alarmed(d.Authority)
		log.ErrorContext(ctx, "what was distributed is not applied: a person should look at it",
			"position", item.Position, "alarm", item.Problem)
	}
	for _, document := range stored.Unknown {
		a.Metrics.Alarmed(d.Authority)
		log.ErrorContext(ctx, "the authority has a document of a series numbered here that is not on record",
			"series", document.Series, "number", document.Number, "note_id", document.NoteID)
	}
}

// askers returns the certificates with which an issuer is asked about, of all
// organizations that issue by it.
func (a *Distributions) askers(ctx context.Context, d store.Distribution,
	organizations []string) (fiscal.Distributor, []asker, error) {
	profile := nfse.FiscalProfile{Authority: d.Authority, Production: d.Production}
	authority, err := a.Authorities.serving(profile)
	if err != nil {
		return nil, nil, err
	}
	distributor, distributes := authority.(fiscal.Distributor)
	if !distributes || !distributor.Distributes(d.Production) {
		return nil, nil, &ActionRequired{Reason: fact.NoDistributionAddress.Fact()}
	}
	askers, err := a.Certificates.Askers(ctx, organizations, fiscal.HolderOf(authority, d.TaxID), time.Now())
	return distributor, askers, err
}
