package api_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
)

func serviceBody() Body {
	return Body{
		"name": "Consulta", "description": "Consulta médica", "municipality_code": saoPaulo,
		"default_amount_cents": 15000,
		"national_tax_code":    "010701", "municipal_tax_code": "1234", "municipal_taxation": "T", "iss_rate": 2.5,
		"active": true,
	}
}

// serviceFields are the fields of a service that a caller writes, in the order
// of the contract's table.
var serviceFields = []string{
	"name", "description", "municipality_code", "default_amount_cents", "national_tax_code",
	"municipal_tax_code", "municipal_taxation", "iss_rate", "active",
}

func TestService_Create(t *testing.T) {
	s := newSystem(t)
	for _, key := range []string{s.TestKey, s.LiveKey} {
		created := s.Call(t, "POST", "/v1/services", key, serviceBody()).Expect(t, http.StatusCreated)
		same(t, "the record", created.JSON, Body{
			"id": created.Text("id"), "created_at": created.Text("created_at"),
			"name": "Consulta", "description": "Consulta médica", "municipality_code": saoPaulo,
			"default_amount_cents": 15000.0,
			"national_tax_code":    "010701", "municipal_tax_code": "1234", "municipal_taxation": "T", "iss_rate": 2.5,
			"active": true,
		})
		read := s.Call(t, "GET", "/v1/services/"+created.Text("id"), key, nil).Expect(t, http.StatusOK)
		same(t, "what is read later", string(read.Raw), string(created.Raw))
	}
}

func TestService_RequiredFields(t *testing.T) {
	s := newSystem(t)
	needed := Body{"name": "Consulta", "description": "Consulta médica", "municipality_code": saoPaulo,
		"default_amount_cents": 15000}
	nulls := with(needed, Body{"national_tax_code": nil, "municipal_tax_code": nil, "municipal_taxation": nil,
		"iss_rate": nil, "active": nil})
	for name, body := range map[string]Body{"left out": needed, "null": nulls} {
		t.Run(name, func(t *testing.T) {
			created := post(t, s, "/v1/services", body).Expect(t, http.StatusCreated)
			for _, field := range []string{"national_tax_code", "municipal_tax_code", "municipal_taxation",
				"iss_rate"} {
				same(t, field, created.At(field), nil)
			}
			same(t, "active", created.At("active"), true)
		})
	}
}

// wrongServiceFields are values that no service can have, in an order that a
// failure can be read from.
var wrongServiceFields = []struct {
	field string
	value any
}{
	{"name", ""}, {"name", "C"}, {"name", strings.Repeat("é", 81)}, {"name", decomposed(81)}, {"name", decomposed(1)},
	{"name", strings.Repeat("🙂", 81)}, {"name", "Con\x00sulta"}, {"name", "Con\nsulta"}, {"name", "Con\u0085sulta"},
	{"name", "   "}, {"name", "\u200b\u200b"}, {"name", "\u202e \u202c"}, {"name", "\u3164\u2800"},
	{"name", 12}, {"name", true}, {"name", []string{"Consulta"}}, {"name", Body{}},
	{"description", ""}, {"description", "ab"}, {"description", strings.Repeat("ã", 2001)},
	{"description", "a\u0007bc"}, {"description", "\n\n\n"}, {"description", 123},
	{"municipality_code", ""}, {"municipality_code", "355030"}, {"municipality_code", "35503080"},
	{"municipality_code", "3550309"},
	{"municipality_code", "0000000"}, {"municipality_code", "355030a"}, {"municipality_code", " 3550308"},
	{"municipality_code", "٣٥٥٠٣٠٨"}, {"municipality_code", 3550308},
	{"default_amount_cents", 0}, {"default_amount_cents", -1}, {"default_amount_cents", raw(`-0`)},
	{"default_amount_cents", raw(`1.0`)}, {"default_amount_cents", raw(`1e3`)},
	{"default_amount_cents", raw(`15000.5`)}, {"default_amount_cents", "15000"},
	{"default_amount_cents", raw(`1000000000000000`)},
	{"default_amount_cents", raw(`9223372036854775808`)}, {"default_amount_cents", raw(`18446744073709551617`)},
	{"default_amount_cents", true}, {"default_amount_cents", []int{1}},
	{"national_tax_code", ""}, {"national_tax_code", "01070"}, {"national_tax_code", "0107010"},
	{"national_tax_code", "01.0701"}, {"national_tax_code", "1.07.01"},
	{"national_tax_code", "01-07-01"}, {"national_tax_code", "01070a"}, {"national_tax_code", "010701\n"},
	{"national_tax_code", 10701},
	{"municipal_tax_code", ""}, {"municipal_tax_code", "123"}, {"municipal_tax_code", "123456"},
	{"municipal_tax_code", "12-34"}, {"municipal_tax_code", "12a4"}, {"municipal_tax_code", 1234},
	{"municipal_taxation", ""}, {"municipal_taxation", "t"}, {"municipal_taxation", "X"}, {"municipal_taxation", "TF"},
	{"municipal_taxation", true},
	{"iss_rate", raw(`0`)}, {"iss_rate", raw(`0.00`)}, {"iss_rate", raw(`0.001`)}, {"iss_rate", raw(`2.001`)},
	{"iss_rate", raw(`5.01`)}, {"iss_rate", raw(`6`)},
	{"iss_rate", raw(`-2`)}, {"iss_rate", raw(`1e0`)}, {"iss_rate", raw(`2E0`)}, {"iss_rate", raw(`1e-400`)},
	{"iss_rate", raw(`99999999999999999999`)}, {"iss_rate", "2"}, {"iss_rate", true},
	{"active", "true"}, {"active", 1}, {"active", raw(`[]`)},
	{"id", unknownID(nfse.PrefixService)}, {"id", nil}, {"created_at", "2026-01-01T00:00:00.000Z"}, {"livemode", false},
	{"expires_at", nil},
}

func TestService_WrongFields(t *testing.T) {
	s := newSystem(t)
	id := post(t, s, "/v1/services", serviceBody()).Expect(t, http.StatusCreated).Text("id")
	before := get(t, s, "/v1/services/"+id)
	for _, wrong := range wrongServiceFields {
		change := Body{wrong.field: wrong.value}
		post(t, s, "/v1/services", with(serviceBody(), change)).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, wrong.field)
		s.Call(t, "POST", "/v1/services", s.LiveKey, with(serviceBody(), change)).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, wrong.field)
		patch(t, s, "/v1/services/"+id, change).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, wrong.field)
	}
	for _, field := range []string{"name", "description", "municipality_code", "default_amount_cents"} {
		post(t, s, "/v1/services", with(serviceBody(), Body{field: absent})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, field)
		post(t, s, "/v1/services", with(serviceBody(), Body{field: nil})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, field)
		patch(t, s, "/v1/services/"+id, Body{field: nil}).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, field)
	}
	same(t, "services", s.Count(t, `SELECT count(*) FROM services`), 1)
	same(t, "the service", string(get(t, s, "/v1/services/"+id).Raw), string(before.Raw))
}

func TestService_FirstWrongField(t *testing.T) {
	s := newSystem(t)
	id := s.NewService(t, s.TestKey)
	wrong := Body{}
	for i := len(serviceFields) - 1; i >= 0; i-- { // ever more wrong fields, the first of them last
		wrong[serviceFields[i]] = []int{}
		post(t, s, "/v1/services", with(serviceBody(), wrong)).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, serviceFields[i])
		patch(t, s, "/v1/services/"+id, wrong).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, serviceFields[i])
	}
}

func TestService_Limits(t *testing.T) {
	s := newSystem(t)
	for _, test := range []struct {
		field string
		value any
		kept  any // as it is read; nil for as sent
	}{
		{"name", "Oi", nil},
		{"name", strings.Repeat("é", 80), nil},
		{"name", strings.Repeat("🙂", 80), nil},
		{"name", decomposed(80), nil},
		{"name", `<b> & "aspas" \ / ` + "\u2028", nil},
		{"description", "abc", nil},
		{"description", "uma linha\r\n\toutra", nil},
		{"description", strings.Repeat("ç", 2000), nil},
		{"default_amount_cents", 1, 1.0},
		{"default_amount_cents", raw(`999999999999999`), 999999999999999.0},
		{"national_tax_code", "01.07.01", "010701"},
		{"municipal_tax_code", "12345", nil},
		{"municipal_taxation", "F", nil},
		{"active", false, nil},
	} {
		created := post(t, s, "/v1/services", with(serviceBody(), Body{test.field: test.value})).
			Expect(t, http.StatusCreated)
		if test.kept == nil {
			test.kept = test.value
		}
		same(t, test.field, created.At(test.field), test.kept)
	}
}

func TestService_ISSRate(t *testing.T) {
	s := newSystem(t)
	for sent, kept := range map[string]string{
		"0.01": "0.01", "2": "2", "2.0": "2", "2.01": "2.01", "2.10": "2.1", "2.5": "2.5", "3.33": "3.33",
		"4.99": "4.99", "5": "5", "5.00": "5",
	} {
		created := post(t, s, "/v1/services", with(serviceBody(), Body{"iss_rate": raw(sent)})).
			Expect(t, http.StatusCreated)
		read := get(t, s, "/v1/services/"+created.Text("id")).Expect(t, http.StatusOK)
		for _, answer := range [][]byte{created.Raw, read.Raw} {
			if !bytes.Contains(answer, []byte(`"iss_rate":`+kept+`,`)) {
				t.Errorf("%s became %s", sent, answer)
			}
		}
	}
}

func TestService_CreateTwice(t *testing.T) {
	s := newSystem(t)
	first := post(t, s, "/v1/services", serviceBody()).Expect(t, http.StatusCreated).Text("id")
	second := post(t, s, "/v1/services", serviceBody()).Expect(t, http.StatusCreated).Text("id")
	if first == second {
		t.Errorf("both are %s", first)
	}
}

func TestService_PatchMerges(t *testing.T) {
	s := newSystem(t)
	for field, value := range (Body{
		"name": "Exame", "description": "Exame de sangue", "municipality_code": rio, "default_amount_cents": 1.0,
		"national_tax_code":  "040101",
		"municipal_tax_code": "54321", "municipal_taxation": "F", "iss_rate": 5.0, "active": false,
	}) {
		t.Run(field, func(t *testing.T) {
			created := post(t, s, "/v1/services", serviceBody()).Expect(t, http.StatusCreated)
			path := "/v1/services/" + created.Text("id")
			patched := patch(t, s, path, Body{field: value}).Expect(t, http.StatusOK)
			same(t, "the record", patched.JSON, with(created.JSON, Body{field: value}))
			same(t, "what is read later", string(get(t, s, path).Raw), string(patched.Raw))
		})
	}
}

func TestService_PatchClears(t *testing.T) {
	s := newSystem(t)
	created := post(t, s, "/v1/services", with(serviceBody(), Body{"active": false})).Expect(t, http.StatusCreated)
	path := "/v1/services/" + created.Text("id")
	expected := created.JSON
	for field, cleared := range (Body{"national_tax_code": nil, "municipal_tax_code": nil, "municipal_taxation": nil,
		"iss_rate": nil, "active": true}) {
		expected[field] = cleared
		same(t, field, patch(t, s, path, Body{field: nil}).Expect(t, http.StatusOK).JSON, expected)
	}
	same(t, "an empty patch", patch(t, s, path, Body{}).Expect(t, http.StatusOK).JSON, expected)
}

func TestService_RefusedPatch(t *testing.T) {
	s := newSystem(t)
	created := post(t, s, "/v1/services", serviceBody()).Expect(t, http.StatusCreated)
	path := "/v1/services/" + created.Text("id")
	patch(t, s, path, Body{"name": "Exame", "active": "no"}).
		ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "active")
	same(t, "the service", string(get(t, s, path).Raw), string(created.Raw))
}

func TestService_ConcurrentPatches(t *testing.T) {
	s := newSystem(t)
	path := "/v1/services/" + s.NewService(t, s.TestKey)
	changes := []Body{{"name": "Exame"}, {"description": "Exame de sangue"}, {"default_amount_cents": 7},
		{"municipal_tax_code": "9999"}, {"active": false}}
	together(len(changes), func(i int) any { return patch(t, s, path, changes[i]).Expect(t, http.StatusOK) })
	service := get(t, s, path)
	for _, change := range []Body{{"name": "Exame"}, {"description": "Exame de sangue"}, {"default_amount_cents": 7.0},
		{"municipal_tax_code": "9999"}, {"active": false}} {
		for field, value := range change {
			same(t, field, service.At(field), value)
		}
	}
}

func TestService_OfElsewhere(t *testing.T) {
	s := newSystem(t)
	_, otherKey, _ := s.NewOrganization(t, "Outra")
	unknown := unknownID(nfse.PrefixService)
	expected := get(t, s, "/v1/services/"+unknown).ExpectError(t, http.StatusNotFound, nfse.CodeServiceNotFound, "")
	ids := append(malformedIDs(nfse.PrefixService), unknown, s.NewService(t, s.LiveKey), s.NewService(t, otherKey))
	for _, id := range ids {
		sameAnswer(t, "GET "+id, get(t, s, "/v1/services/"+id), expected)
		sameAnswer(t, "PATCH "+id, patch(t, s, "/v1/services/"+id, Body{"name": "Exame"}), expected)
	}
	wrong := patch(t, s, "/v1/services/"+unknown, Body{"name": ""})
	sameAnswer(t, "PATCH with a wrong field", wrong, expected)
	wrong = patch(t, s, "/v1/services/"+unknown, Body{"name": 1})
	sameAnswer(t, "PATCH with a field of a wrong type", wrong, expected)
	same(t, "services that were changed", s.Count(t, `SELECT count(*) FROM services WHERE name = 'Exame'`), 0)
}

func TestService_Lifetime(t *testing.T) {
	s := newSystem(t)
	expiring, staying := s.NewService(t, s.TestKey), s.NewService(t, s.TestKey)
	live := s.NewService(t, s.LiveKey)
	same(t, "days of a test service", s.Count(t,
		`SELECT (extract(epoch FROM expires_at - created_at) / 86400)::int FROM services WHERE id = $1`, expiring), 30)
	same(t, "live services that expire", s.Count(t,
		`SELECT count(*) FROM services WHERE livemode AND expires_at IS NOT NULL`), 0)

	age := func(id, by string) {
		s.Exec(t, `UPDATE services SET created_at = created_at - CAST($2 AS interval),
			expires_at = expires_at - CAST($2 AS interval) WHERE id = $1`, id, by)
	}
	age(expiring, "30 days")
	age(staying, "29 days 23 hours")
	s.Exec(t, `UPDATE services SET created_at = created_at - interval '10 years' WHERE id = $1`, live)

	gone := get(t, s, "/v1/services/"+expiring).ExpectError(t, http.StatusNotFound, nfse.CodeServiceNotFound, "")
	sameAnswer(t, "an expired service", gone, get(t, s, "/v1/services/"+unknownID(nfse.PrefixService)))
	patch(t, s, "/v1/services/"+expiring, Body{"name": "Exame"}).
		ExpectError(t, http.StatusNotFound, nfse.CodeServiceNotFound, "")
	get(t, s, "/v1/services/"+staying).Expect(t, http.StatusOK)
	s.Call(t, "GET", "/v1/services/"+live, s.LiveKey, nil).Expect(t, http.StatusOK)
	same(t, "the list", ids(get(t, s, "/v1/services")), []string{staying})
	same(t, "the live list", ids(s.Call(t, "GET", "/v1/services", s.LiveKey, nil)), []string{live})
}
