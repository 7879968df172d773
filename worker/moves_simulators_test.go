package worker_test

import (
	"net/http"
	"testing"
	"time"

	"emissor/fiscal/certificate"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national"
	"emissor/fiscal/saopaulo"
	"emissor/nfse"
	"emissor/store/catalogues"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/worker"
)

// newSimulated starts both simulators, which trust the same certificates, and a system of both.
func newSimulated(t *testing.T) (s *testkit.System, service string) {
	t.Helper()
	sefinSimulator, err := sefin.Start(sefin.Options{Production: true, Registry: sefin.Registry{
		Municipalities: map[string]sefin.Agreement{"3550308": {}}, // the city has joined
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sefinSimulator.Close() })
	city, err := simulator.Start(simulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = city.Close() })
	cityRoots := city.Roots()
	city.ICP = sefinSimulator.ICP // of its clients; nobody has called it yet
	signers, err := national.ParseSigners("CN=" + sefin.SignerName)
	if err != nil {
		t.Fatal(err)
	}
	byNation, err := national.New(national.Options{Software: "emissor-test", GracePeriod: time.Second,
		Connection: national.Connection{
			DocumentSigners: signers, ProductionURL: sefinSimulator.URL(), SignerRoots: sefinSimulator.SignerRoots(),
			Transport: mtls.Options{ServerRoots: sefinSimulator.Roots()}, Logger: testkit.Logger(t),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	byCity, err := saopaulo.New(saopaulo.Options{
		URL: city.URL(), Transport: mtls.Options{ServerRoots: cityRoots},
		GracePeriod: time.Second, Logger: testkit.Logger(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	s = testkit.NewSystem(t, testkit.Options{Worker: true, OwnClock: true, Authorities: []worker.Authority{
		{Authority: byNation, Rate: 1000}, {Authority: byCity, Rate: 1000},
	}})
	pfx, err := sefinSimulator.NewPFX(sefin.Subject{TaxID: string(testkit.Issuer)}, "secret")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := certificate.ReadPFX(pfx, "secret")
	if err != nil {
		t.Fatal(err)
	}
	s.AddCertificate(t, bundle)
	service = s.Call(t, http.MethodPost, "/v1/services", s.LiveKey, testkit.Body{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": "3550308",
		"default_amount_cents": 15000, "national_tax_code": "01.07.01", "municipal_tax_code": "2919",
		"municipal_taxation": "T", "iss_rate": 2.9,
	}).Expect(t, http.StatusCreated).Text("id")
	classification := usual
	classification.IndFinal = new(false)
	if _, err := s.Changes().Catalogues.ClassifyServices(t.Context(), nfse.Scope{OrganizationID: s.Organization.ID,
		Livemode: true},
		[]catalogues.ServiceClassification{{ServiceID: service, Classification: classification}}); err != nil {
		t.Fatal(err)
	}
	return s, service
}

// A company of São Paulo leaves the city for the national system today: notes of yesterday and of
// today are issued side by side, each by the simulator of its own authority, and cancelled there.
func TestMoves_FromSaoPaulo(t *testing.T) {
	t.Parallel()
	s, service := newSimulated(t)
	today := nfse.DayOf(time.Now())
	profile := nfse.FiscalProfile{OrganizationID: s.Organization.ID, Authority: saopaulo.Name, Production: true,
		TaxID: testkit.Issuer, MunicipalityCode: "3550308", MunicipalRegistration: new(registration),
		Simples: nfse.SimplesNone, Series: 7, Moves: []nfse.Move{{From: today, Authority: national.Name, Series: 2}}}
	s.SetProfile(t, profile)
	if err := s.Changes().Lifecycle.SetNextNumber(t.Context(), profile.On(today.Before(1)), 301); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, reference := range []string{"yesterday", "today", "yesterday again", "today again"} {
		at := time.Now()
		if reference[0] == 'y' {
			at = at.AddDate(0, 0, -1)
		}
		s.SetClock(t, at)
		ids = append(ids, s.Issue(t, s.LiveKey, testkit.Issuance(service, reference)))
	}
	for _, id := range ids {
		s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	}
	numbers := s.Text(t, `SELECT string_agg((competence < $1::date)::text || ' ' || authority || ' ' ||
			series || '-' || number,
			', ' ORDER BY authority, number)
		FROM fiscal_exchanges JOIN notes ON notes.id = note_id WHERE state = 'accepted'`, string(today))
	if numbers != "false national 2-1, false national 2-2, true sao-paulo 7-301, true sao-paulo 7-302" {
		t.Errorf("the numbers are %s", numbers)
	}
	profile.Authority, profile.Series, profile.Moves = national.Name, 2, nil // the history is left out
	s.SetProfile(t, profile)
	for _, id := range ids[:2] {
		cancel(t, s, s.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
		s.Await(t, s.LiveKey, id, nfse.StatusCancelled)
	}
}
