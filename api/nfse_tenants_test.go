package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/internal/municipality"
	"emissor/test/testkit"
)

// What one organization sends with a test key must not keep another's live notes,
// or its own, from being accepted.
func TestMunicipality_InventedZipCodesHarmNobodyElse(t *testing.T) {
	const quota = 150 // requests that the service bears before it answers 429 to all
	knows := map[string]string{zipOfNoRange: rio, "19990001": rio}
	var asked atomic.Int64
	for name, doesNotKnow := range map[string]http.HandlerFunc{
		"unknown": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"erro": "true"}`) },
		"broken":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
	} {
		t.Run(name, func(t *testing.T) {
			asked.Store(0)
			zips := newZipServer(t)
			zips.does(func(w http.ResponseWriter, r *http.Request) {
				zip := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/ws/"), "/json/")
				switch code := knows[zip]; {
				case asked.Add(1) > quota:
					w.WriteHeader(http.StatusTooManyRequests)
				case code != "":
					fmt.Fprintf(w, `{"cep":"%s-%s","ibge":"%s"}`, zip[:5], zip[5:], code)
				default:
					doesNotKnow(w, r)
				}
			})
			s := testkit.NewSystem(t, testkit.Options{
				Services: []municipality.Service{zips.viaCEP(t)}, ZipCodes: municipality.Options{Rate: 5},
			})
			service := s.NewService(t, s.TestKey)
			for i := range 190 {
				post(t, s, "/v1/nfse", with(testkit.Issuance(service, fmt.Sprint("order-", i)),
					Body{"customer.address.zip_code": fmt.Sprint("1999900", i%7)}))
			}
			if name == "unknown" {
				same(t, "questions about seven zip codes", asked.Load(), int64(7))
			}

			_, _, neighbour := s.NewOrganization(t, "Outra")
			for zip, key := range map[string]string{zipOfNoRange: neighbour, "19990001": s.LiveKey} {
				note := s.Issue(t, key, with(testkit.Issuance(s.NewService(t, key), "order-1"),
					Body{"customer.address.zip_code": zip}))
				found := s.Text(t, `
					SELECT municipality_code || ' ' || municipality_verified FROM notes WHERE id = $1`, note)
				same(t, "a live note's municipality", found, rio+" true")
			}
		})
	}
}

func TestMunicipality_UnknownIsRememberedAndRangesDecide(t *testing.T) {
	zips := newZipServer(t)
	zips.knows(nil)
	s := testkit.NewSystem(t, testkit.Options{Services: []municipality.Service{zips.viaCEP(t)}})
	service := s.NewService(t, s.TestKey)
	for i := range 3 {
		answer := post(t, s, "/v1/nfse", with(testkit.Issuance(service, fmt.Sprint("order-", i)), Body{
			"customer.document": cpf(i), "customer.address.zip_code": zipSaoPaulo,
		}))
		expectPlaced(t, s, "in a range", answer, placed{saoPaulo, "zip_code", true, false})
	}
	same(t, "questions", zips.asked.Load(), int64(1))
}
