package worker_test

import (
	"fmt"
	"testing"
	"time"

	"go.temporal.io/sdk/interceptor"

	"emissor/activities"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/testkit"
	"emissor/worker"
	"emissor/workflows"
)

// A live note of which one step always fails, panics or hangs stops no other note, not of
// the same issuer and series either. AutoFixed, it ends as they do.
func TestLiveNote_Poison(t *testing.T) {
	t.Parallel()
	for _, step := range []string{
		workflows.ActivityBeginNote, workflows.ActivityExchangeAtOnce, workflows.ActivityExchange,
	} {
		for _, harm := range testkit.Harms {
			t.Run(step+" "+string(harm), func(t *testing.T) {
				t.Parallel()
				poison := testkit.NewPoison(t)
				authority := &testkit.ScriptedAuthority{}
				s := testkit.NewSystem(t, testkit.Options{Worker: true, RowPauses: testkit.QuickPauses,
					Interceptors: []interceptor.WorkerInterceptor{poison},
					Authorities:  []worker.Authority{{Authority: authority, Rate: 1000}}})
				s.NewProfile(t, authority.Name())
				s.NewCertificate(t)
				service := s.NewService(t, s.LiveKey)
				s.Worker.Stop()
				var ids []string
				for i := range 3 {
					ids = append(ids, s.Issue(t, s.LiveKey, testkit.Issuance(service, fmt.Sprint("order-", i))))
				}
				if step == workflows.ActivityExchange { // reached by what the first attempt does not end
					authority.Issuing = each(testkit.Undelivered, testkit.Undelivered, testkit.Undelivered)
				}
				poison.Add(ids[1], harm, step)
				s.StartWorker(t)
				for _, neighbour := range []string{ids[0], ids[2]} {
					s.Await(t, s.LiveKey, neighbour, nfse.StatusIssued)
				}
				testkit.Eventually(t, "the poison step is met", func() bool { return poison.Met(ids[1], step) > 0 })
				if harm != testkit.Hangs {
					testkit.Eventually(t, "it is tried again, and counted", func() bool {
						return poison.Met(ids[1], step) > 2 && rowsFailed(t, s, activities.LoopNotes) > 2
					})
				}
				if issued := s.Count(t, `SELECT count(*) FROM notes WHERE id = $1 AND status = 'issued'`,
					ids[1]); issued != 0 {
					t.Error("the poison note is issued")
				}
				poison.AutoFix(ids[1])
				s.Await(t, s.LiveKey, ids[1], nfse.StatusIssued)
				if documents := len(authority.Issued()); documents != 3 {
					t.Errorf("%d documents", documents)
				}
			})
		}
	}
}

// So does a note whose call to the authority panics or hangs: what was called is not
// known, so that the next thing is a question.
func TestLiveNote_PoisonCall(t *testing.T) {
	t.Parallel()
	for _, harm := range []testkit.Harm{testkit.Panics, testkit.Hangs} {
		t.Run(string(harm), func(t *testing.T) {
			t.Parallel()
			corrected := make(chan struct{})
			authority := &testkit.ScriptedAuthority{Entered: func(n int) {
				if n == 2 {
					_ = harm.Do(corrected)
				}
			}}
			s := testkit.NewSystem(t, testkit.Options{Worker: true, RowPauses: testkit.QuickPauses,
				Authorities: []worker.Authority{{Authority: authority, Rate: 1000, CallTimeout: 2 * time.Second}}})
			s.NewProfile(t, authority.Name())
			s.NewCertificate(t)
			service := s.NewService(t, s.LiveKey)
			for i := range 3 { // the second is the poison one: what hangs is not waited for
				id := s.Issue(t, s.LiveKey, testkit.Issuance(service, fmt.Sprint("order-", i)))
				if i == 1 {
					testkit.Eventually(t, "it is recorded as unknown", func() bool {
						return s.Count(t, `SELECT count(*) FROM fiscal_calls
							WHERE reason = $1`, fact.FailedHere.Fact()) == 1
					})
				}
				s.Await(t, s.LiveKey, id, nfse.StatusIssued)
			}
			close(corrected)
			if failed := rowsFailed(t, s, activities.LoopNotes); failed != 1 {
				t.Errorf("%v rows failed", failed)
			}
			if documents := len(authority.Issued()); documents != 3 {
				t.Errorf("%d documents", documents)
			}
		})
	}
}
