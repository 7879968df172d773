package issnet

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// provider is who issues, as questions name it.
type provider struct {
	taxID        nfse.TaxID
	registration string
}

// providerOf is an issuer. missing says what of it no question can do without.
func providerOf(issuer nfse.FiscalProfile) (by provider, missing fact.Fact) {
	if issuer.MunicipalRegistration == nil {
		return by, fact.CityFieldMissing.With("field", "IM")
	}
	return provider{issuer.TaxID, *issuer.MunicipalRegistration}, fact.Fact{}
}

// write writes the group Prestador.
func (p provider) write() string {
	kind := "CPF"
	if p.taxID.IsCNPJ() {
		kind = "CNPJ"
	}
	return "<Prestador>" + written(kind, string(p.taxID)) + written("IM", p.registration) + "</Prestador>"
}

// written is an element with a text.
func written(name, text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return "<" + name + ">" + b.String() + "</" + name + ">"
}

// sentDPS is what a DPS is asked about by.
type sentDPS struct {
	by             provider
	series, number string
}

// question is the content of ConsultarNfseDpsEnvio. The series has five digits, as in the DPS of those
// who issue.
func (d sentDPS) question() []byte {
	series := strings.Repeat("0", max(0, 5-len(d.series))) + d.series
	return []byte("<IdentificacaoDps>" + written("NumDPS", d.number) + written("SerieDPS", series) +
		"</IdentificacaoDps>" + d.by.write())
}

// readSent reads by what the DPS of a message is asked about.
func readSent(message []byte) (sent sentDPS, err error) {
	_, fields, err := xmlread.Fields(message)
	if err != nil {
		return sent, err
	}
	once := func(path string) string {
		if values := fields["infDPS/"+path]; len(values) == 1 {
			return values[0]
		}
		return ""
	}
	sent = sentDPS{
		by:     provider{nfse.TaxID(once("prest/CNPJ") + once("prest/CPF")), once("prest/IM")},
		series: once("serie"), number: once("nDPS"),
	}
	for element, value := range map[string]string{
		"prest": string(sent.by.taxID), "IM": sent.by.registration, "serie": sent.series, "nDPS": sent.number,
	} {
		if value == "" {
			return sent, fact.Failure(fact.CityFieldMissing.With("field", element))
		}
	}
	return sent, nil
}

// noteQuestion is the content of ConsultarNfseServicoPrestadoEnvio, by the number of a note.
func noteQuestion(by provider, number string) []byte {
	return []byte(by.write() + written("NumeroNfse", number) + written("Pagina", fmt.Sprint(1)))
}

// numberIn is the number of a note, without zeros before it, in its access key.
func numberIn(accessKey string) string { return strings.TrimLeft(accessKey[23:36], "0") }
