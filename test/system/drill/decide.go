package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// recovered is a document that emissor recovery list shows.
type recovered struct {
	Authority string  `json:"authority"`
	TaxID     string  `json:"tax_id"`
	Number    int64   `json:"number"`
	State     string  `json:"state"`
	NoteID    *string `json:"note_id"`
}

// undecided reports whether it waits for a person.
func (r recovered) undecided() bool { return r.State == "missing" || r.State == "unclear" }

// of reports whether it is a document of an authority.
func (r recovered) of(d document) bool {
	return r.Authority == d.authority && r.TaxID == d.issuer && strconv.FormatInt(r.Number, 10) == d.number
}

// list are the documents that the product has found.
func (i *installation) list(ctx context.Context) ([]recovered, error) {
	const command = "emissor recovery list"
	output, err := i.operate(ctx, i.drill.backupPage, "list", command, command+" --json")
	if err != nil {
		return nil, err
	}
	var listed struct{ Documents []recovered }
	if err := json.Unmarshal([]byte(output), &listed); err != nil {
		return nil, fmt.Errorf("%s printed %q: %w", command, output, err)
	}
	return listed.Documents, nil
}

// recovered are the documents that the product has found, by the keys by which authorities know them.
func (i *installation) recovered(ctx context.Context, documents []document) (map[string]recovered, error) {
	listed, err := i.list(ctx)
	found := map[string]recovered{}
	for _, one := range listed {
		for _, d := range documents {
			if one.of(d) {
				found[d.key] = one
			}
		}
	}
	return found, err
}

// decideAndEnd does what is left to people, and waits until everything has ended.
func (i *installation) decideAndEnd(ctx context.Context, f *figures) error {
	before, deadline := "", time.Now().Add(endPatience)
	for time.Now().Before(deadline) {
		if err := i.decide(ctx); err != nil {
			return err
		}
		open, err := i.backlog(ctx)
		if err != nil {
			return err
		}
		if open == "" {
			break
		}
		if open != before {
			i.drill.log("open: %s", open)
			before = open
		}
		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}
	listed, err := i.list(ctx)
	f.found = map[string]int{}
	for _, one := range listed {
		f.found[one.State]++
		if one.undecided() {
			f.violate("%+v could not be decided on", one)
		}
	}
	f.byHand = i.byHand
	return err
}

// decide says of each document that waits for a person what a person would find out: at the authority's
// site by number, taker and amount, and from the caller by the reference.
func (i *installation) decide(ctx context.Context) error {
	listed, err := i.list(ctx)
	if err != nil {
		return err
	}
	documents, err := i.documents(ctx)
	if err != nil {
		return err
	}
	for _, one := range listed {
		for _, d := range documents {
			if !one.undecided() || !one.of(d) {
				continue
			}
			if err := i.decideOn(ctx, one, d); err != nil { // a note that is being worked at cannot take it now
				i.drill.log("not yet: %v", err)
			}
		}
	}
	return nil
}

func (i *installation) decideOn(ctx context.Context, one recovered, d document) error {
	r := i.callers.whose(d.amount)
	if r == nil {
		return fmt.Errorf("nobody asked for %s", d)
	}
	id, open, err := i.openNote(ctx, r)
	if err != nil {
		return err
	}
	company := i.companies[r.company].ID
	number := []string{"org_…", company, "1201", strconv.FormatInt(one.Number, 10)}
	switch {
	case open && !d.cancelled && d.authority == "sao-paulo":
		_, err := i.operate(ctx, i.drill.backupPage, "take-over", append(number, "nfse_…", id)...)
		if err == nil {
			i.byHand++
		}
		return err
	case open && !d.cancelled: // its caller asked again, and it must not be issued twice
		i.callers.cancel(ctx, r)
	}
	_, err = i.operate(ctx, i.drill.backupPage, "leave", number...)
	return err
}

// openNote is the note that a request is now, and whether it is on record and has not ended.
func (i *installation) openNote(ctx context.Context, r *request) (id string, open bool, err error) {
	id, _ = r.present()
	err = i.db.GetContext(ctx, &open, `SELECT EXISTS (SELECT FROM notes
		WHERE id = $1 AND status IN ('queued', 'processing'))`, id)
	return id, open, err
}
