package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/parameters"
	"emissor/fiscal/national/taxation"
)

// cityRate names the city whose rate counts for a declaration, and its service: of one that is sent without a
// rate (E0617, E0635).
func cityRate(declaration fiscal.Declaration) (municipalityCode, service string) {
	code := declaration.Note.Service.NationalTaxCode
	if code == nil || !taxation.AppliesCityRate(declaration) {
		return "", ""
	}
	return taxation.Incidence(declaration), parameters.ServiceCode(*code)
}
