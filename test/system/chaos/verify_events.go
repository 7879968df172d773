package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"emissor/test/harness"
)

// checkEvents: each end that a note has reached has one event.
func (f *findings) checkEvents() {
	byNote := map[string][]string{}
	for _, event := range f.events {
		byNote[event.NoteID] = append(byNote[event.NoteID], event.Type)
	}
	for id, note := range f.notes {
		if !note.final() {
			continue
		}
		var expected []string
		if note.IssuedAt != nil {
			expected = append(expected, "nfse.issued")
		}
		if note.Status != "issued" {
			expected = append(expected, "nfse."+note.Status)
		}
		got := byNote[id]
		slices.Sort(expected)
		slices.Sort(got)
		if !slices.Equal(expected, got) {
			f.violate(oneEventPerEnd, "%s is %s and has the events %v, not %v", id, note.Status, got, expected)
		}
	}
	f.checked(oneEventPerEnd, len(f.events), "events")
}

// checkReceived compares what the receivers got with the events.
func (f *findings) checkReceived() {
	calls := 0
	byEvent := map[string][]harness.Received{}
	for receipt, received := range f.received {
		byEvent[receipt.EventID] = append(byEvent[receipt.EventID], received)
		calls += received.Calls
	}
	for _, event := range f.events {
		taken := false
		for _, received := range byEvent[event.ID] {
			taken = taken || received.Taken > 0
			if len(received.Bodies) > 1 {
				f.violate(identicalBytes, "%s came as %d different bodies", event.ID, len(received.Bodies))
			} else if !bytes.Equal(received.Bodies[0], event.Payload) {
				f.violate(identicalBytes, "%s came as other bytes than are on record", event.ID)
			}
		}
		if !taken {
			f.violate(eventsReceived, "%s (%s of %s) was never taken, after %d calls", event.ID, event.Type,
				event.NoteID, callsOf(byEvent[event.ID]))
		}
		delete(byEvent, event.ID)
	}
	for id := range byEvent {
		f.violate(eventsReceived, "%s was received, and there is no such event", id)
	}
	f.checked(eventsReceived, len(f.events), "events in %d calls", calls)
	f.checked(identicalBytes, calls, "calls")
}

func callsOf(received []harness.Received) (calls int) {
	for _, r := range received {
		calls += r.Calls
	}
	return calls
}

// eventBody is what a receiver looks at.
type eventBody struct {
	ID       string
	Livemode bool
	Data     struct {
		Object struct {
			ID        string
			Reference string
		}
	}
}

// checkReceivers: what came to a receiver is about a note of its organization and
// environment, by the callers' own records.
func (f *findings) checkReceivers() (checked int) {
	for receipt, received := range f.received {
		for _, body := range received.Bodies {
			checked++
			var event eventBody
			if err := json.Unmarshal(body, &event); err != nil {
				f.violate(organizationsApart, "%s received what is no event: %v", receipt.Path, err)
				continue
			}
			r := f.accepted[event.Data.Object.ID]
			if r == nil {
				continue // a note that nobody knows of is counted where references are
			}
			if owner := f.pathOf(r.note); owner != receipt.Path || event.Livemode != r.note.live {
				f.violate(organizationsApart, "%s, an event of %s, came to %s", event.ID, owner, receipt.Path)
			}
		}
	}
	return checked
}

func (f *findings) pathOf(n plannedNote) string {
	return path(f.system.organizations[n.organization].ID, n.live)
}

// organizationOf is who must own what belongs to a planned note.
func (f *findings) organizationOf(n plannedNote) string {
	return f.system.organizations[n.organization].ID
}

// numbers are CNPJs of organizations, by their id.
func (f *findings) numbers() map[string]string {
	numbers := map[string]string{}
	for i, o := range f.system.organizations {
		numbers[o.ID] = cnpj(i)
	}
	return numbers
}

// suffixOf reports whether told is the part of a note's id that the authority gets.
func suffixOf(id, told string) bool { return told != "" && strings.HasSuffix(id, told) }
