package store_test

import (
	"testing"
	"time"

	"emissor/store/operate"
	"emissor/test/long"
	"emissor/test/testkit"
)

// calls puts calls for a note on record, each of which began so long ago and took so long.
func (n tenancy) calls(t *testing.T, note string, many int, ago time.Duration, took float64, outcome any) {
	t.Helper()
	n.Exec(t, `INSERT INTO fiscal_calls (note_id, what, started_at, ended_at, outcome)
		SELECT $1, 'issue', now() - make_interval(secs => $2),
			now() - make_interval(secs => $2) + make_interval(secs => $3), $4 FROM generate_series(1, $5)`,
		note, ago.Seconds(), took, outcome, many)
}

// How authorities do is added up once from the calls, by hours, and says nothing of a single company.
func TestAuthorityHealths(t *testing.T) {
	n, certificate := newIssuer(t)
	note := n.signed(t, certificate, "order").NoteID
	n.calls(t, note, 3, 50*time.Hour, 2, "accepted")
	n.calls(t, note, 40, 30*time.Hour, 2, "unknown")
	n.calls(t, note, 30, 5*time.Hour, 0.5, "accepted")
	n.calls(t, note, 25, 20*time.Second, 1, "rejected")
	for range 2 { // the second time there is nothing left to add
		must(t, n.Store.Operate.RollUpCalls(t.Context()))
	}
	all, err := n.Store.Operate.AuthorityHealths(t.Context())
	must(t, err)
	if len(all) != 1 || len(all[0].Cities) != 0 {
		t.Fatalf("%+v", all)
	}
	one := all[0]
	day, week := one.Since(time.Now().Add(-24*time.Hour)), one.Since(time.Now().Add(-7*24*time.Hour))
	if day.Answered != 30 || day.Failed() != 0 || week.Answered != 33 || week.Unknown != 40 {
		t.Errorf("of the day %+v, of the week %+v", day, week)
	}
	if p95 := day.Took(0.95); p95 < 500*time.Millisecond || p95 > 600*time.Millisecond {
		t.Errorf("they took %s", p95)
	}
	if outages := one.Outages(); len(outages) != 1 || outages[0].Until.Sub(outages[0].From.Time) != time.Hour {
		t.Errorf("outages are %+v", outages)
	}
	if one.Now.Answered != 25 || !one.Now.Known() || one.Hours[0].Known() {
		t.Errorf("now is %+v", one.Now)
	}
}

// A city is named where there were calls for three companies: not where others have only a profile, nor where
// organizations are of one company.
func TestAuthorityHealths_Cities(t *testing.T) {
	n, certificate := newIssuer(t)
	note := n.signed(t, certificate, "order").NoteID
	issuesBy(t, n, "national")
	n.calls(t, note, 30, 5*time.Hour, 0.5, "accepted")
	must(t, n.Store.Operate.RollUpCalls(t.Context()))
	cities := func() []operate.CityHealth {
		t.Helper()
		all, err := testkit.OpenStore(t, n.As(testkit.Roles.Dashboard)).Operate.AuthorityHealths(t.Context())
		must(t, err)
		return all[0].Cities
	}
	var others []tenancy
	for range 3 {
		other := addTenant(t, n.Database, true)
		n.Exec(t, `INSERT INTO fiscal_profiles (organization_id, authority, profile)
			SELECT $1, authority, profile FROM fiscal_profiles WHERE organization_id = $2`, other.scope.OrganizationID,
			n.scope.OrganizationID)
		others = append(others, other)
	}
	if all := cities(); len(all) != 0 {
		t.Errorf("with four profiles and calls for one they are %+v", all)
	}
	for i, taxID := range []string{"1", "1", "2"} { // the second is the first one's other organization
		if all := cities(); len(all) != 0 {
			t.Errorf("with calls for %d organizations they are %+v", 1+i, all)
		}
		theirs := others[i].accept(t, "order")
		n.Exec(t, `INSERT INTO fiscal_exchanges OVERRIDING SYSTEM VALUE
			SELECT (jsonb_populate_record(e, jsonb_build_object('id', 1000 + $1::int, 'note_id', $2::text,
				'tax_id', $3::text, 'number', 1000 + $1::int, 'message_id', $2::text))).* FROM fiscal_exchanges e
			WHERE note_id = $4`, i, theirs, taxID, note)
		n.calls(t, theirs, 1, time.Minute, 0.5, "accepted")
	}
	if all := cities(); len(all) != 1 || all[0].Answered != 30 {
		t.Errorf("with calls for three companies they are %+v", all)
	}
	n.Exec(t, `UPDATE fiscal_calls SET started_at = now() - interval '25 hours' WHERE note_id <> $1`, note)
	if all := cities(); len(all) != 0 {
		t.Errorf("a day later they are %+v", all)
	}
}

// A period that cannot be added up keeps none beside it from being so, and is when it is mended.
func TestRollUpCalls_Poison(t *testing.T) {
	n, certificate := newIssuer(t)
	note := n.signed(t, certificate, "order").NoteID
	n.calls(t, note, 30, 5*time.Hour, 0.5, "accepted")
	n.calls(t, note, 30, 4*time.Hour, 0.5, "poison")
	n.calls(t, note, 30, 3*time.Hour, 0.5, "accepted")
	n.Exec(t, `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF EXISTS (SELECT FROM fiscal_calls WHERE outcome = 'poison'
			AND started_at >= new.hour AND started_at < new.hour + interval '1 hour') THEN RAISE 'poison'; END IF;
		RETURN new; END $$`)
	n.Exec(t, `CREATE TRIGGER fail BEFORE INSERT ON authority_hours FOR EACH ROW EXECUTE FUNCTION fail()`)
	must(t, n.Store.Operate.RollUpCalls(t.Context()))
	counted := func() int {
		return n.Count(t, `SELECT coalesce(sum(calls), 0)::int FROM authority_hours WHERE municipality_code = ''`)
	}
	if got := counted(); got != 60 {
		t.Errorf("%d of the others were added up", got)
	}
	n.Exec(t, `DROP TRIGGER fail ON authority_hours`)
	n.Exec(t, `UPDATE row_failures SET retry_after = now()`)
	must(t, n.Store.Operate.RollUpCalls(t.Context()))
	if got := counted(); got != 90 {
		t.Errorf("%d were added up when it was mended", got)
	}
}

// The calls of a period are found among a million others, and the page reads sums.
func TestPlans_AuthorityHours(t *testing.T) {
	long.Only(t, "looks at the plans of an authority's hours at many rows")
	n, certificate := newIssuer(t)
	note := n.signed(t, certificate, "order").NoteID
	n.Exec(t, `INSERT INTO fiscal_calls (note_id, what, started_at, ended_at, outcome)
		SELECT $1, 'issue', now() - make_interval(secs => 20 * (200000 - i)),
			now() - make_interval(secs => 20 * (200000 - i) - 1), 'accepted' FROM generate_series(1, 200000) i`, note)
	n.Exec(t, `INSERT INTO authority_periods (period)
		SELECT (extract(epoch FROM now()) / 300)::bigint - i FROM generate_series(20, 2500) i`)
	n.Exec(t, `INSERT INTO authority_hours (authority, production, municipality_code, hour, outcome, power, calls)
		SELECT 'national', true, lpad(city::text, 7, '0'), date_trunc('hour', now()) - make_interval(hours => i),
			'answered', power, 5
		FROM generate_series(1, 100) city, generate_series(1, 150) i, generate_series(1, 5) power`)
	n.Exec(t, `ANALYZE`)
	p := newPlanned(t, n.Database)
	p.expectTouches(t, "a roll-up", 10_000, func() error { return p.Operate.RollUpCalls(t.Context()) })
	p.expectTouches(t, "healths", 20_000, func() error {
		_, err := p.Operate.AuthorityHealths(t.Context())
		return err
	})
}
