package api_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/internal/municipality"
	"emissor/test/testkit"
)

// cost sorts statements into those that count, and how transactions began and
// ended.
func cost(statements []string) (counted []string, begins, commits, rollbacks int) {
	for _, statement := range statements {
		switch verb, _, _ := strings.Cut(strings.TrimSpace(statement), " "); verb {
		case "BEGIN":
			begins++
		case "COMMIT":
			commits++
		case "ROLLBACK":
			rollbacks++
		case ";": // what the driver asks to see whether a connection lives
		default:
			counted = append(counted, strings.Join(strings.Fields(statement), " "))
		}
	}
	return counted, begins, commits, rollbacks
}

func TestCost_Accept(t *testing.T) {
	tap := &testkit.Wiretap{}
	zips := newZipServer(t)
	plain := testkit.NewSystem(t, testkit.Options{Connect: tap.Connect}) // no engine: nothing there could call Temporal
	service := plain.NewService(t, plain.TestKey)
	customer := post(t, plain, "/v1/customers", customerBody()).Expect(t, http.StatusCreated).Text("id")
	inline := func(reference, document string) Body {
		return with(testkit.Issuance(service, reference), Body{"customer.document": document})
	}
	measure := func(what string, most int, request func() testkit.Answer) {
		t.Helper()
		tap.Take()
		request().Expect(t, http.StatusAccepted)
		counted, begins, commits, rollbacks := cost(tap.Take())
		if len(counted) == 0 || len(counted) > most || begins != commits || commits > 1 || rollbacks != 0 {
			t.Errorf("%s: %d statements, %d BEGIN, %d COMMIT, %d ROLLBACK:\n%s", what, len(counted), begins, commits,
				rollbacks, strings.Join(counted, "\n"))
		}
	}
	measure("inline, a new customer, a zip code in a range", 6, func() testkit.Answer {
		return post(t, plain, "/v1/nfse", inline("order-1", cpf(1)))
	})
	measure("inline, a known customer", 6, func() testkit.Answer {
		return post(t, plain, "/v1/nfse", inline("order-2", cpf(1)))
	})
	measure("a customer on record", 6, func() testkit.Answer {
		return post(t, plain, "/v1/nfse", byID(service, customer, "order-3"))
	})
	measure("a replay", 2, func() testkit.Answer { return post(t, plain, "/v1/nfse", inline("order-2", cpf(1))) })

	online := testkit.NewSystem(t, testkit.Options{Connect: tap.Connect,
		Services: []municipality.Service{zips.viaCEP(t)}})
	service = online.NewService(t, online.TestKey)
	measure("inline, a zip code looked up", 6, func() testkit.Answer {
		return post(t, online, "/v1/nfse", inline("order-1", cpf(1)))
	})
	measure("inline, a remembered zip code", 6, func() testkit.Answer {
		return post(t, online, "/v1/nfse", inline("order-2", cpf(2)))
	})
}

func TestCost_Read(t *testing.T) {
	tap := &testkit.Wiretap{}
	s := testkit.NewSystem(t, testkit.Options{Connect: tap.Connect})
	service := s.NewService(t, s.TestKey)
	note := post(t, s, "/v1/nfse", testkit.Issuance(service, "order-1")).Expect(t, http.StatusAccepted)
	for _, path := range []string{
		"/v1/services", "/v1/services/" + service, "/v1/customers", "/v1/customers/" + note.Text("customer_id"),
		"/v1/nfse", "/v1/nfse/" + note.Text("id"), "/v1/nfse/" + note.Text("id") + "/xml",
	} {
		tap.Take()
		get(t, s, path)
		counted, begins, commits, _ := cost(tap.Take())
		if len(counted) != 2 || begins != 0 || commits != 0 { // the key and the record
			t.Errorf("%s: %d BEGIN, %d COMMIT:\n%s", path, begins, commits, strings.Join(counted, "\n"))
		}
	}
}
