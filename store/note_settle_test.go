package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"emissor/fiscal/simulation"
	"emissor/internal/packed"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

func TestBegin_Once(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.accept(t, "pedido-1")
	first, err := tenant.Store.Lifecycle.BeginNote(t.Context(), id)
	must(t, err)
	if expected := (lifecycle.NoteState{Status: nfse.StatusProcessing,
		Scenario: nfse.ScenarioAuthorized}); first != expected {
		t.Errorf("the note stands at %+v, expected %+v", first, expected)
	}
	note, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, id)
	must(t, err)
	if note.ProcessingAt == nil || *note.ProcessingAt != note.UpdatedAt {
		t.Errorf("in processing since %v, updated at %v", note.ProcessingAt, note.UpdatedAt)
	}

	tenant.Exec(t, `UPDATE notes SET processing_at = processing_at - interval '20 seconds'`)
	again, err := tenant.Store.Lifecycle.BeginNote(t.Context(), id)
	must(t, err)
	if again.Status != nfse.StatusProcessing || again.InProcess < 20*time.Second || again.InProcess > time.Hour {
		t.Errorf("repeated, the note stands at %+v", again)
	}
	if after, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, id); err != nil ||
		after.UpdatedAt != note.UpdatedAt {
		t.Errorf("the repetition changed the note: %+v, %v", after, err)
	}
}

func TestNote_NotOnRecord(t *testing.T) {
	tenant := newTenant(t)
	id := nfse.NewID(nfse.PrefixNote)
	_, begin := tenant.Store.Lifecycle.BeginNote(t.Context(), id)
	_, question := tenant.Store.Lifecycle.MunicipalityQuestion(t.Context(), id)
	_, issued := tenant.settleIssued(t, tenant.Store, id)
	_, rejected := tenant.settleRejected(t, id)
	for step, err := range map[string]error{"begin": begin, "question": question, "issued": issued,
		"rejected": rejected} {
		if !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("%s: %v", step, err)
		}
	}
}

// A statement that waited for another run does not see what that one committed.
// The state must be read all the same, or the note would count as queued.
func TestBegin_RacesAnotherRun(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.accept(t, "pedido-1")
	other := begun(t, tenant.Database)
	_, err := other.Exec(`UPDATE notes SET status = 'processing', processing_at = now() WHERE id = $1`, id)
	must(t, err)

	standing, failure := make(chan lifecycle.NoteState, 1), make(chan error, 1)
	go func() {
		s, err := tenant.Store.Lifecycle.BeginNote(t.Context(), id)
		standing <- s
		failure <- err
	}()
	awaitWaiting(t, tenant.Database, 1)
	must(t, other.Commit())
	if s, err := <-standing, <-failure; err != nil || s.Status != nfse.StatusProcessing {
		t.Errorf("the note stands at %+v, %v", s, err)
	}
}

// A note that the sandbox ends in one step was in processing for no time.
func TestSettle_NotBegun(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.accept(t, "at-once")
	if state, err := tenant.Store.Lifecycle.NoteState(t.Context(), id); err != nil || state.Status != nfse.StatusQueued ||
		!state.EndsAtOnce() {
		t.Fatalf("%+v %v", state, err)
	}
	settled, err := tenant.settleIssued(t, tenant.Store, id)
	if err != nil || !settled.Changed || settled.Note.Status != nfse.StatusIssued {
		t.Fatalf("%+v %v", settled, err)
	}
	if note := settled.Note; note.ProcessingAt == nil || !note.ProcessingAt.Equal(note.IssuedAt.Time) {
		t.Errorf("processing began at %v, it was issued at %v", note.ProcessingAt, note.IssuedAt)
	}
	tenant.expectCounts(t, 1, 1, 1)
}

func TestSettle_Issued(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.begin(t, "pedido <&> 1")
	note, scenario, err := tenant.Store.Lifecycle.NoteToSettle(t.Context(), id)
	must(t, err)
	if scenario != nfse.ScenarioAuthorized {
		t.Errorf("the scenario is %q", scenario)
	}
	// The last tick before the next millisecond: the database would round it up.
	at := nfse.Timestamp{Time: time.Date(2026, 11, 21, 12, 30, 5, 7_999_999, time.UTC)}
	authority, xml, err := simulation.Issue(note, at)
	must(t, err)
	settled, err := tenant.Store.Lifecycle.SettleIssued(t.Context(), id, authority, xml)
	must(t, err)

	read, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, id)
	must(t, err)
	if !settled.Changed || settled.OrganizationID != tenant.scope.OrganizationID || settled.RequestID == "" ||
		!reflect.DeepEqual(settled.Note, read) {
		t.Errorf("settled as %+v, read as %+v", settled, read)
	}
	if read.Status != nfse.StatusIssued || read.IssuedAt == nil || *read.IssuedAt != read.UpdatedAt ||
		read.RejectedAt != nil || read.Rejection != nil {
		t.Errorf("the note is %+v", read)
	}
	if *read.Authority.Number != *authority.Number || *read.Authority.AccessKey != *authority.AccessKey ||
		*read.Authority.VerificationCode != *authority.VerificationCode ||
		read.Authority.IssuedAt.String() != at.String() {
		t.Errorf("the authority gave %+v, the note says %+v", authority, read.Authority)
	}
	if kept, err := tenant.Store.Notes.NoteXML(t.Context(), tenant.scope, id); err != nil || !bytes.Equal(kept, xml) {
		t.Errorf("the document is\n%s\nexpected\n%s\n%v", kept, xml, err)
	}
	tenant.expectEvent(t, read, nfse.EventIssued)
}

func TestSettle_Rejected(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.begin(t, "pedido-1")
	settled, err := tenant.settleRejected(t, id)
	must(t, err)
	read, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, id)
	must(t, err)
	if !settled.Changed || !reflect.DeepEqual(settled.Note, read) {
		t.Errorf("settled as %+v, read as %+v", settled, read)
	}
	if read.Status != nfse.StatusRejected || !reflect.DeepEqual(read.Rejection, &rejection) ||
		*read.RejectedAt != read.UpdatedAt ||
		read.IssuedAt != nil || read.Authority != nil {
		t.Errorf("the note is %+v", read)
	}
	if _, err := tenant.Store.Notes.NoteXML(t.Context(), tenant.scope, id); !nfse.IsCode(err, nfse.CodeXMLNotAvailable) {
		t.Errorf("the document of a rejected note is answered %v", err)
	}
	tenant.expectEvent(t, read, nfse.EventRejected)
}

// expectEvent expects one event of the note, of this type, whose bytes hold the
// note as it stands.
func (n tenancy) expectEvent(t *testing.T, note nfse.Note, eventType nfse.EventType) {
	t.Helper()
	var events []struct {
		ID             string         `db:"id"`
		OrganizationID string         `db:"organization_id"`
		Livemode       bool           `db:"livemode"`
		Type           nfse.EventType `db:"type"`
		Payload        string         `db:"-"`
		Stored         []byte         `db:"payload"`
		CreatedAt      nfse.Timestamp `db:"created_at"`
	}
	must(t, n.SQL.Select(&events, `SELECT id, organization_id, livemode, type, payload, created_at FROM events
		WHERE note_id = $1`, note.ID))
	if len(events) != 1 {
		t.Fatalf("there are %d events of the note", len(events))
	}
	event := events[0]
	body, err := packed.Unpack(event.Stored)
	must(t, err)
	event.Payload = string(body)
	object, err := nfse.Marshal(note)
	must(t, err)
	payload := fmt.Sprintf(`{"id":%q,"type":%q,"api_version":"v1","livemode":%t,"created_at":%q,"data":{"object":%s}}`,
		event.ID, eventType, note.Livemode, note.UpdatedAt, object)
	if event.Payload != payload || event.Type != eventType || event.OrganizationID != n.scope.OrganizationID ||
		event.Livemode != note.Livemode ||
		event.CreatedAt.String() != note.UpdatedAt.String() {
		t.Errorf("the event is\n%+v\nexpected the payload\n%s", event, payload)
	}
}

// record is everything that is kept of how a note ended.
func (n tenancy) record(t *testing.T, id string) string {
	t.Helper()
	return n.Text(t, `SELECT jsonb_build_object('note', to_jsonb(notes),
		'events', (SELECT jsonb_agg(to_jsonb(events)) FROM events WHERE note_id = notes.id),
		'documents', (SELECT jsonb_agg(to_jsonb(d)) FROM note_documents d WHERE d.note_id = notes.id))::text
		FROM notes WHERE id = $1`, id)
}

func TestSettle_StepsRepeated(t *testing.T) {
	tenant := newTenant(t)
	for _, status := range []nfse.Status{nfse.StatusIssued, nfse.StatusRejected} {
		id := tenant.begin(t, string(status))
		steps := map[string]func() (lifecycle.Settled, error){
			"issue":  func() (lifecycle.Settled, error) { return tenant.settleIssued(t, tenant.Store, id) },
			"reject": func() (lifecycle.Settled, error) { return tenant.settleRejected(t, id) },
		}
		first := map[nfse.Status]string{nfse.StatusIssued: "issue", nfse.StatusRejected: "reject"}[status]
		settled, err := steps[first]()
		must(t, err)
		before := tenant.record(t, id)
		for _, step := range []string{"issue", "reject", "begin", "verified", "declared", "reject", "issue"} {
			switch step {
			case "begin":
				if standing, err := tenant.Store.Lifecycle.BeginNote(t.Context(), id); err != nil || standing.Status != status {
					t.Errorf("%s after %s: %+v, %v", step, status, standing, err)
				}
			case "verified", "declared":
				must(t, tenant.Store.Lifecycle.CloseMunicipalityQuestion(t.Context(), id, step == "verified"))
			default:
				again, err := steps[step]()
				if err != nil || again.Changed || !reflect.DeepEqual(again.Note, settled.Note) {
					t.Errorf("%s after %s: %+v, %v", step, status, again, err)
				}
			}
			if after := tenant.record(t, id); after != before {
				t.Errorf("%s after %s changed\n%s\ninto\n%s", step, status, before, after)
			}
		}
	}
}

func TestSettle_AtTheSameTime(t *testing.T) {
	tenant := newTenant(t)
	for round := range 5 {
		id := tenant.accept(t, fmt.Sprint(round))
		type result struct {
			settled lifecycle.Settled
			err     error
		}
		results := together(16, func(i int) (r result) {
			if _, r.err = tenant.Store.Lifecycle.BeginNote(t.Context(), id); r.err != nil {
				return r
			}
			if i%2 == 0 {
				r.settled, r.err = tenant.settleIssued(t, tenant.Store, id)
			} else {
				r.settled, r.err = tenant.settleRejected(t, id)
			}
			return r
		})
		note, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, id)
		must(t, err)
		var fresh int
		for _, result := range results {
			must(t, result.err)
			if result.settled.Changed {
				fresh++
			}
			if !reflect.DeepEqual(result.settled.Note, note) {
				t.Errorf("one run saw the note end as %+v, on record it is %+v", result.settled.Note, note)
			}
		}
		if fresh != 1 {
			t.Errorf("%d runs say that they settled the note", fresh)
		}
		eventType, documents := nfse.EventIssued, 1
		if note.Status == nfse.StatusRejected {
			eventType, documents = nfse.EventRejected, 0
		}
		tenant.expectEvent(t, note, eventType)
		if kept := tenant.Count(t, `SELECT count(*) FROM note_documents WHERE note_id = $1`, id); kept != documents {
			t.Errorf("a note that is %s has %d documents", note.Status, kept)
		}
	}
}

func TestSettle_FailsHalfway(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.begin(t, "pedido-1")
	before := tenant.record(t, id)
	tenant.Exec(t, `ALTER TABLE events ADD CONSTRAINT full_disk CHECK (false)`)
	if _, err := tenant.settleIssued(t, tenant.Store, id); err == nil {
		t.Error("a settlement without an event is no error")
	}
	if after := tenant.record(t, id); after != before {
		t.Errorf("the settlement left\n%s\nbefore it was\n%s", after, before)
	}
	tenant.Exec(t, `ALTER TABLE events DROP CONSTRAINT full_disk`)
	if settled, err := tenant.settleIssued(t, tenant.Store, id); err != nil || !settled.Changed {
		t.Errorf("repeated: %+v, %v", settled, err)
	}
}

func TestMunicipalityQuestion_ClosedOnce(t *testing.T) {
	tenant := newTenant(t)
	note := tenant.note("pedido-1")
	note.Municipality = nfse.NoteMunicipality{Code: "3304557", Source: nfse.MunicipalityFromCaller}
	note.MunicipalityCheckPending = true
	accepted, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), note)
	must(t, err)

	if standing, err := tenant.Store.Lifecycle.BeginNote(t.Context(), accepted.ID); err != nil ||
		!standing.MunicipalityCheckPending {
		t.Errorf("the note stands at %+v, %v", standing, err)
	}
	expected := lifecycle.MunicipalityQuestion{Scope: tenant.scope, Pending: true, ZipCode: "01310100", Code: "3304557"}
	if question, err := tenant.Store.Lifecycle.MunicipalityQuestion(t.Context(), accepted.ID); err != nil ||
		question != expected {
		t.Errorf("the question is %+v, %v", question, err)
	}
	for _, verified := range []bool{true, false} { // the second comes too late
		must(t, tenant.Store.Lifecycle.CloseMunicipalityQuestion(t.Context(), accepted.ID, verified))
		read, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, accepted.ID)
		must(t, err)
		if expected := (nfse.NoteMunicipality{Code: "3304557", Source: nfse.MunicipalityFromCaller,
			Verified: true}); read.Municipality != expected {
			t.Errorf("the municipality is %+v", read.Municipality)
		}
	}
	if record, err := tenant.Store.Catalogues.Customer(t.Context(), tenant.scope, accepted.CustomerID); err != nil ||
		!record.MunicipalityDeclared {
		t.Errorf("the record does not know that its municipality was declared: %+v, %v", record, err)
	}
}

func TestMunicipalityQuestion_EndedNote(t *testing.T) {
	tenant := newTenant(t)
	note := tenant.note("pedido-1")
	note.Municipality.Verified, note.MunicipalityCheckPending = false, true
	accepted, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), note)
	must(t, err)
	_, err = tenant.Store.Lifecycle.BeginNote(t.Context(), accepted.ID)
	must(t, err)
	_, err = tenant.settleRejected(t, accepted.ID)
	must(t, err)
	before := tenant.record(t, accepted.ID)
	must(t, tenant.Store.Lifecycle.CloseMunicipalityQuestion(t.Context(), accepted.ID, true))
	if after := tenant.record(t, accepted.ID); after != before {
		t.Errorf("a note whose event is out was changed from\n%s\ninto\n%s", before, after)
	}
}
