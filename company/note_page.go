package company

import (
	saopaulo "emissor/fiscal/saopaulo/rules"
	"emissor/nfse"
)

// CityPage is where a city that issued a note itself shows it to everybody; empty for
// the notes of the national system, which have its portal and a DANFSe instead.
// issuer is the profile with which the note was issued, nil for none.
func CityPage(issuer *nfse.FiscalProfile, number, verificationCode *string) string {
	if issuer == nil || issuer.Authority != SaoPaulo || number == nil || verificationCode == nil {
		return ""
	}
	return saopaulo.PageURL(orEmpty(issuer.MunicipalRegistration), *number, *verificationCode)
}
