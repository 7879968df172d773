package parameters

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/internal/text"
	"emissor/nfse/fact"
)

const (
	maxAnswer  = 1 << 20 // bytes of an answer; usual ones have some hundred
	maxEntries = 200     // of a list that are kept
	maxText    = 120     // characters of a text that are kept
)

// readConvenio understands the answer about an agreement. That there is none, or
// none that is active, is a 404 with the authority's own words: a null beside a
// message. Any other 404 is from a server that does not know the address.
func readConvenio(reply mtls.Reply) fiscal.CityAnswer {
	var answer struct {
		Parameters json.RawMessage `json:"parametrosConvenio"`
		Message    string          `json:"mensagem"`
	}
	if reason := decode(reply, &answer); !reason.None() {
		return fiscal.CityAnswer{Reason: reason}
	}
	given := len(answer.Parameters) > 0 && string(answer.Parameters) != "null"
	switch {
	case reply.Status == http.StatusNotFound && !given && answer.Parameters != nil && answer.Message != "":
		return fiscal.CityAnswer{City: &fiscal.City{}}
	case reply.Status != http.StatusOK || !given:
		return fiscal.CityAnswer{Reason: notUnderstood(reply)}
	}
	var flags struct {
		Environment flag `json:"aderenteAmbienteNacional"`
		Issuer      flag `json:"aderenteEmissorNacional"`
		Situation   flag `json:"situacaoEmissaoPadraoContribuintesRFB"`
		MAN         flag `json:"aderenteMAN"`
		Credits     flag `json:"permiteAproveitametoDeCreditos"` // as the authority writes it
		Spelled     flag `json:"permiteAproveitamentoDeCreditos"`
	}
	if json.Unmarshal(answer.Parameters, &flags) != nil {
		return fiscal.CityAnswer{Reason: notUnderstood(reply)}
	}
	if flags.Environment.is == nil && flags.Issuer.is == nil && flags.Situation.is == nil {
		return fiscal.CityAnswer{Reason: notUnderstood(reply)}
	}
	if flags.Credits.is == nil {
		flags.Credits = flags.Spelled
	}
	return fiscal.CityAnswer{City: &fiscal.City{
		Active:                                true,
		AderenteAmbienteNacional:              flags.Environment.is,
		AderenteEmissorNacional:               flags.Issuer.is,
		SituacaoEmissaoPadraoContribuintesRFB: flags.Situation.is,
		AderenteMAN:                           flags.MAN.is,
		PermiteAproveitamentoDeCreditos:       flags.Credits.is,
	}}
}

// readRates understands the rates of a service. A city without a table of rates
// (Alíquotas não encontradas) has none.
func readRates(reply mtls.Reply, service string, into *fiscal.ServiceParameters) (reason fact.Fact) {
	var answer struct {
		Rates map[string][]struct {
			Incidencia shortText
			Aliq       decimal
			DtIni      day
			DtFim      day
		} `json:"aliquotas"`
		Message string `json:"mensagem"`
	}
	if reason := decodeTable(reply, &answer, func() bool { return answer.Message != "" }); !reason.None() {
		return reason
	}
	for _, rate := range answer.Rates[service][:min(maxEntries, len(answer.Rates[service]))] {
		into.Rates = append(into.Rates, fiscal.CityRate{Percent: string(rate.Aliq), Incidencia: string(rate.Incidencia),
			From: string(rate.DtIni), Until: string(rate.DtFim)})
	}
	return fact.Fact{}
}

// readRegimes understands the special regimes of a service. What the keys of the two
// maps are is not published, and not reported yet.
func readRegimes(reply mtls.Reply, _ string, into *fiscal.ServiceParameters) (reason fact.Fact) {
	var answer struct {
		Regimes map[string]map[string][]struct {
			Situation whole `json:"situacao"`
			From      day   `json:"dataInicio"`
			Until     day   `json:"dataFim"`
		} `json:"regimesEspeciais"`
		Message string `json:"mensagem"`
	}
	if reason := decodeTable(reply, &answer, func() bool { return answer.Message != "" }); !reason.None() {
		return reason
	}
	for _, outer := range sortedKeys(answer.Regimes) {
		for _, inner := range sortedKeys(answer.Regimes[outer]) {
			for _, regime := range answer.Regimes[outer][inner] {
				if len(into.Regimes) == maxEntries {
					return fact.Fact{}
				}
				into.Regimes = append(into.Regimes, fiscal.CityRegime{Name: shortened(outer + "/" + inner),
					Situacao: int(regime.Situation), From: string(regime.From), Until: string(regime.Until)})
			}
		}
	}
	return fact.Fact{}
}

// readWithholdings understands the withholdings of a city, and keeps those of the
// service.
func readWithholdings(reply mtls.Reply, service string, into *fiscal.ServiceParameters) (reason fact.Fact) {
	type period struct {
		From  day `json:"dataInicioVigencia"`
		Until day `json:"dataFimVigencia"`
	}
	var answer struct {
		Withholdings struct {
			ArticleSix struct {
				Enabled flag     `json:"habilitado"`
				History []period `json:"historico"`
			} `json:"artigoSexto"`
			Municipal []struct {
				period
				Description shortText `json:"descricao"`
				Kinds       []whole   `json:"tiposRetencao"`
				Services    []struct {
					Code    shortText `json:"codigoCompleto"`
					History []period  `json:"historico"`
				} `json:"servicos"`
			} `json:"retencoesMunicipais"`
		} `json:"retencoes"`
		Message string `json:"mensagem"`
	}
	if reason := decodeTable(reply, &answer, func() bool { return answer.Message != "" }); !reason.None() {
		return reason
	}
	add := func(name string, kinds []int, periods []period) {
		for _, one := range periods {
			if len(into.Withholdings) < maxEntries {
				into.Withholdings = append(into.Withholdings, fiscal.CityWithholding{Name: shortened(name),
					TiposRetencao: kinds, From: string(one.From), Until: string(one.Until)})
			}
		}
	}
	if six := answer.Withholdings.ArticleSix; six.Enabled.is != nil && *six.Enabled.is {
		add("artigoSexto", nil, six.History)
	}
	for _, municipal := range answer.Withholdings.Municipal {
		var kinds []int
		for _, kind := range municipal.Kinds[:min(maxEntries, len(municipal.Kinds))] {
			kinds = append(kinds, int(kind))
		}
		for _, of := range municipal.Services {
			if string(of.Code) == service {
				add(string(municipal.Description), kinds, of.History)
			}
		}
	}
	return fact.Fact{}
}

// decodeTable reads an answer with a table, or one that says that there is none: a
// 404 of the authority's own, by its message.
func decodeTable(reply mtls.Reply, into any, says func() bool) (reason fact.Fact) {
	if reason := decode(reply, into); !reason.None() {
		return reason
	}
	if reply.Status != http.StatusOK && (reply.Status != http.StatusNotFound || !says()) {
		return notUnderstood(reply)
	}
	return fact.Fact{}
}

// decode reads the JSON of an answer; where something else came, reason says why it counts for nothing.
func decode(reply mtls.Reply, into any) (reason fact.Fact) {
	switch {
	case !reply.Reason.None():
		return reply.Reason
	case len(reply.Body) > maxAnswer:
		return fact.AnswerTooLarge.With("status", reply.Status, "mib", maxAnswer>>20)
	}
	body := strings.TrimPrefix(string(reply.Body), "\ufeff")
	if !strings.HasPrefix(strings.TrimLeft(body, " \t\r\n"), "{") || json.Unmarshal([]byte(body), into) != nil {
		return notUnderstood(reply)
	}
	return fact.Fact{}
}

func notUnderstood(reply mtls.Reply) fact.Fact {
	if reply.ShutOut() {
		return reply.ShutOutReason()
	}
	return fact.AnswerNotUnderstood.With("status", reply.Status)
}

// shortened is a text of the authority's, no longer than people read.
func shortened(s string) string { return text.Shortened(text.Shown(s), maxText) }

// flag is a flag of which nothing is certain but 0, 1 and the words of JSON: -1, null
// and what else may come leave it open.
type flag struct{ is *bool }

// UnmarshalJSON never fails.
func (f *flag) UnmarshalJSON(value []byte) error {
	switch strings.Trim(string(value), `"`) {
	case "1", "true":
		f.is = new(true)
	case "0", "false":
		f.is = new(false)
	}
	return nil
}

// whole is a small number; what is none is -1.
type whole int

// UnmarshalJSON never fails.
func (n *whole) UnmarshalJSON(value []byte) error {
	number, err := strconv.ParseInt(strings.Trim(string(value), `"`), 10, 16)
	if err != nil {
		number = -1
	}
	*n = whole(number)
	return nil
}

// shortText is a text, shortened; anything else is none.
type shortText string

// UnmarshalJSON never fails.
func (t *shortText) UnmarshalJSON(value []byte) error {
	var read string
	_ = json.Unmarshal(value, &read)
	*t = shortText(shortened(read))
	return nil
}

func sortedKeys[V any](values map[string]V) []string { return slices.Sorted(maps.Keys(values)) }

// decimal is a percentage as it was written, from 0 to 100; anything else is none.
type decimal string

// UnmarshalJSON never fails.
func (d *decimal) UnmarshalJSON(value []byte) error {
	written := strings.Trim(string(value), `"`)
	percent, err := strconv.ParseFloat(written, 64)
	if err == nil && percent >= 0 && percent <= 100 && len(written) < 10 {
		*d = decimal(written)
	}
	return nil
}

// day is the day of a time without a zone; what is none is empty, as what is open.
type day string

// UnmarshalJSON never fails.
func (d *day) UnmarshalJSON(value []byte) error {
	written := strings.Trim(string(value), `"`)
	if len(written) >= len(time.DateOnly) {
		if date, err := time.Parse(time.DateOnly, written[:len(time.DateOnly)]); err == nil {
			*d = day(date.Format(time.DateOnly))
		}
	}
	return nil
}
