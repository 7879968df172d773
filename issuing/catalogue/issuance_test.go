package catalogue

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/store"
)

func newIssuance() nfse.Issuance {
	return nfse.Issuance{
		Reference: "order-1", ServiceID: "srv_1", AmountCents: 15000, Scenario: nfse.ScenarioAuthorized,
		Customer: &nfse.InlineTaker{
			TaxID: "52998224725", Name: "Maria", MunicipalityCode: new("3550308"),
			Address: nfse.Address{
				ZipCode: new("01310100"), Street: new("Paulista"), Number: new("1578"), District: new("Bela Vista"),
			},
		},
	}
}

func TestIssuance_Canonical(t *testing.T) {
	given := newIssuance()
	given.Scenario = ""
	given.Customer.TaxID, given.Customer.Address.ZipCode = "529.982.247-25", new("01310-100")
	kept, err := canonical(given, false)
	if err != nil || !reflect.DeepEqual(kept, newIssuance()) {
		t.Errorf("kept is %+v, %v", kept, err)
	}
	if given.Customer.TaxID != "529.982.247-25" || *given.Customer.Address.ZipCode != "01310-100" {
		t.Errorf("what was given has become %+v", given.Customer)
	}
}

func TestIssuance_WrongPlainValues(t *testing.T) {
	for _, test := range []struct {
		field, words string
		corrupt      func(*nfse.Issuance)
	}{
		{"reference", "must not begin or end with a space", func(i *nfse.Issuance) { i.Reference = " order" }},
		{"amount_cents", "must be an integer of cents from 1 to 999999999999999",
			func(i *nfse.Issuance) { i.AmountCents = -1 }},
		{"customer", "must be given by its id or in full, not both", func(i *nfse.Issuance) { i.CustomerID = "cus_1" }},
		{"tax_id", "has wrong check digits", func(i *nfse.Issuance) { i.Customer.TaxID = "52998224724" }},
		{"name", "must have 1 to 150 characters", func(i *nfse.Issuance) { i.Customer.Name = "" }},
		{"address.zip_code", "is required", func(i *nfse.Issuance) { i.Customer.Address.ZipCode = nil }},
		{"address.street", "is required", func(i *nfse.Issuance) { i.Customer.Address.Street = nil }},
		{"address.number", "is required", func(i *nfse.Issuance) { i.Customer.Address.Number = nil }},
		{"address.district", "is required", func(i *nfse.Issuance) { i.Customer.Address.District = nil }},
		{"address.complement", "must have 1 to 156 characters",
			func(i *nfse.Issuance) { i.Customer.Address.Complement = new("") }},
		{"address.street_type", "must have 1 to 20 characters",
			func(i *nfse.Issuance) { i.Customer.Address.StreetType = new("") }},
		{"address.street", "together with its street_type must have at most 255 characters", func(i *nfse.Issuance) {
			i.Customer.Address.StreetType = new("Avenida")
			i.Customer.Address.Street = new(strings.Repeat("x", 249))
			i.Customer.MunicipalityCode = new("") // comes later
		}},
		{"municipality_code", "must be an IBGE code of 7 digits",
			func(i *nfse.Issuance) { i.Customer.MunicipalityCode = new("SP") }},
		{"description", "must have 3 to 2000 characters", func(i *nfse.Issuance) { i.Description = new("ab") }},
		{"scenario", "must be one of: authorized, rejected, slow", func(i *nfse.Issuance) { i.Scenario = "issued" }},
	} {
		issuance := newIssuance()
		test.corrupt(&issuance)
		_, _, err := New(&store.Store{}, nil).Issue(t.Context(), nfse.APIKey{}, "req_1", issuance) // the store is never asked
		expectInvalid(t, err, test.field, test.words)
	}
}

func TestIssuance_NoScenarioInLive(t *testing.T) {
	live := nfse.APIKey{Scope: nfse.Scope{Livemode: true}}
	_, _, err := New(&store.Store{}, nil).Issue(t.Context(), live, "req_1", newIssuance())
	if !nfse.IsCode(err, nfse.CodeSandboxScenarioNotAllowed) {
		t.Errorf("got %v", err)
	}
}

// The room is below every door: it reads no requests and writes no answers.
func TestRooms_Catalogue(t *testing.T) {
	output, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, "emissor/issuing/catalogue").Output()
	if err != nil {
		t.Fatal(err)
	}
	for imported := range strings.Lines(string(output)) {
		switch path := strings.TrimSpace(imported); {
		case strings.HasPrefix(path, "net"), strings.Contains(path, "json"), path == "emissor/api":
			t.Errorf("package catalogue imports %s", path)
		}
	}
}
