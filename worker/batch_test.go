package worker_test

import (
	"fmt"
	"testing"
	"time"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/store/batches"
	"emissor/test/testkit"
)

// acceptBatch has a spreadsheet of test notes accepted by a person, a line for each of them, and returns its id.
func acceptBatch(t *testing.T, s *testkit.System, service string, lines int) (id string) {
	t.Helper()
	person := s.Store.By(nfse.Actor{
		Kind: nfse.ActorUser, ID: nfse.NewID(nfse.PrefixUser), From: "127.0.0.1", RequestID: nfse.NewID(nfse.PrefixRequest),
	})
	scope := nfse.Scope{OrganizationID: s.Organization.ID}
	street, number, district, zip := "Avenida Paulista", "1578", "Bela Vista", "01310100"
	rows := make([]batches.BatchLine, lines)
	for i := range rows {
		rows[i] = batches.BatchLine{Line: i + 2, TaxID: "52998224725", Issuance: nfse.Issuance{
			Reference: fmt.Sprintf("line-%d", i+2), ServiceID: service, AmountCents: 15000,
			Customer: &nfse.InlineTaker{TaxID: "52998224725", Name: "Maria da Silva", Address: nfse.Address{
				Street: &street, Number: &number, District: &district, ZipCode: &zip,
			}},
		}}
	}
	id, _, err := person.Batches.CreateBatch(t.Context(), batches.Batch{
		Scope: scope, Digest: "digest", AmountCents: int64(lines) * 15000,
	}, rows)
	if err == nil {
		_, err = person.Batches.AcceptBatch(t.Context(), scope, id, "", "", nfse.Defaults{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func awaitBatch(t *testing.T, s *testkit.System, id string) {
	t.Helper()
	testkit.Eventually(t, "the spreadsheet is done", func() bool {
		return s.Text(t, `SELECT status FROM batches WHERE id = $1`, id) == string(batches.BatchDone)
	})
}

// The run of a spreadsheet is killed where a note was accepted and its line does not know it yet: another run
// goes on, and each line has one note, which the spreadsheet counts as its own.
func TestBatch_KilledAfterALine(t *testing.T) {
	t.Parallel()
	const lines, broken = 120, 60
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	service := s.NewService(t, s.TestKey)
	s.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'killed here'; END $$`)
	s.Exec(t, fmt.Sprintf(`CREATE TRIGGER refuse BEFORE UPDATE ON batch_lines FOR EACH ROW WHEN (NEW.line = %d)
		EXECUTE FUNCTION refuse()`, broken))
	id := acceptBatch(t, s, service, lines)
	testkit.Eventually(t, "the note of the line is there", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE reference = $1`, fmt.Sprintf("line-%d", broken)) == 1
	})
	s.Worker.Stop()
	if err := s.Temporal.TerminateWorkflow(t.Context(), id, "", "killed by the test"); err != nil {
		t.Fatal(err)
	}
	before := s.Text(t, `SELECT id FROM notes WHERE reference = $1`, fmt.Sprintf("line-%d", broken))
	if ended := s.Count(t, `SELECT count(*) FROM batch_lines WHERE status <> 'waiting'`); ended != broken-2 {
		t.Fatalf("%d lines have ended when the run is killed", ended)
	}
	s.Exec(t, `DROP TRIGGER refuse ON batch_lines`)
	s.Exec(t, `UPDATE batches SET requeue_after = now() WHERE id = $1`, id)
	if _, requeued, err := s.Store.Batches.RequeueBatches(t.Context(), 10); requeued != 1 || err != nil {
		t.Fatalf("%d are started again: %v", requeued, err)
	}
	s.StartWorker(t)
	awaitBatch(t, s, id)

	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != lines {
		t.Errorf("%d lines became %d notes", lines, notes)
	}
	if own := s.Count(t, `SELECT count(DISTINCT note_id) FROM batch_lines l JOIN notes n ON n.id = l.note_id
		WHERE l.status = 'accepted' AND n.reference = 'line-' || l.line`); own != lines {
		t.Errorf("%d of %d lines have a note of their own", own, lines)
	}
	if after := s.Text(t, `SELECT note_id FROM batch_lines WHERE line = $1`, broken); after != before {
		t.Errorf("the note of the line was %s, and is %s", before, after)
	}
	testkit.Eventually(t, "every note is issued", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE status = 'issued'`) == lines
	})
}

// A day of competence that was possible when a person accepted the spreadsheet is, whenever its line is tried; one that
// was not is refused, and stops no other.
func TestBatch_DayOfWhoAccepted(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	profile := nfse.FiscalProfile{OrganizationID: s.Organization.ID, Authority: national.Name, TaxID: testkit.Issuer,
		MunicipalityCode: rio, Simples: nfse.SimplesNone, Series: 1, CompetenceDaysBack: new(int)}
	s.SetProfile(t, profile)
	service := s.NewService(t, s.TestKey)
	s.Worker.Stop()
	id := acceptBatch(t, s, service, 3)
	s.Exec(t, `UPDATE batches SET accepted_at = accepted_at - interval '3 days'`)
	for line, days := range map[int]int{2: 3, 3: 4, 4: 2} {
		s.Exec(t, `UPDATE batch_lines SET request = request || jsonb_build_object('Competence', $2::text) WHERE line = $1`,
			line, string(nfse.DayOf(time.Now()).Before(days)))
	}
	s.StartWorker(t)
	awaitBatch(t, s, id)
	if became := s.Text(t, `SELECT string_agg(line || ' ' || status || coalesce(' ' || field, ''), ', ' ORDER BY line)
		FROM batch_lines`); became != "2 accepted, 3 failed competence, 4 failed competence" {
		t.Errorf("the lines are %s", became)
	}
}
