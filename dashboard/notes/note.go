package notes

import (
	"context"
	"fmt"
	"html/template"
	"slices"
	"time"

	"emissor/dashboard/frame"
	"emissor/fiscal/danfse"
	"emissor/fiscal/description"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/store/webhooks"
)

// notePage is everything that is recorded about a note.
type notePage struct {
	Details        []frame.Line // what a person gave in the form
	Note           nfse.Note
	Classification *nfse.Classification
	Waiting        []fact.Fact
	AuthorityWords *string
	NotStarted     string               // key of why the engine has not taken it; empty: nothing is known
	Progress       []progressStep       // the steps that everybody understands
	Steps          []frame.TimelineStep // all that is on record
	Sheet          danfse.Sheet         // the document, or what is declared where none can be shown
	SheetMeans     string               // key of what the sheet is; empty: the document
	Deliveries     []noteDelivery
	Follow         bool          // it is still moving: the page reloads
	Next           time.Duration // until something is tried again; 0: not known
	RefreshSeconds int           // after which a browser without script reloads
	RefreshURL     string        // what it loads then; empty: it does not reload
	StillURL       string        // the page without reloading
	Corrections    []correction
	HasXML         bool
	CanCancel      bool
	CanReplace     bool
	CanRedrive     bool
	Curl           string
	RequestID      string       // of the API, that made the note; empty: not on record, or not for this user
	TemporalURL    string       // for operators
	PublicURL      string       // the authority's page of a live note
	Restricted     bool         // issued by the authority's own test system: of no fiscal value
	OfCity         bool         // PublicURL is of the city that issued the note, which has no DANFSe
	Form           *frame.Form  // of a cancellation
	Email          *frame.Form  // of an e-mail; nil: there is none
	EmailProblem   bool         // it comes back
	Computed       []frame.Line // by the authority, besides the totals
	Rate           string       // which rate of ISS counts, where the service said another; empty: it did not
	ArchiveAway    bool         // so that these could not be read
	Reasons        []string

	Limits  description.Limits // what the authority does not do for the note
	NotTold []fact.Fact        // what is not seen of what others do to it

	Analysis   noteAnalysis
	Replaces   *lifecycle.LinkedNote // the note that this one replaces
	ReplacedBy *lifecycle.LinkedNote // the note that replaces this one, or is to

	RefusedCompetence string   // the code by which the authority refuses it; empty when it does not
	FirstDay, LastDay nfse.Day // of competence, that may be chosen then
}

// noteDelivery is a delivery of one of the note's events, with all its attempts.
type noteDelivery struct {
	webhooks.Delivery
	Log      []nfse.DeliveryAttempt
	CanRetry bool
}

// correction is a link to where what a note was rejected for, or waits for, is corrected.
type correction struct{ Key, URL string }

// reasonCodes are why a note can be cancelled (contract, section 4.2).
var reasonCodes = []string{"1", "2", "9"}

func ShowNote(r *frame.Request) error { return showNote(r, 200, nil) }

// ShowNote shows the note of the address, with the form of a cancellation as it was
// sent, if it was.
func showNote(r *frame.Request, status int, form *frame.Form) error {
	return showNoteWith(r, status, form, nil)
}

// showNoteWith also shows the form of an e-mail as it was sent, if it was.
func showNoteWith(r *frame.Request, status int, form, email *frame.Form) error {
	id := r.PathValue("id")
	if _, err := r.D.Store.Notes.Note(r.Context(), r.Scope, id); err != nil { // which NoteHistory finds anywhere
		return err
	}
	history, err := r.D.Store.Lifecycle.NoteHistory(r.Context(), id)
	if err != nil {
		return err
	}
	page := newNotePage(history)
	page.Form, page.Steps = form, frame.Timeline(r.Language, history.Steps)
	if page.Waiting != nil {
		if err := refusedCompetence(r, &page); err != nil {
			return err
		}
	}
	if err := readAnalysis(r, &page); err != nil {
		return err
	}
	if history.Details != nil {
		page.Details = detailsOf(r, *history.Details)
	}
	if page.NotTold, err = notTold(r, page.Note, history.IssuedBy.FiscalProfile); err != nil {
		return err
	}
	page.Corrections = corrections(r, page.Note, page.Waiting)
	if err := r.NameAskers(page.Steps); err != nil {
		return err
	}
	if err := readDeliveries(r, &page, history.Deliveries); err != nil {
		return err
	}
	page.Email, page.EmailProblem = email, email != nil
	if email == nil {
		if page.Email, err = emailForm(r, page.Note); err != nil {
			return err
		}
	}
	if err := readDocument(r, &page, history); err != nil {
		return err
	}
	page.Progress = progress(r, page, history.Steps)
	if page.Follow {
		follow(r, &page, history.NextAttemptAt)
	}
	issuance, err := askedFor(r, page.Note)
	if err != nil {
		return err
	}
	page.Curl = frame.Curl(issuance)
	if page.RequestID, err = r.MadeBy(page.Note.ID); err != nil {
		return err
	}
	if r.User.Operator && r.D.WorkflowLink != nil {
		page.TemporalURL = r.D.WorkflowLink(r.Scope, page.Note.Reference)
	}
	return r.RenderStatus(status, "note", "section.notes", page)
}

// Issuing reports whether the note is being issued, and waits for nothing but that.
func (p notePage) Issuing() bool {
	waits := slices.ContainsFunc(p.Waiting, func(why fact.Fact) bool { return !why.Is(fact.ToBeStarted) })
	return !waits && (p.Note.Status == nfse.StatusQueued || p.Note.Status == nfse.StatusProcessing)
}

// newNotePage fills in what the history of a note alone says.
func newNotePage(history lifecycle.NoteHistory) notePage {
	note := history.Note
	page := notePage{
		Note: note, Classification: history.Classification,
		Follow: note.Moving(),
		HasXML: note.Authority != nil && note.Status != nfse.StatusRejected, Reasons: reasonCodes,
		CanCancel: (note.Status == nfse.StatusQueued || note.Status == nfse.StatusProcessing ||
			note.Status == nfse.StatusIssued) && !note.CancellationPending(),
	}
	page.Replaces, page.ReplacedBy = history.Replaces, history.ReplacedBy
	page.CanReplace = note.Livemode && note.Status == nfse.StatusIssued && page.CanCancel &&
		company.Replaceable(history.IssuedBy.FiscalProfile)
	if note.Livemode && page.CanCancel {
		page.Limits = company.NoteLimits(history.IssuedBy.FiscalProfile)
	}
	if len(history.Waiting) > 0 {
		page.Waiting = history.Waiting
		page.AuthorityWords = history.AuthorityWords
		page.CanRedrive = note.Livemode && note.Moving()
	}
	if failure := history.StartFailure; failure != nil {
		page.NotStarted = "start." + string(*failure)
		page.CanRedrive = page.CanRedrive || failure.Own() && note.Moving()
	}
	page.findAuthorityPage(history.IssuedBy.FiscalProfile)
	return page
}

// notTold says of an issued note of a city what is not seen of cancellations by others.
func notTold(r *frame.Request, note nfse.Note, by *nfse.FiscalProfile) ([]fact.Fact, error) {
	if !note.Livemode || note.Status != nfse.StatusIssued {
		return nil, nil
	}
	return company.OutsideNotTold(r.Context(), r.D.Store, by)
}

// findAuthorityPage finds where the authority shows the note that it issued by a profile.
func (p *notePage) findAuthorityPage(by *nfse.FiscalProfile) {
	p.Restricted = by != nil && !by.Production
	authority := p.Note.Authority
	if authority == nil {
		return
	}
	p.PublicURL = company.OwnURL(by, authority.Number, authority.VerificationCode)
	p.OfCity = p.PublicURL != ""
	if !p.OfCity && p.Note.Livemode && !p.Restricted {
		p.PublicURL = company.PublicURL(by, authority.AccessKey)
	}
}

// readDeliveries reads every attempt at the deliveries of the note's events. The page
// reloads while a first attempt is still to come.
func readDeliveries(r *frame.Request, page *notePage, deliveries []webhooks.Delivery) error {
	for _, delivery := range deliveries {
		one, log, err := r.D.Store.Webhooks.Delivery(r.Context(), delivery.ID)
		if err != nil {
			return err
		}
		page.Deliveries = append(page.Deliveries, noteDelivery{one, log,
			one.Status != webhooks.DeliveryDelivered && one.ContentKept})
		page.Follow = page.Follow || one.Status == webhooks.DeliveryPending && len(log) == 0
	}
	return nil
}

// How long a browser without script waits before it reloads.
const (
	shortestRefresh = 10 * time.Second
	longestRefresh  = time.Minute
)

// follow sets when something is tried next, and when the page reloads; it does not while it
// shows a form again, which somebody reads.
func follow(r *frame.Request, page *notePage, stored *nfse.Timestamp) {
	var next time.Time
	for _, at := range page.attempts(stored) {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	if engine := r.D.Engine; next.IsZero() && engine != nil && page.Note.Livemode && page.Note.Moving() {
		ctx, stop := context.WithTimeout(r.Context(), frame.EngineDeadline)
		defer stop()
		var err error
		if next, err = engine.NextAttempt(ctx, r.Scope, page.Note.Reference); err != nil && r.Context().Err() == nil {
			r.D.Logger.InfoContext(ctx, "the engine does not say when a note goes on", "note_id", page.Note.ID,
				"error", err)
		}
	}
	if !next.IsZero() {
		page.Next = max(time.Second, time.Until(next))
	}
	if page.Form == nil && !r.URL.Query().Has("still") {
		refresh := min(max(page.Next, shortestRefresh), longestRefresh)
		page.RefreshSeconds = int(refresh.Seconds())
		page.RefreshURL = r.Link(r.URL.Path, "poll", "1")
		page.StillURL = r.Link(r.URL.Path, "still", "1")
	}
}

// RefreshContent is what tells a browser without script to reload.
func (p notePage) RefreshContent() template.HTMLAttr {
	return template.HTMLAttr(`content="` + template.HTMLEscapeString(fmt.Sprintf("%d;url=%s", p.RefreshSeconds,
		p.RefreshURL)) + `"`)
}

// attempts are the times at which something of the note is tried again, by the database.
func (p *notePage) attempts(outbox *nfse.Timestamp) (all []time.Time) {
	for _, delivery := range p.Deliveries {
		if delivery.Status == webhooks.DeliveryPending && delivery.NextAttemptAt != nil && !p.Note.Moving() {
			all = append(all, delivery.NextAttemptAt.Time)
		}
	}
	if outbox != nil {
		all = append(all, outbox.Time)
	}
	return all
}

// askedFor is the request that a note was made from. The note has only its hash: the request
// is the one with this hash, of the few that can have led to the note.
func askedFor(r *frame.Request, note nfse.Note) (nfse.Issuance, error) {
	_, scenario, err := r.D.Store.Lifecycle.NoteToSettle(r.Context(), note.ID)
	if err != nil {
		return nfse.Issuance{}, err
	}
	base := nfse.Issuance{Reference: note.Reference, ServiceID: note.ServiceID, AmountCents: note.AmountCents,
		ISSWithheld: note.ISSWithheld, Scenario: scenario}
	inline, onRecord := base, base
	inline.Customer = &nfse.InlineTaker{TaxID: note.Customer.TaxID, Name: note.Customer.Name,
		Address: note.Customer.Address, MunicipalityCode: note.Customer.MunicipalityCode}
	onRecord.CustomerID = note.CustomerID
	for _, candidate := range []nfse.Issuance{inline, onRecord} {
		for _, candidate.Competence = range []nfse.Day{"", note.Competence} {
			for _, candidate.Description = range []*string{nil, &note.Service.Description} {
				_, same, err := r.D.Store.Lifecycle.Replay(r.Context(), r.Scope, candidate)
				if same {
					return candidate, nil
				}
				if err != nil && !nfse.IsCode(err, nfse.CodeIdempotencyConflict) {
					return base, err
				}
			}
		}
	}
	return inline, nil // its customer was erased since
}

// ErrNotKnown is the answer where what the address names is not found.
var ErrNotKnown = frame.Problem{Status: 404, Key: "problem.not_found"}

// OfNote finds the note of the address in its organization and environment.
func OfNote(r *frame.Request) (nfse.Note, error) {
	return r.D.Store.Notes.Note(r.Context(), r.Scope, r.PathValue("id"))
}

// Accepted wakes up the worker of this process, if there is one.
func Accepted(r *frame.Request) {
	if r.D.Accepted != nil {
		r.D.Accepted()
	}
}
