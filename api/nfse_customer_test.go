package api_test

import (
	"net/http"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// byID is an issuance for a customer on record.
func byID(service, customer, reference string) Body {
	return Body{"reference": reference, "service_id": service, "amount_cents": 15000, "customer_id": customer}
}

func TestIssuance_CustomerOnRecord(t *testing.T) {
	s := newSystem(t)
	for _, key := range []string{s.TestKey, s.LiveKey} {
		customer := s.Call(t, "POST", "/v1/customers", key, customerBody()).Expect(t, http.StatusCreated)
		accepted := s.Call(t, "POST", "/v1/nfse", key, byID(s.NewService(t, key), customer.Text("id"), "order-1")).
			Expect(t, http.StatusAccepted)
		same(t, "customer_id", accepted.Text("customer_id"), customer.Text("id"))
		note := s.Call(t, "GET", "/v1/nfse/"+accepted.Text("id"), key, nil).Expect(t, http.StatusOK)
		same(t, "the snapshot", note.At("customer"), any(Body{
			"document": "52998224725", "name": "Maria da Silva", "email": "maria@example.com",
			"municipality_code": saoPaulo, "address": customer.At("address"),
		}))
		same(t, "the municipality", note.At("municipality"),
			any(Body{"code": saoPaulo, "source": "customer", "verified": true}))
	}
}

func TestIssuance_IncompleteCustomer(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	bare := post(t, s, "/v1/customers", Body{"document": "52998224725", "name": "Maria"}).
		Expect(t, http.StatusCreated).Text("id")
	for _, gap := range []struct {
		field string
		fill  Body
	}{
		{"customer.address.street", Body{"street": "Paulista"}},
		{"customer.address.number", Body{"number": "1578"}},
		{"customer.address.district", Body{"district": "Bela Vista"}},
		{"customer.address.zip_code", Body{"zip_code": zipOfNoRange}},
		{"customer.municipality_code", Body{"zip_code": zipSaoPaulo}},
	} {
		answer := post(t, s, "/v1/nfse", byID(service, bare, "order-1")).
			ExpectError(t, http.StatusUnprocessableEntity, nfse.CodeCustomerIncomplete, gap.field)
		same(t, "retryable", retryable(answer), false)
		patch(t, s, "/v1/customers/"+bare, Body{"address": gap.fill}).Expect(t, http.StatusOK)
	}
	s.Issue(t, s.TestKey, byID(service, bare, "order-1"))
}

func TestIssuance_CustomerOfElsewhere(t *testing.T) {
	s := newSystem(t)
	_, otherKey, _ := s.NewOrganization(t, "Outra")
	service := s.NewService(t, s.TestKey)
	customers := append(malformedIDs(nfse.PrefixCustomer), "", "a\u0000b")
	for _, key := range []string{s.LiveKey, otherKey} {
		customers = append(customers, s.Call(t, "POST", "/v1/customers", key, customerBody()).
			Expect(t, http.StatusCreated).Text("id"))
	}
	expected := post(t, s, "/v1/nfse", byID(service, unknownID(nfse.PrefixCustomer), "order-1")).
		ExpectError(t, http.StatusNotFound, nfse.CodeCustomerNotFound, "customer_id")
	for _, customer := range customers {
		sameAnswer(t, "customer "+customer, post(t, s, "/v1/nfse", byID(service, customer, "order-1")), expected)
	}
	// The service comes first in the contract's table.
	post(t, s, "/v1/nfse", byID(unknownID(nfse.PrefixService), unknownID(nfse.PrefixCustomer), "order-1")).
		ExpectError(t, http.StatusNotFound, nfse.CodeServiceNotFound, "service_id")
}

func TestIssuance_InlineCustomer(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	accepted := post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-1"),
		Body{"customer.address.complement": "Sala 2"})).Expect(t, http.StatusAccepted)
	path := "/v1/customers/" + accepted.Text("customer_id")
	record := get(t, s, path).Expect(t, http.StatusOK)
	same(t, "the record", record.JSON, Body{
		"id": accepted.Text("customer_id"), "created_at": record.Text("created_at"),
		"updated_at": record.Text("created_at"),
		"document":   "52998224725", "name": "Maria da Silva", "nickname": nil, "email": nil,
		"municipality_code": saoPaulo,
		"address": Body{
			"street_type": nil, "street": "Avenida Paulista", "number": "1578", "district": "Bela Vista",
			"zip_code": zipSaoPaulo, "complement": "Sala 2",
		},
		"fiscal_data_complete": true,
	})

	// Sent again with other data: the note has the new, the record keeps the old, and its e-mail is the note's.
	patch(t, s, path, Body{"email": "maria@example.com"}).Expect(t, http.StatusOK)
	before := get(t, s, path)
	second := post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-2"), Body{
		"customer.name": "Maria Souza", "customer.address.zip_code": zipRio, "customer.address.street": "Rua México",
		"customer.address.number": "11", "customer.address.district": "Centro",
	})).Expect(t, http.StatusAccepted)
	same(t, "customer_id", second.Text("customer_id"), accepted.Text("customer_id"))
	same(t, "the record", string(get(t, s, path).Raw), string(before.Raw))
	note := get(t, s, "/v1/nfse/"+second.Text("id"))
	same(t, "the snapshot", note.At("customer"), any(Body{
		"document": "52998224725", "name": "Maria Souza", "email": "maria@example.com", "municipality_code": nil,
		"address": Body{"street_type": nil, "street": "Rua México", "number": "11", "district": "Centro",
			"zip_code": zipRio, "complement": nil},
	}))
	same(t, "the municipality", note.At("municipality"), any(Body{"code": rio, "source": "zip_code", "verified": true}))
}

func TestIssuance_Snapshots(t *testing.T) {
	s := newSystem(t)
	service := post(t, s, "/v1/services", serviceBody()).Expect(t, http.StatusCreated).Text("id")
	customer := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated).Text("id")
	paths := []string{
		"/v1/nfse/" + s.Issue(t, s.TestKey, byID(service, customer, "order-1")),
		"/v1/nfse/" + s.Issue(t, s.TestKey, testkit.Issuance(service, "order-2")),
	}
	before := []testkit.Answer{get(t, s, paths[0]), get(t, s, paths[1])}
	patch(t, s, "/v1/services/"+service, Body{
		"name": "Exame", "description": "Exame de sangue", "municipality_code": rio, "national_tax_code": nil,
		"municipal_tax_code": nil,
		"municipal_taxation": "F", "iss_rate": 5, "default_amount_cents": 1, "active": false,
	}).Expect(t, http.StatusOK)
	patch(t, s, "/v1/customers/"+customer, Body{"name": "Outra", "email": nil, "address": Body{"zip_code": zipRio,
		"street": "Rua México"}}).Expect(t, http.StatusOK)
	for i, path := range paths {
		same(t, "the note", string(get(t, s, path).Raw), string(before[i].Raw))
	}
}
