package parameters

import (
	"context"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse/fact"
)

// Answers as users of the live service report them.
const (
	convenio = `{"parametrosConvenio":{"aderenteAmbienteNacional":1,"aderenteEmissorNacional":1,` +
		`"situacaoEmissaoPadraoContribuintesRFB":1,"aderenteMAN":0,"permiteAproveitametoDeCreditos":true},` +
		`"mensagem":"Parâmetros do convênio recuperados com sucesso."}`
	notActive = `{"parametrosConvenio":null,"mensagem":"O convênio do município <São Caetano do Sul/SP> ainda não ` +
		`está ativo."}`
	rates = `{"aliquotas":{"01.07.01.000":[{"Incidencia":"SIM","Aliq":5.00,"DtIni":"2023-01-02T00:00:00",` +
		`"DtFim":null}]},"mensagem":"Alíquotas recuperadas com sucesso."}`
	noRates   = `{"aliquotas":null,"mensagem":"Alíquotas não encontradas."}`
	malformed = `{"aliquotas":null,"mensagem":"Chamada mal formada. O código do serviço deve ser composto por nove ` +
		`dígitos."}`
	problem = `{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.1","title":"One or more validation errors ` +
		`occurred.","status":400,"errors":{"competencia":["The value '15-09-2026' is not valid."]},"traceId":"00-1"}`
	gone = `{"mensagem":"Serviço descontinuado. Utilize https://adn.nfse.gov.br/parametrizacao."}`
	page = `<!DOCTYPE html><html><head><title>404 - File or directory not found.</title></head></html>`

	noRegimes = `{"regimesEspeciais":null,"mensagem":"Regimes especiais não encontrados."}`
	regimes   = `{"regimesEspeciais":{"4":{"1":[{"situacao":2,"dataInicio":"2024-05-01T00:00:00-03:00",` +
		`"dataFim":"2025-04-30T00:00:00","observacoes":"x"}]}},"mensagem":"ok"}`
	withholdings = `{"retencoes":{"artigoSexto":{"habilitado":true,"historico":[{"dataInicioVigencia":` +
		`"2022-01-01T00:00:00","dataFimVigencia":null}]},"retencoesMunicipais":[{"descricao":"Decreto 1",` +
		`"tiposRetencao":[2,3],"dataInicioVigencia":"2023-01-01T00:00:00","servicos":[` +
		`{"codigoCompleto":"01.07.01.000","historico":[{"dataInicioVigencia":"2023-01-01T00:00:00"}]},` +
		`{"codigoCompleto":"10.01.01.000","historico":[{"dataInicioVigencia":"2023-01-01T00:00:00"}]}]}]},` +
		`"mensagem":"ok"}`
	noWithholdings = `{"retencoes":null,"mensagem":"Retenções não encontradas."}`
)

// adn answers by the last segment of the path.
type adn struct {
	answers map[string][]mtls.Reply
	asked   []string
}

func (a *adn) AskADN(_ context.Context, _ fiscal.Access, _ string, path []string, _ url.Values) mtls.Reply {
	a.asked = append(a.asked, strings.Join(path, "/"))
	last := path[len(path)-1]
	reply := a.answers[last][0]
	if len(a.answers[last]) > 1 {
		a.answers[last] = a.answers[last][1:]
	}
	return reply
}

func answered(status int, body string) mtls.Reply {
	return mtls.Reply{Status: status, Body: []byte(body)}
}

var (
	noAnswer = mtls.Reply{Reason: fact.TLSHandshakeFailed.Fact()}
	brokeOff = mtls.Reply{Status: 404, Reason: fact.AnswerBrokeOff.With("status", 404)}
)

func TestReader_City(t *testing.T) {
	yes, no := new(true), new(false)
	open := &fiscal.City{Active: true, AderenteAmbienteNacional: yes, AderenteEmissorNacional: yes,
		SituacaoEmissaoPadraoContribuintesRFB: yes, AderenteMAN: no, PermiteAproveitamentoDeCreditos: yes}
	odd := &fiscal.City{Active: true, AderenteEmissorNacional: no}
	for name, test := range map[string]struct {
		replies []mtls.Reply
		city    *fiscal.City
	}{
		"active":                             {[]mtls.Reply{answered(200, convenio)}, open},
		"with a byte order mark":             {[]mtls.Reply{answered(200, "\ufeff "+convenio)}, open},
		"a handshake that fails once":        {[]mtls.Reply{noAnswer, answered(200, convenio)}, open},
		"no answer":                          {[]mtls.Reply{noAnswer, noAnswer}, nil},
		"not active":                         {[]mtls.Reply{answered(404, notActive)}, &fiscal.City{}},
		"not active, without words":          {[]mtls.Reply{answered(404, `{"parametrosConvenio":null}`)}, nil},
		"not active, beside a 200":           {[]mtls.Reply{answered(200, notActive)}, nil},
		"parameters beside a 404":            {[]mtls.Reply{answered(404, convenio)}, nil},
		"a page of a proxy":                  {[]mtls.Reply{answered(200, page)}, nil},
		"a route that is gone, as a page":    {[]mtls.Reply{answered(404, page)}, nil},
		"a route that is gone":               {[]mtls.Reply{answered(501, gone)}, nil},
		"a route that is gone, as 404":       {[]mtls.Reply{answered(404, gone)}, nil},
		"a gateway's 404":                    {[]mtls.Reply{answered(404, `{"message":"no Route matched"}`)}, nil},
		"a problem":                          {[]mtls.Reply{answered(400, problem)}, nil},
		"cut off":                            {[]mtls.Reply{answered(200, convenio[:60])}, nil},
		"nothing":                            {[]mtls.Reply{answered(200, "")}, nil},
		"a list":                             {[]mtls.Reply{answered(200, "["+convenio+"]")}, nil},
		"too large":                          {[]mtls.Reply{answered(200, convenio+strings.Repeat(" ", 2<<20))}, nil},
		"parameters that are none":           {[]mtls.Reply{answered(200, `{"parametrosConvenio":"x"}`)}, nil},
		"parameters that say nothing":        {[]mtls.Reply{answered(200, `{"parametrosConvenio":{}}`)}, nil},
		"an outage that looks like a 404":    {[]mtls.Reply{brokeOff}, nil},
		"São Paulo, and words for numbers":   {[]mtls.Reply{answered(200, saoPaulo)}, saoPaulosParameters},
		"flags of which nothing is reported": {[]mtls.Reply{answered(200, oddFlags)}, odd},
	} {
		authority := &adn{answers: map[string][]mtls.Reply{"convenio": test.replies}}
		answer := Reader{authority}.City(t.Context(), fiscal.Access{}, "3304557")
		if !reflect.DeepEqual(answer.City, test.city) || (answer.City == nil) == answer.Reason.None() {
			t.Errorf("%s: %+v %q", name, answer.City, answer.Reason)
		}
		if len(authority.asked) != len(test.replies) || authority.asked[0] != "parametrizacao/3304557/convenio" {
			t.Errorf("%s: asked %q", name, authority.asked)
		}
	}
}

const (
	saoPaulo = `{"parametrosConvenio":{"aderenteAmbienteNacional":"1","aderenteEmissorNacional":true,` +
		`"situacaoEmissaoPadraoContribuintesRFB":0,"permiteAproveitamentoDeCreditos":false,"tipoConvenio":1}}`
	oddFlags = `{"parametrosConvenio":{"aderenteAmbienteNacional":-1,"aderenteEmissorNacional":0,` +
		`"situacaoEmissaoPadraoContribuintesRFB":null,"aderenteMAN":{"a":1}},"mensagem":null}`
)

var saoPaulosParameters = &fiscal.City{Active: true, AderenteAmbienteNacional: new(true),
	AderenteEmissorNacional: new(true), SituacaoEmissaoPadraoContribuintesRFB: new(false),
	PermiteAproveitamentoDeCreditos: new(false)}

func TestReader_Service(t *testing.T) {
	authority := &adn{answers: map[string][]mtls.Reply{
		"aliquota": {answered(200, rates)}, "regimes_especiais": {answered(200, regimes)},
		"retencoes": {answered(200, withholdings)},
	}}
	late := time.Date(2026, 11, 22, 1, 0, 0, 0, time.UTC) // in Brasília it is the day before
	answer := Reader{authority}.Service(t.Context(), fiscal.Access{}, "3304557", "01.07.01.000", late)
	expected := &fiscal.ServiceParameters{
		Rates:   []fiscal.CityRate{{Percent: "5.00", Incidencia: "SIM", From: "2023-01-02"}},
		Regimes: []fiscal.CityRegime{{Name: "4/1", Situacao: 2, From: "2024-05-01", Until: "2025-04-30"}},
		Withholdings: []fiscal.CityWithholding{{Name: "artigoSexto", From: "2022-01-01"},
			{Name: "Decreto 1", TiposRetencao: []int{2, 3}, From: "2023-01-01"}},
	}
	if !reflect.DeepEqual(answer.Service, expected) {
		t.Errorf("%+v %q", answer.Service, answer.Reason)
	}
	if paths := strings.Join(authority.asked, " "); paths != "parametrizacao/3304557/01.07.01.000/2026-11-21/aliquota "+
		"parametrizacao/3304557/01.07.01.000/2026-11-21/regimes_especiais parametrizacao/3304557/2026-11-21/retencoes" {
		t.Errorf("asked %s", paths)
	}
	authority.answers = map[string][]mtls.Reply{
		"aliquota": {answered(404, noRates)}, "regimes_especiais": {answered(404, noRegimes)},
		"retencoes": {answered(404, noWithholdings)},
	}
	answer = Reader{authority}.Service(t.Context(), fiscal.Access{}, "3550308", "01.07.01.000", late)
	if !reflect.DeepEqual(answer.Service, &fiscal.ServiceParameters{}) {
		t.Errorf("a city without tables: %+v %q", answer.Service, answer.Reason)
	}
	for name, reply := range map[string]mtls.Reply{
		"malformed": answered(400, malformed), "problem": answered(400, problem), "page": answered(404, page),
		"gone": answered(501, gone), "no words": answered(404, `{"aliquotas":null}`), "no answer": noAnswer,
	} {
		authority.answers["aliquota"] = []mtls.Reply{reply}
		answer := Reader{authority}.Service(t.Context(), fiscal.Access{}, "3550308", "01.07.01.000", late)
		if answer.Service != nil || !answer.Reason.Is(fact.CityParametersOf) ||
			answer.Reason.Arguments["table"] != "aliquota" {
			t.Errorf("%s: %+v %q", name, answer.Service, answer.Reason)
		}
	}
}

func TestServiceCode(t *testing.T) {
	for taxCode, expected := range map[string]string{
		"010701": "01.07.01.000", "99.01": "", "01070a": "", "": "", "0107010": "",
	} {
		if code := ServiceCode(taxCode); code != expected {
			t.Errorf("%q: %q", taxCode, code)
		}
	}
}

// Nothing panics on any answer, a city is inactive only by the authority's own 404, and what is kept can be kept:
// bounded, and printable.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{convenio, notActive, rates, noRates, malformed, problem, gone, page, regimes,
		withholdings, saoPaulo, oddFlags, "", "null", "{}"} {
		for _, status := range []int{200, 400, 404, 501} {
			f.Add(status, body)
		}
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		reply := answered(status, body)
		answer := readConvenio(reply)
		if (answer.City == nil) == answer.Reason.None() {
			t.Errorf("%+v", answer)
		}
		if answer.City != nil && answer.City.Active != (status == 200) {
			t.Errorf("%d makes it %+v", status, answer.City)
		}
		var service fiscal.ServiceParameters
		for _, read := range []func(mtls.Reply, string, *fiscal.ServiceParameters) fact.Fact{
			readRates, readRegimes, readWithholdings,
		} {
			if reason := read(reply, "01.07.01.000", &service); reason.None() && status != 200 && status != 404 {
				t.Errorf("%d is understood", status)
			}
		}
		kept, err := json.Marshal(service)
		if err != nil || len(kept) > 1<<20 || strings.Contains(string(kept), `\u0000`) {
			t.Errorf("%v: %d bytes", err, len(kept))
		}
	})
}

// That a certificate is not let in says nothing of the city, nor of other certificates.
func TestReader_ShutOut(t *testing.T) {
	for status, shutOut := range map[int]bool{401: true, 403: true, 400: false, 404: false, 500: false} {
		answers := map[string][]mtls.Reply{}
		for _, part := range []string{"convenio", "aliquota", "regimes_especiais", "retencoes"} {
			answers[part] = []mtls.Reply{{Status: status, Body: []byte(page)}}
		}
		reader := Reader{ADN: &adn{answers: answers}}
		city := reader.City(t.Context(), fiscal.Access{}, "3550308")
		service := reader.Service(t.Context(), fiscal.Access{}, "3550308", "01.07.01.000", time.Now())
		if city.ShutOut != shutOut || city.City != nil || service.ShutOut != shutOut || service.Service != nil {
			t.Errorf("%d is read as %+v and %+v", status, city, service)
		}
	}
}
