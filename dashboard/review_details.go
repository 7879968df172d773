package dashboard

import (
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
)

// detailsOf are the lines of what a person gave for a note.
func (r *request) detailsOf(details nfse.NoteDetails) (lines []line) {
	texts := shownTexts(r.language, catalogue.TextsOfDetails(details))
	put := func(names ...string) {
		for _, name := range names {
			if texts[name] != "" {
				lines = append(lines, line{"group." + name, r.inWords(name, texts[name])})
			}
		}
	}
	put(catalogue.DiscountFields...)
	put(catalogue.DeductionFields[:3]...)
	if details.Deduction != nil {
		for _, document := range details.Deduction.Documents {
			lines = append(lines, line{"group.document", r.documentLine(document)})
		}
	}
	put(catalogue.ISSFields...)
	if details.Withholding != nil {
		lines = append(lines, line{"group.withheld", r.withholdingLine(*details.Withholding)})
	}
	put(catalogue.AbroadFields...)
	if details.Work != nil {
		lines = append(lines, line{"group.work", details.Work.Name})
	}
	if details.Event != nil {
		lines = append(lines, line{"group.event", details.Event.Name})
	}
	if taker := details.ForeignTaker; taker != nil {
		lines = append(lines, line{"group.foreign", r.foreignLine(*taker)})
	}
	if details.Intermediary != nil {
		lines = append(lines, line{"group.intermediary", r.intermediaryLine(*details.Intermediary)})
	}
	return lines
}

// setOf are the lines of what is set for the service and the customer of a note, beside what is
// withheld, and holds for it: of a group that the form gives, only the form's does.
func (r *request) setOf(declaration fiscal.Declaration) []line {
	set, details := nfse.NoteDetails{}, declaration.Details
	if details.ISS == nil && declaration.ISS().Kind != "" {
		set.ISS = new(declaration.ISS())
	}
	if deduction := declaration.Deduction(); details.Deduction == nil && !deduction.None() {
		set.Deduction = &deduction
	}
	if abroad := declaration.Abroad(); details.Abroad == nil && abroad != (nfse.Abroad{}) {
		set.Abroad = &abroad
	}
	if authority, known := authorities.Named(declaration.Issuer.Authority); known {
		work, event := authority.Sites(declaration)
		if details.Work == nil {
			set.Work = work
		}
		if details.Event == nil {
			set.Event = event
		}
	}
	return r.detailsOf(set)
}

// inWords is the value of a field, by its word where it is one of a choice.
func (r *request) inWords(name, value string) string {
	if isTick(name) {
		return r.language.Say("note.yes")
	}
	if key := "group." + name + "." + value; words.Has(key) {
		return r.language.Say(key)
	}
	return value
}

func (r *request) documentLine(document nfse.DeductionDocument) string {
	return joined(document.NFSe+document.NFe, r.inWords("document_kind", strconv.Itoa(document.Kind)),
		document.Description, format.Date(r.language, document.Issued),
		format.Money(r.language, document.DeductibleCents), format.Money(r.language, document.UsedCents))
}

// withholdingLine is a set of withholdings: the rates of its form, or that nothing is withheld.
func (r *request) withholdingLine(set nfse.Withholding) string {
	var parts []string
	rates := r.formOfWithholding(&set)
	for _, one := range company.WithheldRates {
		if rate := rates.Value(one.Name); rate != "" {
			parts = append(parts, r.language.Say("tax."+one.Name)+" "+rate)
		}
	}
	if parts == nil {
		return r.language.Say("group.withheld.none")
	}
	return joined(parts...)
}

func (r *request) foreignLine(party nfse.ForeignParty) string {
	known := party.NIF
	if known == "" {
		known = r.language.Say("group.foreign_no_nif") + " " + r.inWords("foreign_no_nif", strconv.Itoa(party.NoNIF))
	}
	return joined(party.Name, known, party.Street, party.Number, party.Complement, party.District, party.PostalCode,
		party.City, party.Region, party.Country)
}

func (r *request) intermediaryLine(intermediary nfse.Intermediary) string {
	parts := []string{intermediary.Name, format.TaxID(intermediary.TaxID)}
	if intermediary.WithholdsISS {
		parts = append(parts, r.language.Say("group.intermediary_withholds"))
	}
	if address := intermediary.Address; address != nil {
		parts = append(parts, address.Street, address.Number, textOf(address.Complement), address.District,
			format.ZipCode(address.ZipCode), municipalityName(address.MunicipalityCode))
	}
	return joined(parts...)
}

// joined writes texts behind each other, without those that are empty.
func joined(parts ...string) string {
	written := []string{}
	for _, part := range parts {
		if part != "" {
			written = append(written, part)
		}
	}
	return strings.Join(written, " · ")
}

// objections are what the authority would refuse, or what a note would wait for, as far as its
// details and what is set tell, and what should be looked at in what is withheld of it. The form
// may still be sent: cities may know better.
func (r *request) objections(note lifecycle.NewNote) ([]fact.Fact, error) {
	if !r.scope.Livemode {
		return nil, nil
	}
	declaration, err := r.declarationOf(note, r.competenceOf(note))
	if err != nil || declaration.Issuer.TaxID == "" {
		return nil, err
	}
	warnings := company.NoteTaxWarnings(declaration)
	authority, known := authorities.Named(declaration.Issuer.Authority)
	if !known || authority.GroupsObjection == nil {
		return warnings, nil
	}
	if objection := authority.GroupsObjection(declaration); !objection.None() {
		return append([]fact.Fact{objection}, warnings...), nil
	}
	return warnings, nil
}
