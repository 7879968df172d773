package saopaulo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"emissor/test/simulators/shared/grammar"
)

// simpleType is what the text of an element may be.
type simpleType struct {
	name        string // with its namespace
	pattern     *regexp.Regexp
	enumeration []string
	least, most int  // characters; most 0 is no limit
	isDate      bool // and the day must exist
	isNumber    bool // no zeros before it: the manual forbids them, the schema does not; clients in use send some
	mayBeEmpty  bool
}

// Name is the type's, with its namespace.
func (t *simpleType) Name() string { return t.name }

// Violated says what a value breaks, as .NET does; empty is nothing.
func (t *simpleType) Violated(value string) string {
	length := utf8.RuneCountInString(strings.Join(strings.Fields(value), " "))
	switch {
	case value == "" && !t.mayBeEmpty:
		return "The element is empty."
	case t.enumeration != nil && !slices.Contains(t.enumeration, value):
		return "The Enumeration constraint failed."
	case length < t.least:
		return "The actual length is less than the MinLength value."
	case t.most > 0 && length > t.most:
		return "The actual length is greater than the MaxLength value."
	case t.pattern != nil && !t.pattern.MatchString(value):
		return "The Pattern constraint failed."
	case t.isNumber && len(value) > 1 && value[0] == '0':
		return "The number begins with a zero."
	}
	if t.isDate {
		if _, err := time.Parse(time.DateOnly, value); err != nil {
			return fmt.Sprintf("The string '%s' is not a valid Date value.", value)
		}
	}
	return ""
}

// simpleTypes are the simple types of TiposNFe_v02 that the table uses, by their names there.
var simpleTypes = sync.OnceValue(func() map[string]grammar.Simple {
	types := map[string]grammar.Simple{}
	define := func(name string, t simpleType) *simpleType {
		t.name = typesNamespace + ":" + name
		if !strings.HasPrefix(name, "tp") {
			t.name = "http://www.w3.org/2001/XMLSchema:" + name
		}
		types[name] = &t
		return &t
	}
	text := func(name string, least, most int) { define(name, simpleType{least: least, most: most}) }
	pattern := func(name, expression string) *simpleType {
		return define(name, simpleType{pattern: regexp.MustCompile(`^(?:` + expression + `)$`)})
	}
	number := func(name, expression string) { pattern(name, expression).isNumber = true }
	one := func(name, values string) *simpleType {
		return define(name, simpleType{enumeration: strings.Split(values, "|")})
	}

	one("boolean", "true|false|1|0")
	one("tpEnteGov", "1|2|3|4")
	one("tpNaoNIF", "0|1|2")
	one("tpNaoSim", "0|1")
	one("tpTipoRPS", "RPS|RPS-M|RPS-C")
	one("tpStatusNFe", "N|C|E")
	one("tpFinNFSe", "0")
	one("tpOper", "1|2|3|4|5")
	one("tpIndDest", "0|1")
	one("tpTipoChaveDFE", "1|2|3|9")
	one("tpReeRepRes", "1|2|3|4|99")
	one("tpRetencaoPisCofins", "0|3|4|5|6|7|8|9")

	text("string", 0, 0)
	text("tpBairro", 0, 30)
	text("tpCodigoEndPostal", 1, 11)
	text("tpCodigoVerificacao", 8, 8)
	text("tpComplementoEndereco", 0, 30)
	text("tpDiscriminacao", 1, 2000)
	text("tpEmail", 0, 75)
	text("tpEstadoProvinciaRegiao", 1, 60)
	text("tpFonteCargaTributaria", 0, 10)
	text("tpLogradouro", 0, 50)
	text("tpNIF", 1, 40)
	text("tpNomeCidade", 1, 60)
	text("tpNumeroEndereco", 0, 10)
	text("tpRazaoSocialObrigatorio", 1, 75)
	text("tpRazaoSocial", 0, 75)
	text("tpSerieRPS", 1, 5)
	text("tpTipoLogradouro", 0, 3)
	text("tpTributacaoNFe", 1, 1)
	text("tpUF", 2, 2)
	text("tpCObra", 1, 30)
	text("tpInscImobFisc", 1, 30)
	text("tpXTipoChaveDFe", 1, 255)
	text("tpChaveDFe", 1, 50)
	text("tpNumeroDescricaoDocumento", 1, 255)
	text("tpXTpReeRepRes", 1, 150)
	text("tpXNomeEvt", 1, 255)

	number("tpCEP", `[0-9]{7,8}`)
	number("tpCidade", `[0-9]{7}`)
	number("tpInscricaoEstadual", `[0-9]{1,19}`)
	number("tpNumero", `[0-9]{1,12}`)
	number("tpQuantidade", `[0-9]{1,15}`)
	number("tpVersao", `[0-9]{1,3}`)

	pattern("tpCCIB", `[0-9A-Z]{8}`)
	pattern("tpClassificacaoTributaria", `[0-9]{6}`)
	pattern("tpChaveNotaNacional", `[0-9A-Z]{50}`)
	pattern("tpCNPJ", `[0-9A-Z]{12}[0-9]{2}`)
	// With zeros before them or without, as clients in use write them.
	pattern("tpInscricaoMunicipal", `[0-9]{1,12}`)
	pattern("tpCodigoServico", `[0-9]{4,5}`)
	pattern("tpCodigoNBS", `[0-9]{9}`)
	pattern("tpCodigoNCM", `[0-9]{8}`)
	pattern("tpCodigoPaisISO", `[A-Z]{2}`)
	pattern("tpCPF", `[0-9]{11}`)
	pattern("tpCIndOp", `[0-9]{6}`)
	pattern("tpValor", `0|0\.[0-9]{2}|[1-9][0-9]{0,12}(\.[0-9]{0,2})?`)
	pattern("tpAliquota", digitsInAll(5))
	pattern("tpPercentualCargaTributaria", digitsInAll(7))
	pattern("tpAssinatura", base64Text)
	pattern("tpAssinaturaCancelamento", base64Text)
	pattern("base64", base64Text)
	pattern("date", `[0-9]{4}-[0-9]{2}-[0-9]{2}`).isDate = true
	pattern("anyURI", `.*`).mayBeEmpty = true
	one("empty", "").mayBeEmpty = true
	return types
})

const base64Text = `([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?`

// digitsInAll is the pattern of a decimal of so many digits, up to four of them
// after the dot.
func digitsInAll(most int) string {
	forms := []string{fmt.Sprintf(`[0-9]{1,%d}`, most)}
	for after := 1; after <= 4; after++ {
		forms = append(forms, fmt.Sprintf(`[0-9]{1,%d}\.[0-9]{%d}`, most-after, after))
	}
	return strings.Join(forms, "|")
}
