package sefin

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"emissor/test/simulators/shared/checkdigit"
)

// Municipal parameters, as the ADN serves them. The messages are those that users of the live service report (recording
// 22); where nobody does, they are like them.

// parameters serves a question for parameters, and records that it was asked.
func (s *Simulator) parameters(serve func(*call) response) http.Handler {
	return s.handle(Parameters, func(c *call) response {
		s.asked.Add(strings.TrimPrefix(c.Request.URL.Path, "/parametrizacao/"))
		return serve(c)
	})
}

// ParametersAsked returns the paths of what was asked of municipal parameters, and
// reached no fault instead: 3304557/convenio; the last hundred thousand of this run.
func (s *Simulator) ParametersAsked() []string {
	return s.asked.All()
}

// codedService is a service as the parameters name it: cTribNac and the municipal
// complement.
var codedService = regexp.MustCompile(`^([0-9]{2})\.([0-9]{2})\.([0-9]{2})\.([0-9]{3})$`)

// agreementMessage is what is said of a city without one, with its slip (recording 22).
func agreementMessage(municipality string) string {
	name := municipalityName(municipality) + "/" + checkdigit.States[municipality[:min(2, len(municipality))]]
	return "O convênio do o município <" + name + "> ainda não está ativo no Sistema Nacional da NFS-e"
}

// agreementParameters answers GET /parametrizacao/{cMun}/convenio.
func (s *Simulator) agreementParameters(c *call) response {
	municipality := c.Request.PathValue("municipality")
	registry := s.currentRegistry()
	if !registry.active(municipality) {
		return notFound("parametrosConvenio", agreementMessage(municipality))
	}
	agreement := registry.agreement(municipality)
	return response{status: http.StatusOK, body: map[string]any{
		"parametrosConvenio": map[string]any{
			"aderenteAmbienteNacional":              1,
			"aderenteEmissorNacional":               asNumber(!agreement.OwnIssuer),
			"situacaoEmissaoPadraoContribuintesRFB": asNumber(!agreement.OnlyRegistered),
			"aderenteMAN":                           0,
			"permiteAproveitametoDeCreditos":        true, // sic
		},
		"mensagem": "Parâmetros do convênio recuperados com sucesso.",
	}}
}

func asNumber(is bool) int {
	if is {
		return 1
	}
	return 0
}

// currentRate answers GET /parametrizacao/{cMun}/{service}/{day}/aliquota.
func (s *Simulator) currentRate(c *call) response {
	if refused := refusedDay(c); refused != nil {
		return *refused
	}
	return s.rates(c)
}

// rates answers GET /parametrizacao/{cMun}/{service}/historicoaliquotas: one rate, for
// years.
func (s *Simulator) rates(c *call) response {
	service := c.Request.PathValue("service")
	if refused := refusedService(service, "aliquotas"); refused != nil {
		return *refused
	}
	municipality := c.Request.PathValue("municipality")
	registry := s.currentRegistry()
	rate, found := registry.rateOf(municipality, service)
	switch {
	case !registry.active(municipality):
		return notFound("aliquotas", agreementMessage(municipality))
	case !found:
		return notFound("aliquotas", "Alíquotas não encontradas.")
	}
	return response{status: http.StatusOK, body: map[string]any{
		"aliquotas": map[string]any{service: []any{map[string]any{
			"Incidencia": "SIM", "Aliq": float64(rate) / 100, "DtIni": "2023-01-02T00:00:00", "DtFim": nil,
		}}},
		"mensagem": "Alíquotas recuperadas com sucesso.",
	}}
}

// regimeParameters answers GET /parametrizacao/{cMun}/{service}/{day}/regimes_especiais.
// No city has any.
func (s *Simulator) regimeParameters(c *call) response {
	if refused := refusedDay(c); refused != nil {
		return *refused
	}
	if refused := refusedService(c.Request.PathValue("service"), "regimesEspeciais"); refused != nil {
		return *refused
	}
	return notFound("regimesEspeciais", "Regimes especiais não encontrados.")
}

// withholdingParameters answers GET /parametrizacao/{cMun}/{day}/retencoes.
func (s *Simulator) withholdingParameters(c *call) response {
	if refused := refusedDay(c); refused != nil {
		return *refused
	}
	municipality := c.Request.PathValue("municipality")
	if !s.currentRegistry().active(municipality) {
		return notFound("retencoes", agreementMessage(municipality))
	}
	return response{status: http.StatusOK, body: map[string]any{
		"retencoes": map[string]any{
			"artigoSexto": map[string]any{"habilitado": true, "historico": []any{map[string]any{
				"dataInicioVigencia": "2022-01-01T00:00:00", "dataFimVigencia": nil,
			}}},
			"retencoesMunicipais": []any{},
		},
		"mensagem": "Retenções recuperadas com sucesso.",
	}}
}

// benefitParameters answers GET /parametrizacao/{cMun}/{benefit}/{day}/beneficio. There
// are none.
func (s *Simulator) benefitParameters(c *call) response {
	if refused := refusedDay(c); refused != nil {
		return *refused
	}
	return notFound("beneficio", "Benefício não encontrado.")
}

// threeSegments serves the routes of /parametrizacao/{cMun}/… that a pattern of three
// more segments cannot tell apart.
func (s *Simulator) threeSegments(c *call) response {
	switch c.Request.PathValue("what") {
	case "aliquota":
		return s.currentRate(c)
	case "regimes_especiais":
		return s.regimeParameters(c)
	case "beneficio":
		return s.benefitParameters(c)
	}
	return iisPage(http.StatusNotFound)
}

// oldParameters answers where SEFIN served the parameters before: nothing does (recording 24).
func (s *Simulator) oldParameters(*call) response {
	return response{status: http.StatusNotImplemented,
		body: "Este serviço foi movido para https://adn.producaorestrita.nfse.gov.br/parametrizacao/docs"}
}

func notFound(property, message string) response {
	return response{status: http.StatusNotFound, body: map[string]any{property: nil, "mensagem": message}}
}

// refusedService refuses a code that is not dotted; nil for one that is.
func refusedService(code, property string) *response {
	if codedService.MatchString(code) {
		return nil
	}
	return &response{status: http.StatusBadRequest, body: map[string]any{
		property:   nil,
		"mensagem": "Chamada mal formada. O código do serviço deve ser composto por nove dígitos.",
	}}
}

// refusedDay refuses a day that is not written as 2026-11-21; nil for one that is. (The
// live service reads other forms as well, the month first.)
func refusedDay(c *call) *response {
	day := c.Request.PathValue("day")
	if _, err := time.Parse(time.DateOnly, day); err == nil {
		return nil
	}
	return &response{status: http.StatusBadRequest, body: map[string]any{
		"type":  "https://tools.ietf.org/html/rfc9110#section-15.5.1",
		"title": "One or more validation errors occurred.", "status": http.StatusBadRequest,
		"errors":  map[string]any{"competencia": []string{fmt.Sprintf("The value '%s' is not valid.", day)}},
		"traceId": "00-0123456789abcdef0123456789abcdef-0123456789abcdef-00",
	}}
}

// rateOf is the rate of a service in a city, in hundredths of a percent.
func (r *Registry) rateOf(municipality, service string) (rate int64, found bool) {
	agreement := r.agreement(municipality)
	if rate, found = agreement.Rates[service]; found {
		return rate, true
	}
	parts := strings.Split(service, ".")
	if agreement.NoRates || parts[3] != "000" || !serviceExists(strings.Join(parts[:3], "")) {
		return 0, false
	}
	return r.issRate(), true
}
