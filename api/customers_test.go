package api_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

func customerBody() Body {
	return Body{
		"document": "529.982.247-25", "name": "Maria da Silva", "nickname": "Maria", "email": "maria@example.com",
		"municipality_code": saoPaulo,
		"address": Body{
			"street_type": "Avenida", "street": "Paulista", "number": "1578", "district": "Bela Vista",
			"zip_code": "01310-100", "complement": "Sala 2",
		},
	}
}

// customerFields are the fields of a customer in the order of the contract's
// section 2.2.
var customerFields = []string{
	"document", "name", "nickname", "email", "municipality_code",
	"address.street_type", "address.street", "address.number", "address.district", "address.zip_code",
	"address.complement",
}

func TestCustomer_Create(t *testing.T) {
	s := newSystem(t)
	for _, key := range []string{s.TestKey, s.LiveKey} {
		created := s.Call(t, "POST", "/v1/customers", key, customerBody()).Expect(t, http.StatusCreated)
		same(t, "the record", created.JSON, Body{
			"id": created.Text("id"), "created_at": created.Text("created_at"),
			"updated_at": created.Text("created_at"),
			"document":   "52998224725", "name": "Maria da Silva", "nickname": "Maria", "email": "maria@example.com",
			"municipality_code": saoPaulo,
			"address": Body{
				"street_type": "Avenida", "street": "Paulista", "number": "1578", "district": "Bela Vista",
				"zip_code": zipSaoPaulo, "complement": "Sala 2",
			},
			"fiscal_data_complete": true,
		})
		read := s.Call(t, "GET", "/v1/customers/"+created.Text("id"), key, nil).Expect(t, http.StatusOK)
		same(t, "what is read later", string(read.Raw), string(created.Raw))
	}
}

func TestCustomer_RequiredFields(t *testing.T) {
	s := newSystem(t)
	nothing := Body{"street_type": nil, "street": nil, "number": nil, "district": nil, "zip_code": nil,
		"complement": nil}
	for i, body := range []Body{
		{"name": "Maria"},
		{"name": "Maria", "address": Body{}},
		{"name": "Maria", "nickname": nil, "email": nil, "municipality_code": nil, "address": nil},
		{"name": "Maria", "nickname": nil, "email": nil, "municipality_code": nil, "address": nothing},
	} {
		created := post(t, s, "/v1/customers", with(body, Body{"document": cpf(i)})).Expect(t, http.StatusCreated)
		same(t, "the record", created.JSON, Body{
			"id": created.Text("id"), "created_at": created.Text("created_at"),
			"updated_at": created.Text("created_at"),
			"document":   cpf(i), "name": "Maria", "nickname": nil, "email": nil, "municipality_code": nil,
			"address": nothing, "fiscal_data_complete": false,
		})
	}
	left := post(t, s, "/v1/customers", with(customerBody(), Body{"municipality_code": absent})).
		Expect(t, http.StatusCreated)
	null := post(t, s, "/v1/customers", with(customerBody(), Body{"municipality_code": nil, "document": cpf(9)})).
		Expect(t, http.StatusCreated)
	same(t, "the municipality of a zip code", left.At("municipality_code"), saoPaulo)
	same(t, "the same with null", null.At("municipality_code"), saoPaulo)
}

// wrongCustomerFields are values that no customer can have.
var wrongCustomerFields = []struct {
	field string
	value any
}{
	{"name", ""}, {"name", " "}, {"name", strings.Repeat("é", 151)}, {"name", decomposed(151)},
	{"name", "Maria\tda Silva"}, {"name", "Maria\u007f"}, {"name", 1},
	{"name", "\ufeff"}, {"name", "\u202e"}, {"name", "\u200b \u00a0"}, {"name", "\u0301"}, {"nickname", "\u2060"},
	{"nickname", ""}, {"nickname", strings.Repeat("é", 81)}, {"nickname", "Ma\nria"}, {"nickname", false},
	{"email", ""}, {"email", "maria"}, {"email", "maria@"}, {"email", "@example.com"}, {"email", "maria@example"},
	{"email", "maria@@example.com"},
	{"email", "maria @example.com"}, {"email", "Maria <maria@example.com>"},
	{"email", "maria@example.com,joao@example.com"}, {"email", "maria@example..com"},
	{"email", "maria@-example.com"}, {"email", "maria@example.com\r\nBcc: x@example.com"},
	{"email", strings.Repeat("m", 69) + "@example.com"}, {"email", 1},
	{"municipality_code", ""}, {"municipality_code", "3550309"}, {"municipality_code", "SP"},
	{"municipality_code", 3550308},
	{"address", ""}, {"address", "Avenida Paulista"}, {"address", []string{}}, {"address", true},
	{"address.street_type", ""}, {"address.street_type", strings.Repeat("á", 21)}, {"address.street_type", 1},
	{"address.street", ""}, {"address.street", strings.Repeat("á", 256)}, {"address.street", "Rua\n"},
	{"address.street", 1},
	{"address.number", ""}, {"address.number", strings.Repeat("1", 61)}, {"address.number", 1578},
	{"address.district", ""}, {"address.district", strings.Repeat("á", 61)}, {"address.district", Body{}},
	{"address.zip_code", ""}, {"address.zip_code", "0131010"}, {"address.zip_code", "013101000"},
	{"address.zip_code", "01.310-100"}, {"address.zip_code", "0131-0100"},
	{"address.zip_code", "01310100 "}, {"address.zip_code", "٠١٣١٠١٠٠"}, {"address.zip_code", 1310100},
	{"address.complement", ""}, {"address.complement", strings.Repeat("á", 157)}, {"address.complement", 2},
	{"address.country", "BR"}, {"address.municipality_code", saoPaulo}, {"id", unknownID(nfse.PrefixCustomer)},
	{"fiscal_data_complete", true},
	{"created_at", nil}, {"updated_at", "2026-01-01T00:00:00.000Z"}, {"phone", "11 5555-5555"},
}

// wrongDocuments are no CPF and no CNPJ.
var wrongDocuments = []any{
	"", "52998224724", "52998224735", "529.982.247-24", "5299822472", "529982247255", "529.982.24725", "529-982-247.25",
	" 52998224725", "52998224725\n",
	"00000000000", "11111111111", "99999999999", "999.999.999-99", "5299822472A",
	"11222333000180", "11222333000191", "11.222.333/0001-80", "11.222.333/000181", "1122233300018", "112223330001811",
	"00000000000000", "11111111111111", "12ABC34501DE36", "12ABC34501DE45", "12abc34501de36", "12ABC34501DEA5",
	"12ABC34501D\u00c935", "١١٢٢٢٣٣٣٠٠٠١٨١",
	52998224725, 11222333000181, raw(`5.2998224725e10`), true, []string{"52998224725"}, Body{},
}

func TestCustomer_WrongFields(t *testing.T) {
	s := newSystem(t)
	id := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated).Text("id")
	before := get(t, s, "/v1/customers/"+id)
	for _, wrong := range wrongCustomerFields {
		change := with(Body{}, Body{wrong.field: wrong.value})
		post(t, s, "/v1/customers", with(customerBody(), Body{wrong.field: wrong.value})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, wrong.field)
		s.Call(t, "POST", "/v1/customers", s.LiveKey, with(customerBody(), Body{wrong.field: wrong.value})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, wrong.field)
		patch(t, s, "/v1/customers/"+id, change).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, wrong.field)
	}
	for _, document := range wrongDocuments {
		post(t, s, "/v1/customers", with(customerBody(), Body{"document": document})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "document")
	}
	for _, value := range []any{absent, nil} {
		post(t, s, "/v1/customers", with(customerBody(), Body{"document": value})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "document")
		post(t, s, "/v1/customers", with(customerBody(), Body{"name": value})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "name")
	}
	patch(t, s, "/v1/customers/"+id, Body{"name": nil}).
		ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "name")
	same(t, "customers", s.Count(t, `SELECT count(*) FROM customers`), 1)
	same(t, "the customer", string(get(t, s, "/v1/customers/"+id).Raw), string(before.Raw))
}

func TestCustomer_FirstWrongField(t *testing.T) {
	s := newSystem(t)
	id := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated).Text("id")
	wrong := Body{}
	for i := len(customerFields) - 1; i >= 0; i-- {
		wrong[customerFields[i]] = []int{}
		post(t, s, "/v1/customers", with(customerBody(), wrong)).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, customerFields[i])
		patch(t, s, "/v1/customers/"+id, with(Body{}, wrong)).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, customerFields[i])
	}
}

func TestCustomer_DocumentMask(t *testing.T) {
	s := newSystem(t)
	for bare, forms := range map[string][]string{
		"52998224725":    {"529.982.247-25", "52998224725"},
		"11222333000181": {"11.222.333/0001-81", "11222333000181"},
		"12ABC34501DE35": {"12.ABC.345/01DE-35", "12abc34501de35", "12.aBc.345/01De-35"},
		"00000000000191": {"00.000.000/0001-91", "00000000000191"}, // all zeros but the end: Banco do Brasil
	} {
		for i, form := range forms {
			status := []int{http.StatusCreated, http.StatusOK}[min(i, 1)]
			answer := post(t, s, "/v1/customers", Body{"document": form, "name": "Maria"}).Expect(t, status)
			same(t, form, answer.Text("document"), bare)
		}
	}
}

func TestCustomer_Limits(t *testing.T) {
	s := newSystem(t)
	for field, values := range map[string][]string{
		"name":     {"M", strings.Repeat("é", 150), decomposed(150), strings.Repeat("🙂", 150)},
		"nickname": {"M", strings.Repeat("é", 80), decomposed(80)},
		"email": {"m@e.br", strings.Repeat("m", 68) + "@example.com",
			"Maria.da+Silva_1@sub.example.com.br"},
		"address.street_type": {"R", strings.Repeat("é", 20)},
		"address.number":      {"S/N", strings.Repeat("é", 60)},
		"address.district":    {"B", strings.Repeat("é", 60), decomposed(60)},
		"address.complement":  {"C", strings.Repeat("é", 156)},
		"address.zip_code":    {"01310100"},
	} {
		for _, value := range values {
			answer := post(t, s, "/v1/customers", with(customerBody(), Body{field: value}))
			if answer.Status != http.StatusCreated && answer.Status != http.StatusOK {
				t.Errorf("%s of %d bytes: %s", field, len(value), answer.Raw)
			}
			same(t, field, answer.Text(strings.Split(field, ".")...), value)
		}
	}
}

func TestCustomer_StreetTypeAndStreet(t *testing.T) {
	s := newSystem(t)
	fits := Body{"address.street_type": "Avenida", "address.street": strings.Repeat("é", 248)}
	tooLong := Body{"address.street_type": "Avenida", "address.street": strings.Repeat("é", 249)}
	id := post(t, s, "/v1/customers", with(customerBody(), fits)).Expect(t, http.StatusCreated).Text("id")
	post(t, s, "/v1/customers", with(customerBody(), tooLong)).
		ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "address.street")
	// Also where only one of the two is sent.
	patch(t, s, "/v1/customers/"+id, Body{"address": Body{"street_type": "Avenidas"}}).
		ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "address.street")
	patch(t, s, "/v1/customers/"+id, Body{"address": Body{"street_type": nil, "street": strings.Repeat("é", 255)}}).
		Expect(t, http.StatusOK)
}

func TestCustomer_SyncsByDocument(t *testing.T) {
	s := newSystem(t)
	created := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated)

	synchronized := post(t, s, "/v1/customers", Body{
		"document": "52998224725", "name": "Maria Souza", "email": nil,
		"address": Body{"number": "2000", "complement": nil},
	}).Expect(t, http.StatusOK)
	expected := with(created.JSON, Body{
		"name": "Maria Souza", "email": nil, "address.number": "2000", "address.complement": nil,
		"updated_at": synchronized.Text("updated_at"),
	})
	same(t, "the record", synchronized.JSON, expected)
	if synchronized.Text("updated_at") <= created.Text("updated_at") {
		t.Errorf("updated_at went from %s to %s", created.Text("updated_at"), synchronized.Text("updated_at"))
	}

	cleared := post(t, s, "/v1/customers", Body{"document": "52998224725", "name": "Maria Souza", "address": nil}).
		Expect(t, http.StatusOK)
	for key, value := range cleared.At("address").(Body) {
		same(t, "address."+key+" after address null", value, nil)
	}
	same(t, "nickname, not sent", cleared.Text("nickname"), "Maria")
	same(t, "fiscal_data_complete", cleared.At("fiscal_data_complete"), false)
	same(t, "customers", s.Count(t, `SELECT count(*) FROM customers`), 1)

	// another environment, another record
	s.Call(t, "POST", "/v1/customers", s.LiveKey, customerBody()).Expect(t, http.StatusCreated)
}

func TestCustomer_PatchMergesAddress(t *testing.T) {
	s := newSystem(t)
	created := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated)
	path := "/v1/customers/" + created.Text("id")
	expected := created.JSON
	for _, change := range []Body{
		{"name": "Maria Souza"}, {"nickname": nil}, {"email": "m@example.com"}, {"address.street_type": nil},
		{"address.street": "Rua Augusta"},
		{"address.number": "1"}, {"address.district": "Centro"}, {"address.complement": nil},
		{"email": nil, "address.complement": "Casa"},
	} {
		patched := patch(t, s, path, with(Body{}, change)).Expect(t, http.StatusOK)
		expected = with(expected, change)
		expected["updated_at"] = patched.Text("updated_at")
		same(t, "the record", patched.JSON, expected)
	}
}

func TestCustomer_EmptyPatch(t *testing.T) {
	s := newSystem(t)
	created := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated)
	path := "/v1/customers/" + created.Text("id")
	for _, change := range []Body{{}, {"address": Body{}}, {"name": "Maria da Silva"}} {
		same(t, "the record", string(patch(t, s, path, change).Expect(t, http.StatusOK).Raw), string(created.Raw))
	}
}

func TestCustomer_DocumentCannotChange(t *testing.T) {
	s := newSystem(t)
	created := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated)
	path := "/v1/customers/" + created.Text("id")
	for _, document := range []any{"11222333000181", "52998224725", nil, 1} {
		patch(t, s, path, Body{"document": document, "name": ""}).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "document")
	}
	same(t, "the record", string(get(t, s, path).Raw), string(created.Raw))
}

func TestCustomer_OfElsewhere(t *testing.T) {
	s := newSystem(t)
	_, otherKey, _ := s.NewOrganization(t, "Outra")
	unknown := unknownID(nfse.PrefixCustomer)
	expected := get(t, s, "/v1/customers/"+unknown).ExpectError(t, http.StatusNotFound, nfse.CodeCustomerNotFound, "")
	ids := append(malformedIDs(nfse.PrefixCustomer), unknown)
	for _, key := range []string{s.LiveKey, otherKey} {
		ids = append(ids, s.Call(t, "POST", "/v1/customers", key, customerBody()).
			Expect(t, http.StatusCreated).Text("id"))
	}
	for _, id := range ids {
		sameAnswer(t, "GET "+id, get(t, s, "/v1/customers/"+id), expected)
		sameAnswer(t, "PATCH "+id, patch(t, s, "/v1/customers/"+id, Body{"name": "Outra"}), expected)
	}
	same(t, "customers that were changed", s.Count(t, `SELECT count(*) FROM customers WHERE name = 'Outra'`), 0)
}

func TestCustomer_ConcurrentPosts(t *testing.T) {
	s := newSystem(t)
	statuses := map[int]int{}
	for _, answer := range together(20, func(int) testkit.Answer {
		return post(t, s, "/v1/customers",
			customerBody())
	}) {
		statuses[answer.Status]++
	}
	same(t, "answers by status", statuses, map[int]int{http.StatusCreated: 1, http.StatusOK: 19})
	same(t, "customers", s.Count(t, `SELECT count(*) FROM customers`), 1)
}

func TestCustomer_FiscalDataComplete(t *testing.T) {
	s := newSystem(t)
	for i, missing := range []string{"address.street", "address.number", "address.district", "address.zip_code"} {
		answer := post(t, s, "/v1/customers", with(customerBody(), Body{"document": cpf(i), missing: absent})).
			Expect(t, http.StatusCreated)
		same(t, "without "+missing, answer.At("fiscal_data_complete"), false)
	}
	for i, unneeded := range []string{"nickname", "email", "address.street_type", "address.complement",
		"municipality_code"} {
		answer := post(t, s, "/v1/customers", with(customerBody(), Body{"document": cpf(10 + i), unneeded: absent})).
			Expect(t, http.StatusCreated)
		same(t, "without "+unneeded, answer.At("fiscal_data_complete"), true)
	}
	unplaced := post(t, s, "/v1/customers", with(customerBody(), Body{"address.zip_code": zipOfNoRange,
		"municipality_code": absent})).Expect(t, http.StatusCreated)
	same(t, "without a municipality", unplaced.At("fiscal_data_complete"), false)
	placed := patch(t, s, "/v1/customers/"+unplaced.Text("id"), Body{"municipality_code": saoPaulo}).
		Expect(t, http.StatusOK)
	same(t, "with all", placed.At("fiscal_data_complete"), true)
}
