package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/notes"
)

func TestFilterNotes(t *testing.T) {
	tenant := newTenant(t)
	var ids []string // newest first
	for i := range 5 {
		ids = slices.Insert(ids, 0, tenant.accept(t, fmt.Sprint("order-", i)))
	}
	addTenant(t, tenant.Database, false).accept(t, "order-1") // another's, never found
	issued := ids[4]
	must(t, second(tenant.Store.Lifecycle.BeginNote(t.Context(), issued)))
	must(t, second(tenant.settleIssued(t, tenant.Store, issued)))
	rejected := ids[3]
	must(t, second(tenant.Store.Lifecycle.BeginNote(t.Context(), rejected)))
	must(t, second(tenant.settleRejected(t, rejected)))
	request := tenant.Text(t, `SELECT request_id FROM notes WHERE id = $1`, ids[2])
	hour := time.Hour
	customer := tenant.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, issued)
	another := tenant.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, ids[1])
	service := tenant.Text(t, `SELECT service_id FROM notes WHERE id = $1`, issued)
	var amount int64
	must(t, tenant.SQL.Get(&amount, `SELECT amount_cents FROM notes WHERE id = $1`, issued))

	tenant.Exec(t, `UPDATE notes SET amount_cents = amount_cents + 100 WHERE id = $1`, ids[2])
	month := nfse.MonthOf(nfse.Day(tenant.Text(t, `SELECT competence::text FROM notes WHERE id = $1`, issued)))

	for what, expected := range map[string]struct {
		filter       notes.NoteFilter
		found        []string
		newer, older bool
	}{
		"all":        {notes.NoteFilter{Limit: 10}, ids, false, false},
		"a page":     {notes.NoteFilter{Limit: 2}, ids[:2], false, true},
		"the next":   {notes.NoteFilter{Limit: 2, After: ids[1]}, ids[2:4], true, true},
		"the last":   {notes.NoteFilter{Limit: 2, After: ids[3]}, ids[4:], true, false},
		"back":       {notes.NoteFilter{Limit: 2, Before: ids[4]}, ids[2:4], true, true},
		"back again": {notes.NoteFilter{Limit: 2, Before: ids[2]}, ids[:2], false, true},
		"queued":     {notes.NoteFilter{Limit: 9, Status: nfse.StatusQueued}, ids[:3], false, false},
		"issued":     {notes.NoteFilter{Limit: 9, Status: nfse.StatusIssued}, ids[4:], false, false},
		"rejected": {notes.NoteFilter{Limit: 9, Status: nfse.StatusRejected}, ids[3:4],
			false, false},
		"reference": {notes.NoteFilter{Limit: 9, Reference: "order-1"}, ids[3:4], false, false},
		"request":   {notes.NoteFilter{Limit: 9, RequestID: request}, ids[2:3], false, false},
		"period": {notes.NoteFilter{Limit: 9, Since: time.Now().Add(-hour), Until: time.Now().Add(hour)}, ids,
			false, false},
		"these":    {notes.NoteFilter{Limit: 9, IDs: []string{ids[1], "nfse_x"}}, ids[1:2], false, false},
		"customer": {notes.NoteFilter{Limit: 9, CustomerIDs: []string{customer}}, ids[4:], false, false},
		"customer, a page": {notes.NoteFilter{Limit: 1, CustomerIDs: []string{customer, another}, After: ids[0]},
			ids[1:2],
			true, true},
		"nobody": {notes.NoteFilter{Limit: 9, CustomerIDs: []string{}}, nil, false, false},
		"amount": {notes.NoteFilter{Limit: 9, AmountCents: amount, Status: nfse.StatusRejected},
			ids[3:4], false, false},
		"no sum":              {notes.NoteFilter{Limit: 9, AmountCents: amount + 1}, nil, false, false},
		"service":             {notes.NoteFilter{Limit: 9, ServiceID: service}, ids, false, false},
		"held":                {notes.NoteFilter{Limit: 9, Held: true}, nil, false, false},
		"this month":          {notes.NoteFilter{Limit: 9, Month: month}, ids, false, false},
		"a page of the month": {notes.NoteFilter{Limit: 2, Month: month, After: ids[1]}, ids[2:4], true, true},
		"back in the month":   {notes.NoteFilter{Limit: 2, Month: month, Before: ids[4]}, ids[2:4], true, true},
		"another month":       {notes.NoteFilter{Limit: 9, Month: month.Next()}, nil, false, false},
		"of a customer in the month": {notes.NoteFilter{Limit: 9, Month: month, CustomerIDs: []string{customer}}, ids[4:],
			false, false},
		"rejected of the month": {notes.NoteFilter{Limit: 9, Month: month, Status: nfse.StatusRejected}, ids[3:4],
			false, false},
		"rejected of another": {notes.NoteFilter{Limit: 9, Month: month.Next(), Status: nfse.StatusRejected}, nil,
			false, false},
		"service in the month": {notes.NoteFilter{Limit: 9, Month: month, ServiceID: service}, ids, false, false},
		"by competence": {notes.NoteFilter{Limit: 2, Sort: notes.SortCompetence, After: ids[1]}, ids[2:4], true,
			true},
		"by value": {notes.NoteFilter{Limit: 2, Sort: notes.SortAmount}, []string{ids[2], ids[0]}, false, true},
		"by value, the next": {notes.NoteFilter{Limit: 2, Sort: notes.SortAmount, After: ids[0]}, []string{ids[1], ids[3]},
			true, true},
		"by value, back": {notes.NoteFilter{Limit: 2, Sort: notes.SortAmount, Before: ids[1]}, []string{ids[2], ids[0]},
			false, true},
		"past period": {notes.NoteFilter{Limit: 9, Until: time.Now().Add(-hour)}, nil, false, false},
	} {
		page, err := tenant.Store.Notes.FilterNotes(t.Context(), tenant.scope, expected.filter)
		must(t, err)
		var found []string
		for _, note := range page.Notes {
			found = append(found, note.ID)
		}
		if !slices.Equal(found, expected.found) || (page.Newer != "") != expected.newer ||
			(page.Older != "") != expected.older {
			t.Errorf("%s: found %v, newer %q, older %q; expected %+v", what, found, page.Newer, page.Older, expected)
		}
	}
}

// What is filtered is added up, and said to be cut where not all was looked at.
func TestSumNotes(t *testing.T) {
	tenant := newTenant(t)
	for i := range 3 {
		tenant.accept(t, fmt.Sprint("order-", i))
	}
	addTenant(t, tenant.Database, false).accept(t, "order-1") // another's, never counted
	tenant.Exec(t, `UPDATE notes SET amount_cents = 150`)
	service := tenant.Text(t, `SELECT service_id FROM notes WHERE reference = 'order-0'`)
	month := nfse.MonthOf(nfse.DayOf(time.Now()))
	for what, expected := range map[string]struct {
		filter notes.NoteFilter
		sums   notes.NoteSums
	}{
		"all":           {notes.NoteFilter{}, notes.NoteSums{Count: 3, AmountCents: 450}},
		"the month":     {notes.NoteFilter{Month: month, Limit: 1}, notes.NoteSums{Count: 3, AmountCents: 450}},
		"another month": {notes.NoteFilter{Month: month.Next()}, notes.NoteSums{}},
		"issued":        {notes.NoteFilter{Status: nfse.StatusIssued}, notes.NoteSums{}},
		"a service": {
			notes.NoteFilter{ServiceID: service, Sort: notes.SortAmount}, notes.NoteSums{Count: 3, AmountCents: 450},
		},
	} {
		sums, err := tenant.Store.Notes.SumNotes(t.Context(), tenant.scope, expected.filter)
		if must(t, err); sums != expected.sums {
			t.Errorf("%s: %+v, expected %+v", what, sums, expected.sums)
		}
	}
	tenant.Exec(t, `INSERT INTO notes SELECT added.* FROM notes n, generate_series(1, 10000) i,
		jsonb_populate_record(n, jsonb_build_object('id', 'nfse_' || lpad(i::text, 26, '0'),
			'reference', 'many-' || i)) added WHERE n.reference = 'order-0' AND n.organization_id = $1`,
		tenant.scope.OrganizationID)
	for _, filter := range []notes.NoteFilter{{Month: month}, {ServiceID: service}} {
		sums, err := tenant.Store.Notes.SumNotes(t.Context(), tenant.scope, filter)
		if must(t, err); !sums.Cut || sums.Count < 9_000 {
			t.Errorf("of more than are looked at: %+v", sums)
		}
	}
}

// People find a note by any part of its reference.
func TestNotesNamedInPart(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.accept(t, "Pedido-2026-0042%")
	addTenant(t, tenant.Database, false).accept(t, "Pedido-2026-0042%")
	for text, found := range map[string]bool{"Pedido-2026-0042%": true, "Pedido-2": true, "0042": true, "pedido": true,
		"42": false, "0043": false, "%%%": false, "x\\": false} {
		ids, err := tenant.Store.Notes.NotesNamedInPart(t.Context(), tenant.scope, text, time.Time{}, time.Time{})
		must(t, err)
		if slices.Equal(ids, []string{id}) != found || !found && len(ids) > 0 {
			t.Errorf("%q finds %v", text, ids)
		}
	}
}
