package companies

import (
	"cmp"
	"slices"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/frame"
	"emissor/fiscal/authorities"
	"emissor/internal/municipality"
	"emissor/issuing/company"
	"emissor/issuing/company/whereissued"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// whereIssued is who takes the company's notes of today, as its page shows it.
type whereIssued struct {
	whereissued.Decision
	City      string
	Authority string     // by which the company issues: as the form says, or as follows from city and option
	Names     []string   // of the authorities that take them
	ByOption  []optionOf // where no option of Simples Nacional is chosen, and they do not all have the same
	Coming    fact.Fact  // from when on it is others; none where nothing is known of that
}

// optionOf is who takes the notes of a company with an option of Simples Nacional.
type optionOf struct {
	Option string
	Names  []string
}

// readWhereIssued decides it by the city and the option of Simples Nacional that a form of the profile has, and
// by what is on record; nil where it names no city.
func readWhereIssued(r *frame.Request, form *frame.Form, profile nfse.FiscalProfile) (*whereIssued, error) {
	profile.MunicipalityCode = form.Trimmed("municipality_code")
	if !municipality.Exists(profile.MunicipalityCode) {
		return nil, nil
	}
	profile.TaxID, _ = nfse.ParseTaxID(form.Trimmed("tax_id"))
	profile.Simples, _ = company.ParseSimples(form.Value("simples"))
	profile.Production = form.Value("environment") == nfse.EnvironmentName(true)
	profile.Authority = cmp.Or(form.Value("authority"), profile.Authority)
	of, decision, err := whereissued.Read(r.Context(), r.D.Store, profile, nfse.DayOf(time.Now()))
	if err != nil {
		return nil, err
	}
	if form.Value("authority") == "" && len(decision.Authorities) > 0 {
		of.Profile.Authority = decision.Authorities[0]
		decision = of.On(decision.Day)
	}
	shown := whereIssued{Decision: decision, City: cataloguepages.MunicipalityName(profile.MunicipalityCode),
		Authority: of.Profile.Authority, Names: systems(r, decision)}
	if coming, changes := of.Coming(decision.Day); changes {
		shown.Coming = coming.Said()
	}
	if profile.Simples == 0 {
		shown.Why, shown.Do, shown.Coming = nil, fact.Fact{}, fact.Fact{} // which depend on the option
		differ := false
		for _, option := range profileChoices["simples"] {
			of.Profile.Simples, _ = company.ParseSimples(option.Value)
			names := systems(r, of.On(decision.Day))
			differ = differ || !slices.Equal(names, shown.Names)
			shown.ByOption = append(shown.ByOption, optionOf{option.Key, names})
		}
		if !differ {
			shown.ByOption = nil
		}
	}
	return &shown, nil
}

// systems are the names of the authorities that a decision is for.
func systems(r *frame.Request, decision whereissued.Decision) (names []string) {
	for _, name := range decision.Authorities {
		by, _ := authorities.Named(name)
		names = append(names, r.Language.Of(by))
	}
	return names
}

// NeedsRegistration reports whether the company is, or by its option may be, one that its city issues for:
// cities know their companies by the municipal registration.
func (p companyPage) NeedsRegistration() bool {
	if p.Where == nil {
		return false
	}
	by, _ := authorities.Named(p.Where.Authority)
	return by.Municipality != "" || p.Where.ByOption != nil
}

// followCity leaves who issues to the city where the form has another one than the profile before, and still
// the authority of that.
func (p companyPage) followCity(before nfse.FiscalProfile) {
	city := p.Form.Trimmed("municipality_code")
	if p.HasProfile && city != before.MunicipalityCode && municipality.Exists(city) &&
		p.Form.Value("authority") == before.Authority {
		p.Form.Values["authority"] = ""
	}
}

// WhereToDecide is what a person does about the authority that the company's profile names, where another
// takes its notes too, or instead; none where there is nothing to do.
func WhereToDecide(r *frame.Request) (fact.Fact, error) {
	profile, err := cataloguepages.ProfileOrNone(r)
	if err != nil || profile.Authority == "" {
		return fact.Fact{}, err
	}
	_, decision, err := whereissued.Read(r.Context(), r.D.Store, profile, nfse.DayOf(time.Now()))
	if len(decision.Authorities) == 0 {
		return fact.Fact{}, err
	}
	return decision.Do, err
}

// OffCities says of each city among the choices whose row in the table of cities is off why that is so.
func (companyPage) OffCities() (off []fact.Fact) {
	for _, by := range authorities.All() {
		if by.Off != "" {
			off = append(off, fact.CityOff.With("city", cataloguepages.MunicipalityName(by.Municipality), "why", by.WhyOff))
		}
	}
	return off
}
