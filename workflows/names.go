package workflows

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"go.temporal.io/sdk/temporal"

	"emissor/nfse"
)

// Workflow types.
const (
	NoteType         = "Note"
	DeliveryType     = "Delivery"
	EmailType        = "Email"
	DistributionType = "Distribution"
	ExportType       = "Export"
	MaintenanceType  = "Maintenance"
	BatchType        = "AcceptBatch"

	RecurringNoteType = "RecurringNote"
)

// CancelSignal wakes up a note's workflow: a cancellation was requested. It
// carries nothing; the workflow reads the note.
const CancelSignal = "cancel"

// ResumeSignal wakes up a live note's workflow: what it waited for may be there,
// or an operator wants it to try now. It carries nothing.
const ResumeSignal = "resume"

// The types of the errors that fail the run of what was given up.
const (
	DeliveryGivenUp = "delivery_given_up"
	EmailGivenUp    = "email_given_up"
)

const defaultTaskQueuePrefix = "emissor"

// Queues names the task queues of one installation. Two installations that
// share a namespace need different prefixes.
type Queues struct{ Prefix string }

func (q Queues) named(name string) string {
	if q.Prefix == "" {
		return defaultTaskQueuePrefix + "-" + name
	}
	return q.Prefix + "-" + name
}

// Notes is the task queue of notes.
func (q Queues) Notes() string { return q.named(notesQueue) }

// Authority is the task queue of what is sent to an authority. The engine limits the rate of the queue, regardless of
// the number of workers.
func (q Queues) Authority(name string) string { return q.named(authorityQueue + name) }

const (
	notesQueue     = "notes"
	authorityQueue = "authority-"
)

// authorityQueueOf is the queue of an authority in the installation whose notes
// are on this queue.
func authorityQueueOf(notes, name string) string {
	return strings.TrimSuffix(notes, notesQueue) + authorityQueue + name
}

// Deliveries is the task queue of webhook deliveries.
func (q Queues) Deliveries() string { return q.named("deliveries") }

// Emails is the task queue of e-mails to customers.
func (q Queues) Emails() string { return q.named("emails") }

// Distributions is the task queue of the polling of distributions.
func (q Queues) Distributions() string { return q.named("distributions") }

// Exports is the task queue of what is made of many notes.
func (q Queues) Exports() string { return q.named("exports") }

// Maintenance is the task queue of the maintenance.
func (q Queues) Maintenance() string { return q.named("maintenance") }

// MaintenanceSchedule is the id of the schedule that starts the maintenance.
func (q Queues) MaintenanceSchedule() string { return q.named("maintenance") }

// NoteIDAttribute is the one search attribute: set when the run of a note or of a delivery starts, never changed. By
// organization, environment and reference a note's run is found by its id (NoteID). The engine keeps an index for each
// attribute, so that each costs a run half a kilobyte and more.
var NoteIDAttribute = temporal.NewSearchAttributeKeyKeyword("NoteId")

// maxIDBytes is the longest id that the engine's PostgreSQL schema can hold.
const maxIDBytes = 255

// NoteID is the workflow id of a note: organization, environment, reference. A workflow
// id is printable ASCII, because it is sent in a gRPC header, and has a maximum length.
// A reference that does not fit is replaced by its hash, after a word that is no
// environment, so that no reference can forge it; such a run is found by the note's id.
func NoteID(scope nfse.Scope, reference string) string {
	id := scope.OrganizationID + "/" + scope.Environment() + "/" + reference
	if len(id) <= maxIDBytes && isPrintableASCII(reference) {
		return id
	}
	sum := sha256.Sum256([]byte(reference))
	return scope.OrganizationID + "/" + scope.Environment() + "-sha256/" + hex.EncodeToString(sum[:])
}

func isPrintableASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
