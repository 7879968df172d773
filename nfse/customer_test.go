package nfse_test

import (
	"testing"

	"emissor/nfse"
)

func TestCustomer_ShowsEveryField(t *testing.T) {
	expected := `{"id":"cus_01","document":"52998224725","name":"Maria","nickname":null,"email":null,` +
		`"municipality_code":null,` +
		`"address":{"street_type":null,"street":null,"number":null,` +
		`"district":null,"zip_code":null,"complement":null},` +
		`"fiscal_data_complete":false,"created_at":"2026-11-21T12:30:05.007Z","updated_at":"2026-11-21T12:30:05.007Z"}`
	customer := nfse.Customer{ID: "cus_01", TaxID: "52998224725", Name: "Maria", CreatedAt: at, UpdatedAt: at,
		MunicipalityDeclared: true}
	if printed, err := nfse.Marshal(customer); err != nil || string(printed) != expected {
		t.Errorf("the customer is printed (%v)\n%s\nexpected\n%s", err, printed, expected)
	}
}

func TestCustomer_MissingFiscalField(t *testing.T) {
	var customer nfse.Customer
	for _, step := range []struct {
		missing string
		fill    func()
	}{
		{"address.street", func() { customer.Address.Street = new("Rua A") }},
		{"address.number", func() { customer.Address.Number = new("1") }},
		{"address.district", func() { customer.Address.District = new("Centro") }},
		{"address.zip_code", func() { customer.Address.ZipCode = new("01310100") }},
		{"municipality_code", func() { customer.MunicipalityCode = new("3550308") }},
	} {
		if missing := customer.MissingFiscalField(); missing != step.missing {
			t.Errorf("%q is named, expected %q", missing, step.missing)
		}
		step.fill()
	}
	if missing := customer.MissingFiscalField(); missing != "" {
		t.Errorf("a complete customer lacks %q", missing)
	}
}
