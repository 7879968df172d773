package mcpserver

import (
	"strings"
	"testing"

	"emissor/client"
	nationalrules "emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
	saopaulorules "emissor/fiscal/saopaulo/rules"
)

// Every field that a rule of an authority names has guidance of its own.
func TestGuidance_OfEveryFieldOfARule(t *testing.T) {
	fields := map[string]bool{}
	for _, catalogue := range []*rulecatalogue.Catalogue{nationalrules.Catalogue, saopaulorules.Catalogue} {
		for _, rule := range catalogue.All() {
			fields[rule.Field] = true
		}
	}
	delete(fields, "") // a rule about no field of the request
	if len(fields) < 10 {
		t.Fatalf("the rules name only %v", fields)
	}
	for field := range fields {
		if _, is := fieldRules[field]; !is {
			t.Errorf("%s has no guidance", field)
		}
	}
}

func TestGuidance_GoesUpwards(t *testing.T) {
	if got := guidanceOf("customer.address.country"); got.Rule != fieldRules["customer.address"].rule {
		t.Errorf("%+v", got)
	}
	if got := guidanceOf(""); !strings.Contains(got.Rule, "rejection.action") || got.Then != then {
		t.Errorf("%+v", got)
	}
}

func TestValueOf(t *testing.T) {
	note := client.Nfse{AmountCents: 5, Customer: client.NfseCustomer{Address: client.Address{ZipCode: new("01310100")}}}
	for field, expected := range map[string]any{"amount_cents": 5.0, "customer.address.zip_code": "01310100",
		"customer.address.complement": nil} {
		if value, known := valueOf(note, field); !known || value != expected {
			t.Errorf("%s is %v, %v", field, value, known)
		}
	}
	for _, field := range []string{"", "x", "customer.x", "amount_cents.x"} {
		if value, known := valueOf(note, field); known {
			t.Errorf("%q is %v", field, value)
		}
	}
}
