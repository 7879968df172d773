package rehearsal

import (
	"cmp"
	"maps"
	"slices"

	"emissor/store/notes"
)

// Line adds up the notes of a service of which the same is found.
type Line struct {
	Outcome        Outcome `json:"outcome"`
	OrganizationID string  `json:"organization_id"`
	ServiceID      string  `json:"service_id"`
	ServiceName    string  `json:"service_name"` // at present
	Rule           string  `json:"rule"`         // the rule's code, or a word for what it is
	Field          string  `json:"field"`        // that it is about; empty where it is about none
	Why            string  `json:"why"`          // of the example
	Notes          int     `json:"notes"`
	AmountCents    int64   `json:"amount_cents"` // the sum of their prices
	ChangeCents    int64   `json:"change_cents"` // of what changed: the sum of the differences
	Example        string  `json:"example"`      // the id of the newest of them
}

// same is what notes are added up by.
type same struct {
	outcome       Outcome
	organization  string
	service, rule string
	field         string
}

type sums map[same]*Line

// add adds a note; those that come later are older.
func (s sums) add(request notes.IssuedRequest, findings []finding) {
	note := request.Present.Note
	for _, found := range findings {
		key := same{found.Outcome, request.OrganizationID, note.ServiceID, found.Rule, found.Field}
		line := s[key]
		if line == nil {
			line = &Line{Outcome: found.Outcome, OrganizationID: request.OrganizationID, ServiceID: note.ServiceID,
				ServiceName: note.Service.Name, Rule: found.Rule, Field: found.Field, Why: found.Why,
				Example: request.NoteID}
			s[key] = line
		}
		line.Notes++
		line.AmountCents += note.AmountCents
		line.ChangeCents += found.ChangeCents
	}
}

var gravity = map[Outcome]int{Refused: 0, Held: 1, Warned: 2, Changed: 3}

// lines are in the order of their gravity, then of the sums of prices.
func (s sums) lines() []Line {
	lines := make([]Line, 0, len(s))
	for line := range maps.Values(s) {
		lines = append(lines, *line)
	}
	slices.SortFunc(lines, func(a, b Line) int {
		return cmp.Or(
			cmp.Compare(gravity[a.Outcome], gravity[b.Outcome]), cmp.Compare(b.AmountCents, a.AmountCents),
			cmp.Compare(a.OrganizationID, b.OrganizationID), cmp.Compare(a.ServiceID, b.ServiceID),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Field, b.Field))
	})
	return lines
}
