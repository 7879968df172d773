package dps

import "emissor/nfse"

// ID is the Id of the DPS that an issuer sends under a number of its series. The error says which
// part of it fits no Id.
func ID(issuer nfse.FiscalProfile, number int64) (string, error) {
	return dpsID(issuer.MunicipalityCode, issuer.TaxID, issuer.Series, number)
}
