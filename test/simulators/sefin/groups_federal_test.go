package sefin_test

// federal adds the group tribFed.
func federal(group string) change { return inside("tribMun", "<tribFed>"+group+"</tribFed>") }

// contributions are PIS and COFINS of the issuer, with their base.
func contributions(base, pis, cofins string) change {
	return federal("<piscofins><CST>01</CST><vBCPisCofins>" + base + "</vBCPisCofins><pAliqPis>0.65</pAliqPis>" +
		"<pAliqCofins>3.00</pAliqCofins><vPis>" + pis + "</vPis><vCofins>" + cofins + "</vCofins></piscofins>")
}

func withheldContributions(kind, amount string) change {
	if amount != "" {
		amount = "<vRetCSLL>" + amount + "</vRetCSLL>"
	}
	return federal("<piscofins><CST>00</CST><tpRetPisCofins>" + kind + "</tpRetPisCofins></piscofins>" + amount)
}

var federalRules = map[string]ruleCase{
	"federal taxes of an MEI": {
		codes: "E0676", breaks: []change{mei, federal("<vRetIRRF>22.50</vRetIRRF>")},
		keeps: []change{federal("<vRetIRRF>22.50</vRetIRRF>")},
	},
	"a base of PIS and COFINS above the price": {
		codes: "E0677", breaks: []change{contributions("1500.01", "9.75", "45.00")},
		keeps: []change{contributions("1500.00", "9.75", "45.00")},
	},
	"PIS that is not base times rate": {
		codes: "E0694", breaks: []change{contributions("1500.00", "9.77", "45.00")},
		keeps: []change{contributions("1500.00", "9.76", "45.00")}, // a cent is tolerated
	},
	"COFINS that is not base times rate": {
		codes: "E0696", breaks: []change{contributions("1500.00", "9.75", "44.98")},
		keeps: []change{contributions("1500.00", "9.75", "44.99")},
	},
	"social security of nothing": {
		codes: "E0699", breaks: []change{federal("<vRetCP>0</vRetCP>")},
		keeps: []change{federal("<vRetCP>0.01</vRetCP>")},
	},
	"income tax of nothing": {
		codes: "E0700", breaks: []change{federal("<vRetIRRF>0.00</vRetIRRF>")},
		keeps: []change{federal("<vRetIRRF>0.01</vRetIRRF>")},
	},
	"contributions of nothing": {
		codes: "E0701", breaks: []change{withheldContributions("3", "0")},
		keeps: []change{withheldContributions("3", "69.75")},
	},
	"contributions that are not withheld, with an amount": {
		codes: "E0720", breaks: []change{withheldContributions("0", "69.75")},
		keeps: []change{withheldContributions("0", "")},
	},
	"contributions that are withheld, without an amount": {
		codes: "E0724", breaks: []change{withheldContributions("8", "")},
		keeps: []change{withheldContributions("8", "15.00")},
	},
	"the old code for not withheld, without an amount": {
		codes: "E0724", breaks: []change{withheldContributions("1", "")},
		keeps: []change{withheldContributions("2", "")},
	},
}
