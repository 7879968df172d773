package sefin_test

// discounted is the group of discounts.
func discounted(unconditional, conditional string) string {
	group := ""
	if unconditional != "" {
		group += "<vDescIncond>" + unconditional + "</vDescIncond>"
	}
	if conditional != "" {
		group += "<vDescCond>" + conditional + "</vDescCond>"
	}
	return "<vDescCondIncond>" + group + "</vDescCondIncond>"
}

func discount(unconditional, conditional string) change {
	return inside("vServPrest", discounted(unconditional, conditional))
}

var amountRules = map[string]ruleCase{
	"an amount that the provider received": {
		codes: "E0424", breaks: []change{{"<vServ>", "<vReceb>1600.00</vReceb><vServ>"}},
	},
	"an unconditional discount of nothing": {
		codes: "E0431", breaks: []change{discount("0", "")}, keeps: []change{discount("0.01", "")},
	},
	"an unconditional discount of everything": {
		codes: "E0431", breaks: []change{discount("1500.00", "")}, keeps: []change{discount("1499.99", "")},
	},
	"a conditional discount of nothing": {
		codes: "E0432", breaks: []change{discount("", "0.00")}, keeps: []change{discount("", "0.01")},
	},
	"discount and deduction above the price": {
		codes:    "E0427",
		breaks:   changes(works, deducting("<vDR>1000.00</vDR>"), discount("500.01", "")),
		keeps:    changes(works, deducting("<vDR>1000.00</vDR>"), discount("500.00", "")),
		registry: rioAt(500),
	},
	"two discounts above the price": {
		codes: "E0428", breaks: []change{discount("1000.00", "500.01")}, keeps: []change{discount("1000.00", "500.00")},
	},
	"what is withheld above the price": {
		codes:  "E0428",
		breaks: []change{discount("", "1400.00"), federal("<vRetIRRF>70.01</vRetIRRF>"), withheld},
		keeps:  []change{discount("", "1400.00"), federal("<vRetIRRF>70.00</vRetIRRF>"), withheld}, // and ISS of 30.00
	},
	"less than 2 % by a value": {
		codes: "E0447", breaks: []change{deducting("<vDR>900.01</vDR>")},
		keeps:    []change{deducting("<vDR>900.00</vDR>")},
		registry: rioAt(500),
	},
	"less than 2 % by a percentage": {
		codes: "E0444", breaks: []change{deducting("<pDR>60.01</pDR>")}, keeps: []change{deducting("<pDR>60.00</pDR>")},
		registry: rioAt(500),
	},
	"less than 2 % by documents": {
		codes: "E0429", breaks: []change{documents(receipt("900.01"))},
		keeps: []change{documents(receipt("900.00"))}, registry: rioAt(500),
	},
	"less than 2 % by a benefit of a value": {
		codes: "E0575", breaks: []change{granted("<vRedBCBM>900.01</vRedBCBM>")},
		keeps: []change{granted("<vRedBCBM>900.00</vRedBCBM>")}, registry: rioAt(500),
	},
	"less than 2 % by a benefit in percent": {
		codes: "E0587", breaks: []change{granted("<pRedBCBM>60.01</pRedBCBM>")},
		keeps: []change{granted("<pRedBCBM>60.00</pRedBCBM>")}, registry: rioAt(500),
	},
	"less than 2 %, but of works": {
		codes: "E0447", breaks: []change{deducting("<vDR>1000.00</vDR>")},
		keeps: changes(works, deducting("<vDR>1000.00</vDR>")), registry: rioAt(500),
	},
	"less than 2 %, and not by a discount": {
		codes: "E0447", breaks: []change{deducting("<vDR>1.00</vDR>")}, keeps: []change{discount("1.00", "")},
	},
}
