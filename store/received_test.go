package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/privacy"
	"emissor/store/received"
	"emissor/test/long"
)

const theirKey = "33045572211222333000262000000000000126110000000017"

// theirs is a document of another issuer, of which the asker is taker.
func theirs(key string, competence nfse.Day, problem string) fiscal.Distributed {
	return fiscal.Distributed{AccessKey: key, Foreign: true, Content: []byte("<NFSe>" + key + problem),
		Received: &fiscal.ReceivedDocument{
			Role: fiscal.RoleTaker, IssuerTaxID: "42498733000148", IssuerName: "Limpeza Exemplo", Number: "7",
			Competence: competence, IssuedAt: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), ServiceCode: "071001",
			Description: "Limpeza", Municipality: "3304557", ISSWithheldBy: 2,
			Totals: nfse.Totals{ServiceCents: new(int64(10000)), ISSWithheldCents: new(int64(500)),
				IRRFCents: new(int64(150))},
			SignatureProblem: func() fact.Fact { return fact.InWords(problem) },
		}}
}

// theirEvent is what happened to it.
func theirEvent(key, kind string, effect fiscal.Effect, problem string) fiscal.Distributed {
	return fiscal.Distributed{AccessKey: key, Foreign: true, Title: fact.ExternalCancelledByCity.Fact(),
		Content: []byte("<evento>" + key + kind + problem), Problem: fact.InWords(problem),
		Event: &fiscal.ExternalEvent{Type: kind, Sequence: 1, Effect: effect, HappenedAt: time.Now()}}
}

// hand stores entries as one batch after what was read.
func (n tenancy) hand(t *testing.T, items ...fiscal.Distributed) {
	t.Helper()
	d := n.readDistribution(t)
	for i := range items {
		items[i].Position = d.Position + int64(i) + 1
	}
	stored, err := n.Store.Received.SaveBatch(t.Context(), d, fiscal.Batch{Items: items})
	must(t, err)
	if !stored.Stored || n.readDistribution(t).Position != d.Position+int64(len(items)) {
		t.Fatalf("stored is %+v", stored)
	}
}

func (n tenancy) received(t *testing.T, filter received.ReceivedFilter) []received.ReceivedNote {
	t.Helper()
	filter.Limit = 100
	page, err := n.Store.Received.ReceivedNotes(t.Context(), n.inLive(t).scope, filter)
	must(t, err)
	return page.Notes
}

// Documents and events of another issuer may come in any order, any number of times and in any batches. What is on
// record is the same: each document once, with the state that all its verified events give.
func TestReceived_AnyOrder(t *testing.T) {
	n, _ := newDistribution(t)
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	effects := []struct {
		kind   string
		effect fiscal.Effect
	}{{"305101", fiscal.EffectCancels}, {"105102", fiscal.EffectReplaces}, {"203206", fiscal.EffectNone},
		{"305102", fiscal.EffectBlocksCancellation}}
	for i := range long.Cases(40, 12) {
		key := fmt.Sprintf("%050d", i)
		all := []fiscal.Distributed{theirs(key, "2026-11-20", ""), theirs(key, "2026-11-20", "forged")}
		expected, events := received.ReceivedIssued, 0
		for _, one := range effects {
			if random.IntN(2) == 0 {
				continue
			}
			events++
			forged := random.IntN(3) == 0
			all = append(all, theirEvent(key, one.kind, one.effect, "forged"))
			if forged {
				continue
			}
			all = append(all, theirEvent(key, one.kind, one.effect, ""))
			switch {
			case one.effect == fiscal.EffectReplaces:
				expected = received.ReceivedReplaced
			case one.effect == fiscal.EffectCancels && expected == received.ReceivedIssued:
				expected = received.ReceivedCancelled
			}
		}
		all = append(all, all[random.IntN(len(all))]) // again
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for len(all) > 0 {
			some := 1 + random.IntN(len(all))
			n.hand(t, all[:some]...)
			all = all[some:]
		}
		note, err := n.Store.Received.ReceivedNote(t.Context(), n.inLive(t).scope, key)
		must(t, err)
		if note.Status != expected || len(note.Events) != events || !note.Problem.None() ||
			!bytes.Equal(note.XML, []byte("<NFSe>"+key)) {
			t.Fatalf("expected is %s with %d events: %+v", expected, events, note)
		}
	}
	if flagged := n.Count(t, `SELECT count(*) FROM external_events`); flagged != 0 {
		t.Errorf("%d of others' events are among those of our notes", flagged)
	}
}

// An entry that the database does not take, or that could not be read, is on record as it came, and
// its neighbours are as they are.
func TestReceived_PoisonEntry(t *testing.T) {
	n, _ := newDistribution(t)
	poison := theirs("2", "2026-11-20", "")
	poison.Received.IssuerName = "a\x00b"
	panics := theirs("3", "2026-11-20", "")
	panics.Received.SignatureProblem = func() fact.Fact { panic("a poison row") }
	unread := fiscal.Distributed{AccessKey: "4", Foreign: true, Title: fact.ExternalEntry.Fact(),
		Content: []byte("not read"), Problem: fact.InWords("not read")}
	n.hand(t, theirs("1", "2026-11-20", ""), poison, panics, unread, theirs("5", "2026-11-20", ""))
	if found := n.Text(t, `SELECT string_agg(access_key, ' ' ORDER BY access_key) FROM received_notes`); found != "1 5" {
		t.Errorf("received are %s", found)
	}
	if kept := n.Count(t, `SELECT count(*) FROM external_events WHERE problem IS NOT NULL
		AND access_key IN ('2', '3')`); kept != 2 {
		t.Errorf("%d poison rows are kept with their problem", kept)
	}
	if kept := n.Count(t, `SELECT count(*) FROM received_events WHERE type IS NULL AND access_key = '4'`); kept != 1 {
		t.Errorf("%d rows are kept of what could not be read", kept)
	}
}

// What was received belongs to the organizations that may use the tax id, in live, and to no other.
func TestReceived_Tenancy(t *testing.T) {
	n, _ := newDistribution(t)
	partner, other := addTenant(t, n.Database, true), addTenant(t, n.Database, true)
	partner.issuerOf(t, "11222333000181", false)
	other.issuerOf(t, "42498733000148", false)
	n.hand(t, theirs(theirKey, "2026-11-20", ""), theirEvent(theirKey, "305101", fiscal.EffectCancels, ""))
	for name, of := range map[string]struct {
		tenancy
		sees bool
	}{"its taker": {n.inLive(t), true}, "its taker in test": {n, false}, "another of the same tax id": {partner, true},
		"another": {other, false}} {
		page, err := n.Store.Received.ReceivedNotes(t.Context(), of.scope, received.ReceivedFilter{Limit: 10})
		must(t, err)
		_, err = n.Store.Received.ReceivedNote(t.Context(), of.scope, theirKey)
		if (len(page.Notes) == 1) != of.sees || errors.Is(err, received.ErrNotReceived) == of.sees {
			t.Errorf("%s sees %d, %v", name, len(page.Notes), err)
		}
		if of.sees && page.Notes[0].Status != received.ReceivedCancelled {
			t.Errorf("of %s it is %s", name, page.Notes[0].Status)
		}
		sums, err := n.Store.Received.ReceivedSums(t.Context(), of.scope, received.ReceivedFilter{})
		if err != nil || (sums.NotStanding == 1) != of.sees {
			t.Errorf("of %s the sums are %+v, %v", name, sums, err)
		}
	}
}

// Filters and pages choose what they say, and sums are of all that is chosen.
func TestReceived_List(t *testing.T) {
	n, _ := newDistribution(t)
	for i := range 5 {
		n.hand(t, theirs(fmt.Sprint(i), nfse.Day(fmt.Sprintf("2026-1%d-20", i%2)), ""))
	}
	n.hand(t, theirEvent("0", "305101", fiscal.EffectCancels, ""))
	for name, c := range map[string]struct {
		filter received.ReceivedFilter
		keys   string
	}{
		"all": {received.ReceivedFilter{}, "31420"}, "a month": {received.ReceivedFilter{Since: "2026-11-01",
			Until: "2026-11-30"}, "31"},
		"a state":        {received.ReceivedFilter{Status: received.ReceivedCancelled}, "0"},
		"to pay":         {received.ReceivedFilter{Withheld: true}, "3142"},
		"a number":       {received.ReceivedFilter{Number: "8"}, ""},
		"an issuer":      {received.ReceivedFilter{IssuerTaxID: "42498733000148"}, "31420"},
		"part of a name": {received.ReceivedFilter{IssuerName: "EXEMPLO"}, "31420"},
		"after one":      {received.ReceivedFilter{After: "1"}, "420"},
		"before one":     {received.ReceivedFilter{Before: "4"}, "31"},
	} {
		keys := ""
		for _, note := range n.received(t, c.filter) {
			keys += note.AccessKey
		}
		if keys != c.keys {
			t.Errorf("%s: %q, expected %q", name, keys, c.keys)
		}
	}
	sums, err := n.Store.Received.ReceivedSums(t.Context(), n.inLive(t).scope, received.ReceivedFilter{})
	must(t, err)
	if sums != (received.ReceivedSums{Notes: 4, AmountCents: 40000, ISSCents: 2000, FederalCents: 600, NotStanding: 1,
		Chosen: 5}) {
		t.Errorf("the sums are %+v", sums)
	}
}

// A distribution is read again from a position; what is on record stays, and one that has not come so
// far is left where it is.
func TestReceived_ReadAgain(t *testing.T) {
	n, _ := newDistribution(t)
	n.hand(t, theirs("1", "2026-11-20", ""), theirs("2", "2026-11-20", ""))
	for from, expected := range map[int64]int64{9: 2, 1: 1, 0: 0} {
		n.Exec(t, `UPDATE distributions SET position = 2`)
		must(t, second(n.Changes().Received.ReadReceivedAgain(t.Context(), n.scope.OrganizationID, from)))
		if at := n.readDistribution(t).Position; at != expected {
			t.Errorf("from %d it is read from %d", from, at)
		}
	}
	n.Exec(t, `UPDATE distributions SET position = 0`)
	n.hand(t, theirs("1", "2026-11-20", ""), theirs("2", "2026-11-20", ""))
	if count := len(n.received(t, received.ReceivedFilter{})); count != 2 {
		t.Errorf("received are %d", count)
	}
}

// Who has only issued notes to an organization can be exported and erased, in that organization alone; who has
// not is not known.
func TestErasure_OnlyReceived(t *testing.T) {
	n, _ := newDistribution(t)
	n.hand(t, theirs(theirKey, "2026-11-20", ""))
	issuer := nfse.TaxID("42498733000148")
	erase := func(organization string) (privacy.Erasure, error) {
		return n.Changes().Privacy.EraseCustomer(t.Context(), organization, issuer, true)
	}
	export := func(organization string) (received int, err error) {
		return received, n.Changes().Privacy.ExportCustomer(t.Context(), organization, issuer,
			func([]privacy.RecordedCustomer) error { return nil }, func(privacy.ExportedNote) error { return nil },
			func(privacy.ExportedReceived) error { received++; return nil })
	}
	if received, err := export(n.scope.OrganizationID); err != nil || received != 1 {
		t.Errorf("exported are %d notes received, %v", received, err)
	}
	if erasure, err := erase(n.scope.OrganizationID); err != nil || erasure.ReceivedStay != 1 {
		t.Errorf("while the law asks for it: %+v, %v", erasure, err)
	}
	if all := n.received(t, received.ReceivedFilter{}); len(all) != 1 || all[0].IssuerName == "" {
		t.Errorf("left are %+v", all)
	}
	n.Exec(t, `UPDATE received_notes SET received_at = now() - interval '7 years'`)
	if erasure, err := erase(n.scope.OrganizationID); err != nil || erasure.ReceivedErased != 1 {
		t.Errorf("when it does not any more: %+v, %v", erasure, err)
	}
	if all := n.received(t, received.ReceivedFilter{}); len(all) != 1 || all[0].IssuerName+all[0].Description != "" {
		t.Errorf("left are %+v", all)
	}
	other := addTenant(t, n.Database, true)
	for _, organization := range []string{n.scope.OrganizationID, other.scope.OrganizationID} {
		_, exported := export(organization)
		if _, erased := erase(organization); !nfse.IsCode(erased, nfse.CodeCustomerNotFound) ||
			!nfse.IsCode(exported, nfse.CodeCustomerNotFound) {
			t.Errorf("where nothing names it: %v, %v", erased, exported)
		}
	}
}
