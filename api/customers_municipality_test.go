package api_test

import (
	"net/http"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

func TestCustomer_MunicipalityFromZipCode(t *testing.T) {
	s := newSystem(t)
	created := post(t, s, "/v1/customers", with(customerBody(), Body{"municipality_code": absent})).
		Expect(t, http.StatusCreated)
	path := "/v1/customers/" + created.Text("id")
	for _, step := range []struct {
		name     string
		change   Body
		expected any
	}{
		{"a new zip code", Body{"address": Body{"zip_code": zipRio}}, rio},
		{"a new name only", Body{"name": "Maria Souza"}, rio},
		{"a new zip code and null", Body{"municipality_code": nil, "address": Body{"zip_code": zipSaoPaulo}}, saoPaulo},
		{"a zip code that nobody knows", Body{"address": Body{"zip_code": zipOfNoRange}}, nil},
		{"a code for it", Body{"municipality_code": rio}, rio},
		{"a known zip code again", Body{"address": Body{"zip_code": zipSaoPaulo}}, saoPaulo},
		{"the code that it has", Body{"municipality_code": saoPaulo}, saoPaulo},
		{"null", Body{"municipality_code": nil}, nil},
		{"a new name after that", Body{"name": "Maria"}, nil},
		{"the zip code once more", Body{"address": Body{"zip_code": "01310-100"}}, saoPaulo},
		{"both new, and one", Body{"municipality_code": rio, "address": Body{"zip_code": zipRio}}, rio},
		{"no address", Body{"address": nil, "municipality_code": saoPaulo}, saoPaulo},
	} {
		same(t, step.name, patch(t, s, path, step.change).
			Expect(t, http.StatusOK).At("municipality_code"), step.expected)
	}
}

func TestCustomer_MunicipalityConflict(t *testing.T) {
	s := newSystem(t)
	conflict := func(answer testkit.Answer) {
		t.Helper()
		answer.ExpectError(t, http.StatusUnprocessableEntity, nfse.CodeMunicipalityConflict, "municipality_code")
		same(t, "retryable", retryable(answer), false)
	}
	conflict(post(t, s, "/v1/customers", with(customerBody(), Body{"municipality_code": rio})))
	same(t, "customers", s.Count(t, `SELECT count(*) FROM customers`), 0)

	created := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated)
	path := "/v1/customers/" + created.Text("id")
	conflict(patch(t, s, path, Body{"municipality_code": rio}))
	conflict(patch(t, s, path, Body{"municipality_code": saoPaulo, "address": Body{"zip_code": zipRio}}))
	conflict(post(t, s, "/v1/customers", with(customerBody(), Body{"municipality_code": rio})))
	same(t, "the customer", string(get(t, s, path).Raw), string(created.Raw))
}

func TestCustomer_LookUpDown(t *testing.T) {
	zips := newZipServer(t)
	zips.resets()
	s := zips.system(t)
	down := post(t, s, "/v1/customers", with(customerBody(), Body{"address.zip_code": zipOfNoRange,
		"municipality_code": absent})).Expect(t, http.StatusCreated)
	same(t, "municipality_code", down.At("municipality_code"), nil)
	same(t, "fiscal_data_complete", down.At("fiscal_data_complete"), false)
	declared := post(t, s, "/v1/customers", with(customerBody(), Body{"document": cpf(1),
		"address.zip_code": zipOfNoRange, "municipality_code": rio})).Expect(t, http.StatusCreated)
	same(t, "municipality_code, declared", declared.At("municipality_code"), rio)
	against := post(t, s, "/v1/customers", with(customerBody(), Body{"document": cpf(2), "municipality_code": rio})).
		Expect(t, http.StatusCreated)
	same(t, "municipality_code, declared against a range", against.At("municipality_code"), rio)

	zips.knows(map[string]string{zipOfNoRange: saoPaulo, zipSaoPaulo: saoPaulo})
	found := post(t, s, "/v1/customers", with(customerBody(), Body{"address.zip_code": zipOfNoRange,
		"municipality_code": absent})).Expect(t, http.StatusOK)
	same(t, "municipality_code, synchronized when the look-up is back", found.At("municipality_code"), saoPaulo)
}
