package nfews

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"emissor/fiscal/saopaulo/rps"
	"emissor/internal/text"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// retorno is what is read of any answer of the service, by local names: children
// come with or without a namespace. What must occur once is a list, so that a
// second one is seen instead of taken for the first.
type retorno struct {
	XMLName xml.Name
	Success []string `xml:"Cabecalho>Sucesso"`
	Alerts  []event  `xml:"Alerta"`
	Errors  []event  `xml:"Erro"`
	Pairs   []struct {
		Note []noteKeyXML `xml:"ChaveNFe"`
		RPS  []rpsKeyXML  `xml:"ChaveRPS"`
	} `xml:"ChaveNFeRPS"`
	Notes   []noteXML `xml:"NFe"`
	Details []struct {
		Registration []string `xml:"InscricaoMunicipal"`
		Issues       []string `xml:"EmiteNFe"`
	} `xml:"Detalhe"`
}

// event is an alert or an error.
type event struct {
	Code string      `xml:"Codigo"`
	Text string      `xml:"Descricao"`
	RPS  []rpsKeyXML `xml:"ChaveRPS"`
}

// words returns the event as a person reads it.
func (e event) words() string { return text.Shortened(text.Shown(e.Text), 1000) }

// aboutAnother reports whether the event names another RPS.
func (e event) aboutAnother(than rps.Key) bool {
	return slices.ContainsFunc(e.RPS, func(k rpsKeyXML) bool { key, ok := k.key(); return !ok || key != than })
}

// about reports whether the event names an RPS.
func (e event) about(wanted rps.Key) bool { return len(e.RPS) > 0 && !e.aboutAnother(wanted) }

type rpsKeyXML struct {
	Registration string `xml:"InscricaoPrestador"`
	Series       string `xml:"SerieRPS"`
	Number       string `xml:"NumeroRPS"`
}

// key returns the key, numbers without zeros before them; ok is false when it has
// no number.
func (k rpsKeyXML) key() (key rps.Key, ok bool) {
	number, err := strconv.ParseInt(strings.TrimSpace(k.Number), 10, 64)
	return rps.Key{
		Registration: bareNumber(k.Registration), Series: strings.TrimSpace(k.Series), Number: number,
	}, err == nil
}

type noteKeyXML struct {
	Registration string `xml:"InscricaoPrestador"`
	Number       string `xml:"NumeroNFe"`
	Code         string `xml:"CodigoVerificacao"`
	NationalKey  string `xml:"ChaveNotaNacional"`
}

// noteXML is what is read of a note (tpNFe).
type noteXML struct {
	Key         []noteKeyXML `xml:"ChaveNFe"`
	RPS         []rpsKeyXML  `xml:"ChaveRPS"`
	IssuedAt    []string     `xml:"DataEmissaoNFe"`
	Date        []string     `xml:"DataEmissaoRPS"`
	Status      []string     `xml:"StatusNFe"`
	CancelledAt []string     `xml:"DataCancelamento"`
	Amount      []string     `xml:"ValorServicos"`
	Final       []string     `xml:"ValorFinalCobrado"`
	totalsXML
	ServiceCode []string `xml:"CodigoServico"`
	CPF         []string `xml:"CPFCNPJTomador>CPF"`
	CNPJ        []string `xml:"CPFCNPJTomador>CNPJ"`
	NIF         []string `xml:"CPFCNPJTomador>NIF"`
	NoNIF       []string `xml:"CPFCNPJTomador>NaoNIF"`
	Description []string `xml:"Discriminacao"`
	Inner       []byte   `xml:",innerxml"`
}

// document is the element of the note by itself.
func (n noteXML) document() []byte { return slices.Concat([]byte("<NFe>"), n.Inner, []byte("</NFe>")) }

var errOtherRoot = fact.Failure(fact.CityAnswerToSomethingElse.Fact())

// readRetorno reads the document of an answer to an operation.
func readRetorno(document []byte, what operation) (retorno, error) {
	var read retorno
	if err := xmlread.TextInto(document, &read); err != nil {
		return retorno{}, err
	}
	if read.XMLName.Local != what.answer {
		return retorno{}, errOtherRoot
	}
	for _, events := range [][]event{read.Errors, read.Alerts} {
		for i := range events {
			events[i].Code = text.Shortened(text.Shown(events[i].Code), 40)
		}
	}
	return read, nil
}

// success returns the header's word: 1 is yes, -1 no, and 0 neither.
func (r retorno) success() int {
	if len(r.Success) != 1 {
		return 0
	}
	switch strings.ToLower(strings.TrimSpace(r.Success[0])) {
	case "true", "1":
		return 1
	case "false", "0":
		return -1
	}
	return 0
}

// alert returns the alert of a code, nil when there is none.
func (r retorno) alert(code string) *event {
	if i := slices.IndexFunc(r.Alerts, func(e event) bool { return e.Code == code }); i >= 0 {
		return &r.Alerts[i]
	}
	return nil
}

// codes returns the codes of events, each once, with commas between them.
func codes(events []event) string {
	var list []string
	for _, one := range events {
		if !slices.Contains(list, one.Code) {
			list = append(list, one.Code)
		}
	}
	return strings.Join(list, ", ")
}

// once returns the one value of an element; ok is false when there is none, or
// several that differ.
func once(values []string) (value string, ok bool) {
	for _, one := range values {
		one = strings.TrimSpace(one)
		if value != "" && one != value {
			return "", false
		}
		value = one
	}
	return value, value != ""
}

func bareNumber(text string) string { return strings.TrimLeft(strings.TrimSpace(text), "0") }

func taxIDOf(cpf, cnpj []string) (nfse.TaxID, bool) {
	person, isPerson := once(cpf)
	company, isCompany := once(cnpj)
	return nfse.TaxID(person + company), isPerson != isCompany
}
