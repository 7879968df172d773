package generated

import (
	"math/rand/v2"
	"testing"
	"time"

	"emissor/fiscal/certificate"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national"
	"emissor/fiscal/saopaulo"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/test/generate"
	citysimulator "emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/shapes"
	"emissor/test/testkit"
	"emissor/worker"
)

// system is the whole of Emissor with everything around it.
type system struct {
	*testkit.System
	box    *testkit.Mailbox
	base   string // of the dashboard
	scopes []*scope
}

// scope is an environment of an organization, which one caller sends requests in.
type scope struct {
	nfse.Scope
	name     string
	keys     []key
	receiver *testkit.Receiver
	secret   string // of its endpoint

	// issuable is what a service needs to be taken by the scope's authority.
	issuable       generate.Body
	classification *nfse.Classification
}

// key is an API key with what it decides for its notes.
type key struct {
	text     string
	defaults nfse.Defaults
}

func newSystem(t *testing.T) *system {
	t.Helper()
	box := testkit.NewMailbox(t)
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: box.Port, From: "notas@emissor.example",
		TLS: mail.NoTLS})
	must(t, err)
	country, byCountry := newCountry(t)
	city, byCity := newCity(t)
	s := &system{box: box, System: testkit.NewSystem(t, testkit.Options{
		Worker: true, Mail: sender, Slow: 300 * time.Millisecond,
		Authorities: []worker.Authority{{Authority: byCountry, Rate: 1000}, {Authority: byCity, Rate: 1000}},
	})}
	s.serveDashboard(t)

	classification := nfse.Classification{NBS: "115013000", CIndOp: "100301", CST: "000", CClassTrib: "000001",
		IndFinal: new(false)}
	s.NewProfile(t, national.Name)
	s.certify(t, s.Organization.ID, func(password string) ([]byte, error) {
		return country.NewPFX(sefin.Subject{TaxID: string(testkit.Issuer)}, password)
	})
	s.newScope(t, scope{name: "test", Scope: nfse.Scope{OrganizationID: s.Organization.ID}})
	s.newScope(t, scope{name: "live, national", Scope: nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true},
		issuable:       generate.Body{"municipality_code": "3304557", "national_tax_code": "01.07.01"},
		classification: &classification})

	inCity, _, _ := s.NewOrganization(t, "Oficina Ñandú & Filhos “Ltda.”")
	registration := "31000000"
	s.SetProfile(t, nfse.FiscalProfile{
		OrganizationID: inCity.ID, Authority: saopaulo.Name, Production: true, TaxID: testkit.Issuer,
		MunicipalityCode: "3550308", MunicipalRegistration: &registration, Simples: nfse.SimplesNone, Series: 1,
	})
	s.certify(t, inCity.ID, func(password string) ([]byte, error) {
		return city.NewPFX(citysimulator.Subject{TaxID: string(testkit.Issuer)}, password)
	})
	s.newScope(t, scope{name: "test, in the city", Scope: nfse.Scope{OrganizationID: inCity.ID}})
	s.newScope(t, scope{name: "live, in the city", Scope: nfse.Scope{OrganizationID: inCity.ID, Livemode: true},
		issuable: generate.Body{"municipality_code": "3550308", "municipal_tax_code": "2919",
			"municipal_taxation": "T"},
		classification: &classification})
	return s
}

// anyShape has answers come in any form, be lost, and gateways answer; but for certificates that are not let in, for
// which all notes of a company wait half a minute.
func anyShape() *shapes.Shapes {
	rates := shapes.Usual
	rates.Certificates = 0
	return shapes.Any(rand.Uint64(), rates)
}

// newCountry starts the national authority, and returns what issues by it.
func newCountry(t *testing.T) (*sefin.Simulator, *national.Authority) {
	t.Helper()
	simulator, err := sefin.Start(sefin.Options{Options: server.Options{Shapes: anyShape()}})
	must(t, err)
	t.Cleanup(func() { _ = simulator.Close() })
	signers, err := national.ParseSigners("CN=" + sefin.SignerName)
	must(t, err)
	authority, err := national.New(national.Options{Software: "emissor-test", GracePeriod: 2 * time.Second,
		Connection: national.Connection{
			DocumentSigners: signers, RestrictedURL: simulator.URL(), SignerRoots: simulator.SignerRoots(),
			Transport: mtls.Options{ServerRoots: simulator.Roots(), Timeout: 10 * time.Second},
			Logger:    testkit.Logger(t),
		},
	})
	must(t, err)
	return simulator, authority
}

// newCity starts the city of São Paulo, and returns what issues by it.
func newCity(t *testing.T) (*citysimulator.Simulator, *saopaulo.Authority) {
	t.Helper()
	simulator, err := citysimulator.Start(citysimulator.Options{Options: server.Options{Shapes: anyShape()}})
	must(t, err)
	t.Cleanup(func() { _ = simulator.Close() })
	authority, err := saopaulo.New(saopaulo.Options{
		URL: simulator.URL(), Transport: mtls.Options{ServerRoots: simulator.Roots(), Timeout: 10 * time.Second},
		GracePeriod: time.Second, Logger: testkit.Logger(t),
	})
	must(t, err)
	return simulator, authority
}

// certify gives an organization a certificate of an authority's own.
func (s *system) certify(t *testing.T, organizationID string, newPFX func(password string) ([]byte, error)) {
	t.Helper()
	pfx, err := newPFX("secret")
	must(t, err)
	bundle, err := certificate.ReadPFX(pfx, "secret")
	must(t, err)
	s.AddCertificateOf(t, organizationID, testkit.Issuer, bundle)
}

// newScope gives a scope its keys, of which one asks for e-mails and entries in the
// ledger, and an endpoint for its events.
func (s *system) newScope(t *testing.T, made scope) {
	t.Helper()
	for _, defaults := range []nfse.Defaults{{EmailCustomer: true, RegisterLedger: true}, {}} {
		text := nfse.NewAPIKeyText(made.Livemode)
		_, err := s.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{Scope: made.Scope, Label: "João & Cia",
			Defaults: defaults}, text)
		must(t, err)
		made.keys = append(made.keys, key{text, defaults})
	}
	made.receiver = testkit.NewReceiver(t, nil)
	_, made.secret = s.NewEndpointOf(t, made.Scope, made.receiver.URL)
	s.scopes = append(s.scopes, &made)
}

// classify classifies a service as its scope's authority wants it, which the API has
// no fields for.
func (s *system) classify(t *testing.T, of *scope, serviceID string) {
	t.Helper()
	if of.classification == nil {
		return
	}
	_, err := s.Changes().Catalogues.ClassifyServices(t.Context(), of.Scope,
		[]catalogues.ServiceClassification{{ServiceID: serviceID, Classification: *of.classification}})
	must(t, err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
