package saopaulo_test

import "testing"

// classified is an RPS with another tax classification, and a regular one if there is any.
func classified(class, regular, codes string) ruleTest {
	group := class + "</cClassTrib>"
	if regular != "" {
		group += "<gTribRegular><cClassTribReg>" + regular + "</cClassTribReg></gTribRegular>"
	}
	return ruleTest{changes: []change{{"000001</cClassTrib>", group}}, codes: codes}
}

func TestRules_OfTaxClassification(t *testing.T) {
	expectCodes(t, map[string]ruleTest{
		"of services":                   classified("200028", "", ""),
		"of no CST":                     classified("999001", "", "273"),
		"that does not exist":           classified("000007", "", "628"),
		"that is not in force any more": classified("220001", "", "628"),
		"that is not of services":       classified("000002", "", "277"),
		"suspended":                     classified("550016", "000001", ""),
		"suspended, and not else":       classified("550016", "", "281"),
		"not suspended, and else":       classified("000001", "000001", "282"),
		"else of no CST":                classified("550016", "999001", "274"),
		"else that does not exist":      classified("550016", "000007", "274"),
		"else that is not in force":     classified("550016", "220001", "274"),
		"else suspended as well":        classified("550016", "550022", "274"),
		"else that is not of services":  classified("550016", "000002", "280"),
	})
}

func TestRules_OfGovernments(t *testing.T) {
	bought := func(kind string) change { return change{"<indDest>", kind + "<indDest>"} }
	const operation, government = "<tpOper>1</tpOper>", "<tpEnteGov>1</tpEnteGov>"
	expectCodes(t, map[string]ruleTest{
		"that buy":                         {changes: []change{bought(operation + government)}},
		"that buy, and not by which terms": {changes: []change{bought(government)}, codes: "295"},
		"that are a person": {
			changes: []change{bought(operation + government), aPerson}, text: []change{saidAPerson}, codes: "283",
		},
	})
}
