package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/simulation"
	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/store/mails"
	"emissor/test/testkit"
)

// bookkept is an organization whose live notes are e-mailed and entered in the
// ledger.
func bookkept(t *testing.T, database *testkit.Database) nfse.APIKey {
	t.Helper()
	organization, err := database.Changes().Access.CreateOrganization(t.Context(), "Clínica Exemplo")
	must(t, err)
	key, err := database.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{
		Scope: nfse.Scope{OrganizationID: organization.ID, Livemode: true}, Label: "test",
		Defaults: nfse.Defaults{EmailCustomer: true, RegisterLedger: true},
	}, nfse.NewAPIKeyText(true))
	must(t, err)
	return key
}

// issueLive issues a live note as the worker would have. Its customer has no
// e-mail address.
func issueLive(t *testing.T, database *testkit.Database, key nfse.APIKey, reference string) (noteID string) {
	t.Helper()
	noteID = acceptLive(t, database, key, reference)
	_, err := database.Store.Lifecycle.BeginNote(t.Context(), noteID)
	must(t, err)
	note, _, err := database.Store.Lifecycle.NoteToSettle(t.Context(), noteID)
	must(t, err)
	authority, xml, err := simulation.Issue(note, nfse.Timestamp{Time: time.Now()})
	must(t, err)
	_, err = database.Store.Lifecycle.SettleIssued(t.Context(), noteID, authority, xml)
	must(t, err)
	return noteID
}

// acceptLive accepts the live note that issueLive issues.
func acceptLive(t *testing.T, database *testkit.Database, key nfse.APIKey, reference string) (noteID string) {
	t.Helper()
	service, err := database.Store.Catalogues.CreateService(t.Context(), key.Scope, nfse.Service{
		Name: "Consulta", Description: "Consulta médica", MunicipalityCode: "3550308", DefaultAmountCents: 15000,
		Active: true,
	})
	must(t, err)
	taker := nfse.InlineTaker{TaxID: "52998224725", Name: "Maria da Silva",
		Address: nfse.Address{ZipCode: new("01310100")}}
	accepted, _, err := database.Store.Lifecycle.AcceptNote(t.Context(), lifecycle.NewNote{
		Issuance: nfse.Issuance{Reference: reference, ServiceID: service.ID, AmountCents: 123456, Customer: &taker},
		Key:      key, RequestID: nfse.NewID(nfse.PrefixRequest), Service: service.Snapshot(nil),
		Customer:     nfse.CustomerSnapshot{TaxID: taker.TaxID, Name: taker.Name, Address: taker.Address},
		Municipality: nfse.NoteMunicipality{Code: "3550308", Source: nfse.MunicipalityFromZipCode, Verified: true},
	})
	must(t, err)
	return accepted.ID
}

// An e-mail that did not go out is found, understood and sent again by command.
func TestEmailCommand_Retry(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	key := bookkept(t, database)
	s := settingsOf(database).withoutTemporal()
	first, second := issueLive(t, database, key, "a"), issueLive(t, database, key, "b")
	database.Exec(t, `UPDATE customers SET email = 'maria@example.com'`)

	skipped := printed[[]mails.Email](t, s, "email", "list", "--status", "skipped", "--note", first)
	if len(skipped) != 1 || skipped[0].NoteID != first || skipped[0].OrganizationID != key.OrganizationID {
		t.Fatalf("listed are %+v", skipped)
	}
	table := succeeds(t, s, "email", "list")
	for _, part := range []string{skipped[0].ID, first, second, "skipped", "the customer has no e-mail address"} {
		if !strings.Contains(table, part) {
			t.Errorf("the list lacks %q:\n%s", part, table)
		}
	}
	for _, secret := range []string{"maria", "Maria", "52998224725"} {
		if strings.Contains(table, secret) {
			t.Errorf("the list shows %s", secret)
		}
	}
	if none := printed[[]mails.Email](t, s, "email", "list", "--status", "failed"); none == nil || len(none) != 0 {
		t.Errorf("listed are %+v", none)
	}

	succeeds(t, s, "email", "retry", skipped[0].ID)
	pending := printed[[]mails.Email](t, s, "email", "list", "--status", "pending")
	if len(pending) != 1 || pending[0].ID != skipped[0].ID {
		t.Errorf("pending are %+v", pending)
	}
	rows := database.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'email' AND subject_id = $1 AND restart`,
		skipped[0].ID)
	if rows != 1 {
		t.Errorf("%d rows in the outbox", rows)
	}
	must(t, database.Store.Mails.RecordEmailSent(t.Context(), skipped[0].ID))
	fails(t, s, "was sent at", "email", "retry", skipped[0].ID)
	fails(t, s, "there is no e-mail", "email", "retry", "eml_x")
	misused(t, s, "--status must be pending, sent, failed or skipped", "email", "list", "--status", "delivered")
}

// A script reads the fields by their documented names.
func TestEmailCommand_JSON(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	key := bookkept(t, database)
	issueLive(t, database, key, "a")
	var rows []map[string]any
	must(t, json.Unmarshal([]byte(succeeds(t, settingsOf(database).withoutTemporal(), "email", "list", "--json")),
		&rows))
	for _, name := range []string{"id", "organization_id", "note_id", "status", "reason", "attempts", "last_problem",
		"created_at", "resolved_at"} {
		if _, there := rows[0][name]; !there || len(rows[0]) != 9 {
			t.Errorf("%q is missing or something else is there: %v", name, rows[0])
		}
	}
}
