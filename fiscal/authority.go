package fiscal

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// Authority issues and cancels documents: the national system, or a city's own web
// service. Each has a package of its own; workflows know it by its name alone, and what else
// it needs, such as turns of a series, by its Capabilities.
//
// Signing and sending are apart, so that what is sent was stored before. Every
// call may be repeated. A call that ends without an answer says so in its
// outcome: it is never an error.
type Authority interface {
	// Name is the word for it in fiscal profiles, task queues and metrics.
	Name() string
	Capabilities() Capabilities
	// Serves reports whether this process can reach the environment.
	Serves(production bool) bool

	// Check refuses what the authority is known to reject or its layout cannot
	// carry, and holds what a person must complete: before a number is taken, so
	// without one. nil means that it may be sent.
	Check(declaration Declaration, at time.Time) *Objection
	// SignDeclaration builds and signs the message that asks for a document. A
	// *LayoutError says that it takes a newer version of this program.
	SignDeclaration(declaration Declaration, credentials *Credentials, at time.Time) (Message, error)
	// SignCancellation builds and signs the message that asks to cancel one, or asks the city
	// for an analysis.
	SignCancellation(request CancellationRequest, credentials *Credentials, at time.Time) (Message, error)

	// Send sends the last message of the request, byte for byte. The outcome is
	// OutcomeAccepted, OutcomeRejected, OutcomeNotDelivered or OutcomeUnknown.
	Send(ctx context.Context, access Access, request Request) Answer
	// Find asks what became of the request: OutcomeAccepted, OutcomeNotFound or
	// OutcomeUnknown.
	Find(ctx context.Context, access Access, request Request) Answer
}

// Capabilities are what the rules must know of an authority.
type Capabilities struct {
	Queryable bool // Find answers; else an exchange in doubt waits for a person
	Cancels   bool // else cancellations are refused, with the advice to go to the authority's own site

	// GracePeriod is how long after a sending a question that finds nothing proves
	// nothing: the message may still be on its way, or its document not shown yet.
	GracePeriod time.Duration
	// NotFounds is how many questions must find nothing, each a grace period after
	// the last, before the same message is sent again: 1 where an authority issues
	// a number at most once, more where a second sending destroys what the first
	// one made.
	NotFounds int
	// GreatestNumber is the greatest that a declaration can bear; 0 is no bound.
	GreatestNumber int64
	// AsksFirst says that a number is asked about before it is sent for the first
	// time: another program may have used it, and a sending would destroy what that
	// one made. Such an Authority is a NumberFinder.
	AsksFirst bool
	// ExactHolder says that a certificate signs only for the very establishment that it
	// names: see Holder.
	ExactHolder bool
	// RefusalUsesUpNumber says that a number which was refused is not sent again: its note goes on
	// under another one.
	RefusalUsesUpNumber bool
}

// NumberLimit is GreatestNumber, or the greatest there is where it is no bound.
func (c Capabilities) NumberLimit() int64 { return cmp.Or(c.GreatestNumber, math.MaxInt64) }

// NumberFinder is an Authority that says which numbers of a series are in use.
type NumberFinder interface {
	// MaxNumbers is how many numbers one question may be about.
	MaxNumbers() int
	// FindNumbers asks about numbers of an issuer's series, at most MaxNumbers.
	FindNumbers(ctx context.Context, access Access, issuer nfse.FiscalProfile, numbers []int64) Numbers
}

// Numbers says which numbers of a series are certainly free, and which are used. A
// number that is in neither list is not known.
type Numbers struct {
	Free []int64
	Used []int64 // something was made under each, cancelled or not

	// Documents are the numbers of the documents under the used ones, where the authority
	// says them.
	Documents map[int64]string

	Reason     fact.Fact     // why nothing is known of the others, or of all; none when all are known
	RetryAfter time.Duration // the shortest pause before they are asked about again; 0: none is asked for

	// CertificateRefused is set when nothing is known because the authority does not take
	// the certificate that asked: another one is needed.
	CertificateRefused *nfse.Rejection
}

// Answer is the outcome of the question as one call to the authority.
func (n Numbers) Answer() Answer {
	switch {
	case n.CertificateRefused != nil:
		return Answer{Outcome: OutcomeRejected, Rejection: n.CertificateRefused, Handling: CertificateRefused}
	case !n.KnowsSomething():
		return Unknown(n.Reason)
	}
	return Answer{Outcome: OutcomeAccepted}
}

// KnowsSomething reports whether anything is known of any number.
func (n Numbers) KnowsSomething() bool { return len(n.Free)+len(n.Used) > 0 }

func (n Numbers) knows(number int64) bool {
	return slices.Contains(n.Free, number) || slices.Contains(n.Used, number)
}

// KnownAround returns the first and the last of the numbers around one of which each is
// known. Where that one is not, the last is before the first.
func (n Numbers) KnownAround(number int64) (from, through int64) {
	from, through = number, number-1
	for n.knows(through + 1) {
		through++
	}
	for through >= number && n.knows(from-1) {
		from--
	}
	return from, through
}

// Access is on whose behalf, and where, an authority is asked.
type Access struct {
	Production  bool
	Credentials *Credentials
	Login       *Login // nil: the company is known by its certificate alone
}

// Login is a company's user and password with the server of its city. It never leaves the process but to that server,
// and is never printed.
type Login struct{ User, Password string }

// String keeps user and password out of what is printed.
func (Login) String() string { return "login" }

// GoString does the same for %#v.
func (Login) GoString() string { return "login" }

// Credentials are an organization's certificate, opened. They never leave the
// process, and are never printed.
type Credentials struct {
	ID          string          // of the certificate on record
	Certificate tls.Certificate // RSA key and chain; Leaf is set
}

// String keeps the key out of logs.
func (c *Credentials) String() string { return "certificate " + c.ID }

// Declaration is what an issuer declares of a service rendered, before it is
// signed: a DPS to the national system, an RPS to a city.
type Declaration struct {
	Note   nfse.Note
	Issuer nfse.FiscalProfile // as it was when the number was taken; its series is the number's
	Number int64              // 0 while none is taken

	// Signings counts the messages signed for it before: a clock that the
	// authority found ahead (E0008) is set further back each time.
	Signings int
	// Layout is what an answer asked for; empty leaves it to configuration and
	// date.
	Layout string
	// AutoFixes were made after refusals: see AutoFix.
	AutoFixes AutoFixes
	// ConfirmMunicipalOperation is the key's default. The national system has
	// no such step and ignores it.
	ConfirmMunicipalOperation bool

	// Classification is what the note took of its service; nil when it has none.
	Classification *nfse.Classification
	// Taxation is what was set for its service and customer, Details what a person gave in the
	// form; zero where there is nothing of it.
	Taxation nfse.Taxation
	Details  nfse.NoteDetails

	// Cities are the parameters that are known of its cities, by IBGE code; City reads
	// them.
	Cities map[string]City
}

// CancellationRequest asks to cancel an issued document.
type CancellationRequest struct {
	Analysis   bool // the city is asked to decide
	AccessKey  string
	Number     string // of the document, as the authority counts: cities know it by this
	Issuer     nfse.FiscalProfile
	ReasonCode string // 1, 2 or 9
	ReasonText string
	Signings   int // messages signed for it before, as for a Declaration (E1843)
}

// LayoutError says that a declaration is wanted in a layout that this program
// does not have.
type LayoutError struct {
	Layout string
	Built  []string // those that it has
}

// Error implements error.
func (e *LayoutError) Error() string {
	return fmt.Sprintf("layout %q is not built into this program, which has: %s", e.Layout, strings.Join(e.Built, ", "))
}

// Message is what is sent to an authority, signed: a declaration, or a request
// about a document.
type Message struct {
	ID            string `db:"message_id"` // by which the authority is asked what became of it
	Layout        string `db:"layout"`
	Digest        string `db:"digest"` // of the signed part, in base64
	XML           []byte `db:"xml"`
	CertificateID string `db:"certificate_id"` // by which it is signed
}

// Request is what a call to an authority is about.
type Request struct {
	Kind          Kind
	Messages      []Message // every one that was signed for it, oldest first; the last is the one that is sent
	CorrelationID string    // of its note, see CorrelationID
	// AccessKey is the access key of the document that the request is about. For an issuance it is one that an answer
	// has named for what it made, by which that may be fetched. Empty where none is known.
	AccessKey string
	// MunicipalRegistration is the issuer's in its city, by which cities are asked; empty: it has none.
	MunicipalRegistration string
}

// Message returns the message that is sent.
func (r Request) Message() Message { return r.Messages[len(r.Messages)-1] }

// Signed reports whether one of the messages has the digest.
func (r Request) Signed(digest string) bool {
	for _, message := range r.Messages {
		if message.Digest == digest {
			return true
		}
	}
	return false
}

// CorrelationID is what a document carries of its note, for people and for the
// case that its messages are lost: the last 20 characters of the note's id.
func CorrelationID(noteID string) string { return noteID[max(0, len(noteID)-20):] }
