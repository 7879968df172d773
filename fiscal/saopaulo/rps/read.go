package rps

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// Sent is what a message that was sent says of an RPS: by it what the city has is
// recognized.
type Sent struct {
	Sender nfse.TaxID
	Key    Key
	Date   string     // 2026-11-22
	Taker  nfse.TaxID // empty: abroad
	// ForeignTaker is the tax number of a taker abroad, or the reason why it has none.
	ForeignTaker string
	AmountCents  int64
	ServiceCode  string
	Description  string
}

// Read reads a PedidoEnvioRPS of our own making.
func Read(message []byte) (Sent, error) {
	var read struct {
		Sender taxIDXML `xml:"Cabecalho>CPFCNPJRemetente"`
		RPS    struct {
			Registration string `xml:"ChaveRPS>InscricaoPrestador"`
			Series       string `xml:"ChaveRPS>SerieRPS"`
			Number       int64  `xml:"ChaveRPS>NumeroRPS"`
			Date         string `xml:"DataEmissao"`
			ServiceCode  string `xml:"CodigoServico"`
			Taker        struct {
				taxIDXML
				NIF   string `xml:"NIF"`
				NoNIF string `xml:"NaoNIF"`
			} `xml:"CPFCNPJTomador"`
			Description string `xml:"Discriminacao"`
			Amount      string `xml:"ValorFinalCobrado"`
		}
	}
	if err := xml.NewDecoder(bytes.NewReader(message)).Decode(&read); err != nil || read.RPS.Number == 0 {
		return Sent{}, fact.Failure(fact.CityMessageNoRPS.Fact())
	}
	amount, ok := Cents(read.RPS.Amount)
	if !ok {
		return Sent{}, fact.Failure(fact.CityMessageWithoutValue.Fact())
	}
	return Sent{
		Sender: read.Sender.id(),
		Key:    Key{read.RPS.Registration, read.RPS.Series, read.RPS.Number}, Date: read.RPS.Date,
		Taker: read.RPS.Taker.id(), AmountCents: amount, ServiceCode: read.RPS.ServiceCode,
		Description: read.RPS.Description, ForeignTaker: read.RPS.Taker.NIF + read.RPS.Taker.NoNIF,
	}, nil
}

// ReadCancellation reads who asks to cancel which note in a PedidoCancelamentoNFe
// of our own making.
func ReadCancellation(message []byte) (sender nfse.TaxID, note NoteKey, err error) {
	var read struct {
		Sender       taxIDXML `xml:"Cabecalho>CPFCNPJRemetente"`
		Registration string   `xml:"Detalhe>ChaveNFe>InscricaoPrestador"`
		Number       int64    `xml:"Detalhe>ChaveNFe>NumeroNFe"`
	}
	if err := xml.NewDecoder(bytes.NewReader(message)).Decode(&read); err != nil || read.Number == 0 {
		return "", NoteKey{}, fact.Failure(fact.CityMessageNoCancellation.Fact())
	}
	return read.Sender.id(), NoteKey{read.Registration, read.Number}, nil
}

type taxIDXML struct {
	CPF  string `xml:"CPF"`
	CNPJ string `xml:"CNPJ"`
}

func (t taxIDXML) id() nfse.TaxID { return nfse.TaxID(t.CPF + t.CNPJ) }

// Cents reads a value as the city writes it (tpValor): 1500, 1500.5 or 1500.50.
func Cents(value string) (cents int64, ok bool) {
	whole, decimals, _ := strings.Cut(strings.TrimSpace(value), ".")
	if len(decimals) > 2 || len(whole) < 1 || len(whole) > 13 {
		return 0, false
	}
	cents, err := strconv.ParseInt(whole+(decimals + "00")[:2], 10, 64)
	return cents, err == nil && cents >= 0 && !strings.HasPrefix(whole, "+")
}

// Rate reads a rate as the city writes it (tpAliquota), a fraction with at most four decimals: 0.029 is
// 2.9 %. It is nil for what is none of the law's.
func Rate(fraction string) *nfse.Rate {
	whole, decimals, _ := strings.Cut(strings.TrimSpace(fraction), ".")
	if len(decimals) > 4 {
		return nil
	}
	hundredths, err := strconv.ParseUint(whole+(decimals + "0000")[:4], 10, 32)
	if rate := nfse.Rate(hundredths); err == nil && rate > 0 && rate <= nfse.MaxRate {
		return &rate
	}
	return nil
}
