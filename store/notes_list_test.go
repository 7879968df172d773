package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store"
)

func TestFilterNotes(t *testing.T) {
	tenant := newTenant(t)
	var ids []string // newest first
	for i := range 5 {
		ids = slices.Insert(ids, 0, tenant.accept(t, fmt.Sprint("order-", i)))
	}
	addTenant(t, tenant.Database, false).accept(t, "order-1") // another's, never found
	issued := ids[4]
	must(t, second(tenant.Store.BeginNote(t.Context(), issued)))
	must(t, second(tenant.settleIssued(t, tenant.Store, issued)))
	rejected := ids[3]
	must(t, second(tenant.Store.BeginNote(t.Context(), rejected)))
	must(t, second(tenant.settleRejected(t, rejected)))
	request := tenant.Text(t, `SELECT request_id FROM notes WHERE id = $1`, ids[2])
	hour := time.Hour
	customer := tenant.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, issued)
	another := tenant.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, ids[1])
	service := tenant.Text(t, `SELECT service_id FROM notes WHERE id = $1`, issued)
	var amount int64
	must(t, tenant.SQL.Get(&amount, `SELECT amount_cents FROM notes WHERE id = $1`, issued))

	for what, expected := range map[string]struct {
		filter       store.NoteFilter
		found        []string
		newer, older bool
	}{
		"all":        {store.NoteFilter{Limit: 10}, ids, false, false},
		"a page":     {store.NoteFilter{Limit: 2}, ids[:2], false, true},
		"the next":   {store.NoteFilter{Limit: 2, After: ids[1]}, ids[2:4], true, true},
		"the last":   {store.NoteFilter{Limit: 2, After: ids[3]}, ids[4:], true, false},
		"back":       {store.NoteFilter{Limit: 2, Before: ids[4]}, ids[2:4], true, true},
		"back again": {store.NoteFilter{Limit: 2, Before: ids[2]}, ids[:2], false, true},
		"queued":     {store.NoteFilter{Limit: 9, Status: nfse.StatusQueued}, ids[:3], false, false},
		"issued":     {store.NoteFilter{Limit: 9, Status: nfse.StatusIssued}, ids[4:], false, false},
		"rejected": {store.NoteFilter{Limit: 9, Status: nfse.StatusRejected}, ids[3:4],
			false, false},
		"reference": {store.NoteFilter{Limit: 9, Reference: "order-1"}, ids[3:4], false, false},
		"request":   {store.NoteFilter{Limit: 9, RequestID: request}, ids[2:3], false, false},
		"period": {store.NoteFilter{Limit: 9, Since: time.Now().Add(-hour), Until: time.Now().Add(hour)}, ids,
			false, false},
		"these":    {store.NoteFilter{Limit: 9, IDs: []string{ids[1], "nfse_x"}}, ids[1:2], false, false},
		"customer": {store.NoteFilter{Limit: 9, CustomerIDs: []string{customer}}, ids[4:], false, false},
		"customer, a page": {store.NoteFilter{Limit: 1, CustomerIDs: []string{customer, another}, After: ids[0]},
			ids[1:2],
			true, true},
		"nobody": {store.NoteFilter{Limit: 9, CustomerIDs: []string{}}, nil, false, false},
		"amount": {store.NoteFilter{Limit: 9, AmountCents: amount, Status: nfse.StatusRejected},
			ids[3:4], false, false},
		"no sum":      {store.NoteFilter{Limit: 9, AmountCents: amount + 1}, nil, false, false},
		"service":     {store.NoteFilter{Limit: 9, ServiceID: service}, ids, false, false},
		"held":        {store.NoteFilter{Limit: 9, Held: true}, nil, false, false},
		"past period": {store.NoteFilter{Limit: 9, Until: time.Now().Add(-hour)}, nil, false, false},
	} {
		page, err := tenant.Store.FilterNotes(t.Context(), tenant.scope, expected.filter)
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

// People find a customer by how the name begins, in any case, and do not see the spaces
// before it.
func TestCustomersCalled(t *testing.T) {
	tenant := newTenant(t)
	ids := map[string]string{}
	for document, name := range map[nfse.TaxID]string{"52998224725": "João D'Ávila", "11144477735": "  joão %_",
		"12345678909": "Ana João"} {
		customer, _, err := tenant.Store.SyncCustomer(t.Context(), tenant.scope, document, named(name))
		must(t, err)
		ids[name] = customer.ID
	}
	for text, names := range map[string][]string{"JOão": {"João D'Ávila", "  joão %_"}, "joão %": {"  joão %_"},
		"joão d'Á": {"João D'Ávila"}, "ana": {"Ana João"}, "%": nil} {
		found, _, err := tenant.Store.CustomersCalled(t.Context(), tenant.scope, "", text, 10)
		must(t, err)
		expected := []string{}
		for _, name := range names {
			expected = append(expected, ids[name])
		}
		slices.Sort(found)
		if slices.Sort(expected); !slices.Equal(found, expected) {
			t.Errorf("%q finds %v, expected %v", text, found, expected)
		}
	}
}
