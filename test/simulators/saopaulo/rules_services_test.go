package saopaulo_test

import (
	"testing"

	"emissor/test/simulators/saopaulo"
)

func TestRules_OfServices(t *testing.T) {
	of := func(service saopaulo.Service, codes string) ruleTest {
		return ruleTest{registry: services(service), codes: codes}
	}
	works := func(cei string) []change {
		return []change{{"<ValorFinalCobrado>", "<CodigoCEI>" + cei + "</CodigoCEI><ValorFinalCobrado>"}}
	}
	withWorks := of(saopaulo.Service{NoWorks: true}, "1234")
	withWorks.changes = works("115830024985")
	expectCodes(t, map[string]ruleTest{
		"none": {
			changes: []change{{"<CodigoServico>2919", "<CodigoServico>0000"}}, text: []change{{"02919", "00000"}},
			codes: "310",
		},
		"not of a service":   of(saopaulo.Service{NotRendered: true}, "222"),
		"of nobody":          of(saopaulo.Service{Barred: true}, "361"),
		"not of this issuer": {registry: registryOf(saopaulo.Taxpayer{BarredServices: []string{"2919"}}), codes: "367"},
		"not any more":       of(saopaulo.Service{Period: saopaulo.Period{To: "2026-11-19"}}, "335"),
		"not yet":            of(saopaulo.Service{Period: saopaulo.Period{From: "2026-11-21"}}, "335"),
		"just in force":      of(saopaulo.Service{Period: saopaulo.Period{From: "2026-11-20", To: "2026-11-20"}}, ""),
		"without works":      withWorks,
		"works":              {changes: works("115830024985")},
		"no such works":      {changes: works("115830024986"), codes: "1229"},
	})
}
