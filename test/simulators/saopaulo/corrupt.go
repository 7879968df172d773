package saopaulo

import (
	"regexp"
	"strconv"
	"strings"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/cents"
)

// corrupt applies the faults that change an answer. Those that do not fit it leave it
// as it is.
func corrupt(c *call, answered response) response {
	if answered.operation == "" {
		return answered
	}
	for _, picked := range c.Faults {
		switch picked.Kind {
		case TruncatedXML:
			answered.retorno = answered.retorno[:len(answered.retorno)/2]
		case UnreadableXML:
			answered.retorno = "Runtime Error: an exception occurred while processing your request. <br>"
		case MissingXML:
			answered.missing = true
		case ElementBomb:
			answered.retorno = strings.Repeat("<Erro/>", bombElements)
		case NestedBomb:
			answered.retorno = strings.Repeat("<Erro>", bombElements)
		case OtherDocument:
			answered.retorno = aboutNext(answered.retorno)
		case WrongTotals, OddTotals:
			answered.retorno = totals.ReplaceAllStringFunc(answered.retorno, misstated(picked.Kind))
		case Variant:
			answered = vary(picked.Variant, answered)
		}
	}
	return answered
}

// bombElements are what a careless reader makes a gigabyte of.
const bombElements = 1 << 20

var (
	totals   = regexp.MustCompile(`<ValorISS>[^<]*<`)
	numbers  = regexp.MustCompile(`<(NumeroRPS|NumeroNFe)>(\d+)<`)
	national = regexp.MustCompile(`<ChaveNotaNacional>(\d{49})\d<`)
	secret   = regexp.MustCompile(`<CodigoVerificacao>[^<]*<`)
)

// aboutNext makes an answer one about the RPS and the note of the next number, which
// nobody asked for and which is not in the ledger.
func aboutNext(retorno string) string {
	retorno = numbers.ReplaceAllStringFunc(retorno, func(found string) string {
		parts := numbers.FindStringSubmatch(found)
		number, _ := strconv.ParseInt(parts[2], 10, 64)
		return "<" + parts[1] + ">" + strconv.FormatInt(number+1, 10) + "<"
	})
	retorno = secret.ReplaceAllString(retorno, "<CodigoVerificacao>OUTRANFE<")
	return national.ReplaceAllStringFunc(retorno, func(found string) string {
		return "<ChaveNotaNacional>" + accesskey.Neighbour(national.FindStringSubmatch(found)[1]) + "<"
	})
}

// misstated writes the ISS of a note otherwise than it is.
func misstated(kind Kind) func(string) string {
	return func(element string) string {
		amount := strings.TrimSuffix(strings.TrimPrefix(element, "<ValorISS>"), "<")
		if kind == WrongTotals {
			return "<ValorISS>" + money(cents.Read(amount)+1) + "<"
		}
		return "<ValorISS>R$ " + amount + "<"
	}
}

// vary writes an answer in one of its odd forms.
func vary(form string, answered response) response {
	switch form {
	case Qualified:
		answered.retorno = strings.ReplaceAll(answered.retorno, ` xmlns=""`, "")
	case Declaration:
		answered.retorno = `<?xml version="1.0" encoding="UTF-8"?>` + answered.retorno
	case ByteOrder:
		answered.retorno = "\ufeff" + answered.retorno
	case CDATA:
		answered.cdata = true
	case Indented:
		answered.retorno = strings.ReplaceAll(answered.retorno, "><", ">\r\n  <")
	}
	return answered
}
