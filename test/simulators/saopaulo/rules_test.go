package saopaulo_test

import (
	"strings"
	"testing"

	"emissor/test/simulators/saopaulo"
)

// without removes an element that holds no other of its name.
func without(message, element string) change {
	opening, closing := "<"+element+">", "</"+element+">"
	start := strings.Index(message, opening)
	return change{message[start : strings.Index(message, closing)+len(closing)], ""}
}

// textOf is what Assinatura of the first RPS signs, with changes.
func textOf(changes ...change) string {
	signed := text(1)
	for _, change := range changes {
		signed = strings.Replace(signed, change.from, change.to, 1)
	}
	return signed
}

// taxation is another letter of TributacaoRPS, in the RPS and in what is signed of it.
func taxation(letter string) change { return change{"<TributacaoRPS>T", "<TributacaoRPS>" + letter} }

func saidTaxation(letter string) change { return change{"TNN", letter + "NN"} }

// place is where a service was rendered whose ISS is due elsewhere.
func place(code string) change {
	return change{"<ValorFinalCobrado>", "<MunicipioPrestacao>" + code + "</MunicipioPrestacao><ValorFinalCobrado>"}
}

// withheld is the ISS, by the taker.
var (
	withheld     = change{"<ISSRetido>false", "<ISSRetido>true"}
	saidWithheld = change{"TNN", "TNS"}
)

// ruleTest is an RPS with changes, and the codes by which it is answered.
type ruleTest struct {
	changes  []change // of the RPS
	text     []change // of what Assinatura signs
	registry saopaulo.Registry
	codes    string
}

// expectCodes sends an RPS for each test. Signed by the manual, it breaks what is changed
// in it and nothing else.
func expectCodes(t *testing.T, tests map[string]ruleTest) {
	t.Helper()
	simulator, c := startWithIssuer(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			simulator.SetRegistry(test.registry)
			answer := c.send("TesteEnvioLoteRPS", c.lot("", c.rps(1, textOf(test.text...), test.changes...)))
			if answer.root == nil || answer.codes() != test.codes {
				t.Errorf("%s, want %s", answer.body, test.codes)
			}
		})
	}
}

func TestRules(t *testing.T) {
	simulator, c := startWithIssuer(t)
	usual := c.rps(1, "")
	intermediary := func(withholds string) change {
		return change{"<Discriminacao>", "<CPFCNPJIntermediario><CNPJ>11444777000161</CNPJ></CPFCNPJIntermediario>" +
			withholds + "<Discriminacao>"}
	}
	const byIntermediary = "<ISSRetidoIntermediario>true</ISSRetidoIntermediario>"
	text := textOf
	for name, test := range map[string]struct {
		changes []change
		text    string
		codes   string
	}{
		"nothing wrong":            {nil, text(), ""},
		"an unknown letter":        {[]change{taxation("I")}, text(saidTaxation("I")), "206"},
		"outside without a place":  {[]change{taxation("F")}, text(saidTaxation("F")), "1222"},
		"outside in São Paulo":     {[]change{taxation("F"), place("3550308")}, text(saidTaxation("F")), "1232"},
		"outside nowhere":          {[]change{taxation("F"), place("3304558")}, text(saidTaxation("F")), "1225"},
		"outside":                  {[]change{taxation("F"), place("3304557")}, text(saidTaxation("F")), ""},
		"inside with a place":      {[]change{place("3304557")}, text(), "1223"},
		"exported with a place":    {[]change{taxation("P"), place("3304557")}, text(saidTaxation("P")), "1223"},
		"withheld though immune":   {[]change{taxation("M"), withheld}, text(change{"TNN", "MNS"}), "321"},
		"withheld though exported": {[]change{taxation("P"), withheld}, text(change{"TNN", "PNS"}), "1228"},
		"withheld":                 {[]change{withheld}, text(saidWithheld), ""},
		"an intermediary not said": {[]change{intermediary("")}, text() + "211444777000161N", "1417"},
		"withheld by both": {
			[]change{withheld, intermediary(byIntermediary)},
			text(saidWithheld) + "211444777000161S", "1422",
		},
		"withheld by nobody": {
			[]change{{"<Discriminacao>", byIntermediary + "<Discriminacao>"}},
			text(), "1418",
		},
		"a code of the country": {
			[]change{{"<CodigoServico>2919", "<CodigoServico>0107"}},
			text(change{"02919", "00107"}), "306",
		},
		"a percentage": {[]change{{"0.029", "2.9"}}, text(), "208"},
		"a rate outside": {
			[]change{taxation("F"), place("3304557"), {"0.029", "0.01"}},
			text(saidTaxation("F")), "225",
		},
		"no value": {[]change{{">1500.00<", ">0<"}}, text(change{"150000", "000000"}), "303"},
		"all deducted": {
			[]change{{"<ValorDeducoes>0", "<ValorDeducoes>1500.00"}},
			text(change{"00000000000000002919", "00000000015000002919"}), "304",
		},
		"the first value": {
			[]change{{
				"<ValorFinalCobrado>1500.00</ValorFinalCobrado>", "<ValorInicialCobrado>1500.00</ValorInicialCobrado>",
			}},
			text(), "640",
		},
		"a taker with a wrong CNPJ": {
			[]change{{taker, "11444777000162"}},
			text(change{taker, "11444777000162"}), "302",
		},
		"a taker with a wrong CPF": {
			[]change{{"<CNPJ>" + taker + "</CNPJ>", "<CPF>52998224726</CPF>"}},
			text(change{"2" + taker, "100052998224726"}), "337",
		},
		"no city":       {[]change{without(usual, "Cidade")}, text(), "318 629"},
		"another state": {[]change{{"<UF>SP", "<UF>RJ"}}, text(), "214"},
		"no such city":  {[]change{{"<Cidade>3550308", "<Cidade>3550309"}}, text(), "246"},
		"no such place": {[]change{{"<cLocPrestacao>3550308", "<cLocPrestacao>3550309"}}, text(), "265"},
		"abroad in Brazil": {
			[]change{{"<cLocPrestacao>3550308</cLocPrestacao>", "<cPaisPrestacao>BR</cPaisPrestacao>"}},
			text(), "267",
		},
		"another NBS":               {[]change{{"<NBS>1", "<NBS>2"}}, text(), "268"},
		"no such operation":         {[]change{{"100301", "000000"}}, text(), "630"},
		"an event not described":    {[]change{{"100301", "040101"}}, text(), "637"},
		"suspended without a class": {[]change{{"000001", "550016"}}, text(), "281"},
		"a destination not said":    {[]change{{"<indDest>0", "<indDest>1"}}, text(), "629 243"},
		"an address that is no mail": {
			[]change{{"</EnderecoTomador>", "</EnderecoTomador><EmailTomador>x</EmailTomador>"}},
			text(), "261",
		},
		"many at once": {[]change{place("3304557"), {"100301", "000000"}}, text(), "1223 630"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := c.send("TesteEnvioLoteRPS", c.lot("", c.rps(1, test.text, test.changes...)))
			if answer.codes() != test.codes {
				t.Errorf("%s, want %s", answer.retorno, test.codes)
			}
		})
	}
	t.Run("Tomorrow", func(t *testing.T) {
		item := c.rps(1, text(change{"20261120", "20261122"}), change{"2026-11-20", "2026-11-22"})
		if answer := c.send("EnvioRPS", c.signed("PedidoEnvioRPS", header("")+item)); answer.codes() != "313" {
			t.Error(answer.retorno)
		}
	})
	t.Run("OfTheRegistry", func(t *testing.T) {
		for name, test := range map[string]struct {
			registry saopaulo.Registry
			codes    string
		}{
			"Simples":        {registryOf(saopaulo.Taxpayer{Simples: true}), "641"},
			"MEI":            {registryOf(saopaulo.Taxpayer{MEI: true}), "359"},
			"cancelled":      {registryOf(saopaulo.Taxpayer{Cancelled: true}), "1208"},
			"not authorised": {registryOf(saopaulo.Taxpayer{NoNotes: true}), "1207"},
			"not its code":   {registryOf(saopaulo.Taxpayer{Services: []string{"2660"}}), "307"},
			"not registered": {saopaulo.Registry{OnlyTaxpayers: true}, "1202"},
			"another rate":   {services(saopaulo.Service{Rate: 500}), "208"},
			"its rate":       {services(saopaulo.Service{Rate: 290}), ""},
			"no such code":   {saopaulo.Registry{Services: map[string]saopaulo.Service{"2660": {}}}, "306"},
		} {
			simulator.SetRegistry(test.registry)
			if answer := c.send("TesteEnvioLoteRPS", c.lot("", c.rps(1, text()))); answer.codes() != test.codes {
				t.Errorf("%s: %s, want %s", name, answer.retorno, test.codes)
			}
		}
	})
	if entries := simulator.Ledger(); len(entries) != 0 {
		t.Errorf("issued: %+v", entries)
	}
}

func registryOf(taxpayer saopaulo.Taxpayer) saopaulo.Registry {
	taxpayer.TaxID = issuer
	return saopaulo.Registry{Taxpayers: map[string]saopaulo.Taxpayer{registration: taxpayer}}
}

func services(service saopaulo.Service) saopaulo.Registry {
	return saopaulo.Registry{Services: map[string]saopaulo.Service{"2919": service}}
}
