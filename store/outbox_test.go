package store_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/operate"
	"emissor/store/outbox"
)

const lease = 30 * time.Second

// fill puts rows into the outbox, due since so many seconds, the last one least.
// everyKind is what a process with an authority claims.
var everyKind = []string{outbox.StartNote, outbox.StartCancellation, outbox.StartDelivery}

func (n tenancy) fill(t *testing.T, rows int) {
	t.Helper()
	n.fillAs(t, "nfse", rows)
}

func (n tenancy) fillAs(t *testing.T, prefix string, rows int) {
	t.Helper()
	n.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference, next_attempt_at)
		SELECT 'note', $4::text || '_' || $2::boolean || i, $1, $2::boolean, 'pedido-' || i,
		now() - make_interval(secs => $3 - i) FROM generate_series(1, $3) i`,
		n.scope.OrganizationID, n.scope.Livemode, rows, prefix)
}

// expire ends the lease of every claim.
func (n tenancy) expire(t *testing.T) {
	t.Helper()
	n.Exec(t, `UPDATE outbox SET next_attempt_at = now()`)
}

func (n tenancy) claim(t *testing.T, limit int) []outbox.Start {
	t.Helper()
	test, live := everyKind, []string(nil)
	if n.scope.Livemode {
		test, live = live, test
	}
	starts, err := n.Store.Outbox.ClaimStarts(t.Context(), test, live, limit, lease)
	must(t, err)
	return starts
}

func ids(starts []outbox.Start) []int64 {
	ids := make([]int64, len(starts))
	for i, start := range starts {
		ids[i] = start.ID
	}
	return ids
}

func TestOutbox_ClaimLeases(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.accept(t, "pedido-1")
	starts := tenant.claim(t, 10)
	if len(starts) != 1 {
		t.Fatalf("%d rows are claimed", len(starts))
	}
	start := starts[0]
	if start.Kind != "note" || start.SubjectID != id || start.Scope != tenant.scope ||
		start.Reference != "pedido-1" || start.Attempts != 1 || start.Token == uuid.Nil {
		t.Errorf("the claim is %+v", start)
	}
	if again := tenant.claim(t, 10); len(again) != 0 {
		t.Errorf("a leased row is claimed again: %+v", again)
	}
	if left := tenant.Count(t, `SELECT ceil(extract(epoch FROM next_attempt_at - now()))::int
		FROM outbox`); left < 1 || left > 30 {
		t.Errorf("the lease ends in %d seconds", left)
	}
}

func TestOutbox_ClaimExpires(t *testing.T) {
	tenant := newTenant(t)
	tenant.accept(t, "pedido-1")
	first := tenant.claim(t, 10)[0]
	tenant.expire(t)
	second := tenant.claim(t, 10)
	if len(second) != 1 || second[0].ID != first.ID || second[0].Attempts != 2 || second[0].Token == first.Token {
		t.Fatalf("claimed %+v after %+v", second, first)
	}

	// The first claimer is late.
	must(t, tenant.Store.Outbox.FinishStarts(t.Context(), []outbox.Start{first}))
	must(t, tenant.Store.Outbox.PostponeStarts(t.Context(), []outbox.Start{first}, time.Hour,
		outbox.StartRefused, "late"))
	must(t, tenant.Store.Outbox.KeepStarts(t.Context(), []outbox.Start{first}, time.Hour))
	waiting, err := tenant.Store.Outbox.WaitingStarts(t.Context(), 10)
	must(t, err)
	if len(waiting) != 1 || waiting[0].LastError != nil || time.Until(waiting[0].NextAttemptAt.Time) > lease {
		t.Errorf("a stale token changed the row: %+v", waiting)
	}

	must(t, tenant.Store.Outbox.FinishStarts(t.Context(), second))
	tenant.expectCounts(t, 1, 1, 0)
}

func TestOutbox_Finish(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 5)
	starts := tenant.claim(t, 5)
	must(t, tenant.Store.Outbox.FinishStarts(t.Context(), append(starts[:2], outbox.Start{ID: 999_999})))
	must(t, tenant.Store.Outbox.FinishStarts(t.Context(), nil))
	tenant.expectCounts(t, 0, 0, 3)
}

// The planner may turn IN (SELECT ... LIMIT) into a join that runs the
// subselect for each row of the table, as it does when the statistics say that
// the outbox is nearly empty, which it nearly always is. Then a claim after an
// outage takes the whole backlog, in quadratic time, for one lease.
func TestOutbox_ClaimLimit(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 1)
	tenant.Exec(t, `ANALYZE outbox`)
	tenant.Exec(t, `DELETE FROM outbox`)
	tenant.fill(t, 50)
	for range 3 {
		if starts := tenant.claim(t, 8); len(starts) != 8 {
			t.Fatalf("a claim of at most 8 rows took %d", len(starts))
		}
	}
}

func TestOutbox_ClaimOldestFirst(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 10)
	var subjects []string
	for _, start := range tenant.claim(t, 3) {
		subjects = append(subjects, start.SubjectID)
	}
	slices.Sort(subjects)
	if !slices.Equal(subjects, []string{"nfse_false1", "nfse_false2", "nfse_false3"}) {
		t.Errorf("claimed %v", subjects)
	}
}

func TestOutbox_TwoClaimers(t *testing.T) {
	tenant := newTenant(t)
	const rows = 400
	tenant.fill(t, rows)
	claims := together(8, func(int) (claimed []outbox.Start) {
		for {
			starts := tenant.claim(t, 7)
			if claimed = append(claimed, starts...); len(starts) == 0 {
				return claimed
			}
		}
	})
	claimed := ids(slices.Concat(claims...))
	slices.Sort(claimed)
	if distinct := len(slices.Compact(slices.Clone(claimed))); len(claimed) != distinct {
		t.Errorf("of %d claimed rows %d are distinct", len(claimed), distinct)
	}
	// A claimer passes over what another is just taking; the next round takes the rest.
	if rest := tenant.claim(t, rows); len(claimed)+len(rest) != rows {
		t.Errorf("%d rows were claimed, and %d later: expected %d in all", len(claimed), len(rest), rows)
	}
}

func TestOutbox_ClaimDoesNotWait(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 3)
	other := begun(t, tenant.Database)
	_, err := other.Exec(`SELECT FROM outbox WHERE subject_id = 'nfse_false1' FOR UPDATE`)
	must(t, err)
	if starts := tenant.claim(t, 10); len(starts) != 2 {
		t.Errorf("beside a locked row %d rows are claimed", len(starts))
	}
}

func TestOutbox_TestAndLiveApart(t *testing.T) {
	tenant := newTenant(t)
	live := tenant.inLive(t)
	tenant.fill(t, 2)
	live.fill(t, 3)
	for _, n := range []tenancy{tenant, live} {
		starts := n.claim(t, 10)
		if expected := map[bool]int{false: 2, true: 3}[n.scope.Livemode]; len(starts) != expected {
			t.Errorf("livemode %v: %d rows are claimed, expected %d", n.scope.Livemode, len(starts), expected)
		}
		for _, start := range starts {
			if start.Livemode != n.scope.Livemode {
				t.Errorf("livemode %v: claimed %+v", n.scope.Livemode, start)
			}
		}
	}
}

func TestOutbox_Postponed(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 1)
	start := tenant.claim(t, 1)[0]
	must(t, tenant.Store.Outbox.PostponeStarts(t.Context(), []outbox.Start{start}, time.Hour, outbox.EngineAway,
		"the engine is out"))
	if starts := tenant.claim(t, 1); len(starts) != 0 {
		t.Errorf("a postponed row is claimed: %+v", starts)
	}
	waiting, err := tenant.Store.Outbox.WaitingStarts(t.Context(), 10)
	must(t, err)
	if *waiting[0].LastError != "the engine is out" || *waiting[0].Failure != outbox.EngineAway ||
		waiting[0].Failures != 0 || waiting[0].Attempts != 1 ||
		time.Until(waiting[0].NextAttemptAt.Time) < 59*time.Minute {
		t.Errorf("the operator sees %+v", waiting[0])
	}
	must(t, tenant.Store.Outbox.PostponeStarts(t.Context(), []outbox.Start{start}, 0, outbox.StartRefused,
		"at once"))
	if starts := tenant.claim(t, 1); len(starts) != 1 || starts[0].Attempts != 2 {
		t.Errorf("when its time has come, claimed are %+v", starts)
	}
}

// A postponed row keeps its age: it goes before what came after it.
func TestOutbox_PostponedKeepsItsAge(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 10)
	first := tenant.claim(t, 1)
	must(t, tenant.Store.Outbox.PostponeStarts(t.Context(), first, 0, outbox.StartRefused, "the engine is out"))
	if again := tenant.claim(t, 1); len(again) != 1 || again[0].ID != first[0].ID {
		t.Errorf("claimed %+v after %+v", again, first)
	}
}

// A claim that is kept lasts, and one that is given back is due at once.
func TestOutbox_Keep(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 1)
	starts := tenant.claim(t, 1)
	must(t, tenant.Store.Outbox.KeepStarts(t.Context(), starts, time.Hour))
	if left := tenant.Count(t, `SELECT ceil(extract(epoch FROM next_attempt_at - now()))::int
		FROM outbox`); left < 3500 {
		t.Errorf("the claim that was kept ends in %d seconds", left)
	}
	must(t, tenant.Store.Outbox.KeepStarts(t.Context(), starts, 0))
	if again := tenant.claim(t, 1); len(again) != 1 {
		t.Errorf("what was given back is not due: %+v", again)
	}
}

// However long one organization's backlog of one kind is, each other organization,
// environment and kind has its share of every claim.
func TestOutbox_FairClaims(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 500)
	live := tenant.inLive(t)
	live.fill(t, 100)
	tenant.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode)
		SELECT 'delivery', 'del_' || i, $1, false FROM generate_series(1, 300) i`, tenant.scope.OrganizationID)
	other := addTenant(t, tenant.Database, false)
	other.fillAs(t, "late", 2)

	starts, err := tenant.Store.Outbox.ClaimStarts(t.Context(), everyKind, everyKind, 16, lease)
	must(t, err)
	type backlog struct {
		organization, kind string
		livemode           bool
	}
	shares := map[backlog]int{}
	for _, start := range starts {
		shares[backlog{start.OrganizationID, start.Kind, start.Livemode}]++
	}
	first, second := tenant.scope.OrganizationID, other.scope.OrganizationID
	for b, least := range map[backlog]int{
		{first, outbox.StartNote, false}: 4, {first, outbox.StartNote, true}: 4,
		{first, outbox.StartDelivery, false}: 4, {second, outbox.StartNote, false}: 2,
	} {
		if shares[b] < least || shares[b] > 5 {
			t.Errorf("of 16 rows %d are of %+v: %v", shares[b], b, shares)
		}
	}
	if slices.Contains(ids(starts), 0) || len(starts) > 16 {
		t.Errorf("claimed %+v", starts)
	}
}

// A backlog that has no room is passed over, however long it is, and one with little room
// has that much; what they leave goes to the others.
func TestOutbox_Rooms(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	deliveries := func(n tenancy, rows int) outbox.Backlog {
		n.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode)
			SELECT 'delivery', 'del_' || $1::text || i, $1, false FROM generate_series(1, $2) i`,
			n.scope.OrganizationID, rows)
		return outbox.Backlog{Kind: outbox.StartDelivery, Scope: n.scope}
	}
	long, short := deliveries(tenant, 10_000), deliveries(other, 8)
	tenant.fill(t, 8)
	claimed := func(rooms ...outbox.Room) map[outbox.Backlog]int {
		t.Helper()
		starts, err := tenant.Store.Outbox.ClaimStarts(t.Context(), everyKind, everyKind, 16, lease, rooms...)
		must(t, err)
		found := map[outbox.Backlog]int{}
		for _, start := range starts {
			found[outbox.Backlog{Kind: start.Kind, Scope: start.Scope}]++
		}
		tenant.expire(t)
		return found
	}
	notes := outbox.Backlog{Kind: outbox.StartNote, Scope: tenant.scope}
	if found := claimed(outbox.Room{Backlog: long, Rows: 0}); !maps.Equal(found,
		map[outbox.Backlog]int{short: 8, notes: 8}) {
		t.Errorf("beside a backlog without room, claimed are %v", found)
	}
	if found := claimed(outbox.Room{Backlog: long, Rows: 2}, outbox.Room{Backlog: short, Rows: 1}); found[long] != 2 ||
		found[short] != 1 || found[notes] != 6 {
		t.Errorf("beside backlogs with little room, claimed are %v", found)
	}
	elsewhere := long
	elsewhere.Livemode = true
	if found := claimed(outbox.Room{Backlog: elsewhere, Rows: 0},
		outbox.Room{Backlog: short, Rows: 100}); found[long] < 4 ||
		found[short] < 4 || found[notes] < 4 {
		t.Errorf("with room for all, claimed are %v", found)
	}
}

// Rows of a backlog that is paused are no sign that nothing moves, and only they; and only
// for as long as a process says so: when it is gone, nothing moves.
func TestOutbox_PausedBacklog(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	other.fillAs(t, "other", 1)
	tenant.fill(t, 3)
	tenant.Exec(t, `UPDATE outbox SET created_at = now() - interval '90 seconds'`)
	must(t, tenant.Store.Outbox.PauseBacklogs(t.Context(), fact.AboveRate.Fact(),
		outbox.Backlog{Kind: outbox.StartNote, Scope: tenant.scope}))
	tenant.waits(t, "another organization's row", true)
	tenant.Exec(t, `DELETE FROM outbox WHERE organization_id = $1`, other.scope.OrganizationID)
	tenant.waits(t, "rows that wait for their turn", false)
	if starts := tenant.claim(t, 1); len(starts) != 1 || starts[0].SubjectID != "nfse_false1" {
		t.Errorf("claimed are %+v", starts)
	}

	tenant.Exec(t, `UPDATE paused_backlogs SET paused_until = paused_until - interval '61 seconds'`)
	tenant.waits(t, "rows of whose turn nobody speaks any more", true)
	if gauges, err := tenant.Store.Operate.Gauges(t.Context()); err != nil || gauges.Waiting[0].Paused != 0 ||
		gauges.Waiting[0].OldestSeconds < 90 {
		t.Errorf("the gauges are %+v, %v", gauges.Waiting, err)
	}
	must(t, tenant.Store.Outbox.PauseBacklogs(t.Context(), fact.AboveRate.Fact(),
		outbox.Backlog{Kind: outbox.StartNote, Scope: tenant.scope}))
	tenant.waits(t, "rows of whose turn somebody speaks again", false)
}

// What is said of a kind in all organizations holds for its rows in that environment, but
// not for one that the engine did not take: it says that.
func TestOutbox_PausedKind(t *testing.T) {
	tenant := newTenant(t)
	live := tenant.inLive(t)
	tenant.fill(t, 2)
	live.fill(t, 3)
	must(t, tenant.Store.Outbox.PauseBacklogs(t.Context(), fact.NoAuthority.Fact(),
		outbox.Backlog{Kind: outbox.StartNote, Scope: nfse.Scope{Livemode: true}}))
	paused := func() (rows int) {
		waiting, err := tenant.Store.Outbox.WaitingStarts(t.Context(), 10)
		must(t, err)
		for _, row := range waiting {
			if row.PausedReason.None() {
				continue
			}
			if rows++; !row.Livemode || !row.PausedReason.Equal(fact.NoAuthority.Fact()) {
				t.Errorf("paused is %+v", row)
			}
		}
		return rows
	}
	if rows := paused(); rows != 3 {
		t.Errorf("%d rows are paused", rows)
	}
	starts := live.claim(t, 2)
	if len(starts) != 2 {
		t.Errorf("a process that can start them claims %d", len(starts))
	}
	must(t, tenant.Store.Outbox.PostponeStarts(t.Context(), starts[:1], 0, outbox.StartRefused, "x"))
	if rows := paused(); rows != 2 {
		t.Errorf("beside one that was refused, %d rows are paused", rows)
	}
}

// waits fails the test unless the longest wait says that nothing moves, or that it does.
func (n tenancy) waits(t *testing.T, what string, stalled bool) {
	t.Helper()
	waited, err := n.Store.Outbox.LongestWait(t.Context())
	must(t, err)
	if waited > outbox.Stalled != stalled {
		t.Errorf("%s: the longest wait is %s", what, waited)
	}
}

func TestOutbox_OldestFirst(t *testing.T) {
	tenant := newTenant(t)
	if waiting, err := tenant.Store.Outbox.WaitingStarts(t.Context(), 10); err != nil || waiting == nil ||
		len(waiting) != 0 {
		t.Errorf("an empty outbox is %#v, %v: expected an empty list", waiting, err)
	}
	tenant.fill(t, 5)
	waiting, err := tenant.Store.Outbox.WaitingStarts(t.Context(), 2)
	must(t, err)
	if len(waiting) != 2 || waiting[0].SubjectID != "nfse_false1" || waiting[1].SubjectID != "nfse_false2" {
		t.Errorf("the operator sees %+v", waiting)
	}
}

func TestGauges_Unfinished(t *testing.T) {
	tenant := newTenant(t)
	if gauges, err := tenant.Store.Operate.Gauges(t.Context()); err != nil || len(gauges.OpenNotes) != 0 ||
		len(gauges.Waiting) != 0 {
		t.Errorf("of nothing the gauges are %+v, %v", gauges, err)
	}
	live := tenant.inLive(t)
	tenant.accept(t, "queued-1")
	tenant.accept(t, "queued-2")
	tenant.begin(t, "processing")
	_, err := tenant.settleRejected(t, tenant.begin(t, "rejected"))
	must(t, err)
	live.accept(t, "paused")
	must(t, tenant.Store.Outbox.PauseBacklogs(t.Context(), fact.NoAuthority.Fact(),
		outbox.Backlog{Kind: outbox.StartNote, Scope: nfse.Scope{Livemode: true}}))
	tenant.Exec(t, `UPDATE outbox SET created_at = now() - interval '1 minute'`)

	gauges, err := tenant.Store.Operate.Gauges(t.Context())
	must(t, err)
	expected := []operate.OpenNotes{
		{Status: nfse.StatusProcessing, Count: 1}, {Status: nfse.StatusQueued, Count: 2},
		{Status: nfse.StatusQueued, Livemode: true, Count: 1},
	}
	for _, notes := range expected {
		if !slices.Contains(gauges.OpenNotes, notes) {
			t.Errorf("the gauges lack %+v: %+v", notes, gauges.OpenNotes)
		}
	}
	if len(gauges.OpenNotes) != len(expected) {
		t.Errorf("the open notes are %+v", gauges.OpenNotes)
	}
	for _, waiting := range gauges.Waiting {
		switch {
		case waiting.Livemode && (waiting.Rows != 1 || waiting.Paused != 1 || waiting.OldestSeconds != 0):
			t.Errorf("paused rows are outside the age: %+v", waiting)
		case !waiting.Livemode && (waiting.Rows != 4 || waiting.Paused != 0 || waiting.OldestSeconds < 60):
			t.Errorf("waiting is %+v", waiting)
		}
	}
	if len(gauges.Waiting) != 2 {
		t.Errorf("waiting is %+v", gauges.Waiting)
	}
}

// A start that the engine does not take while it takes others counts as the row's own failure, no matter what was
// tried while the engine was away.
func TestOutbox_OwnFailures(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 1)
	for _, failure := range []outbox.StartFailure{outbox.EngineAway, outbox.StartRefused, outbox.EngineAway,
		outbox.StartTimedOut, outbox.StartInternal} {
		start := tenant.claim(t, 1)[0]
		must(t, tenant.Store.Outbox.PostponeStarts(t.Context(), []outbox.Start{start}, 0, failure, "x"))
	}
	if start := tenant.claim(t, 1)[0]; start.Attempts != 6 || start.Failures != 3 {
		t.Errorf("the row was tried %d times, and failed %d times by itself", start.Attempts, start.Failures)
	}
}

// How long nothing has moved is told by rows that are due and wait for the engine alone.
func TestOutbox_LongestWait(t *testing.T) {
	tenant := newTenant(t)
	tenant.waits(t, "nothing is there", false)
	tenant.fill(t, 1)
	tenant.waits(t, "a new row", false)
	tenant.Exec(t, `UPDATE outbox SET created_at = now() - interval '90 seconds'`)
	tenant.waits(t, "a row that nobody has claimed", true)
	start := tenant.claim(t, 1)[0]
	tenant.waits(t, "a row that is claimed", true)
	must(t, tenant.Store.Outbox.PostponeStarts(t.Context(), []outbox.Start{start}, time.Minute, outbox.EngineAway, "x"))
	tenant.waits(t, "a row that was tried while the engine is away", true)
	must(t, tenant.Store.Outbox.PostponeStarts(t.Context(), []outbox.Start{start}, time.Minute, outbox.StartRefused, "x"))
	tenant.waits(t, "a row that fails by itself", false)
	tenant.Exec(t, `UPDATE outbox SET failures = 0`)
	must(t, tenant.Store.Outbox.PauseBacklogs(t.Context(), fact.NoAuthority.Fact(),
		outbox.Backlog{Kind: outbox.StartNote}))
	tenant.waits(t, "a row that cannot be started for now", false)
	tenant.Exec(t, `DELETE FROM paused_backlogs`)
	tenant.Exec(t, `UPDATE outbox SET attempts = 0, next_attempt_at = now() + interval '1 minute'`)
	tenant.waits(t, "a row that is not due yet", false)
}

// A row that cannot be deleted keeps none of the others in the outbox.
func TestOutbox_FinishBesideAPoisonRow(t *testing.T) {
	tenant := newTenant(t)
	tenant.fill(t, 3)
	tenant.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'poison'; END $$`)
	tenant.Exec(t, `CREATE TRIGGER poison BEFORE DELETE ON outbox FOR EACH ROW
		WHEN (OLD.subject_id = 'nfse_false2') EXECUTE FUNCTION refuse()`)
	starts := tenant.claim(t, 3)
	if err := tenant.Store.Outbox.FinishStarts(t.Context(), starts); err == nil ||
		!strings.Contains(err.Error(), "poison") {
		t.Errorf("the error is %v", err)
	}
	if left := tenant.Text(t, `SELECT string_agg(subject_id, ' ') FROM outbox`); left != "nfse_false2" {
		t.Errorf("%s are left", left)
	}
	tenant.Exec(t, `DROP TRIGGER poison ON outbox`)
	must(t, tenant.Store.Outbox.FinishStarts(t.Context(), starts))
	tenant.expectCounts(t, 0, 0, 0)
}
