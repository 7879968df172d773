package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/testkit"
)

// issuanceFields are the fields of POST /v1/nfse in the order of the contract's
// section 4.1. customer_id comes with no inline customer and has its own tests.
var issuanceFields = []string{
	"reference", "service_id", "amount_cents", "customer.document", "customer.name", "customer.address.zip_code",
	"customer.address.street", "customer.address.number", "customer.address.district", "customer.address.complement",
	"customer.address.street_type", "customer.municipality_code", "service.description", "iss_withheld",
	"sandbox_scenario",
}

func TestIssuance_Accepted(t *testing.T) {
	s := newSystem(t)
	for _, test := range []struct {
		key      string
		livemode bool
	}{{s.TestKey, false}, {s.LiveKey, true}} {
		body := testkit.Issuance(s.NewService(t, test.key), "order-1")
		accepted := s.Call(t, "POST", "/v1/nfse", test.key, body).Expect(t, http.StatusAccepted)
		same(t, "the answer", accepted.JSON, Body{
			"id": accepted.Text("id"), "status": "queued", "livemode": test.livemode, "idempotent": false,
			"reference": "order-1", "customer_id": accepted.Text("customer_id"),
		})
		same(t, "outbox rows of the note", s.Count(t, `SELECT count(*) FROM outbox
			WHERE kind = 'note' AND subject_id = $1 AND livemode = $2 AND reference = 'order-1'
				AND organization_id = $3`,
			accepted.Text("id"), test.livemode, s.Organization.ID), 1)
		same(t, "the request that created it", s.Text(t, `SELECT request_id FROM notes WHERE id = $1`,
			accepted.Text("id")), accepted.Header.Get("X-Request-Id"))
	}
}

func TestNote_ReadInFull(t *testing.T) {
	s := newSystem(t)
	service := post(t, s, "/v1/services", serviceBody()).Expect(t, http.StatusCreated)
	accepted := post(t, s, "/v1/nfse", with(testkit.Issuance(service.Text("id"), "order-1"), Body{
		"customer.address.street_type": "Avenida", "customer.address.complement": "Sala 2",
		"customer.municipality_code": saoPaulo,
	})).Expect(t, http.StatusAccepted)
	note := get(t, s, "/v1/nfse/"+accepted.Text("id")).Expect(t, http.StatusOK)
	created := note.Text("created_at")
	at, err := time.Parse(time.RFC3339, created)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the note", note.JSON, Body{
		"id": accepted.Text("id"), "status": "queued", "livemode": false, "reference": "order-1",
		"customer_id": accepted.Text("customer_id"), "service_id": service.Text("id"), "amount_cents": 15000.0,
		"competence": string(nfse.DayOf(at)), "iss_withheld": false,
		"service": Body{
			"id": service.Text("id"), "name": "Consulta", "description": "Consulta médica",
			"municipality_code": saoPaulo, "national_tax_code": "010701",
			"municipal_tax_code": "1234", "municipal_taxation": "T", "iss_rate": 2.5,
		},
		"customer": Body{
			"document": "52998224725", "name": "Maria da Silva", "email": nil, "municipality_code": saoPaulo,
			"address": Body{
				"street_type": "Avenida", "street": "Avenida Paulista", "number": "1578", "district": "Bela Vista",
				"zip_code": zipSaoPaulo, "complement": "Sala 2",
			},
		},
		"municipality": Body{"code": saoPaulo, "source": "zip_code", "verified": true},
		"authority":    nil, "rejection": nil, "cancellation": nil,
		"created_at": created, "updated_at": created, "processing_at": nil, "issued_at": nil, "rejected_at": nil,
		"cancelled_at": nil,
	})
}

func TestIssuance_KeyDefaults(t *testing.T) {
	s := newSystem(t)
	key := nfse.APIKey{Scope: nfse.Scope{OrganizationID: s.Organization.ID},
		Defaults: nfse.Defaults{EmailCustomer: true, ConfirmMunicipalOperation: true}}
	text := nfse.NewAPIKeyText(false)
	created, err := s.Changes().Access.CreateAPIKey(t.Context(), key, text)
	if err != nil {
		t.Fatal(err)
	}
	body := testkit.Issuance(s.NewService(t, text), "order-1")
	id := s.Issue(t, text, body)
	s.Issue(t, s.TestKey, body) // a replay with another key changes nothing
	same(t, "key and defaults", s.Text(t, `
		SELECT concat_ws(' ', api_key_id, email_customer, register_ledger, confirm_municipal_operation)
		FROM notes WHERE id = $1`, id), created.ID+" t f t")
}

// wrongIssuanceFields are values that no issuance can have.
var wrongIssuanceFields = []struct {
	field string
	value any
}{
	{"reference", absent}, {"reference", nil}, {"reference", ""}, {"reference", strings.Repeat("é", 201)},
	{"reference", decomposed(201)}, {"reference", 1},
	{"reference", " order"}, {"reference", "order "}, {"reference", "\u00a0order"}, {"reference", "order\u2003"},
	{"reference", " "}, {"reference", "or\tder"},
	{"reference", "or\u202eder"}, {"reference", "or\u200bder"}, {"reference", "\ufeff"}, {"reference", "or\u00adder"},
	{"reference", "or\u2060der"}, {"reference", "or\U000e0041der"}, {"reference", "or\u0600der"},
	{"reference", "or\u2028der"}, {"reference", "or\u2029der"}, {"reference", "or\u00a0der"},
	{"reference", "or\u2003der"}, {"reference", "or\u3000der"}, {"reference", "or\u202fder"},
	{"reference", "order\n"}, {"reference", "or\u0000der"}, {"reference", "or\u009fder"},
	{"service_id", absent}, {"service_id", nil}, {"service_id", 1}, {"service_id", Body{}},
	{"amount_cents", absent}, {"amount_cents", nil}, {"amount_cents", 0}, {"amount_cents", -1},
	{"amount_cents", raw(`1.0`)}, {"amount_cents", raw(`1e3`)},
	{"amount_cents", "15000"}, {"amount_cents", raw(`150.00`)}, {"amount_cents", raw(`1000000000000000`)},
	{"amount_cents", raw(`99999999999999999999`)},
	{"customer", absent}, {"customer", nil}, {"customer", "Maria"}, {"customer", []string{}}, {"customer", true},
	{"customer.document", absent}, {"customer.document", nil}, {"customer.document", 52998224725},
	{"customer.document", "52998224724"},
	{"customer.document", "11111111111"}, {"customer.document", "12abc34501de36"},
	{"customer.name", absent}, {"customer.name", nil}, {"customer.name", ""},
	{"customer.name", strings.Repeat("é", 151)}, {"customer.name", "Ma\nria"},
	{"customer.name", "\ufeff"}, {"customer.name", "\u200b\u200b"},
	{"customer.address", "Avenida Paulista"}, {"customer.address", []string{}},
	{"customer.address.zip_code", absent}, {"customer.address.zip_code", nil}, {"customer.address.zip_code", "0131010"},
	{"customer.address.zip_code", 1310100},
	{"customer.address.street", absent}, {"customer.address.street", nil}, {"customer.address.street", ""},
	{"customer.address.street", strings.Repeat("é", 256)},
	{"customer.address.number", absent}, {"customer.address.number", nil}, {"customer.address.number", 1578},
	{"customer.address.number", strings.Repeat("1", 61)},
	{"customer.address.district", absent}, {"customer.address.district", nil},
	{"customer.address.district", strings.Repeat("é", 61)},
	{"customer.address.complement", ""}, {"customer.address.complement", strings.Repeat("é", 157)},
	{"customer.address.complement", 1},
	{"customer.address.street_type", ""}, {"customer.address.street_type", strings.Repeat("é", 21)},
	{"customer.municipality_code", ""}, {"customer.municipality_code", "355030"},
	{"customer.municipality_code", "3550309"}, {"customer.municipality_code", 3550308},
	{"service", "Consulta"}, {"service", unknownID(nfse.PrefixService)}, {"service", []string{}},
	{"service.description", ""}, {"service.description", "ab"}, {"service.description", strings.Repeat("é", 2001)},
	{"service.description", 1},
	{"service.name", "Exame"}, {"service.id", nil}, {"service.municipality_code", saoPaulo},
	{"service.national_tax_code", "010701"}, {"service.iss_rate", 2},
	{"iss_withheld", "true"}, {"iss_withheld", 1}, {"iss_withheld", 0}, {"iss_withheld", "1"}, {"iss_withheld", Body{}},
	{"customer.email", "maria@example.com"}, {"customer.nickname", "Maria"},
	{"customer.id", unknownID(nfse.PrefixCustomer)}, {"customer.address.city", "São Paulo"},
	{"municipality_code", saoPaulo}, {"national_tax_code", "010701"}, {"iss_rate", 2}, {"livemode", true},
	{"idempotent", false}, {"status", "issued"}, {"email_customer", true},
}

func TestIssuance_WrongFields(t *testing.T) {
	s := newSystem(t)
	for _, key := range []string{s.TestKey, s.LiveKey} { // live validates identically
		valid := testkit.Issuance(s.NewService(t, key), "order-1")
		for _, wrong := range wrongIssuanceFields {
			answer := s.Call(t, "POST", "/v1/nfse", key, with(valid, Body{wrong.field: wrong.value}))
			field := wrong.field
			if wrong.field == "customer.address" && wrong.value == absent {
				field = "customer.address.zip_code"
			}
			answer.ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, field)
		}
		for _, address := range []any{absent, nil, Body{}} { // the contract's table has no row for the address itself
			s.Call(t, "POST", "/v1/nfse", key, with(valid, Body{"customer.address": address})).
				ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "customer.address.zip_code")
		}
	}
	for _, scenario := range []any{"", "issued", "Slow", 1, true} {
		post(t, s, "/v1/nfse", with(testkit.Issuance(s.NewService(t, s.TestKey), "order-1"),
			Body{"sandbox_scenario": scenario})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "sandbox_scenario")
	}
	same(t, "notes", s.Count(t, `SELECT count(*) FROM notes`), 0)
	same(t, "customers", s.Count(t, `SELECT count(*) FROM customers`), 0)
	same(t, "outbox rows", s.Count(t, `SELECT count(*) FROM outbox`), 0)
}

func TestIssuance_FirstWrongField(t *testing.T) {
	s := newSystem(t)
	valid := testkit.Issuance(s.NewService(t, s.TestKey), "order-1")
	wrong := Body{}
	for i := len(issuanceFields) - 1; i >= 0; i-- {
		wrong[issuanceFields[i]] = []int{}
		post(t, s, "/v1/nfse", with(valid, wrong)).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, issuanceFields[i])
	}
	post(t, s, "/v1/nfse", Body{}).ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "reference")
	post(t, s, "/v1/nfse", Body{"customer": Body{}, "reference": "r", "service_id": "s", "amount_cents": 1}).
		ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "customer.document")
	// A wrong field comes before what must be looked up.
	post(t, s, "/v1/nfse", with(valid, Body{"service_id": "nothing", "iss_withheld": 1})).
		ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "iss_withheld")
}

func TestIssuance_Limits(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	for i, test := range []struct {
		field string
		value any
		read  []string // where the note shows it
	}{
		{"reference", strings.Repeat("é", 200), []string{"reference"}},
		{"reference", decomposed(200), []string{"reference"}},
		{"reference", strings.Repeat("🙂", 200), []string{"reference"}},
		{"reference", "ped/ido #1 <&> \"x\" 'y' \\ %00", []string{"reference"}},
		{"amount_cents", 1.0, []string{"amount_cents"}},
		{"amount_cents", 999999999999999.0, []string{"amount_cents"}},
		{"customer.name", strings.Repeat("é", 150), []string{"customer", "name"}},
		{"customer.name", decomposed(150), []string{"customer", "name"}},
		{"customer.address.street", strings.Repeat("é", 255), []string{"customer", "address", "street"}},
		{"customer.address.number", strings.Repeat("é", 60), []string{"customer", "address", "number"}},
		{"customer.address.district", strings.Repeat("é", 60), []string{"customer", "address", "district"}},
		{"customer.address.complement", strings.Repeat("é", 156), []string{"customer", "address", "complement"}},
		{"customer.address.street_type", strings.Repeat("é", 20), []string{"customer", "address", "street_type"}},
		{"service.description", "abc", []string{"service", "description"}},
		{"service.description", strings.Repeat("é\r\n\t", 500), []string{"service", "description"}},
		{"customer.document", "12ABC34501DE35", []string{"customer", "document"}},
	} {
		body := with(testkit.Issuance(service, "order-"+cpf(i)), Body{test.field: test.value})
		note := get(t, s, "/v1/nfse/"+s.Issue(t, s.TestKey, body)).Expect(t, http.StatusOK)
		same(t, test.field, note.At(test.read...), test.value)
	}
	tooLong := Body{"customer.address.street_type": "Avenida", "customer.address.street": strings.Repeat("é", 249)}
	post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-1"), tooLong)).
		ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "customer.address.street")
}

func TestIssuance_ReferencesAreExact(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	seen := map[string]bool{}
	for _, reference := range []string{"order 1", "order  1", "Order 1", "ORDER 1", "order1"} {
		seen[s.Issue(t, s.TestKey, testkit.Issuance(service, reference))] = true
	}
	same(t, "notes", len(seen), 5)
}

func TestIssuance_CustomerOrCustomerID(t *testing.T) {
	s := newSystem(t)
	valid := testkit.Issuance(s.NewService(t, s.TestKey), "order-1")
	customer := post(t, s, "/v1/customers", customerBody()).Text("id")
	for _, both := range []any{customer, unknownID(nfse.PrefixCustomer), ""} {
		post(t, s, "/v1/nfse", with(valid, Body{"customer_id": both})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "customer_id")
	}
	for _, neither := range []Body{{"customer": absent}, {"customer": nil}, {"customer": nil, "customer_id": nil},
		{"customer": absent, "customer_id": nil}} {
		post(t, s, "/v1/nfse", with(valid, neither)).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "customer")
	}
	for _, wrong := range []any{1, true, Body{}} {
		post(t, s, "/v1/nfse", with(valid, Body{"customer": absent, "customer_id": wrong})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "customer_id")
	}
	s.Issue(t, s.TestKey, with(valid, Body{"customer_id": nil}))
	s.Issue(t, s.TestKey, with(valid, Body{"customer_id": customer, "customer": nil, "reference": "order-2"}))
}

func TestIssuance_UsableService(t *testing.T) {
	s := newSystem(t)
	_, otherKey, _ := s.NewOrganization(t, "Outra")
	expired, inactive := s.NewService(t, s.TestKey), s.NewService(t, s.TestKey)
	s.Exec(t, `UPDATE services SET expires_at = now() WHERE id = $1`, expired)
	patch(t, s, "/v1/services/"+inactive, Body{"active": false}).Expect(t, http.StatusOK)

	body := func(service string) Body { return testkit.Issuance(service, "order-1") }
	expected := post(t, s, "/v1/nfse", body(unknownID(nfse.PrefixService))).
		ExpectError(t, http.StatusNotFound, nfse.CodeServiceNotFound, "service_id")
	same(t, "retryable", retryable(expected), false)
	for _, service := range append(malformedIDs(nfse.PrefixService), "", "a\u0000b", expired,
		s.NewService(t, s.LiveKey), s.NewService(t, otherKey)) {
		sameAnswer(t, "service "+service, post(t, s, "/v1/nfse", body(service)), expected)
	}
	refused := post(t, s, "/v1/nfse", body(inactive)).
		ExpectError(t, http.StatusConflict, nfse.CodeServiceInactive, "service_id")
	same(t, "retryable", retryable(refused), false)
	s.Call(t, "POST", "/v1/nfse", s.LiveKey, body(s.NewService(t, s.TestKey))).
		ExpectError(t, http.StatusNotFound, nfse.CodeServiceNotFound, "service_id")

	patch(t, s, "/v1/services/"+inactive, Body{"active": true}).Expect(t, http.StatusOK)
	s.Issue(t, s.TestKey, body(inactive)) // none of the refusals took the reference
}

func TestIssuance_Description(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	for i, test := range []struct {
		override any
		printed  string
	}{
		{Body{"description": "Consulta de agosto"}, "Consulta de agosto"},
		{Body{"description": nil}, "Consulta médica"}, {Body{}, "Consulta médica"}, {nil, "Consulta médica"},
		{absent, "Consulta médica"},
	} {
		id := s.Issue(t, s.TestKey, with(testkit.Issuance(service, "order-"+cpf(i)), Body{"service": test.override}))
		same(t, "printed", get(t, s, "/v1/nfse/"+id).Text("service", "description"), test.printed)
	}
	same(t, "the catalogue", get(t, s, "/v1/services/"+service).Text("description"), "Consulta médica")
}

func TestIssuance_ISSWithheld(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	for i, test := range []struct {
		sent any
		kept bool
	}{{true, true}, {false, false}, {nil, false}, {absent, false}} {
		id := s.Issue(t, s.TestKey, with(testkit.Issuance(service, "order-"+cpf(i)), Body{"iss_withheld": test.sent}))
		same(t, "iss_withheld", get(t, s, "/v1/nfse/"+id).At("iss_withheld"), test.kept)
	}
}

func TestIssuance_SandboxScenario(t *testing.T) {
	s := newSystem(t)
	service, live := s.NewService(t, s.TestKey), s.NewService(t, s.LiveKey)
	for i, test := range []struct {
		sent any
		kept string
	}{{"authorized", "authorized"}, {"rejected", "rejected"}, {"slow", "slow"}, {nil, "authorized"}, {absent,
		"authorized"}} {
		id := s.Issue(t, s.TestKey, with(testkit.Issuance(service, "order-"+cpf(i)),
			Body{"sandbox_scenario": test.sent}))
		same(t, "the scenario", s.Text(t, `SELECT scenario FROM notes WHERE id = $1`, id), test.kept)
	}
	for _, sent := range []any{"authorized", "rejected", "slow", "nonsense", 1} {
		answer := s.Call(t, "POST", "/v1/nfse", s.LiveKey,
			with(testkit.Issuance(live, "order-1"), Body{"sandbox_scenario": sent})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeSandboxScenarioNotAllowed, "sandbox_scenario")
		same(t, "retryable", retryable(answer), false)
	}
	s.Issue(t, s.LiveKey, with(testkit.Issuance(live, "order-1"), Body{"sandbox_scenario": nil})) // null is as left out
}
