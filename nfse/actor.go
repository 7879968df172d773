package nfse

// ActorKind is the kind of an Actor.
type ActorKind string

// The kinds of actors.
const (
	ActorUser    ActorKind = "user"    // a person at the dashboard, with an account or by a link to classify a service
	ActorKey     ActorKind = "key"     // an API key
	ActorCommand ActorKind = "command" // the operating-system user who ran a command
)

// Actor is who changes something, and from where, as the audit log records it for
// each change. An actor without kind or id cannot change anything.
type Actor struct {
	Kind      ActorKind `db:"kind" json:"kind"`
	ID        string    `db:"id" json:"id"`                 // of the user, link or key; of a command the user's name
	From      string    `db:"from" json:"from"`             // the client's address; of a command the name of its host
	RequestID string    `db:"request_id" json:"request_id"` // of the request (req_...); empty of a command
}
