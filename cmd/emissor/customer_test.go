package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"emissor/cmd/emissor/company"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/privacy"
	"emissor/test/testkit"
)

// takerCase is an organization with two takers, of whom one is asked about: she has
// a test note, a live note of this year, and a live note that the law lets go.
type takerCase struct {
	*testkit.System
	settings               settings
	test, live, old, other string // notes
}

const takerDocument = "52998224725"

func newTakerCase(t *testing.T) takerCase {
	t.Helper()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	receiver := testkit.NewReceiver(t, nil)
	s.NewEndpoint(t, receiver.URL, false)
	c := takerCase{System: s, settings: settingsOf(s.Database).withoutTemporal()}
	issue := func(reference, document string) string {
		body := testkit.Issuance(s.NewService(t, s.TestKey), reference)
		body["customer"].(testkit.Body)["document"] = document
		id := s.Issue(t, s.TestKey, body)
		s.Await(t, s.TestKey, id, nfse.StatusIssued)
		return id
	}
	c.test, c.other = issue("test", takerDocument), issue("other", "11144477735")
	testkit.Eventually(t, "the events are delivered", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 2
	})
	key, err := s.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{
		Scope: nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}, Label: "live",
		Defaults: nfse.Defaults{EmailCustomer: true, RegisterLedger: true},
	}, nfse.NewAPIKeyText(true))
	must(t, err)
	c.live, c.old = issueLive(t, s.Database, key, "live"), issueLive(t, s.Database, key, "old")
	s.Exec(t, `UPDATE customers SET email = 'maria@example.com' WHERE tax_id = $1`, takerDocument)
	s.Exec(t, `UPDATE notes SET issued_at = issued_at - interval '7 years' WHERE id = $1`, c.old)
	return c
}

// about are the flags that name her.
func (c takerCase) about(path ...string) []string {
	return append(path, "--organization", c.Organization.ID, "--document", "529.982.247-25")
}

// personal are the places of the database that tell of a taker, as text.
func (c takerCase) personal(t *testing.T, word string) (places []string) {
	t.Helper()
	return placesOf(t, c.Database, word)
}

func TestCustomerCommand_Export(t *testing.T) {
	t.Parallel()
	c := newTakerCase(t)
	c.Exec(t, `UPDATE notes SET details = '{"foreign_taker": {"name": "Maria da Silva", "city": "Lisboa"}}',
		taxation = '{"work": {"name": "Obra da Maria"}}' WHERE id = $1`, c.live)
	c.Exec(t, `INSERT INTO customer_taxations (customer_id, organization_id, livemode, taxation)
		SELECT id, organization_id, livemode, '{"simples": true}' FROM customers WHERE livemode AND tax_id = $1`,
		takerDocument)
	c.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id) VALUES ('dst_1', 'national', true, '1')`)
	c.Exec(t, `INSERT INTO received_notes (organization_id, livemode, production, distribution_id, position, access_key,
			role, issuer_tax_id, issuer_name, number, competence, issued_at, service_code, description, place_code,
			iss_withheld_by, xml, xml_hash)
		SELECT $1, true, true, 'dst_1', 1, 'KEY' || taker, 'taker', taker, 'Maria', '1', now(), now(), '', '', '', 0,
			convert_to('<NFSe/>', 'UTF8'), '' FROM unnest(ARRAY[$2, '11144477735']) taker`, c.Organization.ID,
		takerDocument)
	output := succeeds(t, c.settings, c.about("customer", "export")...)
	var export struct {
		OrganizationID string `json:"organization_id"`
		Document       string
		Customers      []privacy.RecordedCustomer
		Notes          []privacy.ExportedNote
		Received       []privacy.ExportedReceived `json:"received_notes"`
	}
	must(t, json.Unmarshal([]byte(output), &export))
	if export.OrganizationID != c.Organization.ID || export.Document != takerDocument || len(export.Customers) != 2 ||
		*export.Customers[1].Email != "maria@example.com" || len(export.Notes) != 3 {
		t.Fatalf("exported is %s", output)
	}
	if len(export.Received) != 1 || export.Received[0].XML != "<NFSe/>" ||
		export.Received[0].IssuerTaxID != takerDocument {
		t.Errorf("of notes that they have issued it says %+v", export.Received)
	}
	test, live := export.Notes[0], export.Notes[1]
	if test.Note.ID != c.test || test.XML == nil || !strings.Contains(*test.XML, takerDocument) ||
		len(test.Events) != 1 || !strings.Contains(string(test.Events[0].Payload), takerDocument) ||
		len(test.Attempts) != 1 || len(test.Steps) < 3 || len(test.Deliveries) != 1 {
		t.Errorf("of the test note it says %+v", test)
	}
	if test.Details != nil || live.Details == nil || live.Details.ForeignTaker.City != "Lisboa" ||
		live.Taxation.Work.Name != "Obra da Maria" || export.Customers[0].Taxation != nil ||
		!strings.Contains(string(*export.Customers[1].Taxation), "simples") {
		t.Errorf("what is set beside the API is %+v of the note, %+v", live, export.Customers)
	}
	if live.Note.ID != c.live || live.XML == nil || len(live.Emails) != 1 || len(live.Ledger) != 1 {
		t.Errorf("of the live note it says %+v", live)
	}
	if strings.Contains(output, "11144477735") || strings.Contains(output, c.other) {
		t.Error("another taker is in it")
	}
	entries := printed[[]audit.Entry](t, c.settings, "audit", "list", "--action", "customer")
	if len(entries) != 2 || entries[0].SubjectID != export.Customers[1].ID || entries[0].Action !=
		audit.CustomerExport {
		t.Errorf("the audit log says %+v", entries)
	}
}

// What is erased is in no column of any table any more; what must stay is listed,
// and what the API says stays true.
func TestCustomerCommand_Erase(t *testing.T) {
	t.Parallel()
	c := newTakerCase(t)
	before := strings.Join(c.personal(t, takerDocument), " ")
	c.Exec(t, `UPDATE notes SET status = 'processing' WHERE id = $1`, c.old)
	fails(t, c.settings, "is on its way: nothing was erased", c.about("customer", "erase", "--yes")...)
	c.Exec(t, `UPDATE notes SET status = 'issued' WHERE id = $1`, c.old)

	dry := printed[company.PrintedErasure](t, c.settings, c.about("customer", "erase")...)
	if dry.Erased || len(dry.Customers) != 2 || dry.Customers[0].NotesErased != 1 ||
		dry.Customers[1].NotesErased != 1 || dry.Customers[1].NotesStay != 1 || !dry.Customers[1].TaxIDStays ||
		len(dry.Stays) != 1 ||
		dry.Stays[0].ID != c.live || dry.Stays[0].Reference != "live" {
		t.Errorf("it would erase %+v", dry)
	}
	table := succeeds(t, c.settings, c.about("customer", "erase")...)
	for _, part := range []string{"NOTHING WAS ERASED", "THESE STAY", c.live, "all but the document"} {
		if !strings.Contains(table, part) {
			t.Errorf("it says\n%s\nwithout %q", table, part)
		}
	}
	if now := strings.Join(c.personal(t, takerDocument), " "); now != before {
		t.Errorf("the document was in %s, and without --yes is in %s", before, now)
	}

	if done := printed[company.PrintedErasure](t, c.settings, c.about("customer", "erase", "--yes")...); !done.Erased {
		t.Errorf("it says %+v", done)
	}
	// The live note of this year has it still: in its snapshot, its document and the row that it is found by.
	if places := strings.Join(c.personal(t, takerDocument), " "); places !=
		"customers.tax_id note_documents.xml notes.customer" {
		t.Errorf("the document is still in %s", places)
	}
	if places := c.personal(t, "maria@example.com"); len(places) > 0 {
		t.Errorf("the e-mail address is still in %v", places)
	}
	for _, erasedNote := range []string{c.test, c.old} {
		for _, table := range []string{"notes WHERE customer ->> 'document' = '" + takerDocument + "' AND id",
			"note_documents WHERE note_id", "events WHERE payload <> '' AND note_id"} {
			if c.Count(t, `SELECT count(*) FROM `+table+` = $1`, erasedNote) > 0 {
				t.Errorf("left of %s is a row of %s", erasedNote, table)
			}
		}
	}

	note := c.Call(t, http.MethodGet, "/v1/nfse/"+c.test, c.TestKey, nil).Expect(t, http.StatusOK)
	if note.Text("status") != "issued" || note.Text("reference") != "test" {
		t.Errorf("the test note is %s", note.Raw)
	}
	customer := c.Call(t, http.MethodGet, "/v1/customers/"+note.Text("customer_id"), c.TestKey, nil).
		Expect(t, http.StatusOK)
	if _, err := nfse.ParseTaxID(customer.Text("document")); err == nil || len(customer.Text("document")) != 14 {
		t.Errorf("the customer is %s", customer.Raw)
	}
	again := testkit.Issuance(c.Text(t, `SELECT service_id FROM notes WHERE id = $1`, c.test), "test")
	if replayed := c.Call(t, http.MethodPost, "/v1/nfse", c.TestKey, again).Expect(t,
		http.StatusAccepted); replayed.Text("id") != c.test {
		t.Errorf("its reference names %s", replayed.Raw)
	}
	c.Call(t, http.MethodGet, "/v1/nfse/"+c.other+"/xml", c.TestKey, nil).Expect(t, http.StatusOK)

	for _, entry := range printed[[]audit.Entry](t, c.settings, "audit", "list", "--action", "customer.erase") {
		if text := string(entry.Before) + string(entry.After); strings.Contains(text, takerDocument) ||
			!nfse.IsID(nfse.PrefixCustomer, entry.SubjectID) {
			t.Errorf("the audit log says %+v", entry)
		}
	}
	// It can be repeated, for the row that stays.
	succeeds(t, c.settings, c.about("customer", "erase", "--yes")...)
}

func TestCustomerCommand_Refused(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database)
	for _, verb := range []string{"export", "erase"} {
		misused(t, s, "--document has wrong check digits", "customer", verb, "--organization", organization.ID,
			"--document", "52998224724")
		fails(t, s, "the organization has no customer with this document", "customer", verb, "--organization",
			organization.ID, "--document", takerDocument)
		misused(t, s, "document", "customer", verb, "--organization", organization.ID)
	}
}
