package sefin_test

import "emissor/test/simulators/sefin"

// service changes the service.
func service(code string) change { return change{"<cTribNac>010701<", "<cTribNac>" + code + "<"} }

func taxation(kind string) change { return change{"<tribISSQN>1<", "<tribISSQN>" + kind + "<"} }

// beforeWithholding adds what stands between tribISSQN and tpRetISSQN.
func beforeWithholding(group string) change { return change{"<tpRetISSQN>", group + "<tpRetISSQN>"} }

// granted is a benefit of Rio.
func granted(reduction string) change {
	return beforeWithholding("<BM><nBM>" + benefitNumber + "</nBM>" + reduction + "</BM>")
}

const (
	benefitNumber = "33045570400001"
	suspension    = "<exigSusp><tpSusp>1</tpSusp><nProcesso>000000000008001234520258190001</nProcesso></exigSusp>"
)

var (
	immunity       = []change{taxation("2"), beforeWithholding("<tpImunidade>3</tpImunidade>")}
	suspended      = beforeWithholding(suspension)
	rental         = []change{service("990101"), taxation("4")}
	notTaxedInRio  = rio(sefin.Agreement{NotIncident: []string{"010701"}})
	withNoBenefit  = granted("")
	benefitByValue = granted("<vRedBCBM>1.00</vRedBCBM>")
	benefitByShare = granted("<pRedBCBM>1.00</pRedBCBM>")
)

var taxationRules = map[string]ruleCase{
	"what is never taxed, taxed": {
		codes: "E0532", breaks: []change{service("990101")}, keeps: rental,
	},
	"what is taxed, not taxed": {
		codes: "E0539", breaks: []change{taxation("4")}, keeps: []change{taxation("4")}, neighbours: notTaxedInRio,
	},
	"what is not taxed there, taxed": {
		codes: "E0540", breaks: nil, keeps: []change{taxation("4")}, registry: notTaxedInRio,
	},
	"immunity without its kind": {
		codes: "E0592", breaks: []change{taxation("2")}, keeps: immunity,
	},
	"a kind of immunity of what is taxed": {
		codes: "E0592", breaks: []change{beforeWithholding("<tpImunidade>1</tpImunidade>")}, keeps: immunity,
	},
	"immunity of no kind": {
		codes: "E0593", breaks: []change{taxation("2"), beforeWithholding("<tpImunidade>0</tpImunidade>")},
		keeps: immunity,
	},
	"immunity and a special regime": {
		codes: "E0172", breaks: with(immunity, special), keeps: immunity,
	},
	"immunity that is suspended": {
		codes: "E0585", breaks: changes(immunity, beforeWithholding(suspension)), keeps: []change{suspended},
	},
	"immunity and a benefit": {
		codes: "E0533", breaks: changes(immunity, withNoBenefit), keeps: []change{withNoBenefit},
	},
	"immunity that is withheld": {
		codes: "E0580", breaks: with(immunity, withheld), keeps: []change{withheld},
	},
	"immunity with a rate": {
		codes: "E0602", breaks: changes(immunity, rate("2.00")), keeps: immunity,
	},
	"immunity and a deduction": {
		codes: "E0435", breaks: changes(immunity, deducting("<vDR>1.00</vDR>")),
		keeps: changes(works, deducting("<vDR>1.00</vDR>")),
	},
	"transport of passengers, withheld": {
		codes: "E0596", breaks: []change{service("220101"), withheld}, keeps: []change{service("220101")},
	},
}

// granting is a registry with one benefit of Rio, and an ISS of 5 %.
func granting(benefit sefin.Benefit) *sefin.Registry {
	return &sefin.Registry{ISSRate: 500, Benefits: map[string]sefin.Benefit{benefitNumber: benefit}}
}

var benefitRules = map[string]ruleCase{
	"a benefit of an MEI": {
		codes: "E0534", breaks: []change{mei, withNoBenefit}, keeps: []change{withNoBenefit},
	},
	"a benefit beside a special regime": {
		codes: "E0535", breaks: []change{special, withNoBenefit}, keeps: []change{withNoBenefit},
	},
	"a benefit of an inactive city": {
		codes: "E0537", breaks: with(performedThere, rate("2.00"), change{"<tpRetISSQN>",
			"<BM><nBM>35095020400001</nBM><vRedBCBM>1.00</vRedBCBM></BM><tpRetISSQN>"}),
		keeps:    with(performedThere, rate("2.00")),
		registry: &inactive,
	},
	"a benefit within Simples": {
		codes: "E0536", breaks: []change{microOrSmall, simplified, benefitByValue},
		keeps: changes(microOrSmall, simplified, works, benefitByValue),
	},
	"a benefit of another city": {
		codes: "E0541", breaks: []change{beforeWithholding("<BM><nBM>35095020400001</nBM></BM>")},
		keeps: []change{withNoBenefit},
	},
	"a benefit that there is not": {
		codes: "E0541", breaks: []change{beforeWithholding("<BM><nBM>33045570400002</nBM></BM>")},
		keeps: []change{withNoBenefit}, registry: granting(sefin.Benefit{Kind: "1"}),
	},
	"a benefit that is not in force yet": {
		codes: "E0544", breaks: []change{withNoBenefit}, keeps: []change{withNoBenefit},
		registry:   granting(sefin.Benefit{Kind: "1", From: "2026-11-22"}),
		neighbours: granting(sefin.Benefit{Kind: "1", From: "2026-11-21", Until: "2026-11-21"}),
	},
	"a benefit that ended": {
		codes: "E0544", breaks: []change{withNoBenefit}, keeps: []change{withNoBenefit},
		registry:   granting(sefin.Benefit{Kind: "1", Until: "2026-11-20"}),
		neighbours: granting(sefin.Benefit{Kind: "1", Until: "2026-11-21"}),
	},
	"a benefit for who is established there": {
		codes:  "E0548",
		breaks: with(performedThere, change{"<tpRetISSQN>", "<BM><nBM>35095020400001</nBM></BM><tpRetISSQN>"}),
		keeps:  with(performedThere, change{"<tpRetISSQN>", "<BM><nBM>35095020400001</nBM></BM><tpRetISSQN>"}),
		registry: &sefin.Registry{Benefits: map[string]sefin.Benefit{
			"35095020400001": {Kind: "1", OnlyEstablished: true},
		}},
		neighbours: &sefin.Registry{Benefits: map[string]sefin.Benefit{"35095020400001": {Kind: "1"}}},
	},
	"a benefit for another service": {
		codes: "E0550", breaks: []change{withNoBenefit}, keeps: []change{withNoBenefit},
		registry:   granting(sefin.Benefit{Kind: "1", Services: []string{"010101"}}),
		neighbours: granting(sefin.Benefit{Kind: "1", Services: []string{"010101", "010701"}}),
	},
	"a benefit for another provider": {
		codes: "E0550", breaks: []change{withNoBenefit}, keeps: []change{withNoBenefit},
		registry:   granting(sefin.Benefit{Kind: "1", Taxpayers: []string{taker}}),
		neighbours: granting(sefin.Benefit{Kind: "1", Taxpayers: []string{issuer}}),
	},
	"an amount of a benefit that is an exemption": {
		codes: "E0565", breaks: []change{benefitByValue}, keeps: []change{withNoBenefit},
		registry: granting(sefin.Benefit{Kind: "1"}),
	},
	"no amount of a benefit by value": {
		codes: "E0567", breaks: []change{withNoBenefit}, keeps: []change{benefitByValue},
		registry: granting(sefin.Benefit{Kind: "3"}),
	},
	"an amount of a benefit above the price": {
		codes: "E0574", breaks: changes(works, granted("<vRedBCBM>1500.01</vRedBCBM>")),
		keeps: changes(works, granted("<vRedBCBM>1500.00</vRedBCBM>")),
	},
	"a percentage of a benefit that is an exemption": {
		codes: "E0577", breaks: []change{benefitByShare}, keeps: []change{withNoBenefit},
		registry: granting(sefin.Benefit{Kind: "1"}),
	},
	"no percentage of a benefit in percent": {
		codes: "E0579", breaks: []change{withNoBenefit}, keeps: []change{benefitByShare},
		registry: granting(sefin.Benefit{Kind: "2"}),
	},
	"a percentage of nothing of a benefit": {
		codes: "E0586", breaks: []change{granted("<pRedBCBM>0</pRedBCBM>")}, keeps: []change{benefitByShare},
		registry: granting(sefin.Benefit{Kind: "2"}),
	},
	"a larger percentage than the city grants": {
		codes: "E0586", breaks: []change{granted("<pRedBCBM>40.01</pRedBCBM>")},
		keeps:    []change{granted("<pRedBCBM>40.00</pRedBCBM>")},
		registry: granting(sefin.Benefit{Kind: "2", Most: 4000}),
	},
	"an exemption that is withheld": {
		codes: "E0594", breaks: []change{withNoBenefit, withheld}, keeps: []change{withNoBenefit},
	},
	"an exemption and a deduction": {
		codes: "E0439", breaks: changes(works, withNoBenefit, deducting("<vDR>1.00</vDR>")),
		keeps: changes(works, benefitByValue, deducting("<vDR>1.00</vDR>")),
	},
}

var rateRules = map[string]ruleCase{
	"a rate of what is exempt": {
		codes: "E0612", breaks: []change{withNoBenefit, rate("2.00")}, keeps: []change{withNoBenefit},
	},
	"a rate of what has another by a benefit": {
		codes: "E0612", breaks: []change{withNoBenefit, rate("2.00")}, keeps: []change{withNoBenefit},
		registry: granting(sefin.Benefit{Kind: "4", Rate: 250}),
	},
}
