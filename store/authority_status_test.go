package store_test

import (
	"testing"
	"time"

	"emissor/nfse/fact"
	"emissor/store/operate"
)

// How an authority does is counted from the calls that are on record: by how they ended, and not those
// that are under way.
func TestAuthorityStatuses(t *testing.T) {
	n, certificate := newIssuer(t)
	note := n.signed(t, certificate, "order").NoteID
	call := func(ago time.Duration, took any, outcome any, reason any) {
		t.Helper()
		n.Exec(t, `INSERT INTO fiscal_calls (note_id, what, started_at, ended_at, outcome, reason)
			VALUES ($1, 'issue', now() - make_interval(secs => $2),
				now() - make_interval(secs => $2) + make_interval(secs => $3), $4, $5)`,
			note, ago.Seconds(), took, outcome, reason)
	}
	call(25*time.Hour, 1, "accepted", nil)
	call(5*time.Hour, 4, "accepted", nil)
	call(4*time.Hour, 9, "unknown", fact.NoAnswerInTime.Fact())
	call(3*time.Hour, nil, nil, nil) // cut off
	call(50*time.Minute, 2, "not_found", nil)
	call(40*time.Minute, 1, "rejected", nil)
	call(30*time.Minute, 1, "not_delivered", fact.CallTimeOver.Fact())
	call(20*time.Minute, 2, "accepted", nil)
	call(time.Second, nil, nil, nil) // under way
	n.Exec(t, `UPDATE fiscal_exchanges SET ambiguous = true, state = 'in_doubt', authority = 'teresina'`)
	issuesBy(t, n, "campinas")
	n.Exec(t, `UPDATE notes SET held_reason = $2, held_since = now() WHERE id = $1`, n.accept(t, "waits"),
		fact.NoFiscalProfile.Fact())

	all, since, err := n.Store.Operate.AuthorityStatuses(t.Context())
	must(t, err)
	if age := time.Since(since.Time); age < 23*time.Hour || age > 25*time.Hour {
		t.Errorf("calls are counted since %s", since)
	}
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	waits, teresina := all[0], all[1]
	if waits.Authority != "campinas" || waits.Held != 1 || waits.InDoubt != 0 || waits.LastAnswered != nil ||
		waits.Median != nil || waits.Day != (operate.CallCount{}) {
		t.Errorf("where nothing was called: %+v", waits)
	}
	if teresina.Hour != (operate.CallCount{Answered: 3, NotDelivered: 1}) ||
		teresina.Day != (operate.CallCount{Answered: 4, NotDelivered: 1, Unknown: 2}) {
		t.Errorf("calls of the hour %+v, of the day %+v", teresina.Hour, teresina.Day)
	}
	if *teresina.Median != 2000 || *teresina.Percentile95 < 3000 || *teresina.Percentile95 > 4000 {
		t.Errorf("they took %v and %v ms", *teresina.Median, *teresina.Percentile95)
	}
	if !teresina.Failure.Is(fact.CallTimeOver) || teresina.InDoubt != 1 || teresina.Held != 0 ||
		!teresina.LastFailed.Before(teresina.LastAnswered.Time) {
		t.Errorf("%+v", teresina)
	}
}

// issuesBy gives the tenant a profile of an authority.
func issuesBy(t *testing.T, n tenancy, authority string) {
	t.Helper()
	profile := n.issuer()
	profile.Authority = authority
	must(t, n.Changes().Companies.SetFiscalProfile(t.Context(), profile))
}

// Companies are found by the authority that their profiles name.
func TestCompanies(t *testing.T) {
	n, _ := newIssuer(t)
	issuesBy(t, n, "teresina")
	companies, err := n.Store.Companies.Companies(t.Context(), []string{"campinas", "teresina"})
	must(t, err)
	if len(companies) != 1 || companies[0].OrganizationID != n.scope.OrganizationID || companies[0].Name == "" ||
		companies[0].Authority != "teresina" {
		t.Errorf("%+v", companies)
	}
	if none, err := n.Store.Companies.Companies(t.Context(), []string{"campinas"}); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}
