package dps

import (
	"errors"
	"time"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/nfse"
)

// The types of the events that an issuer asks for.
const (
	CancellationEvent = "101101" // by it an issuer cancels
	AnalysisEvent     = "101103" // by it the city is asked to cancel, by an analysis
)

// requestedEvents are what the events are called (xDesc), with the accents of the schema.
var requestedEvents = map[string]string{
	CancellationEvent: "Cancelamento de NFS-e",
	AnalysisEvent:     "Solicitação de Análise Fiscal para Cancelamento de NFS-e",
}

// cancellation is what a request to register a cancellation, or an analysis for one, says.
type cancellation struct {
	id         string
	event      string // its type
	production bool
	moment     time.Time // dhEvento, in Brasília
	software   string    // verAplic
	author     nfse.TaxID
	accessKey  string
	reasonCode string
	reasonText string
}

// cancellation decides what a request to cancel says. An error names the element
// that has no right value.
func (s Signer) cancellation(request fiscal.CancellationRequest, at time.Time) (cancellation, error) {
	event := CancellationEvent
	if request.Analysis {
		event = AnalysisEvent
	}
	c := cancellation{
		id: "PRE" + request.AccessKey + event, event: event, production: request.Issuer.Production,
		author: request.Issuer.TaxID, accessKey: request.AccessKey, reasonCode: request.ReasonCode,
	}
	words, known := reasonWords[request.ReasonCode]
	switch {
	case !schema.AccessKeyForm(request.AccessKey):
		return cancellation{}, errors.New("chNFSe: not an access key")
	case !schema.ValidTaxID(c.author):
		return cancellation{}, errors.New("the author's tax id is not a valid CPF or CNPJ")
	case !known:
		return cancellation{}, errors.New("cMotivo: not 1, 2 or 9")
	}
	c.reasonText = reasonLine(words, request.ReasonText)
	var err error
	if c.software, err = s.softwareName(); err != nil {
		return cancellation{}, err
	}
	c.moment, err = messageMoment(at, request.Signings)
	return c, err
}

// reasonWords are what the reasons (cMotivo) mean.
var reasonWords = map[string]string{
	"1": "Erro na emissão da NFS-e",
	"2": "Serviço não prestado",
	"9": "Cancelamento por outro motivo",
}

// The length of a reason (xMotivo), in characters.
const (
	minReason = 15
	maxReason = 255
)

// reasonLine makes a reason fit. Writing it in Latin-1 may have made it shorter
// or longer than what the caller was held to: then the words of its code come
// first, or its end is cut, so that no cancellation fails for its reason.
func reasonLine(words, text string) string {
	line := schema.Line(text)
	switch {
	case line == "":
		line = words
	case utf8.RuneCountInString(line) < minReason:
		line = words + ": " + line
	}
	if runes := []rune(line); len(runes) > maxReason {
		line = schema.Line(string(runes[:maxReason]))
	}
	return line
}
