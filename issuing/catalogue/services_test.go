package catalogue

import (
	"errors"
	"reflect"
	"testing"

	"emissor/nfse"
	"emissor/store"
)

// expectInvalid fails the test unless err is the invalid_request error of a
// field, in words that read after its name.
func expectInvalid(t *testing.T, err error, field, words string) {
	t.Helper()
	var known *nfse.Error
	if !errors.As(err, &known) || !reflect.DeepEqual(known, nfse.Invalid(field, "%s", words)) {
		t.Errorf("got %v, want %s %s", err, field, words)
	}
}

// set is a change that sets a field that may be cleared.
func set[T any](value T) **T { return new(new(value)) }

func newService() ServiceChange {
	return ServiceChange{
		Name: new("Consulta"), Description: new("Consulta médica"), MunicipalityCode: new("3550308"),
		DefaultAmountCents: new(int64(15000)),
	}
}

func TestService_WrongPlainValues(t *testing.T) {
	for _, test := range []struct {
		field, words string
		corrupt      func(*ServiceChange)
	}{
		{"name", "is required", func(c *ServiceChange) { c.Name = nil }},
		{"name", "must have 2 to 80 characters", func(c *ServiceChange) { c.Name = new("C") }},
		{"name", "must have a visible character", func(c *ServiceChange) { c.Name = new("\u200b\ufeff") }},
		{"description", "is required", func(c *ServiceChange) { c.Description = nil }},
		{"description", "must not hold control characters", func(c *ServiceChange) { c.Description = new("a\x00b") }},
		{"municipality_code", "is required", func(c *ServiceChange) { c.MunicipalityCode = nil }},
		{"municipality_code", "is not the IBGE code of a municipality",
			func(c *ServiceChange) { c.MunicipalityCode = new("3550309") }},
		{"default_amount_cents", "is required", func(c *ServiceChange) { c.DefaultAmountCents = nil }},
		{"default_amount_cents", "must be an integer of cents from 1 to 999999999999999",
			func(c *ServiceChange) { c.DefaultAmountCents = new(int64(0)) }},
		{"national_tax_code", "must be 6 digits, as 010701 or 01.07.01",
			func(c *ServiceChange) { c.NationalTaxCode = set("1") }},
		{"municipal_tax_code", "must be 4 or 5 digits", func(c *ServiceChange) { c.MunicipalTaxCode = set("") }},
		{"municipal_taxation", "must be one of: T, F", func(c *ServiceChange) { c.MunicipalTaxation = set("X") }},
		{"iss_rate", "must be greater than 0 and at most 5",
			func(c *ServiceChange) { c.ISSRate = set(nfse.MaxRate + 1) }},
		{"description", "must have 3 to 2000 characters", func(c *ServiceChange) { // the first of two is named
			c.Description, c.ISSRate = new(""), set(nfse.Rate(0))
		}},
	} {
		change := newService()
		test.corrupt(&change)
		_, err := New(&store.Store{}, nil).CreateService(t.Context(), nfse.Scope{}, change) // the store is never asked
		expectInvalid(t, err, test.field, test.words)
	}
}

func TestService_Merge(t *testing.T) {
	before := nfse.Service{
		Name: "Consulta", Description: "Consulta médica", MunicipalityCode: "3550308", DefaultAmountCents: 15000,
		NationalTaxCode: new("010701"), MunicipalTaxation: new("T"), ISSRate: new(nfse.Rate(201)), Active: true,
	}
	var nothing *string
	for name, test := range map[string]struct {
		change ServiceChange
		after  func(*nfse.Service)
	}{
		"nothing": {ServiceChange{}, func(*nfse.Service) {}},
		"set": {ServiceChange{Name: new("Exame"), NationalTaxCode: set("04.01.01"), Active: new(false)},
			func(s *nfse.Service) { s.Name, s.NationalTaxCode, s.Active = "Exame", new("040101"), false }},
		"cleared": {ServiceChange{NationalTaxCode: &nothing, ISSRate: new((*nfse.Rate)(nil))},
			func(s *nfse.Service) { s.NationalTaxCode, s.ISSRate = nil, nil }},
	} {
		merged, expected := before, before
		test.after(&expected)
		if err := test.change.merge(&merged, false); err != nil || !reflect.DeepEqual(merged, expected) {
			t.Errorf("%s: got %+v, %v", name, merged, err)
		}
	}
}
