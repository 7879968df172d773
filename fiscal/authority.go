package fiscal

import (
	"context"
	"crypto/tls"
	"fmt"
	"strings"
	"time"

	"emissor/nfse"
)

// Authority issues and cancels documents. The national system is the first;
// another, such as a city's own web service, stands beside it in a room of its
// own, and workflows do not notice.
//
// Rendering and asking are apart, so that what is sent was stored before. Every
// call may be repeated. A call that ends without an answer says so in its
// outcome: it is never an error.
type Authority interface {
	// Name is the word for it in fiscal profiles, task queues and metrics.
	Name() string
	Capabilities() Capabilities
	// Serves reports whether this process can reach the environment.
	Serves(production bool) bool

	// Check refuses what the authority is known to reject or its layout cannot
	// carry: before a number is taken, so without one. nil means that it may be
	// sent.
	Check(document Document, at time.Time) *nfse.Rejection
	// Render builds and signs the document. A *LayoutError says that it takes a
	// newer version of this program.
	Render(document Document, credentials *Credentials, at time.Time) (Rendering, error)
	// Issue sends a rendering, byte for byte.
	Issue(ctx context.Context, as Session, rendering Rendering) Answer
	// Find asks for what was issued under a document id: Issued, Absent or
	// Unknown.
	Find(ctx context.Context, as Session, documentID string) Answer

	// RenderCancellation builds and signs the request to cancel.
	RenderCancellation(cancellation Cancellation, credentials *Credentials, at time.Time) (Rendering, error)
	// Cancel sends the request, byte for byte.
	Cancel(ctx context.Context, as Session, accessKey string, rendering Rendering) CancelAnswer
	// FindCancellation asks whether the cancellation of a document exists:
	// Cancelled, Absent or Unknown.
	FindCancellation(ctx context.Context, as Session, accessKey string) CancelAnswer
}

// Capabilities are what an authority can do. What it cannot is done otherwise,
// or waits for a person.
type Capabilities struct {
	Queryable                bool // Find answers; else a note of unknown outcome waits for a person
	NumberIdempotent         bool // a number issues at most once, so sending it again can never issue twice
	Cancels                  bool // through Cancel; else cancellations are refused, with the advice to go to the authority's own site
	CancellationReview       bool // people look at a cancellation first: until then its outcome is Unknown, and it is asked for
	ConfirmsMunicipalService bool // has the step that the key default confirm_municipal_operation asks for
}

// Session is on whose behalf, and where, an authority is asked.
type Session struct {
	Production  bool
	Credentials *Credentials
	Issuer      nfse.TaxID
}

// Credentials are an organization's certificate, opened. They never leave the
// process, and are never printed.
type Credentials struct {
	ID          string          // of the certificate on record
	Certificate tls.Certificate // RSA key and chain; Leaf is set
}

// String keeps the key out of logs.
func (c *Credentials) String() string { return "certificate " + c.ID }

// Document is a fiscal document to be.
type Document struct {
	Note   nfse.Note
	Issuer nfse.FiscalProfile // as it was when the number was taken; its series is the number's
	Number int64              // 0 while none is taken

	// Renderings counts those made before: a clock that the authority found
	// ahead (E0008) is set further back each time.
	Renderings int
	// Layout is what an answer asked for; empty leaves it to configuration and
	// date.
	Layout string
	// ConfirmMunicipalOperation is the key's default. The national system has
	// no such step and ignores it.
	ConfirmMunicipalOperation bool
}

// LayoutError says that a document is wanted in a layout that this program does
// not have.
type LayoutError struct {
	Layout string
	Built  []string // those that it has
}

// Error implements error.
func (e *LayoutError) Error() string {
	return fmt.Sprintf("layout %q is not built into this program, which has: %s", e.Layout, strings.Join(e.Built, ", "))
}

// Cancellation is a request to cancel an issued document.
type Cancellation struct {
	AccessKey  string
	Issuer     nfse.FiscalProfile
	ReasonCode string // 1, 2 or 9
	ReasonText string
}

// Rendering is a signed document, or a signed request to cancel one, ready to be
// sent.
type Rendering struct {
	ID     string // of the document at the authority: the question after an unknown outcome
	Layout string
	Digest string // of the signed part, in base64: by it our document is known in an answer
	XML    []byte
}

// Outcome is what became of a call.
type Outcome string

// The outcomes.
const (
	NotDelivered Outcome = "not_delivered" // it never reached the authority, or was turned away unread
	Rejected     Outcome = "rejected"      // the authority read it and said no: nothing was issued by it
	Issued       Outcome = "issued"
	Cancelled    Outcome = "cancelled" // the cancellation exists
	Absent       Outcome = "absent"    // a question found nothing
	Unknown      Outcome = "unknown"   // anything may have happened
)

// Treatment is what a rejection asks for.
type Treatment string

// The treatments.
const (
	Final       Treatment = "final"        // the note is rejected
	TryLater    Treatment = "try_later"    // the authority cannot now: the same again later
	RenderAgain Treatment = "render_again" // of form: nothing exists, and another rendering of the same number may pass
	Collision   Treatment = "collision"    // something exists already under this id: ask what
	Barred      Treatment = "barred"       // refused, unless what was asked for exists: ask, and believe it when nothing is found
	Certificate Treatment = "certificate"  // the certificate was refused: another one is needed
)

// Answer is what an authority said to Issue or Find.
type Answer struct {
	Outcome   Outcome
	Document  *IssuedDocument // when issued
	Rejection *nfse.Rejection // when rejected: in the authority's words, and ours
	Treatment Treatment       // when rejected
	Layout    string          // when to be rendered again in another layout
	Reason    string          // why it is unknown or was not delivered; without personal data
	Alarm     string          // something a person should look at; empty is none
	RetryIn   time.Duration   // what the authority asked for; 0 when it did not
	Status    int             // of HTTP; 0 when no answer came
	Body      []byte          // as it came, cut to what is worth keeping
}

// IssuedDocument is what exists at the authority.
type IssuedDocument struct {
	AccessKey string
	ID        string             // of the document that it was made from; empty while XML is unread
	Digest    string             // of that document as embedded; empty while XML is unread, or where it is not signed
	Mark      string             // that Mark gave our document; empty where it has none
	Authority nfse.Authorization // what the note shows; complete once XML is read
	XML       []byte             // the authority's exact bytes; nil when they could not be read and must be fetched
	// SignatureProblem says why the authority's signature is not believed; empty
	// when it is, or when no roots are configured. Blocks says whether such a
	// document may not be settled.
	SignatureProblem string
	Blocks           bool
}

// Mark is what a document carries of its note, for people and for the case that
// its rendering is lost: the last 20 characters of the note's id.
func Mark(noteID string) string { return noteID[max(0, len(noteID)-20):] }

// CancelAnswer is what an authority said to Cancel or FindCancellation.
type CancelAnswer struct {
	Outcome   Outcome
	Refusal   *nfse.Refusal // when rejected
	Treatment Treatment     // when rejected
	Reason    string
	Alarm     string
	RetryIn   time.Duration
	Status    int
	Body      []byte
	XML       []byte // of the registered event; nil when unread
}
