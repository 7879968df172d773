package notes

import (
	"time"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/companies"
)

// noteAnalysis is what the page says of a city that decides about a cancellation.
type noteAnalysis struct {
	CanAsk      bool           // the city has refused, and may be asked to decide
	Deciding    bool           // it has the request
	Since       nfse.Timestamp // since when
	WaitingDays int            // and for how many days

	Term    *companies.CancellationTerm // what is known of its term, before it is asked to cancel; nil: nothing
	AgeDays int                         // of the note
}

// PastTerm reports whether the city has refused a note of this age, or a younger one.
func (a noteAnalysis) PastTerm() bool { return a.Term != nil && a.AgeDays >= a.Term.RefusedDays }

// readAnalysis fills in what is known of the city of a live note.
func readAnalysis(r *frame.Request, page *notePage) (err error) {
	note := page.Note
	if !note.Livemode || note.Status != nfse.StatusIssued {
		return nil
	}
	analysis := &page.Analysis
	if note.CityDecides() {
		analysis.Deciding, analysis.Since = true, note.Cancellation.Analysis.Since
		analysis.WaitingDays = daysSince(analysis.Since.Time)
		return nil
	}
	if note.Cancellation != nil && note.Cancellation.Status == nfse.CancellationRefused {
		if analysis.CanAsk, err = r.D.Store.Lifecycle.Analysable(r.Context(), r.Scope, note.ID); err != nil {
			return err
		}
	}
	if page.CanCancel {
		analysis.AgeDays = daysSince(note.Authority.IssuedAt.Time)
		analysis.Term, err = r.D.Store.Companies.CancellationTerm(r.Context(), note.ID)
	}
	return err
}

// daysSince are the whole days since a moment.
func daysSince(at time.Time) int { return int(time.Since(at) / (24 * time.Hour)) }

// RequestAnalysis asks the city to decide about a cancellation that it has refused.
func RequestAnalysis(r *frame.Request) error {
	note, err := OfNote(r)
	if err != nil {
		return err
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	_, started, err := r.Changes().Lifecycle.RequestAnalysis(r.Context(), r.Scope, note.ID, r.ID)
	if known := frame.AsError(err); known != nil && known.Code == nfse.CodeInvalidRequest {
		return r.Redirect(r.Link("/notes/"+note.ID), "note.analysis.over")
	}
	if err != nil {
		return err
	}
	if started {
		Accepted(r)
	}
	return r.Redirect(r.Link("/notes/"+note.ID), "note.analysis.requested")
}

// RequestingAnalysis is the act: a note has one analysis, so that it cannot be taken back.
func RequestingAnalysis(r *frame.Request) (*frame.Act, error) {
	note, err := OfNote(r)
	if err != nil {
		return nil, err
	}
	can, err := r.D.Store.Lifecycle.Analysable(r.Context(), r.Scope, note.ID)
	if err != nil || !can {
		return nil, err
	}
	c := note.Cancellation
	return r.ActOnNote(note, "note.analysis", "note.analysis.means", frame.Line{Label: "note.cancel.code",
		Text: r.Language.Say("note.cancel.code."+nfse.OrEmpty(c.ReasonCode)) + ": " + nfse.OrEmpty(c.ReasonText)}), nil
}
