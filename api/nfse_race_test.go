package api_test

import (
	"net/http"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

func TestIssuance_Twins(t *testing.T) {
	s := newSystem(t)
	body := testkit.Issuance(s.NewService(t, s.TestKey), "order-1")
	created, notes := 0, map[string]bool{}
	for _, answer := range together(50, func(int) testkit.Answer { return post(t, s, "/v1/nfse", body) }) {
		answer.Expect(t, http.StatusAccepted)
		notes[answer.Text("id")] = true
		if answer.At("idempotent") == false {
			created++
		}
	}
	same(t, "answers that say created", created, 1)
	same(t, "ids in the answers", len(notes), 1)
	expectOneOfEach(t, s)
}

func TestIssuance_RaceForAReference(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	answers := together(30, func(i int) testkit.Answer { // also of different customers
		return post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-1"), Body{"customer.document": cpf(i)}))
	})
	accepted := 0
	for _, answer := range answers {
		if answer.Status == http.StatusAccepted {
			accepted++
			same(t, "idempotent", answer.At("idempotent"), false)
			continue
		}
		answer.ExpectError(t, http.StatusConflict, nfse.CodeIdempotencyConflict, "reference")
	}
	same(t, "accepted", accepted, 1)
	expectOneOfEach(t, s) // the losers left no customer behind either
}

func TestIssuance_RaceForACustomer(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	customers := map[string]bool{}
	for _, answer := range together(30, func(i int) testkit.Answer {
		return post(t, s, "/v1/nfse", testkit.Issuance(service, "order-"+cpf(i)))
	}) {
		customers[answer.Expect(t, http.StatusAccepted).Text("customer_id")] = true
	}
	same(t, "customers in the answers", len(customers), 1)
	same(t, "customers", s.Count(t, `SELECT count(*) FROM customers`), 1)
	same(t, "notes", s.Count(t, `SELECT count(*) FROM notes`), 30)
	same(t, "outbox rows", s.Count(t, `SELECT count(*) FROM outbox`), 30)
}

func expectOneOfEach(t *testing.T, s *testkit.System) {
	t.Helper()
	for _, table := range []string{"notes", "customers", "outbox"} {
		same(t, table, s.Count(t, `SELECT count(*) FROM `+table), 1)
	}
}
