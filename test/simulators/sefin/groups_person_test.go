package sefin_test

import (
	"testing"

	"emissor/test/simulators/sefin"
)

// A person who issues is asked other things than a company.
func TestPersonIssues(t *testing.T) {
	simulator := start(t, sefin.Options{})
	c := newClient(t, simulator, sefin.Subject{TaxID: person})
	byPerson := []change{
		{"DPS33045572" + issuer, "DPS33045571000" + person},
		{"<prest><CNPJ>" + issuer + "</CNPJ>", "<prest><CPF>" + person + "</CPF>"},
	}
	record := func(record sefin.Taxpayer) sefin.Registry {
		return sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{person: record}}
	}
	for number, test := range []struct {
		changes  []change
		registry sefin.Registry
		codes    string
	}{
		{},
		{registry: record(sefin.Taxpayer{Unknown: true}), codes: "E0098"},
		{registry: record(sefin.Taxpayer{Since: "2026-11-22"}), codes: "E0020"},
		{changes: []change{federal("<vRetIRRF>22.50</vRetIRRF>")}, codes: "E0675"},
		// Whose takers and intermediaries may have a NIF alone (E0242, E0298).
		{changes: []change{{"<CNPJ>" + taker + "</CNPJ>", "<NIF>98-7654321</NIF>"}, broker("<NIF>98-1</NIF>")}},
	} {
		simulator.SetRegistry(test.registry)
		answer := c.issue(c.dps(number+1, with(test.changes, byPerson...)...))
		if answer.codes() != test.codes {
			t.Errorf("%d: %q, want %q: %s", number, answer.codes(), test.codes, answer.text)
		}
	}
}
