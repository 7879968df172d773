package sefin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"emissor/test/simulators/sefin"
)

func TestParameters(t *testing.T) {
	simulator, c := startWithIssuer(t)
	registry := `{"municipalities":{"3509502":{"inactive":true},"2211001":{"own_issuer":true},` +
		`"3304557":{"rates":{"01.07.01.001":350}}}}`
	if r := (controller{simulator.Control()}).call("PUT", "/registry", registry); r.Code != http.StatusOK {
		t.Fatalf("%d %s", r.Code, r.Body)
	}
	const day = "/2026-11-21"
	for path, expected := range map[string]struct {
		status int
		words  string
	}{
		"3304557/convenio": {200, `"aderenteEmissorNacional":1,"aderenteMAN":0,` +
			`"permiteAproveitametoDeCreditos":true,"situacaoEmissaoPadraoContribuintesRFB":1}`},
		"3550308/convenio": {200, `"situacaoEmissaoPadraoContribuintesRFB":0}`},
		"2211001/convenio": {200, `"aderenteEmissorNacional":0`},
		"3509502/convenio": {404, `{"mensagem":"O convênio do o município <Município 3509502/SP> ainda não está ativo ` +
			`no Sistema Nacional da NFS-e","parametrosConvenio":null}`},
		"3304558/convenio":  {404, `"parametrosConvenio":null`}, // there is no such city
		"3304557/convenios": {404, "404"},

		"3304557/01.07.01.000" + day + "/aliquota": {200, `"01.07.01.000":[{"Aliq":2,"DtFim":null,` +
			`"DtIni":"2023-01-02T00:00:00","Incidencia":"SIM"}]`},
		"3304557/01.07.01.001" + day + "/aliquota":          {200, `"Aliq":3.5`},
		"3304557/01.07.01.002" + day + "/aliquota":          {404, "Alíquotas não encontradas."},
		"3550308/01.07.01.000" + day + "/aliquota":          {404, "Alíquotas não encontradas."},
		"3509502/01.07.01.000" + day + "/aliquota":          {404, "ainda não está ativo"},
		"3304557/010701" + day + "/aliquota":                {400, "nove dígitos"},
		"3304557/010701000" + day + "/aliquota":             {400, "nove dígitos"},
		"3304557/01.07.01.000/15-09-2026/aliquota":          {400, `["The value '15-09-2026' is not valid."]`},
		"3304557/01.07.01.000/202608/aliquota":              {400, "rfc9110"},
		"3304557/01.07.01.000/historicoaliquotas":           {200, `"Aliq":2`},
		"3304557/01.07.01.000" + day + "/regimes_especiais": {404, `"regimesEspeciais":null`},
		"3304557/010701" + day + "/regimes_especiais":       {400, "nove dígitos"},
		"3304557" + day + "/retencoes":                      {200, `"habilitado":true`},
		"3509502" + day + "/retencoes":                      {404, `"retencoes":null`},
		"3304557/21-11-2026/retencoes":                      {400, "rfc9110"},
		"3304557/BM1" + day + "/beneficio":                  {404, `"beneficio":null`},
		"3304557/BM1/x/beneficio":                           {400, "rfc9110"},
		"3304557/01.07.01.000" + day + "/other":             {404, "404"},
	} {
		answer := c.must("GET", simulator.ADNURL()+"/parametrizacao/"+path, nil)
		if answer.status != expected.status || !strings.Contains(string(answer.text), expected.words) {
			t.Errorf("%s: %d %s", path, answer.status, answer.text)
		}
	}
	if old := c.must("GET", simulator.URL()+"/parametros_municipais/3304557/convenio", nil); old.status != 501 {
		t.Errorf("the old route: %d", old.status)
	}
	nobody := connect(t, simulator, nil).must("GET", simulator.ADNURL()+"/parametrizacao/3304557/convenio", nil)
	if nobody.status != 496 {
		t.Errorf("without a certificate: %d", nobody.status)
	}
	if err := simulator.SetFaultProfile(sefin.FaultProfile{Faults: []sefin.Fault{
		{Kind: sefin.Status, Scope: sefin.Parameters, Status: 503, Body: "html"},
	}}); err != nil {
		t.Fatal(err)
	}
	if down := c.must("GET", simulator.ADNURL()+"/parametrizacao/3304557/convenio", nil); down.status != 503 {
		t.Errorf("a fault in their scope: %d", down.status)
	}
	c.issued(c.dps(1)) // is in another
	if asked := simulator.ParametersAsked(); !slices.Contains(asked, "3304557/2026-11-21/retencoes") {
		t.Errorf("asked was %q", asked)
	}
}
