package cityserver_test

import (
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/cityserver"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/simulators/issnet"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/shapes"
	"emissor/test/simulators/shared/simulatortest"
)

// inAnyShape are options of a simulator whose answers come whole, and in any form.
func inAnyShape() sefin.Options {
	return sefin.Options{
		Options:  server.Options{Clock: func() time.Time { return nationaltest.At }, Shapes: shapes.Any(1, shapes.Rates{})},
		Registry: sefin.Registry{PostalCodeOf: func(string, string) bool { return true }, ISSRate: int64(nfse.MaxRate)},
	}
}

// An answer that comes whole is read as what it says, in any form: that there is no note, that it is issued, found.
func TestDSF_AnyShape(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"teresina", "campinas"} {
		played, err := sefin.CityNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		options := inAnyShape()
		options.Cities = []sefin.City{played}
		simulator, err := sefin.Start(options)
		simulatortest.Started(t, simulator, err)
		c := company{simulator: simulator, played: played}
		c.Bounded = dsfCity(t, name, simulator.CityURL(name), simulator.Roots())
		c.access = c.accessOf(t, "11222333000181")
		for number := range int64(long.Cases(200, 25)) {
			readsAll(t, c, c.access, c.declared(t, number+1))
		}
	}
}

func TestISSNet_AnyShape(t *testing.T) {
	t.Parallel()
	options := inAnyShape()
	options.Production = true
	simulator, err := issnet.Start(issnet.Options{Options: options})
	simulatortest.Started(t, simulator, err)
	c := town{Simulator: simulator}
	c.Bounded, err = cityserver.New("brasilia", tableOf(t, c.URL(), ""), cityserver.Options{
		Software: "emissor-test", Transport: mtls.Options{ServerRoots: c.Roots()}})
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := c.NewCertificate(sefin.Subject{TaxID: "11222333000181"})
	if err != nil {
		t.Fatal(err)
	}
	access := fiscal.Access{Production: true, Credentials: &fiscal.Credentials{ID: "crt_1", Certificate: certificate}}
	for number := range int64(long.Cases(200, 25)) {
		readsAll(t, c, access, requestOf(t, c, declared(number+1), access))
	}
}

func readsAll(t *testing.T, by fiscal.Authority, access fiscal.Access, request fiscal.Request) {
	t.Helper()
	if found := by.Find(t.Context(), access, request); found.Outcome != fiscal.OutcomeNotFound {
		t.Errorf("before it is sent, it is %s %s\n%s", found.Outcome, found.Summary(), found.Body)
	}
	sent := by.Send(t.Context(), access, request)
	if sent.Outcome != fiscal.OutcomeAccepted || sent.Match == fiscal.MatchForeign || !sent.Alarm.None() {
		t.Errorf("sent, it is %s %s\n%s", sent.Outcome, sent.Summary(), sent.Body)
	}
	found := by.Find(t.Context(), access, request)
	if found.Outcome != fiscal.OutcomeAccepted || found.Match != fiscal.MatchOurs || !found.Alarm.None() {
		t.Errorf("asked about, it is %s %s\n%s", found.Outcome, found.Summary(), found.Body)
	}
}
