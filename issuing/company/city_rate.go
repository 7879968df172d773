package company

import (
	"context"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store"
)

// CityRate is the rate of ISS that the authority applies to a declaration because its city has set it, regardless of
// the service's rate; nil where no city's counts, or it is not known, or there is more than one.
func CityRate(ctx context.Context, db *store.Store, declaration fiscal.Declaration) (rate *nfse.Rate, err error) {
	by, err := authorityOf(declaration.Issuer)
	if err != nil || by.CityRate == nil || declaration.Issuer.IgnoreMunicipalParameters {
		return nil, nil // a note without a profile has no authority yet
	}
	code, service := by.CityRate(declaration)
	if service == "" {
		return nil, nil
	}
	key := CityOf(declaration.Issuer)
	key.MunicipalityCode = code
	city, err := db.Companies.City(ctx, key)
	if err != nil || city.Counts && !city.City.Active {
		return nil, err
	}
	known, err := db.Companies.CityServices(ctx, key)
	for _, one := range known {
		if one.ServiceCode != service || one.Service == nil {
			continue
		}
		for _, set := range one.Service.Rates {
			if on := string(declaration.Note.Competence); on < set.From || set.Until != "" && on > set.Until {
				continue
			}
			found, err := nfse.ParseRate(set.Percent)
			if err != nil || rate != nil && *rate != found {
				return nil, nil
			}
			rate = &found
		}
	}
	return rate, err
}
