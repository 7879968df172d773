package worker_test

import (
	"testing"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/mails"
	"emissor/test/testkit"
)

// An e-mail whose document is in an archive that is away waits, says for what, and is sent afterwards; none of that
// counts as an attempt.
func TestEmail_ArchiveAway(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	id := p.issued(t, "archived")
	back := p.ArchiveAway(t)
	p.run(t, id)
	testkit.Eventually(t, "it says what it waits for", func() bool {
		email := p.email(t, id)
		return email.Status == mails.EmailPending && email.Attempts == 0 && email.LastProblem.Is(fact.EmailDocumentAway)
	})
	back()
	testkit.Eventually(t, "it is sent", func() bool { return p.email(t, id).Status == mails.EmailSent })
	if sent := len(p.box.Received()); sent != 1 {
		t.Errorf("%d were sent", sent)
	}
}

// The ZIP of a month waits for an archive that is away, and has every document afterwards.
func TestExport_ArchiveAway(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	manyNotes(t, s, 3)
	back := s.ArchiveAway(t)
	scope := nfse.Scope{OrganizationID: s.Organization.ID}
	if err := s.Changes().Books.MakeArchive(t.Context(), scope, thisMonth()); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "it was begun", func() bool {
		return s.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'export'`) == 0
	})
	if parts := s.Count(t, `SELECT count(*) FROM month_archive_parts`); parts != 0 {
		t.Errorf("it has %d parts", parts)
	}
	back()
	testkit.Eventually(t, "it is ready, and lacks nothing", func() bool {
		return s.Count(t, `SELECT count(*) FROM month_archives WHERE status = 'ready' AND problems = 0 AND notes = 4`) == 1
	})
}
