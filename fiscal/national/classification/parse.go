package classification

import (
	"strconv"
	"strings"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// Parts are the parts of a classification as people give them: each is a flag of
// `emissor service classify`, a column of its CSV, and a field of the dashboard's form.
var Parts = []struct{ Name, Usage string }{
	{"nbs", "cNBS, 9 digits (with or without dots)"},
	{"cindop", "cIndOp, 6 digits: where the operation takes place, by Annex C, or Annex VII in Sao Paulo"},
	{"cst", "CST, 3 digits; without it the first three of the cClassTrib"},
	{"cclasstrib", "cClassTrib, 6 digits"},
	{"indfinal", "whether it is for personal use or consumption: true or false; without it nothing is said"},
	{"cst-reg", "CSTReg, 3 digits; without it the first three of the cClassTribReg"},
	{"cclasstrib-reg", "cClassTribReg, 6 digits: the regular taxation, where the cClassTrib requires it"},
	{"pdif-uf", "deferred part of the state's IBS in percent, as 40.00, where the CST requires it"},
	{"pdif-mun", "deferred part of the city's IBS, likewise"},
	{"pdif-cbs", "deferred part of the CBS, likewise"},
	{"ccredpres", "cCredPres, 2 digits, where the cClassTrib allows it"},
	{"tp-ente-gov", "government that buys: 1 union, 2 state, 3 federal district, 4 city"},
	{"tp-oper", "order of supply and payment: 1 paid later, 4 paid before, 5 at once"},
	{"property-registration", "the property's registration with the city (inscImobFisc)"},
	{"property-cib", "its number in the Brazilian register (cCIB), 8 characters; or else its address:"},
	{"property-zip-code", "zip code, 8 digits"},
	{"property-street", "kind and name of the street"},
	{"property-number", "number"},
	{"property-complement", "complement"},
	{"property-district", "district"},
}

// Parse reads a classification from its parts; an empty one is not given. It returns
// the first that is wrong.
func Parse(part func(name string) string) (c nfse.Classification, wrong *Defect) {
	given := func(names ...string) bool {
		for _, name := range names {
			if part(name) != "" {
				return true
			}
		}
		return false
	}
	p := partReader{part: part}
	c = nfse.Classification{NBS: strings.ReplaceAll(part("nbs"), ".", ""), CIndOp: part("cindop"),
		CClassTrib: part("cclasstrib"), CST: p.cst("cst", "cclasstrib"),
		IndFinal: p.boolean("indfinal"), CCredPres: orNone(part("ccredpres")),
		TpEnteGov: p.digit("tp-ente-gov"), TpOper: p.digit("tp-oper")}
	if given("cst-reg", "cclasstrib-reg") {
		c.RegularTaxation = &nfse.RegularTaxation{CST: p.cst("cst-reg", "cclasstrib-reg"),
			CClassTrib: part("cclasstrib-reg")}
	}
	if given("pdif-uf", "pdif-mun", "pdif-cbs") {
		c.Deferral = &nfse.Deferral{State: p.percent("pdif-uf"), Municipal: p.percent("pdif-mun"),
			Federal: p.percent("pdif-cbs")}
	}
	address := []string{"property-zip-code", "property-street", "property-number", "property-complement",
		"property-district"}
	if given("property-registration", "property-cib") || given(address...) {
		c.Property = &nfse.Property{Registration: orNone(part("property-registration")),
			CIB: orNone(part("property-cib"))}
	}
	if given(address...) {
		c.Property.Address = &nfse.PropertyAddress{ZipCode: strings.Replace(part("property-zip-code"), "-", "", 1),
			Street: part("property-street"), Number: part("property-number"),
			Complement: orNone(part("property-complement")), District: part("property-district")}
	}
	return c, p.wrong
}

// partReader reads parts, and keeps the first that is wrong.
type partReader struct {
	part  func(name string) string
	wrong *Defect
}

func (p *partReader) fail(name string, reason fact.Fact) {
	if p.wrong == nil {
		p.wrong = defect(RuleForm, name, reason)
	}
}

func (p *partReader) cst(name, classTrib string) string {
	if given := p.part(name); given != "" {
		return given
	}
	code := p.part(classTrib)
	return code[:min(3, len(code))]
}

func (p *partReader) boolean(name string) *bool {
	switch p.part(name) {
	case "":
		return nil
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	p.fail(name, fact.MustBeTrueOrFalse.Fact())
	return nil
}

func (p *partReader) digit(name string) *int {
	text := p.part(name)
	if text == "" {
		return nil
	}
	value, err := strconv.Atoi(text)
	if err != nil || len(text) != 1 {
		p.fail(name, fact.MustBeOneDigit.Fact())
	}
	return &value
}

func (p *partReader) percent(name string) nfse.Percent {
	text := p.part(name)
	if text == "" {
		p.fail(name, fact.MustBeGivenWithPercentages.Fact())
		return 0
	}
	value, err := nfse.ParsePercent(text)
	if err != nil {
		p.fail(name, fact.MustBeTypedPercentage.Fact())
	}
	return value
}

// orNone returns nil for a part that is not given.
func orNone(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
