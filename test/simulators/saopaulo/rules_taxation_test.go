package saopaulo_test

import (
	"testing"

	"emissor/test/simulators/saopaulo"
)

// claimed is an RPS under another letter of taxation, with what is on record of who
// issues it.
func claimed(letter string, taxpayer saopaulo.Taxpayer, codes string, changes ...change) ruleTest {
	return ruleTest{
		changes: append([]change{taxation(letter)}, changes...), text: []change{saidTaxation(letter)},
		registry: registryOf(taxpayer), codes: codes,
	}
}

func TestRules_OfRatesElsewhere(t *testing.T) {
	tests := map[string]ruleTest{}
	for _, letter := range []string{"F", "B", "N", "S", "V"} {
		for rate, codes := range map[string]string{"0.019": "225", "0.02": "", "0.05": "", "0.051": "225", "0": "225"} {
			tests[letter+" at "+rate] = claimed(letter, saopaulo.Taxpayer{}, codes, place("3304557"),
				change{"0.029", rate})
		}
	}
	expectCodes(t, tests)
}

func TestRules_OfWithholding(t *testing.T) {
	byPerson := change{
		"<Discriminacao>", "<CPFCNPJIntermediario><CPF>52998224725</CPF></CPFCNPJIntermediario>" +
			"<ISSRetidoIntermediario>true</ISSRetidoIntermediario><Discriminacao>",
	}
	expectCodes(t, map[string]ruleTest{
		"by a person": {
			changes: []change{withheld, {"<CNPJ>" + taker + "</CNPJ>", "<CPF>52998224725</CPF>"}},
			text:    []change{saidWithheld, {"2" + taker, "100052998224725"}}, codes: "1616",
		},
		"by a person who mediated": {
			changes: []change{byPerson}, text: []change{{taker, taker + "100052998224725S"}}, codes: "1616",
		},
		"by nobody": {
			changes: []change{
				withheld, {"<CPFCNPJTomador><CNPJ>" + taker + "</CNPJ></CPFCNPJTomador>", ""},
			},
			text: []change{saidWithheld, {"2" + taker, "300000000000000"}}, codes: "311",
		},
	})
}

func TestRules_OfImmunities(t *testing.T) {
	declared := func(immunities ...saopaulo.Immunity) saopaulo.Taxpayer {
		return saopaulo.Taxpayer{Immunities: append([]saopaulo.Immunity{}, immunities...)}
	}
	over := saopaulo.Immunity{Period: saopaulo.Period{To: "2026-11-19"}}
	later := saopaulo.Immunity{Period: saopaulo.Period{From: "2026-11-21"}}
	today := saopaulo.Period{From: "2026-11-20", To: "2026-11-20"}
	ofAnother := saopaulo.Immunity{Period: today, Services: []string{"2660"}}
	ofThis := saopaulo.Immunity{Period: today, Services: []string{"2919"}}
	tests := map[string]ruleTest{
		"of a professional on his own": claimed("M", saopaulo.Taxpayer{SelfEmployed: true}, "1233"),
		"taxed, of one":                claimed("T", saopaulo.Taxpayer{SelfEmployed: true}, ""),
		"objective, of no such code": {
			changes: []change{taxation("R")}, text: []change{saidTaxation("R")},
			registry: services(saopaulo.Service{NoImmunity: true}), codes: "1236",
		},
		"subjective, of that code": {
			changes: []change{taxation("M")}, text: []change{saidTaxation("M")},
			registry: services(saopaulo.Service{NoImmunity: true}),
		},
	}
	for _, letter := range []string{"M", "N", "R", "S"} {
		var elsewhere []change
		if letter == "N" || letter == "S" {
			elsewhere = []change{place("3304557")}
		}
		for name, test := range map[string]struct {
			taxpayer saopaulo.Taxpayer
			codes    string
		}{
			"not known":       {saopaulo.Taxpayer{}, ""},
			"never declared":  {declared(), "1227"},
			"not for the day": {declared(over, later), "1212"},
			"not of the code": {declared(over, ofAnother), "1213"},
			"declared":        {declared(later, ofAnother, ofThis), ""},
		} {
			tests[letter+" "+name] = claimed(letter, test.taxpayer, test.codes, elsewhere...)
		}
	}
	expectCodes(t, tests)
}

func TestRules_OfBenefits(t *testing.T) {
	recorded := func(benefits ...saopaulo.Benefit) saopaulo.Taxpayer {
		return saopaulo.Taxpayer{Benefits: append([]saopaulo.Benefit{}, benefits...)}
	}
	forAnother := saopaulo.Benefit{Taker: "11222333000262"}
	tests := map[string]ruleTest{}
	for _, test := range []struct {
		letter         string
		missing, alert string
		partial        bool
	}{{"A", "1254", "1251", false}, {"B", "1254", "1251", false}, {"D", "1255", "1252", true}} {
		var elsewhere []change
		if test.letter == "B" {
			elsewhere = []change{place("3304557")}
		}
		of := func(benefit saopaulo.Benefit) saopaulo.Benefit {
			benefit.Partial = test.partial
			return benefit
		}
		add := func(name, codes, alerts string, taxpayer saopaulo.Taxpayer) {
			tests[test.letter+" "+name] = claimed(test.letter, taxpayer, codes, elsewhere...)
			warned := claimed(test.letter, taxpayer, alerts, elsewhere...)
			warned.registry.WarnOfBenefits = true
			tests[test.letter+" "+name+", of which it only warns"] = warned
		}
		add("not known", "", "", saopaulo.Taxpayer{})
		add("not on record", test.missing, test.alert, recorded())
		add("of another kind", test.missing, test.alert, recorded(saopaulo.Benefit{Partial: !test.partial}))
		add("of another code", test.missing, test.alert, recorded(of(saopaulo.Benefit{Service: "2660"})))
		add("of another day", test.missing, test.alert,
			recorded(of(saopaulo.Benefit{Period: saopaulo.Period{To: "2026-11-19"}})))
		add("for another taker", "1256", "1253", recorded(of(forAnother)))
		add("on record", "", "", recorded(of(forAnother), of(saopaulo.Benefit{Service: "2919", Taker: taker})))
	}
	expectCodes(t, tests)
}

func TestRules_OfExemptions(t *testing.T) {
	from := claimed("D", saopaulo.Taxpayer{}, "1615")
	from.registry.PartlyExemptFrom = "2026-11-21"
	lowered := claimed("D", saopaulo.Taxpayer{}, "1612", change{"<ValorDeducoes>0", "<ValorDeducoes>500.00"})
	lowered.text = append(lowered.text, change{"00000000000000002919", "00000000005000002919"})
	just := claimed("D", saopaulo.Taxpayer{}, "", change{"<ValorDeducoes>0", "<ValorDeducoes>400.00"})
	just.text = append(just.text, change{"00000000000000002919", "00000000004000002919"})
	expectCodes(t, map[string]ruleTest{
		"of a professional on his own":         claimed("A", saopaulo.Taxpayer{SelfEmployed: true}, "1233"),
		"partly, of a professional on his own": claimed("D", saopaulo.Taxpayer{SelfEmployed: true}, "1613"),
		"partly, of a partnership":             claimed("D", saopaulo.Taxpayer{Partnership: true}, "1614"),
		"of a partnership":                     claimed("A", saopaulo.Taxpayer{Partnership: true}, ""),
		"partly, too early":                    from,
		"partly, under two percent":            lowered,
		"partly, not under two percent":        just,
	})
	_, c := startWithIssuer(t)
	early := c.rps(1, textOf(saidTaxation("D"), change{"20261120", "20150222"}), taxation("D"),
		change{"2026-11-20", "2015-02-22"})
	answer := c.send("EnvioRPS", c.signed("PedidoEnvioRPS", header("")+early))
	const said = "A indicação de isenção parcial (D) somente é permitida para serviços com data de fato gerador a " +
		"partir de 23/02/2015."
	if answer.codes() != "1615 628" || answer.at("Erro/Descricao") != said {
		t.Errorf("before there were any: %s", answer.retorno)
	}
}
