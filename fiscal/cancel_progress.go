package fiscal

import (
	"time"

	"emissor/nfse"
)

// The ends of a request to cancel; on its way it is Ready or Asking.
const (
	CancelDone    State = "cancelled"
	CancelRefused State = "refused"
)

// CancelProgress is what is known of a request to cancel at the authority. Only
// the existence of the cancellation counts as acceptance.
type CancelProgress struct {
	State     State
	Doubtful  bool // the outcome of a sending was unknown once
	Refusal   *nfse.Refusal
	Treatment Treatment
	XML       []byte // of the registered event, when read
}

// Sending is the progress that is stored before the first byte leaves.
func (p CancelProgress) Sending() CancelProgress {
	return CancelProgress{State: Asking, Doubtful: true}
}

// Answered is the progress after the answer to a sending; p is that from before
// it.
func (p CancelProgress) Answered(answer CancelAnswer) CancelProgress {
	next := p.Sending()
	switch answer.Outcome {
	case Cancelled:
		return CancelProgress{State: CancelDone, XML: answer.XML}
	case NotDelivered:
		next.State, next.Doubtful = Ready, p.Doubtful
	case Rejected:
		next.Doubtful, next.Refusal, next.Treatment = p.Doubtful, answer.Refusal, answer.Treatment
		if !p.Doubtful && answer.Treatment != Collision && answer.Treatment != Barred {
			next = next.believed()
		}
	}
	return next
}

// Found is the progress after a question, asked of a request in the state
// asking.
func (p CancelProgress) Found(answer CancelAnswer, sinceSent, quiet time.Duration) CancelProgress {
	switch {
	case answer.Outcome == Cancelled:
		return CancelProgress{State: CancelDone, XML: answer.XML}
	case answer.Outcome != Absent || sinceSent < quiet:
		return p
	case p.Refusal == nil:
		return CancelProgress{State: Ready, Doubtful: p.Doubtful}
	case p.Treatment == Collision:
		return CancelProgress{State: Ready, Doubtful: true}
	}
	return p.believed()
}

// believed is what a refusal leads to when the cancellation does not exist. The
// request is made anew where its certificate was refused.
func (p CancelProgress) believed() CancelProgress {
	switch p.Treatment {
	case TryLater:
		p.State, p.Refusal, p.Treatment = Ready, nil, ""
	case Certificate:
		p.State = Numbered
	default:
		p.State = CancelRefused
	}
	return p
}
