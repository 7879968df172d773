package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// fullIssuance sets every field of an inline issuance.
func fullIssuance(service string) Body {
	return with(testkit.Issuance(service, "order-1"), Body{
		"customer.name": "José Conceição", "customer.address.complement": "Sala 2",
		"customer.address.street_type": "Praça",
		"customer.municipality_code":   saoPaulo, "service.description": "Avaliação", "iss_withheld": true,
		"sandbox_scenario": "slow",
	})
}

// expectReplay fails the test unless the answer is the same note again.
func expectReplay(t *testing.T, what string, answer, first testkit.Answer, status nfse.Status) {
	t.Helper()
	answer.Expect(t, http.StatusAccepted)
	same(t, what, answer.JSON, with(first.JSON, Body{"idempotent": true, "status": string(status)}))
}

func TestReplay_SameRequest(t *testing.T) {
	s := newSystem(t)
	full := fullIssuance(s.NewService(t, s.TestKey))
	minimal := with(testkit.Issuance(s.NewService(t, s.TestKey), "order-2"), nil)
	first := post(t, s, "/v1/nfse", full).Expect(t, http.StatusAccepted)
	second := post(t, s, "/v1/nfse", minimal).Expect(t, http.StatusAccepted)

	for what, again := range map[string]any{
		"as it was": full,
		"unmasked": with(full, Body{"customer.document": "52998224725",
			"customer.address.zip_code": zipSaoPaulo}),
		"decomposed": with(full, Body{"customer.name": "Jose\u0301 Conceic\u0327a\u0303o",
			"customer.address.street_type": "Prac\u0327a", "service.description": "Avaliac\u0327a\u0303o"}),
		"in another order": reversed(t, full),
		"spread out":       indented(t, full),
		"escaped":          strings.ReplaceAll(indented(t, full), "José", `Jos\u00e9`),
		"with null id":     with(full, Body{"customer_id": nil}),
	} {
		expectReplay(t, what, post(t, s, "/v1/nfse", again), first, nfse.StatusQueued)
	}
	for what, again := range map[string]Body{
		"as it was": minimal,
		"defaults said": with(minimal, Body{"iss_withheld": false, "sandbox_scenario": "authorized", "service": Body{},
			"customer_id":                 nil,
			"customer.address.complement": nil, "customer.address.street_type": nil,
			"customer.municipality_code": nil}),
		"all null": with(minimal, Body{"iss_withheld": nil, "sandbox_scenario": nil, "service": nil}),
		"no text":  with(minimal, Body{"service.description": nil}),
	} {
		expectReplay(t, what, post(t, s, "/v1/nfse", again), second, nfse.StatusQueued)
	}
	same(t, "notes", s.Count(t, `SELECT count(*) FROM notes`), 2)
	same(t, "outbox rows", s.Count(t, `SELECT count(*) FROM outbox`), 2)
	same(t, "customers", s.Count(t, `SELECT count(*) FROM customers`), 1)
}

// Small letters of a CNPJ are its capital ones: kept as these, and no other request.
func TestReplay_LettersOfDocument(t *testing.T) {
	s := newSystem(t)
	issuance := with(testkit.Issuance(s.NewService(t, s.TestKey), "order-1"), Body{
		"customer.document": "12.abc.345/01de-35"})
	first := post(t, s, "/v1/nfse", issuance).Expect(t, http.StatusAccepted)
	note := get(t, s, "/v1/nfse/"+first.Text("id")).Expect(t, http.StatusOK)
	same(t, "document", note.Text("customer", "document"), "12ABC34501DE35")
	for _, document := range []string{"12ABC34501DE35", "12abc34501de35", "12.ABC.345/01DE-35", "12.aBc.345/01dE-35"} {
		again := post(t, s, "/v1/nfse", with(issuance, Body{"customer.document": document}))
		expectReplay(t, document, again, first, nfse.StatusQueued)
	}
	same(t, "customers", s.Count(t, `SELECT count(*) FROM customers`), 1)
}

func indented(t *testing.T, body Body) string {
	text, err := json.MarshalIndent(body, "  ", "\t")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// reversed writes the fields of a body from the last name to the first.
func reversed(t *testing.T, body Body) string {
	var fields []string
	for _, name := range []string{"service_id", "service", "sandbox_scenario", "reference", "iss_withheld", "customer",
		"amount_cents"} {
		value, err := json.Marshal(body[name])
		if err != nil {
			t.Fatal(err)
		}
		fields = append(fields, `"`+name+`":`+string(value))
	}
	if len(fields) != len(body) {
		t.Fatalf("the body has other fields: %v", body)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func TestReplay_CurrentStatus(t *testing.T) {
	s := newSystem(t)
	body := testkit.Issuance(s.NewService(t, s.TestKey), "order-1")
	first := post(t, s, "/v1/nfse", body).Expect(t, http.StatusAccepted)
	begin(t, s, first.Text("id"))
	expectReplay(t, "while processing", post(t, s, "/v1/nfse", body), first, nfse.StatusProcessing)
	settleIssued(t, s, first.Text("id"), "<nfse/>")
	expectReplay(t, "when issued", post(t, s, "/v1/nfse", body), first, nfse.StatusIssued)
}

func TestReplay_Conflict(t *testing.T) {
	s := newSystem(t)
	full := fullIssuance(s.NewService(t, s.TestKey))
	id := s.Issue(t, s.TestKey, full)
	for field, other := range (Body{
		"service_id": s.NewService(t, s.TestKey), "amount_cents": 15001, "customer.document": "11222333000181",
		"customer.name":             "Jose Conceicao",
		"customer.address.zip_code": "01310-200", "customer.address.street": "Rua Augusta",
		"customer.address.number": "1579", "customer.address.district": "Centro",
		"customer.address.complement": absent, "customer.address.street_type": "Rua",
		"customer.municipality_code": absent,
		"service.description":        "Consulta médica", "service": absent, "iss_withheld": false,
		"sandbox_scenario": "authorized",
	}) {
		answer := post(t, s, "/v1/nfse", with(full, Body{field: other})).
			ExpectError(t, http.StatusConflict, nfse.CodeIdempotencyConflict, "reference")
		same(t, "retryable", retryable(answer), false)
		if !strings.Contains(message(answer), id) {
			t.Errorf("%s: the message does not name %s: %s", field, id, message(answer))
		}
	}
	customer := post(t, s, "/v1/customers", customerBody()).Text("id")
	for what, other := range map[string]Body{
		"the customer by id":             {"customer": absent, "customer_id": customer},
		"a service that is not there":    {"service_id": unknownID(nfse.PrefixService)},
		"a malformed service":            {"service_id": "nothing"},
		"a customer that is not there":   {"customer": absent, "customer_id": unknownID(nfse.PrefixCustomer)},
		"no id at all":                   {"customer": absent, "customer_id": ""},
		"a municipality that is not one": {"customer.municipality_code": "0000000"},
	} {
		answer := post(t, s, "/v1/nfse", with(full, other))
		if answer.Status != http.StatusConflict {
			t.Errorf("%s: %d %s", what, answer.Status, answer.Raw)
		}
	}
	same(t, "notes", s.Count(t, `SELECT count(*) FROM notes`), 1)
}

func TestReplay_ComesFirst(t *testing.T) {
	zips := newZipServer(t)
	s := zips.system(t)
	service := s.NewService(t, s.TestKey)
	inline := testkit.Issuance(service, "order-1")
	customer := post(t, s, "/v1/customers", with(customerBody(), Body{"document": "11222333000181"})).
		Expect(t, http.StatusCreated).Text("id")
	byID := with(inline, Body{"reference": "order-2", "customer": absent, "customer_id": customer})
	first := post(t, s, "/v1/nfse", inline).Expect(t, http.StatusAccepted)
	second := post(t, s, "/v1/nfse", byID).Expect(t, http.StatusAccepted)
	expect := func(what string) {
		t.Helper()
		expectReplay(t, what, post(t, s, "/v1/nfse", inline), first, nfse.StatusQueued)
		expectReplay(t, what, post(t, s, "/v1/nfse", byID), second, nfse.StatusQueued)
	}

	patch(t, s, "/v1/services/"+service, Body{"active": false, "municipality_code": rio}).Expect(t, http.StatusOK)
	expect("the service is inactive")
	s.Exec(t, `UPDATE services SET expires_at = now() - interval '1 day'`)
	expect("the service has expired")
	s.Exec(t, `DELETE FROM zip_codes`)
	zips.knows(map[string]string{zipSaoPaulo: rio})
	expect("the zip code has moved")
	zips.answer(http.StatusNotFound, `not found`)
	expect("the look-up is down")
	patch(t, s, "/v1/customers/"+customer, Body{"name": "Outra", "address": nil}).Expect(t, http.StatusOK)
	expect("the customer is incomplete")
}

func TestReplay_Scope(t *testing.T) {
	s := newSystem(t)
	_, otherTest, otherLive := s.NewOrganization(t, "Outra")
	notes := map[string]bool{}
	for i, key := range []string{s.TestKey, s.LiveKey, otherTest, otherLive} {
		body := with(testkit.Issuance(s.NewService(t, key), "order-1"), Body{"amount_cents": 100 + i})
		first := s.Call(t, "POST", "/v1/nfse", key, body).Expect(t, http.StatusAccepted)
		same(t, "idempotent", first.At("idempotent"), false)
		expectReplay(t, "again", s.Call(t, "POST", "/v1/nfse", key, body), first, nfse.StatusQueued)
		notes[first.Text("id")] = true
	}
	same(t, "notes", len(notes), 4)

	// Another key of the organization and environment meets the same note.
	body := testkit.Issuance(s.NewService(t, s.TestKey), "order-2")
	first := post(t, s, "/v1/nfse", body).Expect(t, http.StatusAccepted)
	another := s.NewKey(t, s.Organization.ID, false)
	expectReplay(t, "with another key", s.Call(t, "POST", "/v1/nfse", another, body), first, nfse.StatusQueued)
	s.Call(t, "POST", "/v1/nfse", another, with(body, Body{"amount_cents": 1})).
		ExpectError(t, http.StatusConflict, nfse.CodeIdempotencyConflict, "reference")
}

func TestReplay_RevokedKey(t *testing.T) {
	s := newSystem(t)
	key := s.NewKey(t, s.Organization.ID, false)
	body := testkit.Issuance(s.NewService(t, key), "order-1")
	first := s.Call(t, "POST", "/v1/nfse", key, body).Expect(t, http.StatusAccepted)
	s.Exec(t, `UPDATE api_keys SET revoked_at = now() WHERE hash = $1`, nfse.HashAPIKey(key))
	expectReplay(t, "with the key after it", post(t, s, "/v1/nfse", body), first, nfse.StatusQueued)
}

// References are compared as they were sent: in another normal form it is another note.
func TestReplay_NormalFormsOfAReference(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	seen := map[string]bool{}
	for _, reference := range []string{"caf\u00e9-1", "cafe\u0301-1"} {
		first := post(t, s, "/v1/nfse", testkit.Issuance(service, reference)).Expect(t, http.StatusAccepted)
		if first.Text("reference") != reference || seen[first.Text("id")] {
			t.Errorf("%q is the note %s", reference, first.Raw)
		}
		seen[first.Text("id")] = true
		expectReplay(t, reference, post(t, s, "/v1/nfse", testkit.Issuance(service, reference)), first,
			nfse.StatusQueued)
	}
}
