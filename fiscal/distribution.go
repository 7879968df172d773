package fiscal

import (
	"context"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// Distributor is an authority that reports what happens to an issuer's documents, no matter who caused it: batch by
// batch, in an order of its own.
type Distributor interface {
	Authority
	// Distributes reports whether this process can ask it in the environment.
	Distributes(production bool) bool
	// Distribute asks for what follows a position; 0 is before the first.
	Distribute(ctx context.Context, access Access, issuer nfse.TaxID, after int64) Batch
}

// BatchOutcome is what became of asking for a batch.
type BatchOutcome string

// The outcomes of a batch.
const (
	BatchRead      BatchOutcome = "read"
	BatchCaughtUp  BatchOutcome = "caught_up" // the authority says that nothing follows
	BatchThrottled BatchOutcome = "throttled" // it asks for a pause
	BatchFailed    BatchOutcome = "failed"    // nothing is known, and nothing counts
)

// Batch is one answer of an authority. Only one that was read moves the position.
type Batch struct {
	Outcome    BatchOutcome
	Items      []Distributed // when read: in order, at least one; one that has no position has the last one's
	Full       bool          // more may follow at once
	Reason     fact.Fact     // why it failed, or why one that was read moves nothing; without personal data
	Alarm      bool          // and a person should look
	ShutOut    bool          // because the certificate was not let in (401, 403): another one may be
	RetryAfter time.Duration // what the authority asked for; 0 when it did not
}

// Distributed is one entry of a batch: an event, a document, or, where none of them is
// set, something that is not kept or could not be read.
type Distributed struct {
	Position  int64
	AccessKey string    // of the document that it is about; empty where that is not known
	Foreign   bool      // the document is another issuer's: the company that asked is its taker or intermediary
	Problem   fact.Fact // why it must not be used: a person should look
	Title     fact.Fact // what it is, unless it is a document
	Content   []byte    // the authority's exact bytes; as they came, packed, where they could not be read

	Event    *ExternalEvent
	Document *ExternalDocument
	Received *ReceivedDocument
}

// Effect is what an event does to the note that it is about.
type Effect string

// The effects.
const (
	EffectNone                 Effect = "none"
	EffectCancels              Effect = "cancels"
	EffectBlocksCancellation   Effect = "blocks"   // no caller can cancel the note
	EffectUnblocksCancellation Effect = "unblocks" // every block before it is lifted
	EffectDeniesCancellation   Effect = "denies"   // the city has denied what an analysis was asked for
	EffectReplaces             Effect = "replaces" // another note has replaced it, and so it is cancelled
)

// ExternalEvent is something that happened to a document at the authority, no matter who did it. Type and sequence
// name it among the document's events.
type ExternalEvent struct {
	Type       string
	Sequence   int
	Known      bool // its type is one that this program knows
	Effect     Effect
	ReasonCode string // of a cancellation, where it is one of a caller's: 1, 2 or 9
	ReasonText string // of any event, in the words of who made it
	HappenedAt time.Time
	Digest     string // of the signed request that asked for it, in base64; empty where there is none

	Replacement string // of EffectReplaces: the access key of the other note, where the event says it
}

// ExternalDocument is a document of the asker's own.
type ExternalDocument struct {
	MessageID        string // of the declaration that it embeds
	MunicipalityCode string
	Series           int
	Number           int64
	Digest           string
	CorrelationID    string
	// SignatureProblem says why the authority's signature does not count. It is a
	// function because the check is costly, and not made of documents on record.
	SignatureProblem func() fact.Fact
}
