package national

import (
	"context"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/parameters"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/taxation"
)

var _ fiscal.CityParameters = (*Authority)(nil)

// ServesCities implements fiscal.CityParameters.
func (a *Authority) ServesCities(production bool) bool { return a.ServesADN(production) }

// CitiesOf implements fiscal.CityParameters.
func (a *Authority) CitiesOf(declaration fiscal.Declaration) fiscal.DeclarationCities {
	cities := fiscal.DeclarationCities{
		Issuer: declaration.Issuer.MunicipalityCode, Incidence: taxation.Incidence(declaration),
	}
	if code := declaration.Note.Service.NationalTaxCode; code != nil {
		cities.Service = parameters.ServiceCode(*code)
	}
	return cities
}

// AskCity implements fiscal.CityParameters.
func (a *Authority) AskCity(ctx context.Context, access fiscal.Access, code string) fiscal.CityAnswer {
	return parameters.Reader{ADN: a.Client}.City(ctx, access, code)
}

// AskService implements fiscal.CityParameters.
func (a *Authority) AskService(
	ctx context.Context, access fiscal.Access, code, service string, day time.Time,
) fiscal.ServiceAnswer {
	return parameters.Reader{ADN: a.Client}.Service(ctx, access, code, service, day)
}

// DoubtsCities implements fiscal.CityParameters.
func (a *Authority) DoubtsCities(rejectionCode string) bool { return rules.DoubtsCities(rejectionCode) }
