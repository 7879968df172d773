package worker_test

import (
	"fmt"
	"testing"

	"emissor/internal/testkit"
	"emissor/nfse"
	"emissor/worker"
)

// The rate is kept on the authority's queue, and an organization with a long
// backlog does not make the others wait behind it.
func TestWorker_FairSharesOfTheAuthority(t *testing.T) {
	authority := &testkit.ScriptedAuthority{}
	s := testkit.NewSystem(t, testkit.Options{Worker: true,
		Authorities: []worker.Authority{{Authority: authority, Rate: 4}}})
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

	other := *s
	other.Organization, _, other.LiveKey = s.NewOrganization(t, "Another")
	other.NewProfile(t, authority.Name())
	other.NewCertificate(t)
	id := s.Issue(t, other.LiveKey, testkit.Issuance(other.NewService(t, other.LiveKey), "one"))
	before := s.Count(t, `SELECT count(*) FROM notes WHERE status = 'issued'`)
	s.Await(t, other.LiveKey, id, nfse.StatusIssued)
	passed := s.Count(t, `SELECT count(*) FROM notes WHERE status = 'issued'`) - before
	if passed > backlog/3 {
		t.Errorf("%d notes of the backlog went first", passed)
	}
	t.Logf("%d were issued before, %d meanwhile", before, passed)
}
