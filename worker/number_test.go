package worker_test

import (
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/exchanges"
	"emissor/test/testkit"
)

// takeNumber takes a note's number, as a worker does that dies at once.
func takeNumber(t *testing.T, db *store.Store, noteID string, profile nfse.FiscalProfile) {
	t.Helper()
	by, _ := authorities.Named(profile.Authority)
	taken, err := db.Lifecycle.TakeNumber(t.Context(), noteID, profile, fiscal.Capabilities{AsksFirst: by.TakesTurns},
		exchanges.Lease{Token: uuid.New()})
	if err != nil || taken == nil {
		t.Fatal(taken, err)
	}
}

// A number that no document can bear is not taken: the note is held before, and goes on
// under another series.
func TestLiveNote_NoNumberLeft(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"at once", "by the longer way"} {
		t.Run(kind, func(t *testing.T) {
			authority := &testkit.ScriptedAuthority{GreatestNumber: 7}
			if kind != "at once" { // the first takes the last number and finds it used
				authority.Issuing = each(testkit.UsedNumber)
			}
			s, service := newLive(t, authority)
			profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
			if err != nil {
				t.Fatal(err)
			}
			next := int64(8)
			if kind != "at once" {
				next = 7
			}
			if err := s.Changes().Lifecycle.SetNextNumber(t.Context(), profile, next); err != nil {
				t.Fatal(err)
			}
			id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
			testkit.Eventually(t, "the note is held", func() bool {
				return s.Count(t, `SELECT count(*) FROM notes WHERE status = 'processing'
					AND held_reason @> '{"code": "series_used_up", "arguments": {"series": 1}}'`) == 1
			})
			if n := s.Count(t, `SELECT last_number FROM fiscal_sequences`); n != 7 {
				t.Errorf("the last number is %d", n)
			}
			profile.Series = 2
			if err := s.Changes().Companies.SetFiscalProfile(t.Context(), profile); err != nil {
				t.Fatal(err)
			}
			s.Await(t, s.LiveKey, id, nfse.StatusIssued)
		})
	}
}

// Two notes race for the last number that the city has granted: one gets it, and the other is held
// without a number, until another range is set, which begins above a gap.
func TestLiveNote_GrantedNumbers(t *testing.T) {
	t.Parallel()
	s, service := newLive(t, &testkit.ScriptedAuthority{})
	profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
	if err != nil {
		t.Fatal(err)
	}
	profile.GrantedNumbers = &nfse.NumberRange{First: 500, Last: 500}
	s.SetProfile(t, profile)
	ids := []string{
		s.Issue(t, s.LiveKey, testkit.Issuance(service, "one")), s.Issue(t, s.LiveKey, testkit.Issuance(service, "two")),
	}
	testkit.Eventually(t, "one note is held, and one issued", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE held_reason @> '{"code": "granted_numbers_used_up",
				"arguments": {"first": 500, "last": 500, "series": 1}}'`) == 1 &&
			s.Count(t, `SELECT count(*) FROM notes WHERE status = 'issued'`) == 1
	})
	if numbers := s.Text(t, `SELECT string_agg(number::text, ' ') FROM fiscal_exchanges`); numbers != "500" {
		t.Errorf("the numbers are %s", numbers)
	}
	profile.GrantedNumbers = &nfse.NumberRange{First: 901, Last: 1000}
	s.SetProfile(t, profile)
	for _, id := range ids {
		s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	}
	if numbers := s.Text(t, `SELECT string_agg(number::text, ' ' ORDER BY number) FROM fiscal_exchanges`); numbers !=
		"500 901" {
		t.Errorf("the numbers are %s", numbers)
	}
}

// A number under which no message can be built is unused. Its note is held, takes no
// second one by looking again, and goes on under the next once it can be built.
func TestLiveNote_Unbuildable(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	var tries atomic.Int32
	broken.Store(true)
	authority := &testkit.ScriptedAuthority{Unbuildable: func() bool { tries.Add(1); return broken.Load() }}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	held := func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE status = 'processing'
			AND held_reason ->> 'code' = 'message_not_built'`) == 1 &&
			s.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE number = 1 AND state = 'unused'`) == 1
	}
	testkit.Eventually(t, "the note is held and its number unused", held)
	before := tries.Load()
	s.NewCertificate(t)
	testkit.Eventually(t, "it has looked again", func() bool { return tries.Load() > before && held() })
	if n := s.Count(t, `SELECT last_number FROM fiscal_sequences`); n != 1 {
		t.Errorf("%d numbers were taken", n)
	}
	broken.Store(false)
	s.NewCertificate(t)
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	if n := s.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE number = 2 AND state = 'accepted'`); n != 1 {
		t.Error("it was not issued under the next number")
	}
}
