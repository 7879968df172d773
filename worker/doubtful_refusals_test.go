package worker_test

import (
	"net/http"
	"testing"
	"time"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// refusedFalsely is a company that its authority refuses so many times by a register that is out, which is doubted
// for so long.
func refusedFalsely(t *testing.T, code string, times int, patience time.Duration) nationally {
	t.Helper()
	n := newNational(t, func(options *national.Options) { options.DoubtfulRefusals = patience }, nil)
	err := n.authority.RefuseNext(sefin.Refusal{Issuer: string(testkit.Issuer), Code: code, Times: times})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// awaitDoubt waits until it is certain that nothing exists of a note whose refusal is doubted.
func (n nationally) awaitDoubt(t *testing.T, id string) {
	t.Helper()
	testkit.Eventually(t, "its refusal is doubted, and nothing exists", func() bool {
		return n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE note_id = $1 AND state = 'signed'
			AND NOT ambiguous AND doubted_code IS NOT NULL AND not_found > 0`, id) == 1
	})
}

// doubtNoMore ends the time for which the refusal of a note is doubted, and has it tried again at once.
func (n nationally) doubtNoMore(t *testing.T, id string) {
	t.Helper()
	n.Exec(t, `UPDATE fiscal_exchanges SET doubted_until = now()`)
	n.tryNow(t, id)
}

// tryNow has a note tried again at once.
func (n nationally) tryNow(t *testing.T, id string) {
	t.Helper()
	if err := n.Changes().Lifecycle.RedriveNote(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

// What a register refuses falsely is asked about and sent again as it was, one note of the company at a time, and
// nobody is asked or told.
func TestDoubtfulRefusal(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, "E0160", 2, time.Hour)
	first := n.order(t, "first")
	n.awaitDoubt(t, first)
	second := n.order(t, "second")
	testkit.Eventually(t, "the second waits behind it", func() bool {
		return n.Count(t, `SELECT count(*) FROM note_steps WHERE note_id = $1 AND fact::text LIKE '%held_by_sibling%'`,
			second) == 1
	})
	if held := n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`); held != 0 {
		t.Errorf("%d notes are held for a person", held)
	}
	n.Await(t, n.LiveKey, first, nfse.StatusIssued)
	n.Await(t, n.LiveKey, second, nfse.StatusIssued)
	digests := map[string]int{}
	for _, post := range n.authority.Posts() {
		digests[post.ID+" "+post.Digest]++
	}
	asked := n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE note_id = $1 AND what = 'find'
		AND outcome = 'not_found'`, first)
	if len(digests) != 2 || len(n.authority.Posts()) != 4 || asked < 2 {
		t.Errorf("sent were %v, asked was %d times", digests, asked)
	}
	steps := n.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'refusal_doubted'`)
	if holds := n.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'waits'`); steps != 1 || holds != 1 {
		t.Errorf("the history has %d steps of the doubt, and %d of waiting", steps, holds)
	}
	if left := n.Count(t, `SELECT count(*) FROM refusal_brakes`); left != 0 {
		t.Errorf("%d sibling holds are left", left)
	}
}

// A person who corrects a refusal that may be false need not wait: the note is signed again.
func TestDoubtfulRefusal_Corrected(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, "E0160", 1000, time.Hour)
	id := n.order(t, "order")
	n.awaitDoubt(t, id)
	profile := n.NewProfile(t, national.Name)
	profile.ApproximateTaxes.Federal++
	n.SetProfile(t, profile)
	n.authority.EndRefusals()
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	posts := n.authority.Posts()
	if last := len(posts) - 1; last < 1 || posts[0].Digest == posts[last].Digest {
		t.Errorf("it was not signed anew: %v", posts)
	}
	if left := n.Count(t, `SELECT count(*) FROM refusal_brakes`); left != 0 {
		t.Errorf("%d sibling holds are left", left)
	}
}

// A cancellation while a refusal is doubted takes effect without the authority, as nothing exists; who waited behind
// it goes on.
func TestDoubtfulRefusal_Cancelled(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, "E0160", 1000, time.Hour)
	id := n.order(t, "order")
	n.awaitDoubt(t, id)
	behind := n.order(t, "behind")
	n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	n.authority.EndRefusals()
	n.Await(t, n.LiveKey, behind, nfse.StatusIssued)
	if documents := n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE state = 'accepted'`); documents != 1 {
		t.Errorf("%d documents", documents)
	}
}

// A worker that is gone while a refusal is doubted is followed by another one, which sends the same.
func TestDoubtfulRefusal_WorkerGone(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, "E0160", 2, time.Hour)
	id := n.order(t, "order")
	n.awaitDoubt(t, id)
	n.Worker.Stop()
	n.StartWorker(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	posts := n.authority.Posts()
	if last := len(posts) - 1; last != 2 || posts[0].Digest != posts[last].Digest {
		t.Errorf("sent were %v", posts)
	}
}

// After its time it is a refusal like any: of the company's settings, for a person, with the others behind it, and it
// goes on once the register is right; of the customer's, the end of the note.
func TestDoubtfulRefusal_ForLong(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, "E0160", 1000, time.Hour)
	id := n.order(t, "order")
	n.awaitDoubt(t, id)
	behind := n.order(t, "behind")
	n.doubtNoMore(t, id)
	awaitReason(t, n.System, id, "rule E0160 (opSimpNac)")
	n.tryNow(t, behind)
	awaitReason(t, n.System, behind, "the note order of the same company")
	sent := len(n.authority.Posts())
	n.tryNow(t, id)
	testkit.Eventually(t, "it is tried again, and held", func() bool {
		return len(n.authority.Posts()) > sent && n.Count(t, `SELECT count(*) FROM notes
			WHERE held_reason @> '{"code": "refused_for_settings"}'`) == 1
	})
	n.authority.EndRefusals()
	n.tryNow(t, id)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	n.Await(t, n.LiveKey, behind, nfse.StatusIssued)
}

// A note that an older version held is not doubted again.
func TestDoubtfulRefusal_HeldBefore(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, "E0160", 1000, time.Hour)
	id := n.order(t, "order")
	n.awaitDoubt(t, id)
	n.doubtNoMore(t, id)
	awaitReason(t, n.System, id, "rule E0160 (opSimpNac)")
	n.Exec(t, `UPDATE fiscal_exchanges SET doubted_code = NULL, doubted_until = NULL, -- as one that knows of none
		last_sent_at = now() - interval '1 hour'`)
	sent := len(n.authority.Posts())
	n.redrive(t)
	testkit.Eventually(t, "it is tried again, and held", func() bool {
		return len(n.authority.Posts()) > sent && n.Count(t, `SELECT count(*) FROM fiscal_exchanges
			WHERE state = 'unsigned' AND disposition = 'needs_person'`) == 1
	})
	if doubts := n.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'refusal_doubted'`); doubts != 1 {
		t.Errorf("it is doubted %d times", doubts)
	}
}

// While nobody answers what became of it the company waits for no longer than the doubt lasts: then a person is asked,
// other notes go on, and so does this one with the first answer.
func TestDoubtfulRefusal_Unanswered(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, "E0160", 1, time.Hour)
	n.faults(t, sefin.Fault{Kind: sefin.Status, Scope: sefin.Query, Status: http.StatusServiceUnavailable})
	id := n.order(t, "order")
	testkit.Eventually(t, "its refusal is doubted", func() bool {
		return n.Count(t, `SELECT count(*) FROM refusal_brakes WHERE code = 'E0160'`) == 1
	})
	behind := n.order(t, "behind")
	n.doubtNoMore(t, id)
	awaitReason(t, n.System, id, "rule E0160: a person must put right")
	n.tryNow(t, behind)
	n.Await(t, n.LiveKey, behind, nfse.StatusIssued)
	n.faults(t)
	n.redrive(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if documents := len(n.authority.Ledger()); documents != 2 {
		t.Errorf("%d documents", documents)
	}
}
