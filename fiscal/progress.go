package fiscal

import (
	"time"

	"emissor/nfse"
)

// State is where a document stands between us and the authority.
type State string

// The states of a document.
const (
	Numbered State = "numbered" // a number is taken; to be rendered and signed
	Ready    State = "ready"    // signed, and nothing of it can exist at the authority: it may be sent
	Asking   State = "asking"   // something may exist: the next step is a question, never a sending
	Done     State = "issued"   // it exists, and it is ours
	Refused  State = "rejected" // the authority said no, and that is believed
	Taken    State = "taken"    // the number belongs to a document of another system
	Unused   State = "unused"   // the note ended before anything was sent
)

// Progress is what is known of one document at the authority. Its methods are
// the rules by which exactly one document comes to exist; they decide, and
// others store and send.
type Progress struct {
	State State
	// Doubtful: the outcome of a sending was unknown once. From then on no
	// rejection is believed before the authority was asked and found nothing.
	Doubtful  bool
	AccessKey string          // as soon as it is known
	Document  *IssuedDocument // when done
	Refusal   *nfse.Rejection // the last rejection; of a state asking, not yet believed
	Treatment Treatment       // of the refusal
	Layout    string          // that a rejection asked for
}

// Ownership is whose a document that exists at the authority is.
type Ownership string

// Whose it can be.
const (
	Ours    Ownership = "ours"    // it embeds one of our renderings
	Foreign Ownership = "foreign" // it embeds something else, of another system
	Unclear Ownership = "unclear" // it cannot be told: nothing is decided by it
)

// Sending is the progress that is stored before the first byte leaves, and that
// a crash leaves behind: as if the outcome were unknown.
func (p Progress) Sending() Progress {
	return Progress{State: Asking, Doubtful: true, Layout: p.Layout}
}

// Answered is the progress after the answer to a sending. p is the progress
// from before it; whose is the document in the answer.
func (p Progress) Answered(answer Answer, whose Ownership) Progress {
	next := p.Sending()
	switch answer.Outcome {
	case NotDelivered:
		next.State, next.Doubtful = Ready, p.Doubtful
	case Rejected:
		next.Doubtful = p.Doubtful
		next.Refusal, next.Treatment = answer.Rejection, answer.Treatment
		if answer.Layout != "" {
			next.Layout = answer.Layout
		}
		if !p.Doubtful && answer.Treatment != Collision && answer.Treatment != Barred {
			next = next.believed()
		}
	case Issued:
		next.accept(answer.Document, whose)
		if whose != Ours && answer.Document.XML != nil {
			// The answer to our own sending holds something else: ask what is there.
			next.AccessKey = ""
		}
	}
	return next
}

// Found is the progress after a question, asked of a document in the state
// asking. Nothing found is believed once the last sending is longer ago than
// quiet.
func (p Progress) Found(answer Answer, whose Ownership, sinceSent, quiet time.Duration) Progress {
	switch answer.Outcome {
	case Issued:
		if answer.Document.XML != nil && whose == Foreign && !answer.Document.Blocks {
			return Progress{State: Taken, AccessKey: answer.Document.AccessKey}
		}
		p.accept(answer.Document, whose)
		return p
	case Absent:
		switch {
		case p.AccessKey != "" || sinceSent < quiet:
			return p // we were told that it exists, or it may still be on its way
		case p.Refusal == nil:
			return Progress{State: Ready, Doubtful: p.Doubtful, Layout: p.Layout}
		case p.Treatment == Collision:
			// It says that something exists, and finds nothing. Sending again cannot issue twice.
			return Progress{State: Ready, Doubtful: true, Layout: p.Layout}
		}
		return p.believed()
	}
	return p
}

// accept takes over what exists. It is done once its bytes are read, are ours
// and may be settled.
func (p *Progress) accept(document *IssuedDocument, whose Ownership) {
	p.AccessKey = document.AccessKey
	if document.XML != nil && whose == Ours && !document.Blocks {
		p.State, p.Document, p.Refusal, p.Treatment = Done, document, nil, ""
	}
}

// believed is what a rejection leads to when nothing can exist.
func (p Progress) believed() Progress {
	switch {
	case p.Treatment == TryLater:
		p.State, p.Refusal, p.Treatment = Ready, nil, ""
	case p.Treatment == Certificate, p.Treatment == RenderAgain:
		p.State = Numbered
	default:
		p.State = Refused
	}
	return p
}

// NothingExists reports whether certainly nothing of ours is, or can still come
// to be, at the authority: the note may be cancelled without asking.
func (p Progress) NothingExists() bool {
	switch p.State {
	case Numbered, Ready:
		return !p.Doubtful
	case Taken:
		return true // our sendings bore a number that issues nothing more
	}
	return false
}
