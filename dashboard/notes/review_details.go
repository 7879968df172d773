package notes

import (
	"strconv"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
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
func detailsOf(r *frame.Request, details nfse.NoteDetails) (lines []frame.Line) {
	texts := frame.ShownTexts(r.Language, catalogue.TextsOfDetails(details))
	put := func(names ...string) {
		for _, name := range names {
			if texts[name] != "" {
				lines = append(lines, frame.Line{Label: "group." + name, Text: inWords(r, name, texts[name])})
			}
		}
	}
	put(catalogue.DiscountFields...)
	put(catalogue.DeductionFields[:3]...)
	if details.Deduction != nil {
		for _, document := range details.Deduction.Documents {
			lines = append(lines, frame.Line{Label: "group.document", Text: documentLine(r, document)})
		}
	}
	put(catalogue.ISSFields...)
	if details.Withholding != nil {
		lines = append(lines, frame.Line{Label: "group.withheld", Text: withholdingLine(r, *details.Withholding)})
	}
	put(catalogue.AbroadFields...)
	if details.Work != nil {
		lines = append(lines, frame.Line{Label: "group.work", Text: details.Work.Name})
	}
	if details.Event != nil {
		lines = append(lines, frame.Line{Label: "group.event", Text: details.Event.Name})
	}
	if taker := details.ForeignTaker; taker != nil {
		lines = append(lines, frame.Line{Label: "group.foreign", Text: foreignLine(r, *taker)})
	}
	if details.Intermediary != nil {
		lines = append(lines, frame.Line{Label: "group.intermediary", Text: intermediaryLine(r, *details.Intermediary)})
	}
	return lines
}

// setOf are the lines of what is set for the service and the customer of a note, beside what is
// withheld, and holds for it: of a group that the form gives, only the form's does.
func setOf(r *frame.Request, declaration fiscal.Declaration) []frame.Line {
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
	return detailsOf(r, set)
}

// inWords is the value of a field, by its word where it is one of a choice.
func inWords(r *frame.Request, name, value string) string {
	if frame.IsTick(name) {
		return r.Language.Say("note.yes")
	}
	if key := "group." + name + "." + value; words.Has(key) {
		return r.Language.Say(key)
	}
	return value
}

func documentLine(r *frame.Request, document nfse.DeductionDocument) string {
	return frame.Joined(document.NFSe+document.NFe, inWords(r, "document_kind", strconv.Itoa(document.Kind)),
		document.Description, format.Date(r.Language, document.Issued),
		format.Money(r.Language, document.DeductibleCents), format.Money(r.Language, document.UsedCents))
}

// withholdingLine is a set of withholdings: the rates of its form, or that nothing is withheld.
func withholdingLine(r *frame.Request, set nfse.Withholding) string {
	var parts []string
	rates := cataloguepages.FormOfWithholding(r, &set)
	for _, one := range company.WithheldRates {
		if rate := rates.Value(one.Name); rate != "" {
			parts = append(parts, r.Language.Say("tax."+one.Name)+" "+rate)
		}
	}
	if parts == nil {
		return r.Language.Say("group.withheld.none")
	}
	return frame.Joined(parts...)
}

func foreignLine(r *frame.Request, party nfse.ForeignParty) string {
	known := party.NIF
	if known == "" {
		known = r.Language.Say("group.foreign_no_nif") + " " + inWords(r, "foreign_no_nif", strconv.Itoa(party.NoNIF))
	}
	return frame.Joined(party.Name, known, party.Street, party.Number, party.Complement, party.District, party.PostalCode,
		party.City, party.Region, party.Country)
}

func intermediaryLine(r *frame.Request, intermediary nfse.Intermediary) string {
	parts := []string{intermediary.Name, format.TaxID(intermediary.TaxID)}
	if intermediary.WithholdsISS {
		parts = append(parts, r.Language.Say("group.intermediary_withholds"))
	}
	if address := intermediary.Address; address != nil {
		parts = append(parts, address.Street, address.Number, nfse.OrEmpty(address.Complement), address.District,
			format.ZipCode(address.ZipCode), cataloguepages.MunicipalityName(address.MunicipalityCode))
	}
	return frame.Joined(parts...)
}

// objections are what the authority would refuse, or what a note would wait for, as far as its
// details and what is set tell, and what should be looked at in what is withheld of it. The form
// may still be sent: cities may know better.
func objections(r *frame.Request, note lifecycle.NewNote) ([]fact.Fact, error) {
	if !r.Scope.Livemode {
		return nil, nil
	}
	declaration, err := declarationOf(r, note, competenceOf(r, note))
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
