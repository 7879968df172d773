package store_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/test/testkit"
)

func TestAcceptNote_OneOfEach(t *testing.T) {
	tenant := newTenant(t)
	note := tenant.note("pedido-1")
	note.Key.Defaults = nfse.Defaults{EmailCustomer: true, ConfirmMunicipalOperation: true}
	accepted, created, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), note)
	must(t, err)
	if !created || !nfse.IsID(nfse.PrefixNote, accepted.ID) || accepted.Status != nfse.StatusQueued ||
		accepted.Livemode || accepted.Reference != "pedido-1" {
		t.Errorf("created is %v, the acceptance %+v", created, accepted)
	}

	record, err := tenant.Store.Catalogues.Customer(t.Context(), tenant.scope, accepted.CustomerID)
	must(t, err)
	if record.TaxID != note.Customer.TaxID || record.Name != "Maria da Silva" ||
		!reflect.DeepEqual(record.Address, note.Customer.Address) ||
		*record.MunicipalityCode != "3550308" || record.MunicipalityDeclared || !record.FiscalDataComplete {
		t.Errorf("the customer is %+v", record)
	}

	read, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, accepted.ID)
	must(t, err)
	expected := nfse.Note{
		ID: accepted.ID, Status: nfse.StatusQueued, Reference: "pedido-1", CustomerID: record.ID,
		ServiceID: tenant.service.ID, AmountCents: 15000, Competence: nfse.DayOf(read.CreatedAt.Time),
		Service: note.Service, Customer: note.Customer, Municipality: note.Municipality, CreatedAt: read.CreatedAt,
		UpdatedAt: read.CreatedAt,
	}
	if !reflect.DeepEqual(read, expected) {
		t.Errorf("the note is\n%+v\nexpected\n%+v", read, expected)
	}

	var kept struct {
		APIKeyID  string `db:"api_key_id"`
		RequestID string `db:"request_id"`
		nfse.Defaults
	}
	must(t, tenant.SQL.Get(&kept, `SELECT api_key_id, request_id, email_customer, register_ledger,
		confirm_municipal_operation FROM notes`))
	if kept.APIKeyID != tenant.key.ID || kept.RequestID != note.RequestID || kept.Defaults != note.Key.Defaults {
		t.Errorf("the note keeps %+v", kept)
	}

	waiting, err := tenant.Store.Outbox.WaitingStarts(t.Context(), 10)
	must(t, err)
	if len(waiting) != 1 || waiting[0].Kind != "note" || waiting[0].SubjectID != accepted.ID ||
		waiting[0].OrganizationID != tenant.scope.OrganizationID || waiting[0].Livemode ||
		waiting[0].Reference != "pedido-1" {
		t.Errorf("the outbox holds %+v", waiting)
	}
}

func TestAcceptNote_Snapshot(t *testing.T) {
	tenant := newTenant(t)
	first := tenant.note("pedido-1")
	accepted, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), first)
	must(t, err)
	_, err = tenant.Store.Catalogues.UpdateCustomer(t.Context(), tenant.scope, accepted.CustomerID,
		func(c *nfse.Customer) error {
			c.Name, c.Email = "Maria Souza", new("maria@example.com")
			return nil
		})
	must(t, err)

	second := tenant.note("pedido-2")
	second.Customer.TaxID, second.Customer.Name = first.Customer.TaxID, "M. Silva"
	again, created, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), second)
	must(t, err)
	if !created || again.CustomerID != accepted.CustomerID {
		t.Fatalf("created is %v, the customer %s, expected that on record, %s", created, again.CustomerID,
			accepted.CustomerID)
	}
	read, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, again.ID)
	must(t, err)
	if read.Customer.Name != "M. Silva" || read.Customer.Email == nil || *read.Customer.Email != "maria@example.com" {
		t.Errorf("the second note's customer is %+v: expected the name as sent and the e-mail on record", read.Customer)
	}
	if record, err := tenant.Store.Catalogues.Customer(t.Context(), tenant.scope, accepted.CustomerID); err != nil ||
		record.Name != "Maria Souza" {
		t.Errorf("the record was overwritten: %+v, %v", record, err)
	}
	if old, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, accepted.ID); err != nil ||
		old.Customer.Name != "Maria da Silva" || old.Customer.Email != nil {
		t.Errorf("the first note's customer became %+v, %v", old.Customer, err)
	}
}

func TestReplay_SameOrConflict(t *testing.T) {
	tenant := newTenant(t)
	note := tenant.note("pedido-1")
	if _, found, err := tenant.Store.Lifecycle.Replay(t.Context(), tenant.scope, note.Issuance); found || err != nil {
		t.Fatalf("a new reference is found: %v, %v", found, err)
	}
	accepted, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), note)
	must(t, err)
	_, err = tenant.Store.Lifecycle.BeginNote(t.Context(), accepted.ID)
	must(t, err)

	found, ok, err := tenant.Store.Lifecycle.Replay(t.Context(), tenant.scope, note.Issuance)
	if err != nil || !ok || found.ID != accepted.ID || found.Status != nfse.StatusProcessing ||
		found.CustomerID != accepted.CustomerID {
		t.Errorf("the replay is %+v, %v, %v", found, ok, err)
	}
	different := note.Issuance
	different.AmountCents++
	if _, ok, err := tenant.Store.Lifecycle.Replay(t.Context(), tenant.scope, different); ok ||
		!nfse.IsCode(err, nfse.CodeIdempotencyConflict) {
		t.Errorf("a different request is answered %v, %v", ok, err)
	}
	live := tenant.inLive(t)
	if _, ok, err := tenant.Store.Lifecycle.Replay(t.Context(), live.scope, note.Issuance); ok || err != nil {
		t.Errorf("the reference is known in the other environment: %v, %v", ok, err)
	}
	stranger := addTenant(t, tenant.Database, false)
	if _, ok, err := tenant.Store.Lifecycle.Replay(t.Context(), stranger.scope, note.Issuance); ok || err != nil {
		t.Errorf("the reference is known to another organization: %v, %v", ok, err)
	}
}

func TestReplay_UnknownPayloadVersion(t *testing.T) {
	tenant := newTenant(t)
	note := tenant.note("pedido-1")
	_, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), note)
	must(t, err)
	tenant.Exec(t, `UPDATE note_references SET payload_version = 2`)
	if _, ok, err := tenant.Store.Lifecycle.Replay(t.Context(), tenant.scope, note.Issuance); ok || err == nil ||
		nfse.IsCode(err, nfse.CodeIdempotencyConflict) {
		t.Errorf("answered %v, %v", ok, err)
	}
}

func TestAcceptNote_FiftyTwins(t *testing.T) {
	tenant := newTenant(t)
	note := tenant.note("pedido-1")
	answers := together(50, func(int) (answer acceptance) {
		answer.accepted, answer.created, answer.err = tenant.Store.Lifecycle.AcceptNote(t.Context(), note)
		return answer
	})
	var created int
	for _, answer := range answers {
		must(t, answer.err)
		if answer.accepted.ID != answers[0].accepted.ID ||
			answer.accepted.CustomerID != answers[0].accepted.CustomerID {
			t.Errorf("the twins read %+v and %+v", answer.accepted, answers[0].accepted)
		}
		if answer.created {
			created++
		}
	}
	if created != 1 {
		t.Errorf("%d twins say that they created the note", created)
	}
	tenant.expectCounts(t, 1, 1, 1)
}

func TestAcceptNote_LosersLeaveNothing(t *testing.T) {
	tenant := newTenant(t)
	answers := together(20, func(int) (answer acceptance) {
		answer.accepted, answer.created, answer.err = tenant.Store.Lifecycle.AcceptNote(t.Context(),
			tenant.note("pedido-1")) // of 20 customers
		return answer
	})
	var created int
	for _, answer := range answers {
		switch {
		case answer.created:
			created++
		case !nfse.IsCode(answer.err, nfse.CodeIdempotencyConflict):
			t.Errorf("a loser is answered %+v, %v", answer.accepted, answer.err)
		}
	}
	if created != 1 {
		t.Errorf("%d requests created the note", created)
	}
	tenant.expectCounts(t, 1, 1, 1)
}

// A later request under the same reference gets the note only if it gave the same details.
func TestAcceptNote_OtherDetails(t *testing.T) {
	tenant := newTenant(t)
	plain, detailed := tenant.note("plain"), tenant.note("detailed")
	detailed.Details.ConditionalDiscountCents = 100
	for _, first := range []lifecycle.NewNote{plain, detailed} {
		accepted, created, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), first)
		must(t, err)
		if again, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), first); err != nil || again.ID != accepted.ID ||
			!created {
			t.Errorf("%s, again: %+v, %v", first.Reference, again, err)
		}
		other := first
		other.Details.ConditionalDiscountCents = 200
		_, created, err = tenant.Store.Lifecycle.AcceptNote(t.Context(), other)
		if created || !nfse.IsCode(err, nfse.CodeIdempotencyConflict) {
			t.Errorf("%s, with other details: %v, %v", first.Reference, created, err)
		}
	}
	detailed.Details = nfse.NoteDetails{}
	if _, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), detailed); !nfse.IsCode(err,
		nfse.CodeIdempotencyConflict) {
		t.Errorf("without the details: %v", err)
	}
}

func TestAcceptNote_RaceForCustomer(t *testing.T) {
	tenant := newTenant(t)
	document := tenant.note("").Customer.TaxID
	answers := together(20, func(i int) (answer acceptance) {
		note := tenant.note(fmt.Sprintf("pedido-%d", i))
		note.Customer.TaxID = document
		answer.accepted, answer.created, answer.err = tenant.Store.Lifecycle.AcceptNote(t.Context(), note)
		return answer
	})
	for _, answer := range answers {
		must(t, answer.err)
		if !answer.created || answer.accepted.CustomerID != answers[0].accepted.CustomerID {
			t.Errorf("created is %v, the customer %s and %s", answer.created, answer.accepted.CustomerID,
				answers[0].accepted.CustomerID)
		}
	}
	tenant.expectCounts(t, 1, 20, 20)
}

// acceptBehind accepts a note that has to wait for another transaction, and then ends
// that.
func (n tenancy) acceptBehind(t *testing.T, note lifecycle.NewNote, end func() error) acceptance {
	t.Helper()
	result := make(chan acceptance, 1)
	go func() {
		var answer acceptance
		answer.accepted, answer.created, answer.err = n.Store.Lifecycle.AcceptNote(t.Context(), note)
		result <- answer
	}()
	awaitWaiting(t, n.Database, 1)
	must(t, end())
	return <-result
}

// The record that an acceptance waits for is invisible to its statement even
// when it is committed at last.
func TestAcceptNote_WaitedForCustomer(t *testing.T) {
	tenant := newTenant(t)
	note := tenant.note("pedido-1")
	other := begun(t, tenant.Database)
	must(t, insertCustomer(other, tenant, "cus_other", note.Customer.TaxID))

	answer := tenant.acceptBehind(t, note, other.Commit)
	if answer.err != nil || !answer.created || answer.accepted.CustomerID != "cus_other" {
		t.Errorf("the acceptance is %+v", answer)
	}
	tenant.expectCounts(t, 1, 1, 1)
}

func TestAcceptNote_WaitedForNothing(t *testing.T) {
	tenant := newTenant(t)
	note := tenant.note("pedido-1")
	other := begun(t, tenant.Database)
	must(t, insertCustomer(other, tenant, "cus_other", note.Customer.TaxID))

	answer := tenant.acceptBehind(t, note, other.Rollback)
	if answer.err != nil || !answer.created || answer.accepted.CustomerID == "cus_other" {
		t.Errorf("the acceptance is %+v", answer)
	}
	tenant.expectCounts(t, 1, 1, 1)
}

// A note that is accepted while its customer is erased gets a record of its own: no
// taker comes back under a record that has none.
func TestAcceptNote_CustomerBeingErased(t *testing.T) {
	tenant := newTenant(t)
	before, note := tenant.note("before"), tenant.note("meanwhile")
	note.Issuance.Customer, note.Customer = before.Issuance.Customer, before.Customer
	first, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), before)
	must(t, err)
	erased := first.CustomerID
	other := begun(t, tenant.Database)
	_, err = other.Exec(`UPDATE customers SET tax_id = $2, name = '-' WHERE id = $1`, erased, nfse.NobodysTaxID(erased))
	must(t, err)

	answer := tenant.acceptBehind(t, note, other.Commit)
	if answer.err != nil || !answer.created || answer.accepted.CustomerID == erased {
		t.Errorf("the acceptance is %+v, of a customer who was erased", answer)
	}
	tenant.expectCounts(t, 2, 2, 2)
}

func TestAcceptNote_DoesNotWaitForCatalogue(t *testing.T) {
	tenant := newTenant(t)
	first := tenant.note("pedido-1")
	accepted, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), first)
	must(t, err)

	acceptAnother := func(reference string) {
		note := tenant.note(reference)
		note.Customer.TaxID = first.Customer.TaxID
		if _, created, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), note); err != nil || !created {
			t.Errorf("created is %v, %v", created, err)
		}
	}
	_, err = tenant.Store.Catalogues.UpdateCustomer(t.Context(), tenant.scope, accepted.CustomerID,
		func(c *nfse.Customer) error {
			acceptAnother("pedido-2")
			c.Nickname = new("Mari")
			return nil
		})
	must(t, err)
	_, err = tenant.Store.Catalogues.UpdateService(t.Context(), tenant.scope, tenant.service.ID,
		func(s *nfse.Service) error {
			acceptAnother("pedido-3")
			return nil
		})
	must(t, err)
}

type acceptance struct {
	accepted lifecycle.Acceptance
	created  bool
	err      error
}

// together runs do so many times at once.
func together[T any](times int, do func(i int) T) []T {
	results := make([]T, times)
	start := make(chan struct{})
	var group sync.WaitGroup
	for i := range times {
		group.Go(func() {
			<-start
			results[i] = do(i)
		})
	}
	close(start)
	group.Wait()
	return results
}

func insertCustomer(tx *sqlx.Tx, tenant tenancy, id string, document nfse.TaxID) error {
	_, err := tx.Exec(`INSERT INTO customers (id, organization_id, livemode, tax_id, name, municipality_declared)
		VALUES ($1, $2, $3, $4, 'Maria', false)`, id, tenant.scope.OrganizationID, tenant.scope.Livemode, document)
	return err
}

// expectCounts counts what the database holds in all.
func (n tenancy) expectCounts(t *testing.T, customers, notes, outbox int) {
	t.Helper()
	for table, expected := range map[string]int{"customers": customers, "notes": notes, "outbox": outbox} {
		if rows := n.Count(t, `SELECT count(*) FROM `+table); rows != expected {
			t.Errorf("there are %d %s, expected %d", rows, table, expected)
		}
	}
}

// The day of competence is the day of the acceptance in Brasília, regardless of the session's time zone; where a day
// was set, it is that one.
func TestAcceptNote_Competence(t *testing.T) {
	tenant := newTenant(t)
	for _, zone := range []string{"UTC", "Asia/Tokyo", "America/Sao_Paulo", "Pacific/Honolulu"} {
		elsewhere := testkit.OpenStore(t, tenant.URL+"&timezone="+zone)
		accepted, _, err := elsewhere.Lifecycle.AcceptNote(t.Context(), tenant.note("order in "+zone))
		must(t, err)
		note, err := elsewhere.Notes.Note(t.Context(), tenant.scope, accepted.ID)
		must(t, err)
		if note.Competence != nfse.DayOf(note.CreatedAt.Time) {
			t.Errorf("in %s a note of %s is of %s", zone, note.CreatedAt, note.Competence)
		}
	}
	set := tenant.note("set")
	set.Competence = "2026-10-31"
	accepted, _, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), set)
	must(t, err)
	if note, err := tenant.Store.Notes.Note(t.Context(), tenant.scope, accepted.ID); err != nil ||
		note.Competence != "2026-10-31" {
		t.Errorf("the note is of %s, %v", note.Competence, err)
	}
	if _, _, err := tenant.Store.Lifecycle.Replay(t.Context(), tenant.scope,
		tenant.note("set").Issuance); !nfse.IsCode(err,
		nfse.CodeIdempotencyConflict) {
		t.Errorf("of another day it is %v", err)
	}
}
