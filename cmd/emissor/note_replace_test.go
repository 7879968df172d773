package main

import (
	"maps"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/test/testkit"
)

// A note is replaced by command: what no flag gives stays, what must stay cannot be changed, and
// the same command again asks for nothing more.
func TestNoteCommand_Replace(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	key := bookkept(t, database)
	s := settingsOf(database).withoutTemporal()
	profile := nfse.FiscalProfile{OrganizationID: key.OrganizationID, Authority: "national", TaxID: testkit.Issuer,
		MunicipalityCode: "3304557", Simples: nfse.SimplesNone, Series: 1}
	database.SetProfile(t, profile)
	id := issueLive(t, database, key, "order")
	database.Exec(t, placedTaker, id)
	fails(t, s, "only a live note that was issued is replaced", "note", "replace", id, "--reference", "a",
		"--reason", "02")
	database.IssuedNationally(t, id)
	replace := func(reference string, more ...string) []string {
		return append([]string{"note", "replace", id, "--reference", reference}, more...)
	}
	fails(t, s, "--reason must be one of: 03, 04, 05, 99", replace("a", "--reason", "9")...)
	fails(t, s, "--text must say what the reason 99 is", replace("a", "--reason", "99")...)
	misused(t, s, "--text must have 15 to 255 characters", replace("a", "--reason", "99", "--text", "curto")...)
	profile.Simples = nfse.SimplesME
	database.SetProfile(t, profile)
	fails(t, s, "E0061", replace("a", "--reason", "02", "--amount-cents", "100")...)
	profile.Simples = nfse.SimplesNone
	database.SetProfile(t, profile)

	again := replace("order-2", "--reason", "99", "--text", "o valor estava errado na nota", "--amount-cents", "20000",
		"--description", "Consulta médica, com retorno")
	answer := printed[map[string]string](t, s, again...)
	if answer["status"] != "queued" || answer["replaces"] != id {
		t.Fatalf("the answer is %v", answer)
	}
	if said := succeeds(t, s, again...); !strings.Contains(said, answer["id"]+" replaces the note already") {
		t.Errorf("again it says %s", said)
	}
	if said := printed[map[string]string](t, s, again...); !maps.Equal(said, answer) {
		t.Errorf("again a script reads %v, expected %v", said, answer)
	}
	fails(t, s, "another note is on its way", replace("order-3", "--reason", "05")...)
	var kept struct {
		Amount      int64  `db:"amount_cents"`
		Description string `db:"description"`
		Taker       string `db:"taker"`
		Defaults    string `db:"defaults"`
	}
	must(t, database.SQL.Get(&kept, `SELECT amount_cents, coalesce(service_description, service ->> 'description') AS description,
		customer ->> 'document' AS taker, concat(email_customer, register_ledger) AS defaults
		FROM notes WHERE id = $1 AND replaces = $2`, answer["id"], id))
	if kept.Amount != 20000 || kept.Description != "Consulta médica, com retorno" || kept.Taker != "52998224725" ||
		kept.Defaults != "tt" {
		t.Errorf("the new note has %+v", kept)
	}
	for shown, says := range map[string]string{id: "replaced by", answer["id"]: "replaces"} {
		if table := succeeds(t, s, "note", "show", shown); !strings.Contains(table, says) ||
			!strings.Contains(table, "reference order") {
			t.Errorf("the note is shown without %q:\n%s", says, table)
		}
	}
	history := printed[lifecycle.NoteHistory](t, s, "note", "show", id)
	if history.ReplacedBy == nil || history.ReplacedBy.ID != answer["id"] || history.Replaces != nil {
		t.Errorf("a script reads %+v", history.ReplacedBy)
	}
}

// A note to a customer abroad, who has no tax id, is replaced by command as any other.
func TestNoteCommand_ReplaceForCustomerAbroad(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	key := bookkept(t, database)
	database.SetProfile(t, nfse.FiscalProfile{OrganizationID: key.OrganizationID, Authority: "national",
		TaxID: testkit.Issuer, MunicipalityCode: "3304557", Simples: nfse.SimplesNone, Series: 1})
	id := issueLive(t, database, key, "order")
	abroad := nfse.ForeignParty{Name: "Acme Inc", NIF: "98-7654321", Country: "US", Street: "Market Street",
		Number: "1", District: "SoMa", ForeignPlace: nfse.ForeignPlace{PostalCode: "94105", City: "San Francisco",
			Region: "CA"}}
	details, err := nfse.Marshal(nfse.NoteDetails{ForeignTaker: &abroad})
	must(t, err)
	database.Exec(t, `UPDATE notes SET details = $2,
		customer = customer || jsonb_build_object('document', $3::text, 'name', $4::text) WHERE id = $1`,
		id, string(details), nfse.ForeignTaxID(abroad), abroad.Name)
	database.IssuedNationally(t, id)
	again := []string{"note", "replace", id, "--reference", "order-2", "--reason", "99", "--text",
		"a descrição do serviço estava errada", "--description", "Consulta médica, corrigida"}
	answer := printed[map[string]string](t, settingsOf(database).withoutTemporal(), again...)
	if kept := database.Text(t, `SELECT concat(customer ->> 'document', ' ', details -> 'foreign_taker' ->> 'nif')
		FROM notes WHERE id = $1 AND replaces = $2`, answer["id"], id); kept !=
		string(nfse.ForeignTaxID(abroad))+" 98-7654321" {
		t.Errorf("the new note is for %s", kept)
	}
	if said := succeeds(t, settingsOf(database).withoutTemporal(), again...); !strings.Contains(said, "already") {
		t.Errorf("again it says %s", said)
	}
}

// placedTaker gives the customer of a note the rest of an address.
const placedTaker = `UPDATE notes SET customer = jsonb_set(customer, '{address}', customer -> 'address' ||
	'{"street": "Avenida Paulista", "number": "1578", "district": "Bela Vista"}') WHERE id = $1`
