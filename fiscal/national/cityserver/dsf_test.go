package cityserver_test

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/cityserver"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
	"emissor/test/harness"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/simulatortest"
)

// dsfRows are rows of cities of the family DSF, each to be given the addresses of its two servers.
var dsfRows = map[string]string{
	"teresina": "2211001\tteresina\tdsf\ton\t2026-10-02\t\t%s\t%s\tinclusive-sha1\t3\tseries=10001-49999 key-info=full\tx",
	"campinas": "3509502\tcampinas\tdsf\ton\t2026-09-21\t\t%s\t%s\tinclusive-sha1\t3\tseries=10001-49999\tx",
	"belem":    "1501402\tbelem\tdsf\ton\t2026-09-21\t\t%s\t%s\tinclusive-sha1\t3\tpaths=adn\tx",
}

// dsfCity is a city of these rows, or else of the table that is built in, whose restricted server is at an address.
func dsfCity(t testing.TB, name, address string, roots *x509.CertPool) cityserver.Bounded {
	t.Helper()
	content, err := strings.Join(cities.Columns(), "\t")+"\n"+fmt.Sprintf(dsfRows[name], "", address)+"\n", error(nil)
	if dsfRows[name] == "" {
		content, err = harness.CityTable(map[string]string{name: address}, map[string]string{"cancelling": "e101101"})
	}
	if err != nil {
		t.Fatal(err)
	}
	table, err := cities.Parse(content, cityrules.Quirks())
	if err != nil {
		t.Fatal(err)
	}
	city, err := cityserver.New(name, &table, cityserver.Options{
		Software: "emissor-test", Transport: mtls.Options{ServerRoots: roots, UserAgent: "emissor-test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return city
}

// dsfDeclaration is one that nothing is wrong with, for a city.
func dsfDeclaration(municipality string) fiscal.Declaration {
	d := nationaltest.Declaration()
	d.Issuer.MunicipalityCode, d.Issuer.MunicipalRegistration, d.Issuer.Series = municipality, new("998877"), 10001
	d.Note.Service.MunicipalityCode = municipality
	d.Taxation.Service = &nfse.ServiceTaxation{MunicipalCode: "001"}
	return d
}

// company is a company in a city that is simulated, and what it reaches.
type company struct {
	cityserver.Bounded
	simulator *sefin.Simulator
	played    sefin.City
	access    fiscal.Access
}

// newCompany plays a city, as it is known to behave but for what is changed.
func newCompany(t testing.TB, name string, changes ...func(*sefin.City)) company {
	t.Helper()
	played, err := sefin.CityNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		change(&played)
	}
	simulator, err := sefin.Start(sefin.Options{
		Options: server.Options{Clock: func() time.Time { return nationaltest.At }}, Cities: []sefin.City{played},
		Registry: sefin.Registry{
			PostalCodeOf: func(string, string) bool { return true }, ISSRate: int64(nfse.MaxRate),
		},
	})
	simulatortest.Started(t, simulator, err)
	c := company{simulator: simulator, played: played}
	c.Bounded = dsfCity(t, name, simulator.CityURL(name), simulator.Roots())
	c.access = c.accessOf(t, "11222333000181")
	return c
}

func (c company) accessOf(t testing.TB, taxID nfse.TaxID) fiscal.Access {
	t.Helper()
	certificate, err := c.simulator.NewCertificate(sefin.Subject{TaxID: string(taxID)})
	if err != nil {
		t.Fatal(err)
	}
	return fiscal.Access{Credentials: &fiscal.Credentials{ID: "crt_test", Certificate: certificate}}
}

func (c company) fail(t testing.TB, faults ...sefin.Fault) {
	t.Helper()
	if err := c.simulator.SetFaultProfile(sefin.FaultProfile{Faults: faults}); err != nil {
		t.Fatal(err)
	}
}

// declared is the request to issue a declaration of the city under a number.
func (c company) declared(t testing.TB, number int64) fiscal.Request {
	t.Helper()
	d := dsfDeclaration(c.played.Municipality)
	d.Number = number
	return requestOf(t, c, d, c.access)
}

// issued issues a declaration of the city under a number.
func (c company) issued(t testing.TB, number int64) (fiscal.Request, string) {
	t.Helper()
	request := c.declared(t, number)
	answer := c.Send(t.Context(), c.access, request)
	if answer.Outcome != fiscal.OutcomeAccepted {
		t.Fatalf("it is not issued: %s %s\n%s", answer.Outcome, answer.Summary(), answer.Body)
	}
	return request, answer.Document.AccessKey
}

func (c company) cancelling(t testing.TB, key string) fiscal.Request {
	t.Helper()
	message, err := c.SignCancellation(fiscal.CancellationRequest{
		AccessKey: key, Issuer: dsfDeclaration(c.played.Municipality).Issuer, ReasonCode: "1",
		ReasonText: "emitida com o valor errado",
	}, c.access.Credentials, nationaltest.At)
	if err != nil {
		t.Fatal(err)
	}
	return fiscal.Request{Kind: fiscal.Cancel, Messages: []fiscal.Message{message}, AccessKey: key}
}

func requestOf(t testing.TB, by fiscal.Authority, d fiscal.Declaration, access fiscal.Access) fiscal.Request {
	t.Helper()
	message, err := by.SignDeclaration(d, access.Credentials, nationaltest.At)
	if err != nil {
		t.Fatal(err)
	}
	return fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{message},
		CorrelationID: fiscal.CorrelationID(d.Note.ID)}
}

// scripted is a city whose server answers as a test says.
type scripted struct {
	cityserver.Bounded
	access fiscal.Access
	// issuing and cancelling are requests that nobody answered yet.
	issuing, cancelling fiscal.Request
	key                 string // of the note that is cancelled
}

func newScripted(t testing.TB, answer http.HandlerFunc) scripted {
	t.Helper()
	served := httptest.NewTLSServer(answer)
	t.Cleanup(served.Close)
	roots := x509.NewCertPool()
	roots.AddCert(served.Certificate())
	s := scripted{Bounded: dsfCity(t, "teresina", served.URL+"/notafiscal-ws", roots),
		access: fiscal.Access{Credentials: nationaltest.Credentials(t)}}
	s.issuing = requestOf(t, s, dsfDeclaration("2211001"), s.access)
	s.key = keyOf("22110011211222333000181000000000001226111234567890")
	s.cancelling = company{Bounded: s, access: s.access, played: sefin.City{Municipality: "2211001"}}.
		cancelling(t, s.key)
	return s
}

// answering is a city whose server gives every call the same answer.
func answering(t testing.TB, status int, media, body string) scripted {
	t.Helper()
	return newScripted(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		if status == http.StatusFound {
			w.Header().Set("Location", "/elsewhere/nfse")
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
}
