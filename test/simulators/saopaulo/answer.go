package saopaulo

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// answer is what an operation says.
type answer struct {
	partial bool // Sucesso is true though there are errors
	events  []event
	header  string // what Cabecalho holds beside Sucesso
	tail    string // what follows the events
}

// event is an error or an alert.
type event struct {
	code  int
	text  string
	alert bool
	about string // the element ChaveRPS or ChaveNFe; empty is none
}

// refuse makes an error of the table, with what its placeholders stand for.
func refuse(code int, details ...string) event {
	return event{code: code, text: fill(publishedText(code), details)}
}

// warn makes an alert of the table.
func warn(code int, details ...string) event {
	alert := refuse(code, details...)
	alert.alert = true
	return alert
}

// on says what an event is about.
func (e event) on(about string) event {
	e.about = about
	return e
}

// adding puts text behind that of the table.
func (e event) adding(text string) event {
	e.text += text
	return e
}

var placeholder = regexp.MustCompile(`<[^>]*>|\{[^}]*\}`)

// fill puts details in the places of placeholders, in order.
func fill(text string, details []string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if len(details) == 0 {
			return name
		}
		detail := details[0]
		details = details[1:]
		return detail
	})
}

func parseCode(text string) (int, error) { return strconv.Atoi(text) }

func isError(e event) bool { return !e.alert }

func hasError(events []event) bool { return slices.ContainsFunc(events, isError) }

// longestText is the most characters of Descricao.
const longestText = 300

// respondWith writes an answer, and records its codes.
func (c *call) respondWith(a answer) response {
	var x xmlWriter
	failed := !a.partial && hasError(a.events)
	x.raw("<" + c.operation.answer + ` xmlns="` + messageNamespace + `">`)
	x.raw(`<Cabecalho xmlns="" Versao="` + layout + `">`)
	x.text("Sucesso", strconv.FormatBool(!failed))
	x.raw(a.header + "</Cabecalho>")
	for _, element := range []string{"Alerta", "Erro"} {
		for _, e := range a.events {
			if e.alert == (element == "Alerta") {
				c.record.Codes = append(c.record.Codes, e.code)
				x.event(element, e)
			}
		}
	}
	x.raw(a.tail + "</" + c.operation.answer + ">")
	version := c.soap
	if version == "" {
		version = soap12
	}
	return response{status: http.StatusOK, soap: version, operation: c.operation.name, retorno: x.String()}
}

func (x *xmlWriter) event(element string, e event) {
	x.raw("<" + element + ` xmlns="">`)
	x.text("Codigo", strconv.Itoa(e.code))
	x.text("Descricao", cut(e.text, longestText))
	x.raw(e.about + "</" + element + ">")
}

func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}

// xmlWriter writes compact XML without prefixes.
type xmlWriter struct{ strings.Builder }

func (x *xmlWriter) raw(xml string) { x.WriteString(xml) }

func (x *xmlWriter) text(name, value string) {
	x.raw("<" + name + ">" + escape(value) + "</" + name + ">")
}

// optional writes an element that may be absent.
func (x *xmlWriter) optional(name, value string) {
	if value != "" {
		x.text(name, value)
	}
}

// element is the XML of a key.
func (k rpsKey) element() string {
	var x xmlWriter
	x.raw("<ChaveRPS>")
	x.text("InscricaoPrestador", k.registration)
	x.optional("SerieRPS", k.series)
	x.text("NumeroRPS", k.number)
	x.raw("</ChaveRPS>")
	return x.String()
}

// element is the XML of the key of a note that may not exist.
func (k noteKey) element() string {
	var x xmlWriter
	x.raw("<ChaveNFe>")
	x.text("InscricaoPrestador", k.registration)
	x.text("NumeroNFe", strconv.FormatInt(k.number, 10))
	x.raw("</ChaveNFe>")
	return x.String()
}

// keyElement is the XML of a note's key, with all that is known of it.
func (n *note) keyElement() string {
	var x xmlWriter
	x.raw("<ChaveNFe>")
	x.text("InscricaoPrestador", n.Registration)
	x.text("NumeroNFe", strconv.FormatInt(n.Number, 10))
	x.text("CodigoVerificacao", n.VerificationCode)
	x.text("ChaveNotaNacional", n.NationalKey)
	x.raw("</ChaveNFe>")
	return x.String()
}

// pair is the XML by which a note that was just issued is answered.
func (n *note) pair() string {
	return `<ChaveNFeRPS xmlns="">` + n.keyElement() + n.key().element() + "</ChaveNFeRPS>"
}
