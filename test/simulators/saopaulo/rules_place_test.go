package saopaulo_test

import (
	"testing"

	"emissor/test/simulators/saopaulo"
)

// indicated is an RPS with another indicator of the operation.
func indicated(operation, codes string, changes ...change) ruleTest {
	return ruleTest{changes: append([]change{{"<cIndOp>100301", "<cIndOp>" + operation}}, changes...), codes: codes}
}

// property is an RPS about a property.
func property(identified string) ruleTest {
	return indicated("020101", "", change{"</valores>", "</valores><imovelobra>" + identified + "</imovelobra>"})
}

const inRio = "<Cidade>3304557</Cidade><UF>RJ</UF><CEP>20040002</CEP>"

var (
	livesInRio     = change{"<Cidade>3550308</Cidade><UF>SP</UF><CEP>1001000</CEP>", inRio}
	livesAbroad    = change{livesInRio.from, abroad}
	renderedInRio  = change{"<cLocPrestacao>3550308", "<cLocPrestacao>3304557"}
	renderedAbroad = change{"<cLocPrestacao>3550308</cLocPrestacao>", "<cPaisPrestacao>US</cPaisPrestacao>"}
	livesNowhere   = change{livesInRio.from, ""}
)

const abroad = "<EnderecoExterior><cPais>US</cPais><cEndPost>1</cEndPost><xCidade>X</xCidade>" +
	"<xEstProvReg>X</xEstProvReg></EnderecoExterior>"

// aForeigner is a taker abroad, with a number of there.
var (
	aForeigner     = change{"<CNPJ>" + taker + "</CNPJ>", "<NIF>77</NIF>"}
	saidAForeigner = change{"2" + taker, "40000000000000077"}
)

// received has another recipient than the taker.
func received(home string) change {
	return change{"<indDest>0</indDest>", "<indDest>1</indDest><dest><CNPJ>" + taker + "</CNPJ><xNome>X</xNome>" +
		home + "</dest>"}
}

const (
	receivedInRio = "<end><endNac><cMun>3304557</cMun><CEP>20040002</CEP></endNac><xLgr>X</xLgr><nro>1</nro>" +
		"<xBairro>X</xBairro></end>"
	receivedAbroad = "<end><endExt><cPais>US</cPais><cEndPost>1</cEndPost><xCidade>X</xCidade>" +
		"<xEstProvReg>X</xEstProvReg></endExt><xLgr>X</xLgr><nro>1</nro><xBairro>X</xBairro></end>"
)

func TestRules_OfThePlaceByTheIndicator(t *testing.T) {
	tests := map[string]ruleTest{}
	for _, operation := range []string{"010101", "030101", "050101"} {
		tests[operation+" at the provider"] = indicated(operation, "", livesInRio)
		tests[operation+" elsewhere"] = indicated(operation, "263", renderedInRio)
		tests[operation+" abroad"] = indicated(operation, "263", renderedAbroad)
	}
	for _, operation := range []string{"100101", "100102", "100201", "100301", "100302", "100401"} {
		tests[operation+" at the taker"] = indicated(operation, "", livesInRio, renderedInRio)
		tests[operation+" where the taker is not"] = indicated(operation, "263", livesInRio)
		tests[operation+" at the recipient"] = indicated(operation, "", received(receivedInRio), renderedInRio)
		tests[operation+" at the taker who receives nothing"] = indicated(operation, "263", received(receivedInRio))
		tests[operation+" at the recipient abroad"] = indicated(operation, "", received(receivedAbroad), renderedAbroad)
		tests[operation+" where the recipient abroad is not"] = indicated(operation, "263", received(receivedAbroad))
		tests[operation+" at a recipient of nowhere"] = indicated(operation, "629", received(""))
	}
	for _, operation := range []string{
		"010102", "010103", "010106", "030102", "050102", "050201", "060101", "070101", "070102",
	} {
		tests[operation+" anywhere"] = indicated(operation, "", renderedInRio)
	}
	ofAForeigner := func(codes string, changes ...change) ruleTest {
		test := indicated("100302", codes, append(changes, aForeigner)...)
		test.text = []change{saidAForeigner}
		return test
	}
	tests["at a taker abroad"] = ofAForeigner("", livesAbroad, renderedAbroad)
	tests["where a taker abroad is not"] = ofAForeigner("263", livesAbroad)
	tests["at a person of nowhere"] = ruleTest{
		changes: []change{aPerson, livesNowhere}, text: []change{saidAPerson}, codes: "629",
	}
	tests["at a company of nowhere"] = ruleTest{changes: []change{livesNowhere}, codes: "318 629"}
	expectCodes(t, tests)
}

func TestRules_OfIndicators(t *testing.T) {
	tests := map[string]ruleTest{}
	for _, operation := range []string{
		"030103", "030104", "050103", "050104", // of Annex C only
		"080101", "110101", "010104", // not of services of a city
		"020102", // of a later edition of Annex VII
		"100303", // of none
	} {
		tests[operation] = indicated(operation, "630")
	}
	expectCodes(t, tests)
}

func TestRules_OfProperties(t *testing.T) {
	with := func(test ruleTest, codes string) ruleTest {
		test.codes = codes
		return test
	}
	unknown := property("<cCIB>1234567A</cCIB>")
	unknown.registry = saopaulo.Registry{UnknownProperties: []string{"1234567A"}}
	tests := map[string]ruleTest{
		"by its number":                     property("<cCIB>1234567A</cCIB>"),
		"by a number that does not exist":   with(unknown, "270"),
		"by a number that is none":          with(property("<cCIB>00000000</cCIB>"), "296"),
		"by works":                          property("<cObra>115830024985</cObra>"),
		"by works that are none":            with(property("<cObra>000</cObra>"), "296"),
		"of which nothing is asked":         indicated("100301", "621", property("<cCIB>1234567A</cCIB>").changes[1]),
		"by its city's number, and no more": with(property("<inscImobFisc>1</inscImobFisc>"), "1001"),
	}
	for _, operation := range []string{"020101", "020201", "020202", "020301", "020401"} {
		tests[operation+" without one"] = indicated(operation, "620")
		tests[operation+" with one"] = indicated(operation, "", property("<cCIB>1234567A</cCIB>").changes[1])
	}
	expectCodes(t, tests)
}
