package dashboard

import (
	"strings"

	"emissor/dashboard/format"
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/taxes"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

// withheldWords are the federal taxes that are withheld, with their amounts.
func (r *request) withheldWords(federal taxes.Federal) string {
	var parts []string
	for _, one := range []struct {
		name  string
		cents int64
	}{
		{"IRRF", federal.IRRF}, {"PIS", federal.PIS}, {"COFINS", federal.COFINS}, {"CSLL", federal.CSLL},
		{"INSS", federal.INSS},
	} {
		if one.cents > 0 {
			parts = append(parts, one.name+" "+format.Money(r.language, one.cents))
		}
	}
	if parts == nil {
		return r.language.Say("review.withheld.none")
	}
	return strings.Join(parts, " · ")
}

// withheldOf are the lines of what will be withheld of a note, and of what is left of its price.
func (r *request) withheldOf(declaration fiscal.Declaration) []line {
	federal := taxes.FederalOf(declaration)
	money := func(cents int64) string { return format.Money(r.language, cents) }
	lines := []line{{"review.withheld", r.withheldWords(federal)}}
	if own := federal.Own; own != nil {
		lines = append(lines, line{"review.own_contributions", "CST " + own.CST + " · PIS " + money(own.PISCents) +
			" · COFINS " + money(own.COFINSCents)})
	}
	return lines
}

// computedOf are the lines of what is computed for a note: base, ISS, what is left of the price, what
// the customer is charged, and where the rate comes from: it is the city's where that counts.
func (r *request) computedOf(declaration fiscal.Declaration, classified bool, city *nfse.Rate) (lines []line) {
	say := func(key string, args ...any) string { return r.language.Say("review."+key, args...) }
	put := func(key string, cents *int64) {
		if cents != nil {
			lines = append(lines, line{"review." + key, format.Money(r.language, *cents)})
		}
	}
	rate, rules := declaration.Note.Service.ISSRate, "rules.service"
	if authority, known := authorities.Named(declaration.Issuer.Authority); known {
		rate = authority.LikelyRate(declaration)
	}
	switch own := declaration.Note.Service.ISSRate; {
	case city != nil:
		rate, rules = city, "rules.city"
	case rate == nil:
		rules = "rules.none"
	case own == nil || *own != *rate:
		rules = "rules.authority"
	}
	expected := taxes.Expect(declaration, taxes.ISSAt(declaration, rate), classified)
	put("base", expected.BaseCents)
	if iss := expected.ISSCents; iss != nil {
		lines = append(lines, line{"review.iss", say("iss.at", format.Money(r.language, *iss),
			format.Percent(r.language, rate.String()))})
	} else {
		lines = append(lines, line{"review.iss", say("iss.unknown")})
	}
	lines = append(lines, line{"review.rules", say(rules)})
	if classified {
		charged := "ibs_cbs.charged"
		if expected.TotalCents != nil && *expected.TotalCents == *expected.NetCents {
			charged = "ibs_cbs.stated"
		}
		lines = append(lines, line{"review.ibs_cbs", say(charged)})
	}
	put("net", expected.NetCents)
	put("total", expected.TotalCents)
	return lines
}

// rateWarning says which rate counts where the service's is not the city's; empty where they agree.
func (r *request) rateWarning(declaration fiscal.Declaration, city *nfse.Rate) string {
	own := declaration.Note.Service.ISSRate
	if city == nil || own == nil || *own == *city {
		return ""
	}
	return r.language.Say("review.rate.city", r.rate(own), r.rate(city))
}

// cityRate is the city's rate that counts for a declaration; nil where none does.
func (r *request) cityRate(declaration fiscal.Declaration) (*nfse.Rate, error) {
	return company.CityRate(r.Context(), r.d.store, declaration)
}

// declarationOf is what a note would declare, by what is set at present.
func (r *request) declarationOf(note lifecycle.NewNote, competence nfse.Day) (declaration fiscal.Declaration,
	err error) {
	service, err := r.d.store.Catalogues.ServiceTaxation(r.Context(), r.scope, note.Service.ID)
	if err != nil {
		return declaration, err
	}
	customer, err := r.customerTaxationOf(note.Customer.TaxID)
	if err != nil {
		return declaration, err
	}
	declaration = fiscal.Declaration{
		Note: nfse.Note{
			AmountCents: note.AmountCents, Competence: competence, ISSWithheld: note.ISSWithheld,
			Service: note.Service, Customer: note.Customer,
		},
		Taxation: nfse.Taxation{Service: &service, Customer: customer}, Details: note.Details,
	}
	if declaration.Taxation.Work, declaration.Taxation.Event, err = r.sitesOf(declaration); err != nil {
		return declaration, err
	}
	profile, err := r.profileOrNone()
	declaration.Issuer = profile.On(competence)
	return declaration, err
}

// sitesOf are the open work and event that are set for a declaration's customer and service.
func (r *request) sitesOf(declaration fiscal.Declaration) (work *nfse.Work, event *nfse.CulturalEvent, err error) {
	sites := formOf(map[string]string{"work": declaration.WorkID(), "event": declaration.EventID()})
	if work, err = open(r, r.d.works(), sites, "work", nil); err != nil {
		return nil, nil, err
	}
	event, err = open(r, r.d.culturalEvents(), sites, "event", nil)
	return work, event, err
}

// customerTaxationOf is what is set of the customer on record with a tax id; nil where there is
// none.
func (r *request) customerTaxationOf(taxID nfse.TaxID) (*nfse.CustomerTaxation, error) {
	customer, err := r.d.store.Catalogues.CustomerByTaxID(r.Context(), r.scope, taxID)
	if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	taxation, err := r.d.store.Catalogues.CustomerTaxation(r.Context(), r.scope, customer.ID)
	return &taxation, err
}
