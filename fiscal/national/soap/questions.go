package soap

import (
	"fmt"

	"emissor/fiscal"
	"emissor/fiscal/national/dps"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Provider is who issues, as questions name it.
type Provider struct {
	TaxID        nfse.TaxID
	Registration string
}

// ProviderOf is an issuer. missing says what of it no question can do without.
func ProviderOf(issuer nfse.FiscalProfile) (by Provider, missing fact.Fact) {
	if issuer.MunicipalRegistration == nil {
		return by, fact.CityFieldMissing.With("field", "IM")
	}
	return Provider{issuer.TaxID, *issuer.MunicipalRegistration}, fact.Fact{}
}

// Write writes the elements that name it.
func (p Provider) Write() string {
	kind := "CPF"
	if p.TaxID.IsCNPJ() {
		kind = "CNPJ"
	}
	return Element(kind, string(p.TaxID)) + Element("IM", p.Registration)
}

// SentDPS is what a DPS is asked about by.
type SentDPS struct {
	By             Provider
	Series, Number string
}

// SentUnder is by what the DPS of an issuer under a number of its series is asked about, no matter who sent it, and the
// request that the answer is read for. missing says what of the issuer no question can do without.
func SentUnder(issuer nfse.FiscalProfile, number int64) (sent SentDPS, request fiscal.Request, missing fact.Fact) {
	id, err := dps.ID(issuer, number)
	if err != nil {
		return sent, request, fact.OfError(err)
	}
	by, missing := ProviderOf(issuer)
	sent = SentDPS{By: by, Series: fmt.Sprint(issuer.Series), Number: fmt.Sprint(number)}
	return sent, fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{{ID: id}}}, missing
}

// ReadSent reads by what the DPS of a message is asked about.
func ReadSent(message []byte) (sent SentDPS, err error) {
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
	sent = SentDPS{
		By:     Provider{nfse.TaxID(once("prest/CNPJ") + once("prest/CPF")), once("prest/IM")},
		Series: once("serie"), Number: once("nDPS"),
	}
	for element, value := range map[string]string{
		"prest": string(sent.By.TaxID), "IM": sent.By.Registration, "serie": sent.Series, "nDPS": sent.Number,
	} {
		if value == "" {
			return sent, fact.Failure(fact.CityFieldMissing.With("field", element))
		}
	}
	return sent, nil
}
