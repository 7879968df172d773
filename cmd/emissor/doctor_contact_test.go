package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/operate"
	"emissor/cmd/emissor/serve"
	"emissor/issuing/doctor"
	"emissor/nfse"
	"emissor/test/simulators/issnet"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/testkit"
)

// contactCase is a national installation that meets its authority, and what stands before that.
type contactCase struct {
	doctorCase
	before *front
}

func newContactCase(t *testing.T) contactCase {
	t.Helper()
	before := new(front)
	authority, err := sefin.Start(sefin.Options{Options: server.Options{Between: before.between}})
	must(t, err)
	t.Cleanup(func() { _ = authority.Close() })
	c := newDoctorCaseAt(t, authority)
	c.settings = c.settings.with("EMISSOR_NATIONAL_RESTRICTED_ADN_URL", authority.ADNURL())
	return contactCase{c, before}
}

// meet has the doctor make the first contact, and expects that nothing but questions was asked.
func (c contactCase) meet(t *testing.T, of settings, status int) examined {
	t.Helper()
	report := c.examine(t, of, status, "--first-contact")
	if others := without(c.before.taken(), "GET ", "HEAD "); len(others) > 0 {
		t.Errorf("the authority was sent %q", others)
	}
	return report
}

// only are the results of a check, in their order.
func (e examined) only(check doctor.Name) (results []doctor.Result) {
	for _, one := range e.Findings {
		if one.Check == check {
			results = append(results, one.Result)
		}
	}
	return results
}

// The first contact with the national system is by questions alone, creates nothing, and says of each what it means.
func TestDoctor_FirstContactNational(t *testing.T) {
	t.Parallel()
	c := newContactCase(t)
	report := c.examine(t, c.settings, 0, "--first-contact")
	asked := c.before.taken()
	report.expectOnly(t)
	for check, seen := range map[doctor.Name]string{
		doctor.TLS:        "issued by Simulator Server Root",
		doctor.Absent:     "there is none, as it has to be",
		doctor.Asked:      "by TLS renegotiation, which EMISSOR_AUTHORITY_TLS allows",
		doctor.Convenio:   "is active, and its companies issue by the national system",
		doctor.Parameters: "of the service 01.07.01.000 in the issuer's city; rates: 2",
	} {
		report.expect(t, check, doctor.OK, seen)
	}
	report.expect(t, doctor.Registration, doctor.Skipped, "offers no question about a company's registration")
	report.expect(t, doctor.Signer, doctor.Skipped, "no document is stored yet")
	if found := report.only(doctor.Absent); len(found) != 2 {
		t.Errorf("of HEAD and GET there are %q", found)
	}
	nobodys := "/SefinNacional/dps/DPS330455721122233300018100001999999999999999"
	for _, call := range []string{"HEAD " + nobodys, "GET " + nobodys, "GET /parametrizacao/3304557/convenio"} {
		if !slices.Contains(asked, call) {
			t.Errorf("%q was not asked, but %q", call, asked)
		}
	}
	made := len(c.authority.Posts()) + len(c.authority.Ledger())
	if others := without(asked, "GET ", "HEAD "); len(others) > 0 || made > 0 {
		t.Errorf("the authority was sent %q", others)
	}
	// Without the flag nothing of it is asked.
	plain := c.examine(t, c.settings, 0)
	if asked := c.before.taken(); len(plain.only(doctor.Absent)) > 0 || len(asked) != 1 {
		t.Errorf("without the flag the authority was asked %q", asked)
	}
	for _, call := range c.before.taken() {
		t.Errorf("afterwards it was asked %q", call)
	}
}

// Each check is judged by itself: what one part of the host says keeps no other from being seen.
func TestDoctor_FirstContactFailures(t *testing.T) {
	t.Parallel()
	c := newContactCase(t)
	says := func(prefix string, status int, kind, body string) func(http.ResponseWriter, *http.Request, http.Handler) {
		return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if !strings.HasPrefix(r.Method+" "+r.URL.Path, prefix) {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, body)
		}
	}
	const page = "<html><head><title>x</title></head><body>x</body></html>"
	good := []doctor.Result{doctor.OK, doctor.OK}
	for name, one := range map[string]struct {
		answers func(http.ResponseWriter, *http.Request, http.Handler)
		status  int
		check   doctor.Name
		result  doctor.Result
		seen    string
		do      string
		beside  map[doctor.Name][]doctor.Result
	}{
		"SEFIN lets the certificate in nowhere": {says("HEAD /SefinNacional/", 403, "text/html", page), 2, doctor.Absent,
			doctor.Problem, "does not answer the HEAD of a document that does not exist", "compare its chain",
			map[doctor.Name][]doctor.Result{doctor.Absent: {doctor.Problem, doctor.OK}, doctor.Convenio: {doctor.OK}}},
		"the ADN's nginx refuses it": {says("GET /parametrizacao/", 400, "text/html",
			"<html><head><title>400 The SSL certificate error</title></head></html>"), 1, doctor.Convenio, doctor.Warning,
			"(HTTP 400)", "compare its chain", map[doctor.Name][]doctor.Result{doctor.Absent: good, doctor.Asked: {doctor.OK}}},
		"nginx by its own status": {says("GET /parametrizacao/", 496, "text/html", page), 1, doctor.Convenio,
			doctor.Warning, "(HTTP 496)", "compare its chain", map[doctor.Name][]doctor.Result{doctor.Absent: good}},
		"a page in the place of a table": {says("GET /parametrizacao/3304557/01", 200, "text/html", page), 1,
			doctor.Parameters, doctor.Warning, "does not say what the issuer's city has set", "base path",
			map[doctor.Name][]doctor.Result{doctor.Convenio: {doctor.OK}, doctor.Absent: good}},
		"what was moved": {says("GET /parametrizacao/3304557/convenio", 501, "text/plain", "Este serviço foi movido"), 1,
			doctor.Convenio, doctor.Warning, "501", "base path",
			map[doctor.Name][]doctor.Result{doctor.Parameters: {doctor.OK}}},
		"a page of a proxy": {says("GET /SefinNacional/", 200, "text/html", page), 2, doctor.Absent, doctor.Problem,
			"does not answer the question about a number that nobody uses", "base path",
			map[doctor.Name][]doctor.Result{doctor.Absent: {doctor.OK, doctor.Problem}, doctor.Convenio: {doctor.OK}}},
		"all exists": {says("HEAD /SefinNacional/", 200, "application/json", ""), 2, doctor.Absent, doctor.Problem,
			"that there is one", "Issue nothing there",
			map[doctor.Name][]doctor.Result{doctor.Absent: {doctor.Problem, doctor.OK}}},
	} {
		c.before.answers(one.answers)
		report := c.meet(t, c.settings, one.status)
		report.expect(t, one.check, one.result, one.seen)
		if !slices.ContainsFunc(report.Findings, func(f serve.PrintedFinding) bool {
			return f.Check == one.check && strings.Contains(f.Do, one.do)
		}) {
			t.Errorf("%s: it is not said to do %q but\n%+v", name, one.do, report.Findings)
		}
		for check, expected := range one.beside {
			if found := report.only(check); !slices.Equal(found, expected) {
				t.Errorf("%s: of %s there are %q", name, check, found)
			}
		}
	}
	c.before.answers(nil)
	c.authority.SetRegistry(sefin.Registry{Municipalities: map[string]sefin.Agreement{"3304557": {Inactive: true}}})
	absent := c.meet(t, c.settings, 1)
	absent.expect(t, doctor.Convenio, doctor.Warning, "has no active convênio")
	if found := absent.only(doctor.Absent); !slices.Equal(found, good) {
		t.Errorf("beside no convênio there are %q", found)
	}
	c.authority.SetRegistry(sefin.Registry{})

	must(t, c.authority.SetFaultProfile(sefin.FaultProfile{Faults: []sefin.Fault{
		{Kind: sefin.ClockSkew, Delay: sefin.Duration(10 * time.Minute)}}}))
	late := c.meet(t, c.settings, 2)
	late.expect(t, doctor.Clock, doctor.Problem, "s behind that of the national system")
	late.expectOnly(t, doctor.Clock)
	must(t, c.authority.SetFaultProfile(sefin.FaultProfile{}))

	// Where the setting does not let SEFIN ask, it is named; the ADN, which asks at once, still answers.
	strict := c.meet(t, c.settings.with("EMISSOR_AUTHORITY_TLS", "1.3"), 2)
	strict.expect(t, doctor.Absent, doctor.Problem, "which EMISSOR_AUTHORITY_TLS does not allow")
	strict.expect(t, doctor.Convenio, doctor.OK, "is active")

	// A certificate that nobody knows is refused by IIS at SEFIN and by nginx at the ADN, each in its own way.
	c.addCertificate(t, sefin.Subject{TaxID: string(issuerTaxID), Foreign: true}, "--unverified-chain")
	refused := c.meet(t, c.settings, 2)
	for check, expected := range map[doctor.Name][]doctor.Result{
		doctor.Absent: {doctor.Problem, doctor.Problem}, doctor.Asked: {doctor.OK}, doctor.TLS: good,
		doctor.Convenio: {doctor.Warning}, doctor.Parameters: {doctor.Warning},
	} {
		if found := refused.only(check); !slices.Equal(found, expected) {
			t.Errorf("with a certificate that nobody knows there are %q of %s", found, check)
		}
	}
	refused.expect(t, doctor.Absent, doctor.Problem, "(HTTP 403)")
	if posts := len(c.authority.Posts()) + len(c.authority.Ledger()); posts != 0 {
		t.Errorf("%d messages came to the authority", posts)
	}
}

// What is wrong with a server's certificate is said with its names, its dates and where its chain ends.
func TestDoctor_FirstContactTLS(t *testing.T) {
	t.Parallel()
	c := newContactCase(t)
	untrusted := c.meet(t, c.settings.with("EMISSOR_AUTHORITY_CA", ""), 2)
	untrusted.expect(t, doctor.TLS, doctor.Problem, "ends at the issuer Simulator Server Root, and is not trusted")
	if !slices.ContainsFunc(untrusted.Findings, func(f serve.PrintedFinding) bool {
		return f.Check == doctor.TLS && strings.Contains(f.Do, "Put the certificate of Simulator Server Root")
	}) {
		t.Errorf("it is not said which root is missing: %+v", untrusted.Findings)
	}

	hour := time.Now().Add(-time.Hour)
	expired := servedBy(t, "127.0.0.1", hour)
	c.meet(t, c.at(t, expired, expired.URL), 2).expect(t, doctor.TLS, doctor.Problem,
		"until "+string(nfse.DayOf(hour)))
	other := servedBy(t, "sefin.example", time.Now().Add(time.Hour))
	named := c.meet(t, c.at(t, other, other.URL), 2)
	named.expect(t, doctor.TLS, doctor.Problem, "shows a certificate of sefin.example")
	if !slices.ContainsFunc(named.Findings, func(f serve.PrintedFinding) bool {
		return f.Check == doctor.TLS && strings.HasPrefix(f.Do, "Correct the address")
	}) {
		t.Errorf("it is not said what to do about another host: %+v", named.Findings)
	}
}

// at are the settings by which SEFIN is at another server, which is trusted.
func (c contactCase) at(t *testing.T, at *httptest.Server, address string) settings {
	t.Helper()
	roots := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: at.TLS.Certificates[0].Certificate[0]})
	return c.settings.with("EMISSOR_NATIONAL_RESTRICTED_URL", address).
		with("EMISSOR_AUTHORITY_CA", write(t, "roots.pem", roots))
}

// servedBy is a server whose certificate, its own root, is of a name or address and ends at a moment.
func servedBy(t *testing.T, name string, until time.Time) *httptest.Server {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: until.Add(-48 * time.Hour), NotAfter: until, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// Who has signed the last document is named, and which root is missing where its chain leads to none.
func TestDoctor_FirstContactSigner(t *testing.T) {
	t.Parallel()
	c := newContactCase(t)
	start(t, c.asOwner(), "worker")
	api := start(t, c.asOwner().withoutTemporal(), "api").api
	id := caller{api, c.key}.issueLive(t, c.service, "order")
	eventuallyShows(t, c.asOwner(), id, "1 of series 1 is issued")
	c.before.taken()
	report := c.meet(t, c.settings, 0)
	report.expect(t, doctor.Signer, doctor.OK,
		"signed by "+sefin.SignerName+", which leads to the configured roots; nobody")
	named := c.settings.with("EMISSOR_NATIONAL_DOCUMENT_SIGNERS", "CN="+sefin.SignerName)
	c.meet(t, named, 0).expect(t, doctor.Signer, doctor.OK, "it is one of EMISSOR_NATIONAL_DOCUMENT_SIGNERS")
	other := c.settings.with("EMISSOR_NATIONAL_DOCUMENT_SIGNERS", "CN=SOMEBODY")
	c.meet(t, other, 2).expect(t, doctor.Signer, doctor.Problem, "is none of EMISSOR_NATIONAL_DOCUMENT_SIGNERS")

	stranger, err := sefin.Start(sefin.Options{})
	must(t, err)
	t.Cleanup(func() { _ = stranger.Close() })
	roots := named.with("EMISSOR_CERTIFICATE_ROOTS", write(t, "stranger.pem", stranger.RootsPEM()))
	lost := c.meet(t, roots, 2)
	lost.expect(t, doctor.Signer, doctor.Problem, "the chain ends at the issuer AC Raiz de Teste")
	lost.expectOnly(t, doctor.Signer, doctor.Certificate)

	database := testkit.OpenDatabase(t, c.asOwner()["EMISSOR_DATABASE_URL"])
	database.Exec(t, `UPDATE exchange_profiles SET profile = profile || '{"production": true}'`)
	database.Exec(t, `UPDATE fiscal_exchanges SET profile = profile || '{"production": true}' WHERE profile IS NOT NULL`)
	c.meet(t, other, 0).expect(t, doctor.Signer, doctor.Skipped, "no document is stored yet")
}

// meetCity has a city be met, and expects that all is well and that only these operations were asked for.
func meetCity(t *testing.T, c cityCase, before *front, operations ...string) examined {
	t.Helper()
	engineMigrated(t, c.settings)
	before.taken()
	of := doctorCase{organization: c.organization, key: c.key, endpoint: operate.PrintedEndpoint{Secret: doctorsWord}}
	report := of.examine(t, c.settings, 0, "--first-contact")
	report.expectOnly(t)
	if others := without(before.taken(), operations...); len(others) > 0 {
		t.Errorf("the city was sent %q", others)
	}
	report.expect(t, doctor.Absent, doctor.OK, "there is none, as it has to be")
	return report
}

// São Paulo is met by its questions; it says under which registration it knows the company.
func TestDoctor_FirstContactSaoPaulo(t *testing.T) {
	t.Parallel()
	before := new(front)
	known := simulator.Registry{
		Taxpayers: map[string]simulator.Taxpayer{cityRegistration: {TaxID: string(issuerTaxID)}}}
	city, err := simulator.Start(simulator.Options{Options: server.Options{Between: before.between}, Registry: known})
	must(t, err)
	t.Cleanup(func() { _ = city.Close() })
	c := newCityCaseAt(t, city)
	c.setProfile(t)
	c.addCertificate(t)
	c.classify(t, c.newService(t, start(t, c.settings.withoutTemporal(), "api").api,
		testkit.Body{"municipal_tax_code": "2919", "municipal_taxation": "T", "iss_rate": 2.9}))
	questions := []string{"POST /lotenfe.asmx consultaNFe", "POST /lotenfe.asmx consultaCNPJ",
		"POST /lotenfe.asmx ConsultaNFe", "POST /lotenfe.asmx ConsultaCNPJ"}
	report := meetCity(t, c, before, questions...)
	report.expect(t, doctor.Registration, doctor.OK, "lets it issue notes")
	report.expect(t, doctor.Asked, doctor.OK, "asks for the company's certificate when a connection begins")
	report.expect(t, doctor.Convenio, doctor.Skipped, "no address of the ADN")

	of := doctorCase{organization: c.organization, key: c.key, endpoint: operate.PrintedEndpoint{Secret: doctorsWord}}
	city.SetRegistry(simulator.Registry{Taxpayers: map[string]simulator.Taxpayer{
		cityRegistration: {TaxID: string(issuerTaxID), NoNotes: true}}})
	of.examine(t, c.settings, 2, "--first-contact").expect(t, doctor.Registration, doctor.Problem, "does not let it issue")
	city.SetRegistry(known)
	c.setProfile(t, "--municipal-registration", "42000000")
	of.examine(t, c.settings, 2, "--first-contact").expect(t, doctor.Registration, doctor.Problem, "it knows 1 of it")
	c.setProfile(t)
	before.answers(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if !strings.Contains(strings.ToLower(r.Header.Get("SOAPAction")), "consultacnpj") {
			next.ServeHTTP(w, r)
			return
		}
		w.WriteHeader(http.StatusForbidden)
	})
	refused := of.examine(t, c.settings, 1, "--first-contact")
	refused.expect(t, doctor.Registration, doctor.Warning, "does not say whether the company is registered")
	refused.expectOnly(t, doctor.Registration)
	if len(city.Ledger()) != 0 {
		t.Errorf("the city has issued %+v", city.Ledger())
	}
}

func TestDoctor_FirstContactCityOfDSF(t *testing.T) {
	t.Parallel()
	before := new(front)
	authority, err := sefin.Start(sefin.Options{Options: server.Options{Between: before.between}})
	must(t, err)
	t.Cleanup(func() { _ = authority.Close() })
	c := newCitySystemAt(t, authority)
	c.settings = c.settings.with("EMISSOR_CITIES", "true").
		with("EMISSOR_NATIONAL_RESTRICTED_ADN_URL", authority.ADNURL())
	c.importTable(t, c.rowOf("3552205", "sorocaba", "on"))
	company, service := c.newCompany(t, start(t, c.settings.withoutTemporal(), "api").api, "sorocaba", "3552205", "10001")
	of := cityCase{settings: c.settings, organization: company.organization, key: company.key, database: c.database}
	of.classify(t, service)
	report := meetCity(t, of, before, "GET ", "HEAD ")
	report.expect(t, doctor.Convenio, doctor.OK, "the city has a system of its own")
	report.expect(t, doctor.Registration, doctor.Skipped, "(sorocaba) offers no question")
	if len(authority.Posts())+len(authority.Ledger()) != 0 {
		t.Errorf("the authority was sent %+v", authority.Posts())
	}
}

func TestDoctor_FirstContactCityOfISSNet(t *testing.T) {
	t.Parallel()
	before := new(front)
	city, err := issnet.Start(issnet.Options{Options: sefin.Options{Options: server.Options{Between: before.between}}})
	must(t, err)
	t.Cleanup(func() { _ = city.Close() })
	c, _ := newISSNetCase(t, city)
	report := meetCity(t, c, before, "POST "+issnet.Path+" ConsultarNfseDps", "POST "+issnet.Path+
		" ConsultarDadosCadastrais")
	report.expect(t, doctor.Registration, doctor.OK, "lets it issue notes")
	report.expect(t, doctor.Asked, doctor.OK, "asks for the company's certificate")
	if len(city.Posts())+len(city.Ledger()) != 0 {
		t.Errorf("the city was sent %+v", city.Posts())
	}

	of := doctorCase{organization: c.organization, key: c.key, endpoint: operate.PrintedEndpoint{Secret: doctorsWord}}
	city.SetBehaviour(issnet.Behaviour{NotAllowed: []string{string(issuerTaxID)}})
	of.examine(t, c.settings, 2, "--first-contact").expect(t, doctor.Registration, doctor.Problem, "does not let it issue")
	city.SetBehaviour(issnet.Behaviour{Unserved: []string{"ConsultarDadosCadastrais"}})
	silent := of.examine(t, c.settings, 1, "--first-contact")
	silent.expect(t, doctor.Registration, doctor.Warning, "does not say whether the company is registered")
	silent.expectOnly(t, doctor.Registration)
}
