package company

import (
	"emissor/fiscal/authorities"
	"emissor/nfse"
)

// OwnURL is where the authority that issued a note shows and prints it itself; empty for
// notes that have a DANFSe instead. issuer is the profile with which the note was issued, nil
// for none.
func OwnURL(issuer *nfse.FiscalProfile, number, verificationCode *string) string {
	if issuer == nil || number == nil || verificationCode == nil {
		return ""
	}
	by, known := authorities.Named(issuer.Authority)
	if !known || by.OwnURL == nil {
		return ""
	}
	return by.OwnURL(*issuer, *number, *verificationCode)
}

// PublicURL is where anybody can see the note of an access key; empty where there is none.
func PublicURL(issuer *nfse.FiscalProfile, accessKey *string) string {
	by := authorities.All()[0] // of notes that were issued before profiles were kept with them
	if issuer != nil {
		by, _ = authorities.Named(issuer.Authority)
	}
	if accessKey == nil || by.PublicURL == nil {
		return ""
	}
	return by.PublicURL(*accessKey)
}
