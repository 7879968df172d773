package nfse

// Cancellation is the last request to cancel a note, and its outcome; or how it was
// cancelled outside.
type Cancellation struct {
	Status      CancellationStatus `json:"status"`
	Origin      CancellationOrigin `json:"origin"`
	ReasonCode  *string            `json:"reason_code"` // null when it was made outside without a reason
	ReasonText  *string            `json:"reason_text"`
	RequestedAt Timestamp          `json:"requested_at"`
	ResolvedAt  *Timestamp         `json:"resolved_at"`
	Refusal     *Refusal           `json:"refusal"`

	// Analysis is the analysis by the city, which decides where it does not let issuers cancel; nil where nobody asked.
	Analysis *Analysis `json:"-"`
}

// Analysis is where a city's analysis of a cancellation stands.
type Analysis struct {
	Status AnalysisStatus `json:"status"`
	Since  Timestamp      `json:"since"`
}

// AnalysisStatus is the state of an analysis. One that was granted has cancelled its note.
type AnalysisStatus string

// The states of an analysis.
const (
	AnalysisAsked   AnalysisStatus = "asked"   // the request is on its way
	AnalysisPending AnalysisStatus = "pending" // the city has the request: it may take weeks
	AnalysisDenied  AnalysisStatus = "denied"  // for good: a note has one analysis
)

func (c *Cancellation) analysis() AnalysisStatus {
	if c == nil || c.Analysis == nil {
		return ""
	}
	return c.Analysis.Status
}

// CancellationStatus is the state of a cancellation.
type CancellationStatus string

// The states of a cancellation.
const (
	CancellationPending   CancellationStatus = "pending"
	CancellationAccepted  CancellationStatus = "accepted"
	CancellationRefused   CancellationStatus = "refused"
	CancellationNotNeeded CancellationStatus = "not_needed"
)

// CancellationOrigin tells who cancelled.
type CancellationOrigin string

// The origins of a cancellation. One that was asked for here stays the caller's,
// even if the note was cancelled outside meanwhile.
const (
	CancelledByCaller    CancellationOrigin = "caller"
	CancelledByAuthority CancellationOrigin = "authority" // outside: by the city, or on the authority's own pages
)

// equals reports whether a caller asked for it with these reasons.
func (c *Cancellation) equals(reasonCode, reasonText string) bool {
	return c != nil && c.Origin != CancelledByAuthority && c.ReasonCode != nil && *c.ReasonCode == reasonCode &&
		c.ReasonText != nil && *c.ReasonText == reasonText
}

// Cancellable decides what a request to cancel means for the note in its present
// state: start is true for a new attempt, false when an equal request was made
// before and the note itself is the answer. Its errors are *Error.
func (n Note) Cancellable(reasonCode, reasonText string) (start bool, err error) {
	last := n.Cancellation
	same := last.equals(reasonCode, reasonText)
	pending := last != nil && last.Status == CancellationPending
	switch {
	case n.Status == StatusRejected:
		return false, NewError(CodeNoteNotCancellable, "", "the note was rejected: there is nothing to cancel")
	case n.Status == StatusCancelled && !same:
		return false, NewError(CodeNoteAlreadyCancelled, "", "the note was cancelled by a different request")
	case n.BeingReplaced():
		return false, Unavailable(CodeCancellationInProgress, "",
			"another note is on its way to replace this one; its end decides")
	case pending && !same:
		return false, Unavailable(CodeCancellationInProgress, "",
			"another cancellation of this note is on its way; its outcome decides")
	}
	return n.Status != StatusCancelled && !pending, nil
}
