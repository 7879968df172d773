package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"emissor/internal/web"
	"emissor/nfse"
)

// FuzzIssuance reads any bytes as the body of POST /v1/nfse. The answer is always an issuance or an error that the
// caller can correct; and what is accepted means the same when it is written down again.
func FuzzIssuance(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"reference":"r","reference":"r"}`, `{"customer":{"address":{"street":1e999}}}`,
		`{"a":"\ud800"}`, "{\"reference\":\"\xff\"}",
		`{"reference":"r","service_id":"srv_01m0st8jg0egxb31vmrnsbv2h5","amount_cents":15000,
			"customer_id":"cus_01m0sthqf0fsytr0x9a1xe4sfc"}`,
		`{"reference":"r","service_id":"s","amount_cents":1,"customer_id":"","service":{},
			"iss_withheld":null,"sandbox_scenario":"authorized"}`,
		`{"reference":"pedido 1","service_id":"s","amount_cents":999999999999999,
			"customer":{"document":"529.982.247-25","name":"Jose\u0301","address":{
			"zip_code":"01310-100","street":"Avenida Paulista","number":"1578","district":"Bela Vista",
			"complement":"Sala 2","street_type":"Avenida"},"municipality_code":"3550308"},
			"service":{"description":"Consulta\nm\u00e9dica"},"iss_withheld":true,"sandbox_scenario":"slow"}`,
		`{"reference":"r","service_id":"s","amount_cents":1,
			"customer":{"document":"12.ABC.345/01DE-35","name":"` + "\u1fb2\u0344" + `","address":{
			"zip_code":"01310100","street":"\u2028","number":"1","district":"\u0958"}}}`,
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, livemode bool) {
		issuance, err := readIssuanceBody(body, livemode)
		if err != nil {
			expectCallersError(t, err)
			return
		}
		first := hash(t, issuance)
		for _, spelling := range []func(string) string{func(s string) string { return s }, norm.NFC.String,
			norm.NFD.String} {
			again, err := readIssuanceBody(write(t, issuance, spelling), livemode)
			if err != nil {
				t.Fatalf("accepted once and then refused: %v", err)
			}
			if again.Reference == issuance.Reference && !bytes.Equal(hash(t, again), first) {
				t.Fatalf("two spellings of one request differ:\n%+v\n%+v", issuance, again)
			}
		}
		again, err := readIssuanceBody(write(t, issuance, func(s string) string { return s }), livemode)
		if err != nil || !reflect.DeepEqual(again, issuance) {
			t.Fatalf("written and read again:\n%+v\n%+v\n%v", issuance, again, err)
		}
	})
}

func readIssuanceBody(body []byte, livemode bool) (nfse.Issuance, error) {
	sending := httptest.NewRequest(http.MethodPost, "/v1/nfse", bytes.NewReader(body))
	sending.Header.Set("Content-Type", "application/json")
	sending = sending.WithContext(context.WithValue(sending.Context(), requestKey{}, &request{}))
	sent, err := readBody(httptest.NewRecorder(), sending)
	if err != nil {
		return nfse.Issuance{}, err
	}
	return readIssuance(sent, livemode)
}

func expectCallersError(t *testing.T, err error) {
	t.Helper()
	var known *nfse.Error
	if !errors.As(err, &known) {
		t.Fatalf("the caller cannot understand %v", err)
	}
	if status := web.Statuses[known.Code]; status < 400 || status >= 500 || known.Retryable {
		t.Errorf("%v is a %d", known, status)
	}
	if known.Message == "" || len(known.Message) > 2000 || !utf8.ValidString(known.Message) ||
		!utf8.ValidString(known.Field) {
		t.Errorf("the message is %q, the field %q", known.Message, known.Field)
	}
}

func hash(t *testing.T, issuance nfse.Issuance) []byte {
	t.Helper()
	sum, err := issuance.PayloadHash(nfse.PayloadVersion)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// write makes a body of an issuance, with its text spelled so.
func write(t *testing.T, issuance nfse.Issuance, spelling func(string) string) []byte {
	t.Helper()
	text := func(s *string) any {
		if s == nil {
			return nil
		}
		return spelling(*s)
	}
	body := map[string]any{
		"reference": issuance.Reference, "service_id": issuance.ServiceID, "amount_cents": issuance.AmountCents,
		"iss_withheld": issuance.ISSWithheld,
		"service":      map[string]any{"description": text(issuance.Description)},
	}
	if issuance.Scenario != "" {
		body["sandbox_scenario"] = issuance.Scenario
	}
	if taker := issuance.Customer; taker != nil {
		body["customer"] = map[string]any{
			"document": taker.TaxID, "name": spelling(taker.Name), "municipality_code": text(taker.MunicipalityCode),
			"address": map[string]any{
				"street_type": text(taker.Address.StreetType), "street": text(taker.Address.Street),
				"number":   text(taker.Address.Number),
				"district": text(taker.Address.District), "zip_code": text(taker.Address.ZipCode),
				"complement": text(taker.Address.Complement),
			},
		}
	} else {
		body["customer_id"] = issuance.CustomerID
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// FuzzPage reads any query of a list: a page within its bounds, or an error that
// the caller can correct.
func FuzzPage(f *testing.F) {
	for _, query := range []string{"", "limit=10", "limit=100&starting_after=nfse_01m7yv5g08ef688dg9093ee0f7",
		"limit=%31", "limit=+1", "starting_after=nfse_", "starting_after=%00", "a;b", "limit=1&limit=2", "limit=1e1"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		request := httptest.NewRequest(http.MethodGet, "/v1/nfse", nil)
		request.URL.RawQuery = query
		page, err := readPage(request, nfse.PrefixNote)
		if err != nil {
			expectCallersError(t, err)
		} else if page.Limit < 1 || page.Limit > maxLimit ||
			page.After != "" && !nfse.IsID(nfse.PrefixNote, page.After) {
			t.Errorf("%q is read as %+v", query, page)
		}
	})
}
