package worker_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"

	"emissor/nfse"
	"emissor/test/testkit"
	"emissor/worker"
)

// longWait is how long a call of these tests may take: it is held up until all notes are accepted.
const longWait = 5 * time.Minute

// The rate is kept on the authority's queue, and an organization with a long
// backlog does not make the others wait behind it.
func TestWorker_FairSharesOfTheAuthority(t *testing.T) {
	// It answers nobody until the backlog waits, however slowly this machine accepts it. The rate is so low that what is
	// sent meanwhile is the least of it.
	release := make(chan struct{})
	authority := &testkit.ScriptedAuthority{Entered: func(int) { <-release }}
	s := testkit.NewSystem(t, testkit.Options{Worker: true,
		Authorities: []worker.Authority{{Authority: authority, Rate: 1, CallTimeout: longWait}}})
	releaseOnce := sync.OnceFunc(func() { close(release) })
	t.Cleanup(releaseOnce) // before the worker stops, which waits for its calls
	s.NewProfile(t, authority.Name())
	s.NewCertificate(t)
	service := s.NewService(t, s.LiveKey)
	const backlog = 60
	for i := range backlog {
		s.Issue(t, s.LiveKey, testkit.Issuance(service, fmt.Sprint(i)))
	}
	testkit.Eventually(t, "the backlog waits for its turn", func() bool {
		return s.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE state = 'signed'`) > backlog/2
	})
	releaseOnce()

	other := *s
	other.Organization, _, other.LiveKey = s.NewOrganization(t, "Another")
	other.NewProfile(t, authority.Name())
	other.NewCertificate(t)
	id := s.Issue(t, other.LiveKey, testkit.Issuance(other.NewService(t, other.LiveKey), "one"))
	s.Await(t, other.LiveKey, id, nfse.StatusIssued)
	// From when it stood in the queue to be sent: what went before is not the queue's doing.
	var ready time.Time // none where it was sent without the queue
	for _, event := range eventsOf(t, &other, other.Organization.ID+"/live/one") {
		if event.EventType == enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED && ready.IsZero() {
			ready = event.EventTime.AsTime()
		}
	}
	passed := s.Count(t, `SELECT count(*) FROM notes n WHERE organization_id <> $2 AND sent_at > greatest($3,
		(SELECT min(m.created_at) FROM fiscal_messages m JOIN fiscal_exchanges e ON e.id = m.exchange_id
			WHERE e.note_id = $1))
		AND sent_at < (SELECT sent_at FROM notes WHERE id = $1)`, id, other.Organization.ID, ready)
	if passed > backlog/5 {
		t.Errorf("%d notes of the backlog went first", passed)
	}
	t.Logf("%d notes of the backlog went first", passed)
}

// Calls within a workflow task and calls from the queue together keep the rate.
func TestWorker_RateOfTheAuthority(t *testing.T) {
	const rate, notes = 10, 70
	authority := &testkit.ScriptedAuthority{}
	s := testkit.NewSystem(t, testkit.Options{Worker: true,
		Authorities: []worker.Authority{{Authority: authority, Rate: rate, CallTimeout: longWait}}})
	s.NewProfile(t, authority.Name())
	s.NewCertificate(t)
	service := s.NewService(t, s.LiveKey)
	// A call is on record a moment after it was let go: where the database stalls between, those of two seconds are on
	// record in one. A sample in which it did not is enough.
	withinBudget(t, "rate", func(reference string) string {
		s.Exec(t, `DELETE FROM fiscal_calls`)
		for i := range notes {
			s.Issue(t, s.LiveKey, testkit.Issuance(service, fmt.Sprint(reference, " ", i)))
		}
		testkit.Eventually(t, "all are issued", func() bool {
			return s.Count(t, `SELECT count(*) FROM notes WHERE status <> 'issued'`) == 0
		})
		if took := s.Count(t, `SELECT extract(epoch FROM max(started_at) - min(started_at))::int
			FROM fiscal_calls`); took < (notes-3*rate)/rate {
			t.Fatalf("%d calls at a rate of %d took %d s", notes, rate, took)
		}
		// The engine and the budget may each save up a second's calls. A second ends before the next one begins: with
		// both ends it has one call more than the rate.
		if most := s.Count(t, `SELECT max(calls) FROM (SELECT count(*) OVER (ORDER BY started_at
			RANGE BETWEEN CURRENT ROW AND interval '0.999 s' FOLLOWING) AS calls FROM fiscal_calls) c`); most > 3*rate {
			return fmt.Sprintf("%d calls within a second, at a rate of %d", most, rate)
		}
		return ""
	})
}

// An authority that hangs holds up its own notes and nobody else's.
func TestWorker_HangingAuthority(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	authority := &testkit.ScriptedAuthority{Entered: func(int) { <-release }}
	s := testkit.NewSystem(t, testkit.Options{Worker: true,
		Authorities: []worker.Authority{{Authority: authority, Rate: 1000, CallTimeout: longWait}}})
	var once sync.Once
	end := func() { once.Do(func() { close(release) }) }
	t.Cleanup(end)
	s.NewProfile(t, authority.Name())
	s.NewCertificate(t)
	service := s.NewService(t, s.LiveKey)
	const hanging = 80 // more than there are slots and permits
	for i := range hanging {
		s.Issue(t, s.LiveKey, testkit.Issuance(service, fmt.Sprint(i)))
	}
	testkit.Eventually(t, "many calls hang", func() bool {
		return s.Count(t, `SELECT count(*) FROM fiscal_calls WHERE ended_at IS NULL`) > hanging/3
	})
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "beside"))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	end()
	testkit.Eventually(t, "all are issued", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE livemode AND status = 'issued'`) == hanging
	})
	if sent := len(authority.Sent()); sent != hanging {
		t.Errorf("%d were sent of %d", sent, hanging)
	}
}
