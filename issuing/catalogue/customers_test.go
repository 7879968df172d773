package catalogue

import (
	"reflect"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/store"
)

func TestCustomer_WrongPlainValues(t *testing.T) {
	change := CustomerChange{Name: new("Maria")}
	_, _, err := New(&store.Store{}, nil).SyncCustomer(t.Context(), nfse.Scope{}, "52998224724", change)
	expectInvalid(t, err, "tax_id", "has wrong check digits")
	_, _, err = New(&store.Store{}, nil).SyncCustomer(t.Context(), nfse.Scope{}, "52998224725", CustomerChange{})
	expectInvalid(t, err, "name", "is required")

	for _, test := range []struct {
		field, words string
		change       CustomerChange
	}{
		{"name", "must have 1 to 150 characters", CustomerChange{Name: new("")}},
		{"nickname", "must have 1 to 80 characters", CustomerChange{Nickname: set("")}},
		{"email", "must be an e-mail address", CustomerChange{Email: set("maria")}},
		{"municipality_code", "must be an IBGE code of 7 digits", CustomerChange{MunicipalityCode: set("SP")}},
		{"address.street_type", "must not be blank", CustomerChange{Address: AddressChange{StreetType: set(" ")}}},
		{"address.street", "must have 1 to 255 characters", CustomerChange{Address: AddressChange{Street: set("")}}},
		{"address.number", "must have 1 to 60 characters", CustomerChange{Address: AddressChange{Number: set("")}}},
		{"address.district", "must have 1 to 60 characters", CustomerChange{Address: AddressChange{District: set("")}}},
		{"address.zip_code", "must be a zip code of 8 digits",
			CustomerChange{Address: AddressChange{ZipCode: set("1")}}},
		{"address.complement", "must have 1 to 156 characters",
			CustomerChange{Address: AddressChange{Complement: set("")}}},
		{"address.street", "together with its street_type must have at most 255 characters", CustomerChange{
			Address: AddressChange{StreetType: set("Avenida"), Street: set(strings.Repeat("x", 249))},
		}},
	} {
		var customer nfse.Customer
		expectInvalid(t, test.change.merge(&customer), test.field, test.words)
	}
}

func TestCustomer_Merge(t *testing.T) {
	before := nfse.Customer{
		Name: "Maria", Email: new("maria@example.com"),
		Address: nfse.Address{Street: new("Paulista"), Number: new("1578"), Complement: new("Sala 2")},
	}
	var nothing *string
	for name, test := range map[string]struct {
		change CustomerChange
		after  func(*nfse.Customer)
	}{
		"nothing": {CustomerChange{}, func(*nfse.Customer) {}},
		"key by key": {
			CustomerChange{Email: &nothing, Address: AddressChange{Number: set("1"), ZipCode: set("01310-100")}},
			func(c *nfse.Customer) { c.Email, c.Address.Number, c.Address.ZipCode = nil, new("1"), new("01310100") },
		},
		"no address": {CustomerChange{Address: ClearAddress()}, func(c *nfse.Customer) { c.Address = nfse.Address{} }},
	} {
		merged, expected := before, before
		test.after(&expected)
		if err := test.change.merge(&merged); err != nil || !reflect.DeepEqual(merged, expected) {
			t.Errorf("%s: got %+v, %v", name, merged, err)
		}
	}
}
