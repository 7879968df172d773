package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"emissor/test/harness"
)

// document is what an authority has issued.
type document struct {
	authority   string
	key         string // by which a note knows it
	issuer      string
	number      string // of the series
	correlation string // the end of the id of its note, where it says it
	amount      int
	cancelled   bool
	destroyed   bool // by a second sending
}

// String names it in what is found broken.
func (d document) String() string {
	return fmt.Sprintf("the document %s of %s (number %s of %s, %d cents)", d.key, d.authority, d.number, d.issuer,
		d.amount)
}

// note is a note as the database has it.
type note struct {
	ID          string `db:"id"`
	Status      string `db:"status"`
	Pending     bool   `db:"pending"` // a cancellation is
	Livemode    bool   `db:"livemode"`
	Amount      int    `db:"amount_cents"`
	AccessKey   string `db:"access_key"`
	WasIssued   bool   `db:"was_issued"`
	Undelivered int    `db:"undelivered"` // events that no receiver has taken
}

// records are all records of a round, side by side.
type records struct {
	documents []document
	notes     map[string]note
	found     map[string]recovered // by the key of the document
	events    []string             // ids of those that some receiver has taken, by the database
	received  map[string]bool      // and by the receiver
	requests  []*request
}

// read reads what authorities and database have, and what the product lists as found.
func (i *installation) read(ctx context.Context) (all records, err error) {
	all.requests, all.notes = i.callers.all(), map[string]note{}
	if all.documents, err = i.documents(ctx); err != nil {
		return all, err
	}
	var rows []note
	if err := i.db.SelectContext(ctx, &rows, `SELECT id, status, livemode, amount_cents,
			coalesce(access_key, '') AS access_key, issued_at IS NOT NULL AS was_issued,
			cancellation_status IS NOT DISTINCT FROM 'pending' AS pending,
			(SELECT count(*) FROM deliveries d JOIN events e ON e.id = d.event_id
				WHERE e.note_id = notes.id AND d.status <> 'delivered') AS undelivered
		FROM notes`); err != nil {
		return all, err
	}
	for _, row := range rows {
		all.notes[row.ID] = row
	}
	if err := i.db.SelectContext(ctx, &all.events,
		`SELECT event_id FROM deliveries WHERE status = 'delivered'`); err != nil {
		return all, err
	}
	all.received = map[string]bool{}
	for receipt, received := range i.receiver.Received() {
		all.received[receipt.EventID] = all.received[receipt.EventID] || received.Taken > 0
	}
	all.found, err = i.recovered(ctx, all.documents)
	return all, err
}

// documents returns the documents of both authorities.
func (i *installation) documents(ctx context.Context) (all []document, err error) {
	national, _, err := i.simulator.Ledger(ctx)
	if err != nil {
		return nil, err
	}
	for _, entry := range national {
		all = append(all, document{authority: "national", key: entry.AccessKey, issuer: entry.Issuer,
			number: entry.Number, correlation: entry.CIntContrib, amount: int(entry.AmountCents),
			cancelled: entry.Cancelled})
	}
	city, _, err := i.city.Ledger(ctx)
	for _, entry := range city {
		all = append(all, document{authority: "sao-paulo", key: entry.NationalKey, issuer: entry.Issuer,
			number: entry.RPSNumber, amount: int(entry.AmountCents), cancelled: entry.Cancelled,
			destroyed: entry.CancelledBy == "resend"})
	}
	return all, err
}

// compare compares the records when everything has ended.
func (i *installation) compare(ctx context.Context, f *figures) error {
	all, err := i.read(ctx)
	if err != nil {
		return err
	}
	for _, answer := range i.callers.unexpected {
		f.violate("an answer that the contract does not have: %s", answer)
	}
	all.checkNotes(f)
	all.checkDocuments(f)
	all.checkRequests(f)
	all.checkReceived(f)
	i.checkReading(ctx, all, f)
	return i.checkRuns(ctx, f)
}

// checkNotes: what is on record has ended, and its documents and events are where they should be.
func (all records) checkNotes(f *figures) {
	documents := map[string]document{}
	for _, d := range all.documents {
		documents[d.key] = d
	}
	for id, n := range all.notes {
		if n.Status == "queued" || n.Status == "processing" || n.Pending {
			f.violate("%s is %s, and a cancellation of it pending: %v", id, n.Status, n.Pending)
		}
		if n.Undelivered > 0 {
			f.violate("%s has %d events that its receiver has not taken", id, n.Undelivered)
		}
		if !n.Livemode || !n.WasIssued {
			continue
		}
		d, exists := documents[n.AccessKey]
		switch {
		case !exists:
			f.violate("%s is issued as %s, which no authority has", id, n.AccessKey)
		case d.amount != n.Amount || d.correlation != "" && !strings.HasSuffix(id, d.correlation):
			f.violate("%s is issued as %s, which is another note's", id, d)
		case d.cancelled != (n.Status == "cancelled"):
			f.violate("%s is %s, and %s is cancelled: %v", id, n.Status, d, d.cancelled)
		}
	}
}

// checkDocuments: each document is of a note on record, or is listed as found; and what is listed as
// missing is not on record.
func (all records) checkDocuments(f *figures) {
	byKey := map[string]string{}
	for id, n := range all.notes {
		if n.AccessKey != "" {
			byKey[n.AccessKey] = id
		}
	}
	for _, d := range all.documents {
		id, found := byKey[d.key], all.found[d.key]
		listed := found.State == "missing" || found.State == "left" || found.State == "unclear"
		switch {
		case d.destroyed:
			f.violate("%s was destroyed by a second sending", d)
		case id == "" && !listed:
			f.violate("%s is of no note on record, and is not listed as found: %q", d, found.State)
		case id != "" && listed:
			f.violate("%s is of %s, and is listed as %s", d, id, found.State)
		}
	}
}

// checkRequests: nothing was issued twice, and what was accepted and is on record is what was asked for.
func (all records) checkRequests(f *figures) {
	standing := map[int][]document{}
	for _, d := range all.documents {
		if !d.cancelled {
			standing[d.amount] = append(standing[d.amount], d)
		}
	}
	for _, r := range all.requests {
		if documents := standing[r.amount]; len(documents) > 1 {
			f.violate("%s has %d documents: %v", r, len(documents), documents)
		}
		delete(standing, r.amount)
		if id, _ := r.present(); id != "" && all.notes[id].ID != "" && all.notes[id].Amount != r.amount {
			f.violate("%s is %s, of %d cents", r, id, all.notes[id].Amount)
		}
	}
	for _, documents := range standing {
		f.violate("%v: nobody asked for this", documents)
	}
}

// checkReceived: what is on record as delivered was received.
func (all records) checkReceived(f *figures) {
	for _, id := range all.events {
		if !all.received[id] {
			f.violate("the event %s is delivered, and its receiver has not got it", id)
		}
	}
}

// checkReading: the API tells callers what the database has of their notes.
func (i *installation) checkReading(ctx context.Context, all records, f *figures) {
	for _, r := range all.requests {
		id, _ := r.present()
		if id == "" {
			continue
		}
		client := &harness.Client{Base: i.apiURL(), Key: i.companies[r.company].key(r.live)}
		answer, err := client.Call(ctx, http.MethodGet, "/v1/nfse/"+id, nil)
		var told struct{ Status string }
		_, exists := all.notes[id]
		switch {
		case err != nil:
			f.violate("%s cannot be read: %v", id, err)
		case !exists && answer.Status != http.StatusNotFound:
			f.violate("%s is not on record, and reading it answers %d", id, answer.Status)
		case exists && (answer.Decode(&told) != nil || told.Status != all.notes[id].Status):
			f.violate("%s is %s, and its caller is told %.200s", id, all.notes[id].Status, answer.Body)
		}
	}
}

// checkRuns: no run of a note is left that nothing would end.
func (i *installation) checkRuns(parent context.Context, f *figures) error {
	ctx, cancel := context.WithTimeout(parent, 2*time.Minute)
	defer cancel()
	var open []string
	err := harness.Await(ctx, "no run is open", func(ctx context.Context) bool {
		runs, err := i.engine.openRuns(ctx)
		if err == nil {
			open = runs
		}
		return err == nil && len(runs) == 0
	})
	for _, id := range open {
		f.violate("the run %s is open: %s", id, i.engine.lastEvents(parent, id))
	}
	if err != nil && len(open) == 0 {
		return err
	}
	return nil
}
