package api_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// What is decided below HTTP is told in the names of the request.
func TestMessage_NamesTheFieldsOfTheRequest(t *testing.T) {
	zips := newZipServer(t)
	s := zips.system(t)
	service := s.NewService(t, s.TestKey)
	valid := testkit.Issuance(service, "order-1")
	bare := post(t, s, "/v1/customers", Body{"document": cpf(1), "name": "Maria"}).
		Expect(t, http.StatusCreated).Text("id")
	customer := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated).Text("id")
	issue := func(changes Body) testkit.Answer { return post(t, s, "/v1/nfse", with(valid, changes)) }
	long := strings.Repeat("x", 249)
	expect := func(answer testkit.Answer, code nfse.Code, field, said string) {
		t.Helper()
		same(t, "code", answer.Text("error", "code"), string(code))
		same(t, "field", answer.Text("error", "field"), field)
		same(t, "message", message(answer), said)
	}

	expect(issue(Body{"customer.municipality_code": "3550309"}), nfse.CodeInvalidRequest,
		"customer.municipality_code", "customer.municipality_code is not the IBGE code of a municipality")
	expect(issue(Body{"customer.address.street_type": "Avenida", "customer.address.street": long}),
		nfse.CodeInvalidRequest, "customer.address.street",
		"customer.address.street together with its street_type must have at most 255 characters")
	expect(patch(t, s, "/v1/customers/"+customer, Body{"address": Body{"street": long}}),
		nfse.CodeInvalidRequest, "address.street",
		"address.street together with its street_type must have at most 255 characters")
	expect(issue(Body{"customer.municipality_code": rio}), nfse.CodeMunicipalityConflict, "customer.municipality_code",
		"the zip code belongs to São Paulo/SP (3550308), not to Rio de Janeiro/RJ (3304557)")
	expect(post(t, s, "/v1/nfse", byID(service, bare, "order-1")), nfse.CodeCustomerIncomplete,
		"customer.address.street",
		"the customer's record lacks customer.address.street; complete it with PATCH /v1/customers/{id}")
	expect(issue(Body{"customer.address.zip_code": zipOfNoRange}), nfse.CodeZipCodeNotFound,
		"customer.address.zip_code", "the zip code is not known; send customer.municipality_code as well")
	zips.resets()
	expect(issue(Body{"customer.address.zip_code": zipOfNoRange}), nfse.CodeZipCodeLookupUnavailable,
		"customer.address.zip_code",
		"the zip-code look-up is temporarily unavailable; repeat the request, or send customer.municipality_code as "+
			"well")
}
