package notes

import (
	"strings"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/taxes"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

// WithheldWords are the federal taxes that are withheld, with their amounts.
func WithheldWords(r *frame.Request, federal taxes.Federal) string {
	var parts []string
	for _, one := range []struct {
		name  string
		cents int64
	}{
		{"IRRF", federal.IRRF}, {"PIS", federal.PIS}, {"COFINS", federal.COFINS}, {"CSLL", federal.CSLL},
		{"INSS", federal.INSS},
	} {
		if one.cents > 0 {
			parts = append(parts, one.name+" "+format.Money(r.Language, one.cents))
		}
	}
	if parts == nil {
		return r.Language.Say("review.withheld.none")
	}
	return strings.Join(parts, " · ")
}

// withheldOf are the lines of what will be withheld of a note, and of what is left of its price.
func withheldOf(r *frame.Request, declaration fiscal.Declaration) []frame.Line {
	federal := taxes.FederalOf(declaration)
	money := func(cents int64) string { return format.Money(r.Language, cents) }
	lines := []frame.Line{{Label: "review.withheld", Text: WithheldWords(r, federal)}}
	if own := federal.Own; own != nil {
		lines = append(lines, frame.Line{Label: "review.own_contributions", Text: "CST " + own.CST + " · PIS " +
			money(own.PISCents) +
			" · COFINS " + money(own.COFINSCents)})
	}
	return lines
}

// computedOf are the lines of what is computed for a note: base, ISS, what is left of the price, what
// the customer is charged, and where the rate comes from: it is the city's where that counts.
func computedOf(r *frame.Request, declaration fiscal.Declaration, classified bool,
	city *nfse.Rate) (lines []frame.Line) {
	say := func(key string, args ...any) string { return r.Language.Say("review."+key, args...) }
	put := func(key string, cents *int64) {
		if cents != nil {
			lines = append(lines, frame.Line{Label: "review." + key, Text: format.Money(r.Language, *cents)})
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
		lines = append(lines, frame.Line{Label: "review.iss", Text: say("iss.at", format.Money(r.Language, *iss),
			format.Percent(r.Language, rate.String()))})
	} else {
		lines = append(lines, frame.Line{Label: "review.iss", Text: say("iss.unknown")})
	}
	lines = append(lines, frame.Line{Label: "review.rules", Text: say(rules)})
	if classified {
		charged := "ibs_cbs.charged"
		if expected.TotalCents != nil && *expected.TotalCents == *expected.NetCents {
			charged = "ibs_cbs.stated"
		}
		lines = append(lines, frame.Line{Label: "review.ibs_cbs", Text: say(charged)})
	}
	put("net", expected.NetCents)
	put("total", expected.TotalCents)
	return lines
}

// rateWarning says which rate counts where the service's is not the city's; empty where they agree.
func rateWarning(r *frame.Request, declaration fiscal.Declaration, city *nfse.Rate) string {
	own := declaration.Note.Service.ISSRate
	if city == nil || own == nil || *own == *city {
		return ""
	}
	return r.Language.Say("review.rate.city", rateWords(r, own), rateWords(r, city))
}

// cityRate is the city's rate that counts for a declaration; nil where none does.
func cityRate(r *frame.Request, declaration fiscal.Declaration) (*nfse.Rate, error) {
	return company.CityRate(r.Context(), r.D.Store, declaration)
}

// declarationOf is what a note would declare, by what is set at present.
func declarationOf(r *frame.Request, note lifecycle.NewNote, competence nfse.Day) (declaration fiscal.Declaration,
	err error) {
	service, err := r.D.Store.Catalogues.ServiceTaxation(r.Context(), r.Scope, note.Service.ID)
	if err != nil {
		return declaration, err
	}
	customer, err := customerTaxationOf(r, note.Customer.TaxID)
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
	if declaration.Taxation.Work, declaration.Taxation.Event, err = sitesOf(r, declaration); err != nil {
		return declaration, err
	}
	profile, err := cataloguepages.ProfileOrNone(r)
	declaration.Issuer = profile.On(competence)
	return declaration, err
}

// sitesOf are the open work and event that are set for a declaration's customer and service.
func sitesOf(r *frame.Request, declaration fiscal.Declaration) (work *nfse.Work, event *nfse.CulturalEvent, err error) {
	sites := frame.FormOf(map[string]string{"work": declaration.WorkID(), "event": declaration.EventID()})
	if work, err = open(r, cataloguepages.Works, sites, "work", nil); err != nil {
		return nil, nil, err
	}
	event, err = open(r, cataloguepages.CulturalEvents, sites, "event", nil)
	return work, event, err
}

// customerTaxationOf is what is set of the customer on record with a tax id; nil where there is
// none.
func customerTaxationOf(r *frame.Request, taxID nfse.TaxID) (*nfse.CustomerTaxation, error) {
	customer, err := r.D.Store.Catalogues.CustomerByTaxID(r.Context(), r.Scope, taxID)
	if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	taxation, err := r.D.Store.Catalogues.CustomerTaxation(r.Context(), r.Scope, customer.ID)
	return &taxation, err
}
