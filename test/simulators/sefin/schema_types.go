package sefin

import (
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
	name         string
	patterns     []*regexp.Regexp
	enumeration  []string
	least, most  int // characters; most 0 is no limit
	realCalendar bool
}

// Name is the type's, with its namespace. The authority gives those of XML Schema its own too.
func (t *simpleType) Name() string { return fiscalNamespace + ":" + t.name }

// Violated names the constraint that a value breaks, as .NET does; empty is none.
func (t *simpleType) Violated(value string) string {
	if constraint := t.brokenConstraint(value); constraint != "" {
		return "The " + constraint + " constraint failed."
	}
	return ""
}

func (t *simpleType) brokenConstraint(value string) string {
	length := utf8.RuneCountInString(value)
	switch {
	case t.enumeration != nil && !slices.Contains(t.enumeration, value):
		return "Enumeration"
	case length < t.least:
		return "MinLength"
	case t.most > 0 && length > t.most:
		return "MaxLength"
	}
	for _, pattern := range t.patterns {
		if !pattern.MatchString(value) {
			return "Pattern"
		}
	}
	if t.realCalendar {
		if _, err := time.Parse(time.DateOnly, value[:10]); err != nil {
			return "Pattern"
		}
	}
	return ""
}

// What most patterns are made of.
const (
	anyText       = `[!-ÿ]([ -ÿ]*[!-ÿ])?`
	notBlank      = `(?s).*\S.*`
	calendarDay   = `20\d\d-\d\d-\d\d`
	moment        = calendarDay + `T([01]\d|2[0-3]):[0-5]\d:[0-5]\d([-+](0\d|1[01]):00|\+12:00)`
	upTo2Decimals = `(\.\d\d)?`
)

// simpleTypes are the simple types of tiposSimples and tiposEventos 1.01 that the table uses, by their names there.
var simpleTypes = sync.OnceValue(func() map[string]grammar.Simple {
	types := map[string]grammar.Simple{}
	define := func(name string, least, most int, patterns ...string) {
		t := &simpleType{name: name, least: least, most: most}
		for _, pattern := range patterns {
			t.patterns = append(t.patterns, regexp.MustCompile(`^(?:`+pattern+`)$`))
			t.realCalendar = t.realCalendar || strings.HasPrefix(pattern, calendarDay)
		}
		types[name] = t
	}
	one := func(name string, values string) {
		types[name] = &simpleType{name: name, enumeration: strings.Split(values, "|")}
	}

	one("TVerNFSe", "1.00|1.01")
	one("TSTipoAmbiente", "1|2")
	one("TSEmitenteDPS", "1|2|3")
	one("TSMotivoEmisTI", "1|2|3|4")
	one("TSCodJustSubst", "01|02|03|04|05|99")
	one("TSCodJustCanc", "1|2|9")
	one("TSCodJustAnaliseFiscalCanc", "1|2|9")
	one("TSCodNaoNIF", "0|1|2")
	one("TSOpSimpNac", "1|2|3")
	one("TSRegimeApuracaoSimpNac", "1|2|3")
	one("TSRegEspTrib", "0|1|2|3|4|5|6|9")
	one("TSModoPrestacao", "0|1|2|3|4")
	one("TSVincPrest", "0|1|2|3|4|5|6|9")
	one("TSMovTempBens", "0|1|2|3")
	one("TSEnvMDIC", "0|1")
	one("TSIdeDedRed", "1|2|3|4|5|6|7|8|9|99")
	one("TSTribISSQN", "1|2|3|4")
	one("TSTipoImunidadeISSQN", "0|1|2|3|4|5")
	one("TSTipoRetISSQN", "1|2|3")
	one("TSOpExigSuspensa", "1|2")
	one("TSTipoRetPISCofins", "0|1|2|3|4|5|6|7|8|9")
	one("TSTipoIndTotTrib", "0")
	one("TSRTCFinNFSe", "0")
	one("TSRTCIndFinal", "0|1")
	one("TSRTCTpOper", "1|2|3|4|5")
	one("TSRTCTpEnteGov", "1|2|3|4")
	one("TSRTCIndDest", "0|1")
	one("TSRTCTpReeRepRes", "01|02|03|04|99")
	one("TSRTCTipoChaveDFe", "1|2|3|9")
	one("xDesc101101", "Cancelamento de NFS-e")
	one("xDesc105102", "Cancelamento de NFS-e por Substituição")
	one("xDesc101103", "Solicitação de Análise Fiscal para Cancelamento de NFS-e")
	one("empty", "")

	define("TSIdDPS", 0, 0, `DPS\d{7}(1\d{14}|2[0-9A-Z]{14})\d{20}`)
	define("TSIdPedRegEvt", 0, 0, `PRE\d{8}(1\d{14}|2[0-9A-Z]{14})\d{33}`)
	define("TSDateTimeUTC", 0, 0, moment)
	define("TSData", 0, 0, calendarDay)
	define("date", 0, 0, `\d{4}-\d\d-\d\d`)
	define("TSVerAplic", 1, 20, anyText)
	define("TSSerieDPS", 0, 5, `\d{1,4}|[0-8]\d{4}`)
	define("TSNumDPS", 0, 15, `[1-9]\d{0,14}`)
	define("TSCodMunIBGE", 0, 0, `\d{7}`)
	// As published: a CNPJ with a letter in its twelfth place does not fit.
	define("TSChaveNFSe", 0, 50, `\d{6}[0-9A-Z]{14}\d{30}`)
	define("TSChaveNFe", 0, 44, `\d{6}[0-9A-Z]{14}\d{24}`)
	define("TSMotivo", 15, 255, anyText)
	define("TSCNPJ", 0, 14, `[0-9A-Z]{14}`)
	define("TSCPF", 0, 11, `\d{11}`)
	define("TSCAEPF", 0, 14, `\d{14}`)
	define("TSNIF", 1, 40)
	define("TSInscMun", 1, 15)
	define("TSNomeRazaoSocial", 1, 300)
	define("TSLogradouro", 1, 255, anyText)
	define("TSNumeroEndereco", 1, 60, anyText)
	define("TSComplementoEndereco", 1, 156, anyText)
	define("TSBairro", 1, 60, anyText)
	define("TSCEP", 0, 0, `\d{8}`)
	define("TSCodPaisISO", 0, 0, `[A-Z]{2}`)
	define("TSCodigoEndPostal", 1, 11)
	define("TSCidade", 1, 60)
	define("TSEstadoProvRegiao", 1, 60)
	define("TSTelefone", 0, 0, `\d{6,20}`)
	define("TSEmail", 1, 80, anyText)
	define("TSCodTribNac", 0, 0, `\d{6}`)
	define("TCCodTribMun", 0, 0, `\d{3}`)
	define("TSDesc2000", 1, 2000, notBlank)
	define("TSDesc255", 1, 255, anyText, notBlank)
	define("TSDesc150", 1, 150, anyText, notBlank)
	define("TSDescInfCompl", 1, 2000, anyText, notBlank)
	define("TSCodNBS", 0, 0, `\d{9}`)
	define("TSCodigoInternoContribuinte", 1, 20, `[a-zA-Z0-9]{1,20}`)
	define("TSCodMoeda", 0, 3, `\d{3}`)
	define("TSMecAFComExPrest", 0, 0, `0[0-8]`)
	define("TSMecAFComExToma", 0, 0, `[01]\d|2[0-6]`)
	define("TSNumDocImport", 1, 12, anyText)
	define("TSNumRegExport", 1, 12, anyText)
	define("TSInscImobFisc", 1, 30)
	define("TSCodObra", 1, 30)
	define("TSCodCIB", 8, 8)
	define("TSIdeEvento", 1, 30)
	define("TSDRT", 1, 40)
	define("TSDescOutDedRed", 1, 150, anyText)
	define("TSNum15Dig", 0, 15, `\d{15}`)
	define("TSNum7Dig", 0, 7, `\d{7}`)
	define("TSCodVerificacao", 1, 9, `[a-zA-Z0-9]{1,9}`)
	define("TSSerieNFNFS", 1, 15, `[a-zA-Z0-9]{1,15}`)
	define("TSNumProcExigSuspensa", 0, 0, `\d{30}`)
	define("TSNumBeneficioMunicipal", 0, 0, `\d{14}`)
	define("TSTipoCST", 0, 0, `0[0-9]|49|5[0-6]|6[0-7]|7[0-5]|9[89]`)
	define("TSRTCCodIndOp", 0, 0, `\d{6}`)
	define("TSRTCChaveDFe", 1, 50)
	define("TSRTCCodSitTrib", 0, 0, `\d{3}`)
	define("TSRTCCodClassTrib", 0, 0, `\d{6}`)
	define("TSRTCCodCredPres", 0, 0, `\d{2}`)
	define("TSDec15V2", 0, 0, `0|0\.\d\d|[1-9]\d{0,14}`+upTo2Decimals)
	define("TSDec3V2", 0, 0, `0|0\.\d\d|[1-9]\d{0,2}`+upTo2Decimals)
	define("TSDec2V2", 0, 0, `0|0\.\d\d|[1-9]\d?`+upTo2Decimals)
	define("TSDec1V2", 0, 0, `\d`+upTo2Decimals)
	define("base64", 1, 0, `[A-Za-z0-9+/=\s]+`)
	define("anyURI", 0, 0)
	define("string", 0, 0)
	return types
})
