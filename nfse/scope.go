package nfse

// Scope is what an API key gives access to: one organization in one environment. Nothing
// of one scope is ever visible in another.
type Scope struct {
	OrganizationID string `db:"organization_id" json:"organization_id"`
	Livemode       bool   `db:"livemode" json:"livemode"`
}

// Environment returns the name of the environment, as commands and workflow ids do.
func (s Scope) Environment() string { return Environment(s.Livemode) }

// Environment returns the name of an environment: live or test.
func Environment(livemode bool) string {
	if livemode {
		return "live"
	}
	return "test"
}

// Organization is a company or person that issues with this installation: it owns keys,
// a catalogue and notes.
type Organization struct {
	ID        string    `db:"id" json:"id"`
	Name      string    `db:"name" json:"name"`
	CreatedAt Timestamp `db:"created_at" json:"created_at"`
}
