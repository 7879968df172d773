package worker_test

import (
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// refusedFalsely is a company that its authority refuses so many times by a register that is out.
func refusedFalsely(t *testing.T, times int, patience time.Duration) nationally {
	t.Helper()
	n := newNationalIn(t, func(*national.Options, *sefin.Simulator) {},
		testkit.Options{Patience: fiscal.Patience{Doubtful: patience}})
	err := n.authority.RefuseNext(sefin.Refusal{Issuer: string(testkit.Issuer), Code: "E0160", Times: times})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What a register refuses falsely is asked about and sent again as it was, one note of the company at a time, and
// nobody is asked.
func TestDoubtfulRefusal(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, 2, time.Hour)
	first := n.order(t, "first")
	testkit.Eventually(t, "its refusal is doubted", func() bool {
		return n.Count(t, `SELECT count(*) FROM refusal_brakes WHERE code = 'E0160'`) == 1
	})
	second := n.order(t, "second")
	awaitReason(t, n.System, second, "note first of the same company")
	if held := n.Count(t, `SELECT count(*) FROM notes WHERE id = $1 AND held_reason IS NOT NULL`, first); held != 0 {
		t.Error("the first one is held for a person")
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
}

// Who corrects what is refused, although it may be false, need not wait: the note is signed anew at once.
func TestDoubtfulRefusal_Corrected(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, 1000, time.Hour)
	id := n.order(t, "order")
	testkit.Eventually(t, "its refusal is doubted", func() bool {
		return n.Count(t, `SELECT count(*) FROM refusal_brakes WHERE code = 'E0160'`) == 1
	})
	n.authority.EndRefusals()
	profile := n.NewProfile(t, national.Name)
	profile.ApproximateTaxes.Federal++
	n.SetProfile(t, profile)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	var digests []string
	for _, post := range n.authority.Posts() {
		digests = append(digests, post.Digest)
	}
	if last := len(digests) - 1; last < 1 || digests[0] == digests[last] {
		t.Errorf("it was not signed anew: %v", digests)
	}
	if left := n.Count(t, `SELECT count(*) FROM refusal_brakes`); left != 0 {
		t.Errorf("%d brakes are left", left)
	}
}

// After its time it is a refusal like any: the note is held for a person, and goes on by itself once the register is
// right.
func TestDoubtfulRefusal_ForLong(t *testing.T) {
	t.Parallel()
	n := refusedFalsely(t, 1000, time.Nanosecond)
	id := n.order(t, "order")
	awaitReason(t, n.System, id, "rule E0160 (opSimpNac)")
	sent := len(n.authority.Posts())
	n.newCertificate(t) // wakes up whatever waits
	testkit.Eventually(t, "it is tried again, and held", func() bool {
		return len(n.authority.Posts()) > sent && n.Count(t, `SELECT count(*) FROM notes
			WHERE held_reason @> '{"code": "refused_for_settings"}'`) == 1
	})
	if sent < 2 {
		t.Errorf("it was sent %d times before a person was asked", sent)
	}
	n.authority.EndRefusals()
	n.newCertificate(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
}
