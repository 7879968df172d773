package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"

	"emissor/test/harness"
	"emissor/test/simulators/sefin"
)

// checkAuthority compares what the authority issued and cancelled with what we
// believe, one to one.
func (f *findings) checkAuthority() {
	issued := map[string]sefin.Entry{}
	numbers := map[[2]string]bool{}
	for _, entry := range f.issued {
		issued[entry.AccessKey] = entry
		number := [2]string{entry.Issuer, entry.Number}
		if numbers[number] {
			f.violate(authorityAgrees, "the number %s of %s was used twice", entry.Number, entry.Issuer)
		}
		numbers[number] = true
	}
	for id, note := range f.notes {
		if !note.Livemode || note.IssuedAt == nil {
			continue
		}
		entry, exists := issued[note.AccessKey]
		delete(issued, note.AccessKey)
		switch {
		case !exists && f.knownInSaoPaulo(note.AccessKey):
		case !exists:
			f.violate(authorityAgrees, "%s has the access key %s, which is unknown to the authority, or another note's",
				id, note.AccessKey)
		case !suffixOf(id, entry.CIntContrib) || entry.DPSID != note.DPS:
			f.violate(authorityAgrees, "%s has the access key %s, of another note", id, note.AccessKey)
		case entry.Cancelled != (note.Status == "cancelled"):
			f.violate(authorityAgrees, "%s is %s, and at the authority cancelled: %v", id, note.Status, entry.Cancelled)
		}
	}
	for key, entry := range issued {
		f.violate(authorityAgrees, "the authority has issued %s (%s), and no issued note knows of it", key, entry.DPSID)
	}
	by := map[string]int{saoPauloCity: len(f.inCity)}
	for _, entry := range f.issued {
		by[cmp.Or(entry.City, national)]++
	}
	var said []string
	for _, authority := range f.system.options.authorities {
		said = append(said, fmt.Sprint(by[authority], " of ", authority))
	}
	f.checked(authorityAgrees, len(f.issued)+len(f.inCity), "documents at the authorities: %s", strings.Join(said, ", "))
	f.checkExchanges()
}

// checkExchanges: no exchange of a note that has ended is open, and every number
// has an end.
func (f *findings) checkExchanges() {
	var open []struct {
		NoteID string `db:"note_id"`
		Kind   string `db:"kind"`
		State  string `db:"state"`
	}
	if err := f.system.database.SQL.Select(&open, `SELECT e.note_id, e.kind, e.state FROM fiscal_exchanges e
		JOIN notes n ON n.id = e.note_id
		WHERE e.state IN ('unsigned', 'signed', 'in_doubt') AND n.status NOT IN ('queued', 'processing')`); err != nil {
		f.violate(authorityAgrees, "the exchanges could not be read: %v", err)
	}
	for _, e := range open {
		f.violate(authorityAgrees, "the exchange to %s %s is %s, and the note has ended", e.Kind, e.NoteID, e.State)
	}
	holes, err := f.system.count(context.Background(), `
		SELECT coalesce((SELECT sum(last_number) FROM fiscal_sequences), 0)
		- (SELECT count(*) FROM fiscal_exchanges WHERE kind = 'issue')`)
	if err != nil || holes != 0 {
		f.violate(authorityAgrees, "%d numbers were taken of which nothing is known (%v)", holes, err)
	}
}

// checkSendings: the authority was never sent what it had done already. It is
// asked before, and it does not answer wrongly for longer than the grace period. At a
// city with a server of its own a lost cancellation is asked about by sending it again.
func (f *findings) checkSendings() {
	done := map[string]bool{}
	for _, post := range f.posts {
		if post.ID == "" || post.City != "" && post.Scope == sefin.Cancel {
			continue
		}
		if done[post.ID] {
			f.violate(neverSentAgain, "%s (to %s) was sent again at %s", post.ID, post.Scope,
				post.At.Format("15:04:05.000"))
		}
		done[post.ID] = done[post.ID] || post.Issued
	}
	f.checked(neverSentAgain, len(f.posts), "documents sent")
}

// checkOrganizations: what belongs to one organization and environment is nowhere
// else: not in the database, not at the authority, not at a receiver, and not to
// be read with another's key.
func (f *findings) checkOrganizations(ctx context.Context) {
	owners := map[string]string{} // CNPJ by note
	numbers := f.numbers()
	checked := 0
	for id, note := range f.notes {
		checked++
		owners[id] = numbers[note.OrganizationID]
		r := f.accepted[id]
		if r != nil && (note.OrganizationID != f.organizationOf(r.note) || note.Livemode != r.note.live) {
			f.violate(organizationsApart, "%s (%s) belongs to %s, live %v", id, r.note, note.OrganizationID,
				note.Livemode)
		}
	}
	keys := map[string]string{}
	for id, note := range f.notes {
		if note.AccessKey != "" {
			if other := keys[note.AccessKey]; other != "" {
				f.violate(organizationsApart, "%s and %s have the access key %s", id, other, note.AccessKey)
			}
			keys[note.AccessKey] = id
		}
	}
	for _, event := range f.events {
		note, exists := f.notes[event.NoteID]
		if exists && (note.OrganizationID != event.OrganizationID || note.Livemode != event.Livemode) {
			f.violate(organizationsApart, "the event %s of %s is another organization's", event.ID, event.NoteID)
		}
	}
	for _, entry := range f.issued {
		checked++
		if id := keys[entry.AccessKey]; id != "" && owners[id] != entry.Issuer {
			f.violate(organizationsApart, "%s was issued by %s, its organization is %s", id, entry.Issuer, owners[id])
		}
	}
	for _, entry := range f.inCity {
		checked++
		if id := keys[entry.NationalKey]; id != "" && owners[id] != entry.Issuer {
			f.violate(organizationsApart, "%s was issued by %s, its organization is %s", id, entry.Issuer, owners[id])
		}
	}
	checked += f.checkReceivers() + f.checkReading(ctx)
	f.checked(organizationsApart, checked, "notes, documents, events and reads")
}

// checkReading reads some notes with the key of each organization and environment:
// only the owner's finds them.
func (f *findings) checkReading(ctx context.Context) (checked int) {
	const most = 30
	for id, r := range f.accepted {
		if checked >= most*2*len(f.system.organizations) {
			return checked
		}
		for i, o := range f.system.organizations {
			for _, live := range []bool{false, true} {
				key := o.TestKey
				if live {
					key = o.LiveKey
				}
				client := &harness.Client{Base: f.system.apis[0].URL, Key: key}
				answer, err := client.Call(ctx, http.MethodGet, "/v1/nfse/"+id, nil)
				checked++
				expected := http.StatusNotFound
				if i == r.note.organization && live == r.note.live {
					expected = http.StatusOK
				}
				if _, exists := f.notes[id]; err == nil && exists && answer.Status != expected {
					f.violate(organizationsApart, "%s (%s) was read by organization %d (%s): %d", id, r.note, i+1,
						environment(live), answer.Status)
				}
			}
		}
	}
	return checked
}
