package nfse

// Cancellable decides what a request to cancel means for the note as it stands:
// start is true for a new attempt, false when an equal request was made before
// and the note itself is the answer.
func (n Note) Cancellable(reasonCode, reasonText string) (start bool, err error) {
	last := n.Cancellation
	same := last != nil && last.ReasonCode == reasonCode && last.ReasonText == reasonText
	pending := last != nil && last.Status == CancellationPending
	switch {
	case n.Status == StatusRejected:
		return false, NewError(CodeNoteNotCancellable, "", "the note was rejected: there is nothing to cancel")
	case n.Status == StatusCancelled && !same:
		return false, NewError(CodeNoteAlreadyCancelled, "", "the note was cancelled by a different request")
	case pending && !same:
		return false, Unavailable(CodeCancellationInProgress, "", "another cancellation of this note is on its way; its outcome decides")
	}
	return n.Status != StatusCancelled && !pending, nil
}
