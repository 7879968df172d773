package api_test

import (
	"net/http"
	"testing"

	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/test/testkit"
)

// placed is the municipality of an accepted note, and whether it is asked for
// again before the note is transmitted.
type placed struct {
	code     string
	source   string
	verified bool
	pending  bool
}

// expectPlaced fails the test unless the issuance is accepted and placed so.
func expectPlaced(t *testing.T, s *testkit.System, what string, answer testkit.Answer, expected placed) {
	t.Helper()
	id := answer.Expect(t, http.StatusAccepted).Text("id")
	note := get(t, s, "/v1/nfse/"+id).Expect(t, http.StatusOK)
	same(t, what, note.At("municipality"), any(Body{"code": expected.code, "source": expected.source,
		"verified": expected.verified}))
	same(t, what+": checked again", s.Count(t, `SELECT municipality_check_pending::int FROM notes WHERE id = $1`,
		id) == 1, expected.pending)
}

// expectUnavailable fails the test unless the look-up is said to be down.
func expectUnavailable(t *testing.T, answer testkit.Answer) {
	t.Helper()
	answer.ExpectError(t, http.StatusServiceUnavailable, nfse.CodeZipCodeLookupUnavailable, "customer.address.zip_code")
	same(t, "retryable", retryable(answer), true)
	same(t, "Retry-After", answer.Header.Get("Retry-After"), "2")
}

func TestMunicipality_ZipCodeAndDeclaredCode(t *testing.T) {
	knows := func(codes map[string]string) func(*zipServer) { return func(z *zipServer) { z.knows(codes) } }
	answers := func(status int, body string) func(*zipServer) { return func(z *zipServer) { z.answer(status, body) } }
	down := answers(http.StatusInternalServerError, `{"erro":true}`)
	known := knows(map[string]string{zipSaoPaulo: saoPaulo})
	resets := (*zipServer).resets
	const (
		conflict    = nfse.CodeMunicipalityConflict
		unknown     = nfse.CodeZipCodeNotFound
		unavailable = nfse.CodeZipCodeLookupUnavailable
	)
	tests := []struct {
		name     string
		does     func(*zipServer)
		zip      string
		declared any
		placed   placed
		code     nfse.Code // of the refusal; the note is accepted when empty
	}{
		{"known", known, zipSaoPaulo, absent, placed{saoPaulo, "zip_code", true, false}, ""},
		{"known, declared null", known, zipSaoPaulo, nil, placed{saoPaulo, "zip_code", true, false}, ""},
		{"known and declared", known, zipSaoPaulo, saoPaulo, placed{saoPaulo, "zip_code", true, false}, ""},
		{"known, another declared", known, zipSaoPaulo, rio, placed{}, conflict},
		{"known against the ranges", knows(map[string]string{zipSaoPaulo: rio}), zipSaoPaulo, absent,
			placed{rio, "zip_code", true, false}, ""},
		{"unknown, a range knows", knows(nil), zipSaoPaulo, absent, placed{saoPaulo, "zip_code", true, false}, ""},
		{"unknown, a range disagrees", knows(nil), zipSaoPaulo, rio, placed{}, conflict},
		{"unknown to all", known, zipOfNoRange, absent, placed{}, unknown},
		{"unknown to all, declared", known, zipOfNoRange, rio, placed{rio, "declared", false, false}, ""},
		{"down, a range knows", down, zipSaoPaulo, absent, placed{saoPaulo, "zip_code", false, false}, ""},
		{"down, a range agrees", down, zipSaoPaulo, saoPaulo, placed{saoPaulo, "zip_code", true, false}, ""},
		{"down, a range disagrees", down, zipSaoPaulo, rio, placed{rio, "declared", false, true}, ""},
		{"down, no range", down, zipOfNoRange, absent, placed{}, unavailable},
		{"down, no range, declared", down, zipOfNoRange, rio, placed{rio, "declared", false, true}, ""},
		{"reset", resets, zipOfNoRange, absent, placed{}, unavailable},
		{"a page of a proxy", answers(http.StatusOK, `<html>Just a moment...</html>`), zipOfNoRange, absent, placed{},
			unavailable},
		{"too many requests", answers(http.StatusTooManyRequests, ``), zipOfNoRange, rio,
			placed{rio, "declared", false, true}, ""},
		{"another zip code", answers(http.StatusOK,
			`{"cep":"20040-020","state":"RJ","city":"Rio de Janeiro","ibge":"3304557"}`), zipOfNoRange, absent,
			placed{}, unavailable},
	}
	for format, service := range map[string]func(*zipServer, *testing.T) municipality.Service{
		"ViaCEP": (*zipServer).viaCEP, "BrasilAPI": (*zipServer).brasilAPI,
	} {
		zips := newZipServer(t)
		s := forgetful(t, service(zips, t))
		catalogue := s.NewService(t, s.TestKey)
		for i, test := range tests {
			t.Run(format+"/"+test.name, func(t *testing.T) {
				zips.isForgotten(t, s)
				test.does(zips)
				answer := post(t, s, "/v1/nfse", with(testkit.Issuance(catalogue, test.name), Body{
					"customer.document": cpf(i), "customer.address.zip_code": test.zip,
					"customer.municipality_code": test.declared,
				}))
				switch test.code {
				case "":
					expectPlaced(t, s, test.name, answer, test.placed)
					note := get(t, s, "/v1/nfse/"+answer.Text("id"))
					street := note.Text("customer", "address", "street")
					district := note.Text("customer", "address", "district")
					same(t, "street and district, kept as sent", street+district, "Avenida PaulistaBela Vista")
					return
				case conflict:
					answer.ExpectError(t, http.StatusUnprocessableEntity, conflict, "customer.municipality_code")
					same(t, "retryable", retryable(answer), false)
				case unknown:
					answer.ExpectError(t, http.StatusUnprocessableEntity, unknown, "customer.address.zip_code")
					same(t, "retryable", retryable(answer), false)
				case unavailable:
					expectUnavailable(t, answer)
				}
				same(t, "notes", s.Count(t, `SELECT count(*) FROM notes WHERE reference = $1`, test.name), 0)
				same(t, "customers", s.Count(t, `SELECT count(*) FROM customers WHERE tax_id = $1`, cpf(i)), 0)
			})
		}
	}
}

func TestMunicipality_ServiceHangs(t *testing.T) {
	zips := newZipServer(t)
	zips.hangs()
	s := zips.system(t)
	service := s.NewService(t, s.TestKey)
	answers := together(2, func(i int) testkit.Answer {
		declared := []any{absent, rio}[i]
		return post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-"+cpf(i)),
			Body{"customer.address.zip_code": zipOfNoRange, "customer.municipality_code": declared}))
	})
	expectUnavailable(t, answers[0])
	expectPlaced(t, s, "declared", answers[1], placed{rio, "declared", false, true})
}

func TestMunicipality_SecondService(t *testing.T) {
	first, second := newZipServer(t), newZipServer(t)
	for name, test := range map[string]struct {
		first, second func()
		known         bool
	}{
		"the first is down": {first.resets, func() { second.knows(map[string]string{zipOfNoRange: rio}) }, true},
		"the first does not know": {func() { first.knows(nil) },
			func() { second.knows(map[string]string{zipOfNoRange: rio}) }, true},
		"the second is down":       {func() { first.knows(nil) }, second.resets, false},
		"the first down, no other": {first.resets, func() { second.knows(nil) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			test.first()
			test.second()
			s := testkit.NewSystem(t, testkit.Options{Services: []municipality.Service{first.viaCEP(t),
				second.brasilAPI(t)}})
			answer := post(t, s, "/v1/nfse", with(testkit.Issuance(s.NewService(t, s.TestKey), "order-1"),
				Body{"customer.address.zip_code": zipOfNoRange}))
			if test.known {
				expectPlaced(t, s, name, answer, placed{rio, "zip_code", true, false})
			} else {
				expectUnavailable(t, answer)
			}
		})
	}
}

func TestMunicipality_ZipCodeIsRemembered(t *testing.T) {
	zips := newZipServer(t)
	zips.knows(map[string]string{zipOfNoRange: rio})
	s := zips.system(t)
	service := s.NewService(t, s.TestKey)
	for i := range 3 {
		answer := post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-"+cpf(i)),
			Body{"customer.address.zip_code": zipOfNoRange}))
		expectPlaced(t, s, "remembered", answer, placed{rio, "zip_code", true, false})
		zips.resets() // from now on only the memory knows
	}
	same(t, "questions", zips.asked.Load(), int64(1))

	s.Exec(t, `UPDATE zip_codes SET fetched_at = now() - interval '91 days'`)
	expectUnavailable(t, post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-9"),
		Body{"customer.address.zip_code": zipOfNoRange})))
}

func TestMunicipality_RangesAlone(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	issue := func(reference, zip string, declared any) testkit.Answer {
		return post(t, s, "/v1/nfse", with(testkit.Issuance(service, reference), Body{"customer.address.zip_code": zip,
			"customer.municipality_code": declared}))
	}
	expectPlaced(t, s, "in a range", issue("order-1", zipSaoPaulo, absent), placed{saoPaulo, "zip_code", true, false})
	issue("order-2", zipSaoPaulo, rio).
		ExpectError(t, http.StatusUnprocessableEntity, nfse.CodeMunicipalityConflict, "customer.municipality_code")
	issue("order-2", zipOfNoRange, absent).
		ExpectError(t, http.StatusUnprocessableEntity, nfse.CodeZipCodeNotFound, "customer.address.zip_code")
	expectPlaced(t, s, "in none", issue("order-2", zipOfNoRange, rio), placed{rio, "declared", false, false})

	if err := s.Changes().Catalogues.ReplaceZipCodeRanges(t.Context(),
		[]catalogues.ZipCodeRange{{Start: "19990000", End: "19990000", MunicipalityCode: rio}}); err != nil {
		t.Fatal(err)
	}
	expectPlaced(t, s, "in an imported one", issue("order-3", zipOfNoRange, absent),
		placed{rio, "zip_code", true, false})
}

func TestMunicipality_CustomerOnRecord(t *testing.T) {
	zips := newZipServer(t)
	s := zips.system(t)
	service := s.NewService(t, s.TestKey)
	down := func() { zips.answer(http.StatusBadGateway, ``) }
	knows := func(code string) func() { return func() { zips.knows(map[string]string{zipOfNoRange: code}) } }
	for i, test := range []struct {
		name         string
		declared     any
		before, then func()
		placed       placed
		code         nfse.Code
		field        string
	}{
		{"as it was", absent, knows(rio), knows(rio), placed{rio, "customer", true, false}, "", ""},
		{"as it was, declared", rio, knows(rio), knows(rio), placed{rio, "customer", true, false}, "", ""},
		{"the look-up is down now", absent, knows(rio), down, placed{rio, "customer", false, true}, "", ""},
		{"the zip code is forgotten", absent, knows(rio), knows(""), placed{rio, "customer", false, false}, "", ""},
		{"the zip code has moved", absent, knows(rio), knows(saoPaulo), placed{saoPaulo, "zip_code", true, false}, "",
			""},
		{"it was declared against it", rio, down, knows(saoPaulo), placed{}, nfse.CodeMunicipalityConflict,
			"customer.municipality_code"},
		{"declared, and down still", rio, down, down, placed{rio, "customer", false, true}, "", ""},
		{"not known then, known now", absent, down, knows(rio), placed{rio, "zip_code", true, false}, "", ""},
		{"not known then, down now", absent, down, down, placed{}, nfse.CodeZipCodeLookupUnavailable,
			"customer.address.zip_code"},
		{"not known then, not known now", absent, down, knows(""), placed{}, nfse.CodeCustomerIncomplete,
			"customer.municipality_code"},
	} {
		t.Run(test.name, func(t *testing.T) {
			zips.isForgotten(t, s)
			test.before()
			customer := post(t, s, "/v1/customers",
				with(customerBody(), Body{"document": cpf(i), "address.zip_code": zipOfNoRange,
					"municipality_code": test.declared})).
				Expect(t, http.StatusCreated)
			zips.isForgotten(t, s)
			test.then()
			answer := post(t, s, "/v1/nfse", byID(service, customer.Text("id"), test.name))
			if test.code == "" {
				expectPlaced(t, s, test.name, answer, test.placed)
			} else if answer.Text("error", "code") != string(test.code) || answer.Text("error", "field") != test.field {
				t.Errorf("%d %s", answer.Status, answer.Raw)
			}
		})
	}
}
