package nationaltest

import (
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// Existing gives the municipalities of a drawn declaration right check digits: to
// the simulator others do not exist. It takes out what the simulator would have to know of cities and
// of other documents.
func Existing(declaration fiscal.Declaration) fiscal.Declaration {
	declaration.Issuer.MunicipalityCode = existingMunicipality(declaration.Issuer.MunicipalityCode)
	declaration.Note.Municipality.Code = existingMunicipality(declaration.Note.Municipality.Code)
	declaration.Note.Service.MunicipalityCode = existingMunicipality(declaration.Note.Service.MunicipalityCode)
	declaration.Issuer.InactiveMunicipalities = slices.Clone(declaration.Issuer.InactiveMunicipalities)
	for i, code := range declaration.Issuer.InactiveMunicipalities {
		declaration.Issuer.InactiveMunicipalities[i] = existingMunicipality(code)
	}
	for _, code := range citiesOfGroups(&declaration) {
		*code = existingMunicipality(*code)
	}
	for _, iss := range []*nfse.ISSTreatment{declaration.Details.ISS, declaration.Taxation.Service.ISS} {
		if iss == nil {
			continue
		}
		if iss.Kind == nfse.ISSNotTaxed {
			*iss = nfse.ISSTreatment{} // its city would have to say the same (E0539)
		}
		if iss.Benefit != "" {
			iss.Benefit = taxation.Incidence(declaration) + "02" + iss.Benefit[9:]
		}
	}
	if taxation.SetsNoRate(declaration.ISS()) { // to the simulator it exempts: E0439, E0594
		declaration.Details.Deduction, declaration.Note.ISSWithheld = &nfse.Deduction{}, false
		if declaration.Details.Intermediary != nil {
			declaration.Details.Intermediary.WithholdsISS = false
		}
	}
	declaration.Details.Replaces = nil // the simulator has not issued that note
	return declaration
}

// citiesOfGroups returns pointers to the cities of works, events, intermediaries and suppliers.
func citiesOfGroups(declaration *fiscal.Declaration) (cities []*string) {
	details, taxation := &declaration.Details, &declaration.Taxation
	for _, work := range []*nfse.Work{details.Work, taxation.Work} {
		if work != nil {
			cities = append(cities, &work.MunicipalityCode)
		}
	}
	for _, event := range []*nfse.CulturalEvent{details.Event, taxation.Event} {
		if event != nil {
			cities = append(cities, &event.MunicipalityCode)
		}
	}
	if intermediary := details.Intermediary; intermediary != nil && intermediary.Address != nil {
		cities = append(cities, &intermediary.Address.MunicipalityCode)
	}
	for _, document := range declaration.Deduction().Documents {
		if supplier := document.Supplier; supplier != nil && supplier.Address != nil {
			cities = append(cities, &supplier.Address.MunicipalityCode)
		}
	}
	return cities
}

func existingMunicipality(code string) string {
	if code == "" || code == "0000000" {
		return code
	}
	states := "11 12 13 14 15 16 17 21 22 23 24 25 26 27 28 29 31 32 33 35 41 42 43 50 51 52 53"
	if !strings.Contains(states, code[:2]) {
		code = "33" + code[2:]
	}
	sum := 0
	for i, digit := range code[:6] {
		product := int(digit-'0') * (1 + i%2)
		sum += product/10 + product%10
	}
	return code[:6] + string(rune('0'+(10-sum%10)%10))
}
