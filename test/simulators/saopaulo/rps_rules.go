package saopaulo

import (
	"slices"
	"strings"

	"emissor/test/simulators/shared/checkdigit"
	"emissor/test/simulators/shared/icp"
)

// The letters of TributacaoRPS.
const (
	everyTaxation   = "TFABDMNRXSVP"
	outside         = "FBNSV" // taxed, exempt, immune or suspended elsewhere
	exported        = "P"
	withholdable    = "TF"
	taxedInSaoPaulo = "TDX"
)

const saoPaulo = "3550308"

// review is the check of one RPS: everything that is wrong with it is found.
type review struct {
	*rps
	call      *call
	taxpayer  Taxpayer
	service   Service
	events    []event
	taxation  string
	withholds bool
}

func (r *review) reject(code int, details ...string) {
	r.events = append(r.events, refuse(code, details...).on(r.key().element()))
}

func (r *review) rejectIf(wrong bool, code int, details ...string) {
	if wrong {
		r.reject(code, details...)
	}
}

func (r *review) warnIf(odd bool, code int, details ...string) {
	if odd {
		r.events = append(r.events, warn(code, details...).on(r.key().element()))
	}
}

// refused reports whether an error was found, and not only alerts.
func (r *review) refused() bool { return hasError(r.events) }

// review checks an RPS: who issues it, its signature, and then what it says.
func (s *Simulator) review(item *rps, c *call) []event {
	r := &review{
		rps: item, call: c, taxation: item.get("TributacaoRPS"), withholds: item.isTrue("ISSRetido"),
	}
	s.checkIssuer(r)
	if r.refused() {
		return r.events
	}
	if !verifies(c.signer, []byte(item.text()), item.get("Assinatura")) {
		r.reject(1206)
		r.events[0] = r.events[0].adding(" - String verificada (" + item.text() + ")")
		return r.events
	}
	r.checkDates()
	r.checkService()
	r.checkTaxation()
	r.checkBenefits()
	r.checkWithholding()
	r.checkAmounts()
	r.checkTaker()
	r.checkAddresses()
	r.checkPlace()
	r.checkConsumption()
	return r.events
}

// checkIssuer checks who is registered, and that the signer is that.
func (s *Simulator) checkIssuer(r *review) {
	registration := r.key().registration
	taxpayer, known := r.call.registry.Taxpayers[registration]
	if !known {
		taxpayer.TaxID = s.issuerOf(registration)
	}
	r.taxpayer = taxpayer
	r.rejectIf(!known && r.call.registry.OnlyTaxpayers, 1202)
	r.rejectIf(taxpayer.TaxID != "" && taxpayer.TaxID != icp.TaxID(r.call.signer), 1107)
	r.rejectIf(taxpayer.Cancelled, 1208)
	r.rejectIf(taxpayer.MEI, 359)
	r.rejectIf(taxpayer.Simples, 641)
	r.rejectIf(taxpayer.NoNotes, 1207)
}

// issuerOf is who issued under a registration; empty when nobody did.
func (s *Simulator) issuerOf(registration string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ledger.issuerOf(registration)
}

func (r *review) checkDates() {
	r.rejectIf(r.get("DataEmissao") > r.call.today(), 313)
	r.rejectIf(r.get("DataEmissao") < "2006-06-01", 314)
	r.rejectIf(r.key().number == "0", 315)
}

func (r *review) checkService() {
	code := r.serviceCode()
	if code == "0" {
		r.reject(310, r.get("CodigoServico"))
		return
	}
	service, exists := r.call.registry.service(code)
	r.service = service
	r.rejectIf(!exists, 306, code)
	r.rejectIf(service.NotRendered, 222)
	r.rejectIf(service.Barred, 361, code)
	r.rejectIf(slices.Contains(r.taxpayer.BarredServices, code), 367, code)
	r.rejectIf(!service.holds(r.get("DataEmissao")), 335)
	r.rejectIf(service.NoDeductions && r.cents("ValorDeducoes") > 0, 308, code)
	r.rejectIf(service.NoOutside && strings.Contains(outside, r.taxation), 309, code)
	r.rejectIf(service.NoWithholding && r.withholds, 209)
	registered := r.taxpayer.Services == nil || slices.Contains(r.taxpayer.Services, code)
	r.warnIf(exists && !registered, 307, code)
	cei := r.get("CodigoCEI")
	r.rejectIf(service.NoWorks && cei != "", 1234, code)
	r.rejectIf(cei != "" && !checkdigit.CEI(zeros(cei, 12)), 1229)
}

func (r *review) checkTaxation() {
	r.rejectIf(!strings.Contains(everyTaxation, r.taxation), 206)
	place := r.get("MunicipioPrestacao")
	if strings.Contains(outside, r.taxation) {
		r.rejectIf(place == "", 1222)
		r.rejectIf(place == saoPaulo, 1232)
		r.rejectIf(place != "" && !checkdigit.Municipality(place), 1225)
	} else {
		r.rejectIf(place != "", 1223)
	}
	sent := ratePoints(r.get("AliquotaServicos"))
	r.rejectIf(strings.Contains(outside, r.taxation) && !isRate(sent), 225)
	if strings.Contains(taxedInSaoPaulo, r.taxation) {
		rate := rateOf(r.service, sent)
		r.warnIf(sent != rate, 208, fraction(sent), fraction(rate), r.serviceCode())
	}
}

// rateOf is the rate that the city takes, in hundredths of a percent: that of the table,
// or where it has none the one that was sent, if it can be one.
func rateOf(service Service, sent int64) int64 {
	switch {
	case service.Rate > 0:
		return service.Rate
	case isRate(sent):
		return sent
	}
	return highestRate
}

// The bounds of a rate (LC 116), in hundredths of a percent.
const (
	lowestRate  = 200
	highestRate = 500
)

func isRate(points int64) bool { return points >= lowestRate && points <= highestRate }

func (r *review) checkWithholding() {
	byIntermediary := r.isTrue("ISSRetidoIntermediario")
	named := r.has("CPFCNPJIntermediario") || r.has("InscricaoMunicipalIntermediario")
	said := r.get("ISSRetidoIntermediario")
	r.rejectIf(r.withholds && r.taxation != exported && !strings.Contains(withholdable, r.taxation), 321)
	r.rejectIf((r.withholds || byIntermediary) && r.taxation == exported, 1228)
	r.rejectIf(r.withholds && byIntermediary, 1422)
	r.rejectIf(r.withholds && !byIntermediary && named, 1419)
	r.rejectIf(named && said == "", 1417)
	r.rejectIf(said != "" && !named, 1418)
	r.rejectIf(said != "" && !slices.Contains([]string{"true", "false", "1", "0"}, said), 1421)
	r.rejectIf(r.withholds && r.has("CPFCNPJTomador/CPF") || byIntermediary && r.has("CPFCNPJIntermediario/CPF"), 1616)
	isPersonOrCompany := r.has("CPFCNPJTomador/CPF") || r.has("CPFCNPJTomador/CNPJ")
	r.rejectIf(r.withholds && !isPersonOrCompany, 311, r.taker())
	cnpj := r.get("CPFCNPJIntermediario/CNPJ")
	r.rejectIf(cnpj != "" && !checkdigit.CNPJ(cnpj), 505)
}

func (r *review) checkAmounts() {
	deductions := r.cents("ValorDeducoes")
	r.rejectIf(r.has("ValorInicialCobrado") && !r.call.registry.Edition04, 640)
	r.rejectIf(r.amount() == 0, 303)
	r.rejectIf(r.amount() > 0 && deductions >= r.amount(), 304)
	r.rejectIf(r.has("ValorTotalRecebido") && r.cents("ValorTotalRecebido") < r.amount(), 1631)
	r.rejectIf(r.cents("ValorTotalRecebido") > 0 && deductions > 0, 1633)
}
