package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/received"
)

// issuerOf gives the tenant a fiscal profile.
func (n tenancy) issuerOf(t *testing.T, taxID nfse.TaxID, production bool) {
	t.Helper()
	profile := n.profile()
	profile.TaxID, profile.Production = taxID, production
	n.SetProfile(t, profile)
}

func (n tenancy) served(production bool) []received.ServedEnvironment {
	return []received.ServedEnvironment{{Authority: n.profile().Authority, Production: production, TellsOfAll: true}}
}

// Each issuer has one distribution for an environment, no matter which organizations issue by it and when their
// profiles were made. It is started once, and again when its run has not moved.
func TestDistributions_OneForEachIssuer(t *testing.T) {
	first := newTenant(t)
	second, third := addTenant(t, first.Database, true), addTenant(t, first.Database, true)
	first.issuerOf(t, "11222333000181", false)
	second.issuerOf(t, "11222333000181", false)
	third.issuerOf(t, "42498733000148", true)
	start := func(production bool, expected int) {
		t.Helper()
		started, err := first.Store.Received.StartDistributions(t.Context(), first.served(production))
		if err != nil || started != expected {
			t.Errorf("%d are started, expected %d, %v", started, expected, err)
		}
	}
	start(false, 1)
	start(false, 0)
	if n := first.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'distribution'`); n != 1 {
		t.Errorf("%d rows in the outbox", n)
	}
	start(true, 1)
	first.Exec(t, `DELETE FROM outbox`)
	first.Exec(t, `UPDATE distributions SET start_after = now()`) // whose run is lost
	start(false, 1)
	first.Exec(t, `DELETE FROM fiscal_profiles`)
	first.Exec(t, `UPDATE distributions SET start_after = now()`)
	start(false, 0)
	id := first.Text(t, `SELECT id FROM distributions WHERE production`)
	d, organizations, err := first.Store.Received.Distribution(t.Context(), id)
	if err != nil || d.TaxID != "42498733000148" || len(organizations) != 0 {
		t.Errorf("%+v of %v, %v", d, organizations, err)
	}
}

// Of all that want to ask one may, and after an answer that asks for a pause nobody,
// for longer each time, up to an hour.
func TestDistributions_Lease(t *testing.T) {
	n := newTenant(t)
	var mu sync.Mutex
	var mine []received.PollLease
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			lease := received.NewPollLease("national", false, time.Minute)
			leased, paused, err := n.Store.Received.TakePollLease(t.Context(), lease)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil || paused != 0:
				t.Error(paused, err)
			case leased == 0:
				mine = append(mine, lease)
			case leased > time.Minute:
				t.Error(leased)
			}
		})
	}
	all.Wait()
	if len(mine) != 1 {
		t.Fatalf("%d have the lease", len(mine))
	}
	other := received.NewPollLease("national", true, time.Minute)
	if leased, paused, err := n.Store.Received.TakePollLease(t.Context(), other); leased != 0 || paused != 0 ||
		err != nil {
		t.Errorf("the other environment waits: %s %s %v", leased, paused, err)
	}
	must(t, n.Store.Received.EndPollLease(t.Context(), other, false, 0))
	lease := mine[0]
	for i, expected := range []time.Duration{
		30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute,
		32 * time.Minute, time.Hour, time.Hour,
	} {
		must(t, n.Store.Received.EndPollLease(t.Context(), lease, true, 0))
		_, paused, err := n.Store.Received.TakePollLease(t.Context(), lease)
		if err != nil || paused > expected || paused < expected-20*time.Second {
			t.Errorf("pause %d is %s, expected %s, %v", i+1, paused, expected, err)
		}
		n.Exec(t, `UPDATE distribution_leases SET paused_until = now()`)
		if leased, paused, err := n.Store.Received.TakePollLease(t.Context(), lease); leased != 0 || paused != 0 ||
			err != nil {
			t.Fatal(leased, paused, err)
		}
	}
	must(t, n.Store.Received.EndPollLease(t.Context(), lease, false, 0))
	must(t, second(n.takeLease(t, lease)))
	must(t, n.Store.Received.EndPollLease(t.Context(), lease, true, 10*time.Minute)) // as the authority says
	if _, paused, err := n.Store.Received.TakePollLease(t.Context(), lease); err != nil || paused < 9*time.Minute {
		t.Errorf("the pause is %s, %v", paused, err)
	}
	// One that was killed loses the lease.
	n.Exec(t, `UPDATE distribution_leases SET paused_until = NULL, token = gen_random_uuid(),
		lease_until = now() - interval '1 s'`)
	if leased, _, err := n.Store.Received.TakePollLease(t.Context(), lease); leased != 0 || err != nil {
		t.Errorf("it waits for %s, %v", leased, err)
	}
}

func (n tenancy) takeLease(t *testing.T, lease received.PollLease) (time.Duration, error) {
	t.Helper()
	leased, paused, err := n.Store.Received.TakePollLease(t.Context(), lease)
	if err == nil && leased+paused != 0 {
		err = fmt.Errorf("it waits for %s and %s", leased, paused)
	}
	return leased, err
}

// distribution makes the tenant's one.
func (n tenancy) distribution(t *testing.T) received.Distribution {
	t.Helper()
	n.issuerOf(t, "11222333000181", false)
	must(t, second(n.Store.Received.StartDistributions(t.Context(), n.served(false))))
	return n.readDistribution(t)
}

func (n tenancy) readDistribution(t *testing.T) received.Distribution {
	t.Helper()
	d, _, err := n.Store.Received.Distribution(t.Context(), n.Text(t, `SELECT id FROM distributions`))
	must(t, err)
	return d
}

func happened(position int64, kind string, sequence int, problem string) fiscal.Distributed {
	return fiscal.Distributed{
		Position: position, AccessKey: "33", Title: fact.ExternalCancelledByCity.Fact(), Problem: fact.InWords(problem),
		Content: []byte("<evento>" + problem),
		Event: &fiscal.ExternalEvent{Type: kind, Sequence: sequence, Effect: fiscal.EffectNone,
			HappenedAt: time.Now()},
	}
}

// The position and what was read are one commit, and none of a batch that was asked for
// before the position changed.
func TestDistributions_PageAndPosition(t *testing.T) {
	n := newTenant(t)
	d := n.distribution(t)
	save := func(d received.Distribution, items ...fiscal.Distributed) received.StoredBatch {
		t.Helper()
		stored, err := n.Store.Received.SaveBatch(t.Context(), d, fiscal.Batch{Outcome: fiscal.BatchRead, Items: items})
		must(t, err)
		return stored
	}
	if stored := save(d, happened(7, "305101", 1, ""), happened(9, "305101", 2, "")); !stored.Stored ||
		len(stored.Events) != 2 {
		t.Errorf("%+v", stored)
	}
	if after := n.readDistribution(t); after.Position != 9 || after.SucceededAt == nil {
		t.Errorf("%+v", after)
	}
	if stored := save(d, happened(12, "305102", 1, "")); stored.Stored {
		t.Error("a batch that was asked for before is stored")
	}
	d = n.readDistribution(t)
	n.Exec(t, `ALTER TABLE distributions ADD CONSTRAINT no CHECK (position < 13)`)
	if _, err := n.Store.Received.SaveBatch(t.Context(), d, fiscal.Batch{Items: []fiscal.Distributed{
		happened(10, "305102", 1, ""), happened(13, "305103", 1, "")}}); err == nil {
		t.Error("a batch is stored whose position is not")
	}
	n.Exec(t, `ALTER TABLE distributions DROP CONSTRAINT no`)
	if count := n.Count(t, `SELECT count(*) FROM external_events`); count != 2 ||
		n.readDistribution(t).Position != 9 {
		t.Errorf("%d events are stored, and the position is %d", count, n.readDistribution(t).Position)
	}
	// Again under other positions: nothing new. One that was flagged is mended, once.
	again := save(d, happened(20, "305101", 1, ""), happened(21, "203202", 1, "who signed this?"),
		happened(22, "203202", 1, "who signed this?"))
	if len(again.Events) != 1 || len(again.Flagged) != 1 {
		t.Errorf("%+v", again)
	}
	autoFixed := save(n.readDistribution(t), happened(30, "203202", 1, ""))
	if len(autoFixed.Events) != 1 || n.Count(t, `SELECT count(*) FROM external_events WHERE problem IS NOT NULL`) != 0 {
		t.Errorf("%+v", autoFixed)
	}
	forged := save(n.readDistribution(t), happened(40, "203202", 1, "who signed this?"))
	if len(forged.Events) != 0 || n.Count(t, `SELECT count(*) FROM external_events WHERE problem IS NOT NULL`) != 0 {
		t.Errorf("a forged one takes the place of the real one: %+v", forged)
	}
}

func TestDistributions_Failures(t *testing.T) {
	n := newTenant(t)
	d := n.distribution(t)
	for i, expected := range []bool{true, false, false} {
		failures, fresh, err := n.Store.Received.FailDistribution(t.Context(), d.ID,
			fact.AnswerBrokeOff.With("status", 200))
		if err != nil || failures != i+1 || fresh != expected {
			t.Errorf("%d, %t, %v", failures, fresh, err)
		}
	}
	must(t, second(n.Store.Received.SaveBatch(t.Context(), d, fiscal.Batch{Outcome: fiscal.BatchCaughtUp})))
	if after := n.readDistribution(t); !after.Problem.None() || after.Failures != 0 || after.SucceededAt == nil {
		t.Errorf("%+v", after)
	}
	all, err := n.Store.Received.Distributions(t.Context(), "")
	if err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	addTenant(t, n.Database, true).issuerOf(t, "42498733000148", true)
	all, err = n.Store.Received.Distributions(t.Context(), "")
	if err != nil || len(all) != 2 || all[1].ID != "" || !all[1].Problem.Is(fact.DistributionNotBegun) {
		t.Errorf("one that nobody asks for says so: %+v, %v", all, err)
	}
}

// What came before its note was settled is given to it when the batches are read, not
// with each of them: there may be very many events of notes that are not on record.
func TestDistributions_EventsThatCameTooEarly(t *testing.T) {
	n := bookkeeping(t)
	d := n.distribution(t)
	given := func(full bool, items ...fiscal.Distributed) int {
		t.Helper()
		_, err := n.Store.Received.SaveBatch(t.Context(), n.readDistribution(t), fiscal.Batch{Items: items, Full: full})
		must(t, err)
		return n.Count(t, `SELECT count(*) FROM external_events WHERE note_id IS NOT NULL`)
	}
	if count := given(false, happened(1, "203202", 1, "")); count != 0 {
		t.Errorf("%d events have a note before there is one", count)
	}
	id := n.issue(t, "order-1", "")
	n.Exec(t, `UPDATE notes SET access_key = '33' WHERE id = $1`, id)
	n.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, authority, production, tax_id, municipality_code, series,
			number, profile, state, access_key, xml, issued_at)
		VALUES ($1, 'issue', $2, $3, $4, '3550308', 1, 1, '{}', 'accepted', '33', '', now())`,
		id, d.Authority, d.Production, d.TaxID)
	other := happened(2, "203202", 1, "")
	other.AccessKey = "44"
	if count := given(true, other); count != 0 {
		t.Errorf("%d events have a note while batches are full", count)
	}
	if count := given(false); count != 1 {
		t.Errorf("%d events have a note", count)
	}
	if count := given(true, happened(3, "203202", 2, "")); count != 2 {
		t.Errorf("%d events have a note: a batch's own wait for none", count)
	}
}

// The national system tells of the documents that a city issued, too: an issuer of any
// authority is asked about there, and what happened reaches the note by its national key.
func TestDistributions_OfACitysIssuer(t *testing.T) {
	n := bookkeeping(t)
	profile := n.profile()
	profile.Authority, profile.Production = "sao-paulo", true
	n.SetProfile(t, profile)
	for started, served := range []received.ServedEnvironment{
		{Authority: "elsewhere", Production: true}, {Authority: "national", Production: true, TellsOfAll: true},
	} {
		if n, err := n.Store.Received.StartDistributions(t.Context(), []received.ServedEnvironment{served}); err != nil ||
			n != started {
			t.Errorf("%s: %d are started, %v", served.Authority, n, err)
		}
	}
	id := n.issue(t, "order-1", "")
	n.Exec(t, `UPDATE notes SET access_key = '33' WHERE id = $1`, id)
	n.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, authority, production, tax_id, municipality_code, series,
			number, profile, state, access_key, xml, issued_at)
		VALUES ($1, 'issue', 'sao-paulo', true, $2, '3550308', 1, 1, '{}', 'accepted', '33', '', now())`,
		id, string(profile.TaxID))
	stored, err := n.Store.Received.SaveBatch(t.Context(), n.readDistribution(t),
		fiscal.Batch{Items: []fiscal.Distributed{happened(1, "203202", 1, "")}})
	if err != nil || stored.Woken != 1 {
		t.Errorf("%d notes are told, %v", stored.Woken, err)
	}
}

// A document that a city issued by a server of its own has the national key, whose eighth digit is 1: what
// the national system distributes of it is applied to its note, whichever authority cancelled it.
func TestDistributions_CancelledDocumentOfACity(t *testing.T) {
	n := bookkeeping(t)
	profile := n.profile()
	profile.Authority, profile.MunicipalityCode, profile.Series = "campinas", "3509502", 10001
	profile.Production = true
	n.SetProfile(t, profile)
	started, err := n.Store.Received.StartDistributions(t.Context(),
		[]received.ServedEnvironment{{Authority: "national", Production: true, TellsOfAll: true}})
	if err != nil || started != 1 {
		t.Fatalf("%d are started, %v", started, err)
	}
	key := "3509502" + "1" + "2" + string(profile.TaxID) + "0000000000055" + "2611" + "123456789" + "0"
	id := n.issue(t, "order-1", "")
	n.Exec(t, `UPDATE notes SET access_key = $2 WHERE id = $1`, id, key)
	n.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, authority, production, tax_id, municipality_code, series,
			number, profile, state, access_key, xml, issued_at)
		VALUES ($1, 'issue', 'campinas', true, $2, '3509502', 10001, 1, '{}', 'accepted', $3, '', now())`,
		id, string(profile.TaxID), key)
	event := happened(1, "305101", 1, "")
	event.AccessKey, event.Event.Effect = key, fiscal.EffectCancels
	stored, err := n.Store.Received.SaveBatch(t.Context(), n.readDistribution(t),
		fiscal.Batch{Items: []fiscal.Distributed{event}})
	if err != nil || stored.Woken != 1 {
		t.Fatalf("%d notes are told, %v", stored.Woken, err)
	}
	settled, applied, err := n.Store.Lifecycle.ApplyExternalEvent(t.Context(), id)
	if err != nil || !applied || settled.Note.Status != nfse.StatusCancelled ||
		settled.Note.Cancellation.Origin != nfse.CancelledByAuthority {
		t.Errorf("applied %t, %v: %s %+v", applied, err, settled.Note.Status, settled.Note.Cancellation)
	}
}
