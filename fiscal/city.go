package fiscal

import (
	"context"
	"time"

	"emissor/nfse/fact"
)

// City is what a city has agreed with an authority, as the authority's own
// parameters have it. A flag is nil where they do not say.
type City struct {
	Active bool `json:"active"` // it has an active agreement (convênio)

	AderenteAmbienteNacional *bool `json:"aderenteAmbienteNacional,omitempty"`
	AderenteEmissorNacional  *bool `json:"aderenteEmissorNacional,omitempty"`
	AderenteMAN              *bool `json:"aderenteMAN,omitempty"`
	// Whether companies that the federal register has in the city may issue by that
	// alone, without a record of the city's own (CNC).
	SituacaoEmissaoPadraoContribuintesRFB *bool `json:"situacaoEmissaoPadraoContribuintesRFB,omitempty"`
	PermiteAproveitamentoDeCreditos       *bool `json:"permiteAproveitamentoDeCreditos,omitempty"`
}

// ServiceParameters are what a city has set for one service. They are kept for
// people to see, and decide nothing.
type ServiceParameters struct {
	Rates        []CityRate        `json:"rates"`        // empty: the city has no table for it
	Regimes      []CityRegime      `json:"regimes"`      // special regimes
	Withholdings []CityWithholding `json:"withholdings"` // by which the taker withholds ISS
}

// CityRate is a rate of ISS from one day until another. Days are as 2026-11-21;
// the last is empty while it is open.
type CityRate struct {
	Percent    string `json:"percent"`
	Incidencia string `json:"incidencia,omitempty"` // in the authority's word
	From       string `json:"from"`
	Until      string `json:"until,omitempty"`
}

// CityRegime is how a city treats a special regime of taxation. The names are the
// authority's, which has not published them.
type CityRegime struct {
	Name     string `json:"name"`
	Situacao int    `json:"situacao"` // 1 to 3
	From     string `json:"from"`
	Until    string `json:"until,omitempty"`
}

// CityWithholding is a reason for which ISS is withheld.
type CityWithholding struct {
	Name          string `json:"name"`
	TiposRetencao []int  `json:"tiposRetencao,omitempty"` // 0 to 3
	From          string `json:"from"`
	Until         string `json:"until,omitempty"`
}

// CityParameters is an authority that can be asked what cities have agreed with it. At
// any other, nothing is known of a declaration's cities.
type CityParameters interface {
	Authority
	// ServesCities reports whether this process can ask in the environment.
	ServesCities(production bool) bool
	// CitiesOf names what a declaration depends on.
	CitiesOf(declaration Declaration) DeclarationCities
	// AskCity asks for the parameters of a city.
	AskCity(ctx context.Context, access Access, code string) CityAnswer
	// AskService asks for those of one of its services, as CitiesOf names it, on a day
	// of competence.
	AskService(ctx context.Context, access Access, code, service string, day time.Time) ServiceAnswer
	// DoubtsCities reports whether a rejection is one that other parameters than those
	// known would explain.
	DoubtsCities(rejectionCode string) bool
}

// DeclarationCities are the cities, by IBGE code, that a declaration depends on.
type DeclarationCities struct {
	Issuer    string // where the issuer is established
	Incidence string // that the ISS is due to
	Service   string // as that city's parameters name it; empty where there is none
}

// CityAnswer is what an authority answers about a city.
type CityAnswer struct {
	City    *City     // nil: it could not be read, which decides nothing
	Reason  fact.Fact // why not, without personal data
	ShutOut bool      // because the certificate was not let in (401, 403): another one may be
}

// ServiceAnswer is what an authority answers about a service in a city.
type ServiceAnswer struct {
	Service *ServiceParameters // nil: it could not be read
	Reason  fact.Fact
	ShutOut bool // as in a CityAnswer
}

// City returns what is known of a city and counts for this declaration.
func (d Declaration) City(code string) (city City, known bool) {
	if d.Issuer.IgnoreMunicipalParameters {
		return City{}, false
	}
	city, known = d.Cities[code]
	return city, known
}
