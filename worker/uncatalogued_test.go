package worker_test

import (
	"bytes"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/testkit"
	"emissor/worker"
)

// A code that no catalogue has ends no note: it is asked about, and the same bytes are sent
// again.
func TestLiveNote_Uncatalogued(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{GracePeriod: 100 * time.Millisecond,
		Issuing: each(testkit.Unexplained, testkit.Unexplained)}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	issues, finds, _ := authority.Counts()
	if sent := authority.Sent(); issues != 3 || finds < 2 || !bytes.Equal(sent[0].XML, sent[2].XML) {
		t.Errorf("it was sent %d times, and asked about %d times", issues, finds)
	}
	if n := s.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE number = 1 AND state = 'accepted'`); n != 1 {
		t.Error("another number was taken")
	}
}

// One that was done all the same is found.
func TestLiveNote_UncataloguedAndDone(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{GracePeriod: 100 * time.Millisecond,
		Issuing: each(testkit.DoneUnexplained), Cancelling: each(testkit.Unexplained, testkit.DoneUnexplained)}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	s.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", s.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.LiveKey, id, nfse.StatusCancelled)
	if issues, _, cancels := authority.Counts(); issues != 1 || cancels != 2 {
		t.Errorf("it was sent %d times, and cancelled %d times", issues, cancels)
	}
}

// After a while it is held, with one alarm and in the authority's own words, which no log
// has; a neighbour is issued, and the note goes on once the authority is well. Neither
// asking nor sending again makes anything of it meanwhile.
func TestLiveNote_UncataloguedForLong(t *testing.T) {
	t.Parallel()
	for _, notFounds := range []int{1, 2} {
		t.Run(fmt.Sprint(notFounds), func(t *testing.T) {
			t.Parallel()
			var well atomic.Bool
			authority := &testkit.ScriptedAuthority{GracePeriod: 100 * time.Millisecond, NotFounds: notFounds}
			authority.Issuing = func(n int) testkit.Script {
				if well.Load() || n == 1 {
					return testkit.Answered
				}
				return testkit.Unexplained
			}
			s := testkit.NewSystem(t, testkit.Options{Worker: true, UncataloguedFor: time.Nanosecond,
				Authorities: []worker.Authority{{Authority: authority, Rate: 1000}}})
			s.NewProfile(t, authority.Name())
			s.NewCertificate(t)
			service := s.NewService(t, s.LiveKey)
			s.Await(t, s.LiveKey, s.Issue(t, s.LiveKey, testkit.Issuance(service, "neighbour")), nfse.StatusIssued)
			id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
			held := func() bool {
				return s.Count(t, `SELECT count(*) FROM notes WHERE status = 'processing' AND sent_at IS NOT NULL
					AND held_reason @> '{"code": "uncatalogued_code", "arguments": {"code": "E999"}}'`) == 1
			}
			testkit.Eventually(t, "the note is held", held)
			history, err := s.Store.Lifecycle.NoteHistory(t.Context(), id)
			if err != nil || history.AuthorityWords == nil || *history.AuthorityWords != "the authority's words" {
				t.Errorf("an operator reads %v, %v", history.AuthorityWords, err)
			}
			sent, _, _ := authority.Counts()
			s.NewCertificate(t) // wakes up all notes that wait
			testkit.Eventually(t, "it is sent again", func() bool {
				again, _, _ := authority.Counts()
				return again > sent && held()
			})
			steps := s.Count(t, `SELECT count(*) FROM note_steps WHERE note_id = $1 AND fact ->> 'code' = 'waits'`, id)
			alarms := s.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'alarm'
				AND fact::text LIKE '%E999%'`)
			if counted := counter(t, s, "emissor_authority_alarms_total"); steps != 1 || alarms != 1 || counted != 1 {
				t.Errorf("it began to wait %d times, with %d alarms, %v counted", steps, alarms, counted)
			}
			if n := s.Count(t, `SELECT count(*) FROM note_steps WHERE fact::text LIKE '%authority''s words%'`); n != 0 {
				t.Error("the words are among the steps, which nothing erases")
			}
			well.Store(true)
			s.NewCertificate(t)
			s.Await(t, s.LiveKey, id, nfse.StatusIssued)
			if n := s.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`); n != 0 {
				t.Error("the note is still held")
			}
			if documents := len(authority.Issued()); documents != 2 {
				t.Errorf("%d documents", documents)
			}
		})
	}
}
