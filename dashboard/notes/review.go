package notes

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/fiscal/authorities"
	"emissor/fiscal/national/classification"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/lifecycle"
)

// reviewedField is the field of a form with the digest of what its sender was shown.
const reviewedField = "reviewed"

// reviewPage shows everything that a note will be issued with, before a person issues it.
type reviewPage struct {
	Action  string // where the form is sent
	Value   frame.FiscalValue
	Facts   []frame.Line
	Changes []changedLine // in what a note that replaces another differs from it
	Leads   []frame.Line  // before all: why it replaces which
	Typed   []frame.Line  // the form: its fields' names and values
	Digest  string        // of what is shown: nothing else is issued
	Changed bool          // something is not as it was shown before

	Warnings []fact.Fact // of what would be refused, or waited for
	Rate     string      // which rate of ISS counts, where the service says another; empty: it does not
	Lacks    []string    // keys of what live notes need and the service lacks
	Service  string      // its id
}

// review is the page of a note that may be accepted. What it shows is what is issued: where
// anything of it has changed when the form is sent, the page is shown again. The fields are those
// that the form sends.
func review(r *frame.Request, form *frame.Form, note lifecycle.NewNote, fields []string,
	replaces *company.ToReplace) (page reviewPage,
	err error) {
	if page.Value, err = r.FiscalValue(); err != nil {
		return page, err
	}
	if page.Facts, err = factsOf(r, form, note, page.Value); err != nil {
		return page, err
	}
	if replaces != nil {
		if page.Changes, err = changedFrom(r, *replaces, note); err != nil {
			return page, err
		}
		page.Leads = replacementFacts(r, *replaces, *note.Details.Replaces)
	}
	if page.Warnings, err = objections(r, note); err != nil {
		return page, err
	}
	if page.Service = note.Service.ID; r.Scope.Livemode {
		if page.Rate, err = rateOfNote(r, note); err != nil {
			return page, err
		}
		service, err := r.D.Store.Catalogues.ClassifiedService(r.Context(), r.Scope, page.Service)
		if err != nil {
			return page, err
		}
		authority, err := cataloguepages.Authority(r)
		if err != nil {
			return page, err
		}
		page.Lacks, _ = cataloguepages.MissingForLive(r, authority, service)
	}
	for _, name := range fields {
		if value := form.Value(name); value != "" {
			page.Typed = append(page.Typed, frame.Line{Label: name, Text: value})
		}
	}
	shown, err := nfse.Marshal([]any{page.Value, r.Language, page.Facts, page.Leads, page.Changes})
	if err != nil {
		return page, err
	}
	sum := sha256.Sum256(shown)
	page.Digest = hex.EncodeToString(sum[:])
	reviewed := r.PostForm.Get(reviewedField)
	page.Changed = reviewed != "" && reviewed != page.Digest
	return page, nil
}

// factsOf are the lines of a review. Every field of the form that is sent has one.
func factsOf(r *frame.Request, form *frame.Form, note lifecycle.NewNote, value frame.FiscalValue) ([]frame.Line,
	error) {
	competence := competenceOf(r, note)
	issuer, err := issuing(r, competence)
	if err != nil {
		return nil, err
	}
	facts := []frame.Line{
		{Label: "frame.environment", Text: r.Language.Say("review.environment." + string(value))},
		{Label: "review.issuer", Text: issuer},
		{Label: "issue.reference", Text: note.Reference},
	}
	facts = append(facts, linesOf(r, note, competence)...)
	if !r.Scope.Livemode {
		return append(facts, frame.Line{Label: "issue.scenario", Text: r.Language.Say("issue.scenario." +
			string(note.Scenario))}), nil
	}
	declaration, err := declarationOf(r, note, competence)
	if err != nil {
		return nil, err
	}
	facts = append(append(facts, setOf(r, declaration)...), withheldOf(r, declaration)...)
	of, err := r.D.Store.Catalogues.ServiceClassification(r.Context(), r.Scope, note.Service.ID)
	if err != nil {
		return nil, err
	}
	city, err := cityRate(r, declaration)
	if err != nil {
		return nil, err
	}
	facts = append(facts, computedOf(r, declaration, of != nil, city)...)
	email, err := emailed(r, form, note)
	return append(append(facts, classified(r, of)...),
		frame.Line{Label: "issue.email_customer", Text: email},
		frame.Line{Label: "issue.register_ledger", Text: yesOrNo(r, note.Key.RegisterLedger)},
		frame.Line{Label: "issue.confirm_municipal_operation", Text: yesOrNo(r, note.Key.ConfirmMunicipalOperation)},
	), err
}

// linesOf are the lines of what a note says of itself: its value, service and customer, and its details.
func linesOf(r *frame.Request, note lifecycle.NewNote, competence nfse.Day) []frame.Line {
	return slices.Concat([]frame.Line{
		{Label: "notes.amount", Text: format.Money(r.Language, note.AmountCents)},
		{Label: "notes.competence", Text: format.Date(r.Language, competence)},
		{Label: "notes.service", Text: note.Service.Name},
		{Label: "note.description", Text: note.Service.Description},
		{Label: "note.tax_code", Text: orDash(note.Service.NationalTaxCode)},
		{Label: "review.municipal_tax_code", Text: orDash(note.Service.MunicipalTaxCode)},
		{Label: "review.service_city", Text: cataloguepages.MunicipalityName(note.Service.MunicipalityCode)},
		{Label: "review.iss_rate", Text: rateWords(r, note.Service.ISSRate)},
		{Label: "note.withheld", Text: yesOrNo(r, note.ISSWithheld)},
	}, takerOf(r, note), detailsOf(r, note.Details))
}

// rateOfNote says which rate of ISS counts for a live note, where the service says another.
func rateOfNote(r *frame.Request, note lifecycle.NewNote) (string, error) {
	declaration, err := declarationOf(r, note, competenceOf(r, note))
	if err != nil {
		return "", err
	}
	city, err := cityRate(r, declaration)
	return rateWarning(r, declaration, city), err
}

// competenceOf is the day of competence that a note would have.
func competenceOf(r *frame.Request, note lifecycle.NewNote) nfse.Day {
	return cmp.Or(note.Competence, nfse.DayOf(time.Now()))
}

// takerOf are the lines of a note's customer.
func takerOf(r *frame.Request, note lifecycle.NewNote) []frame.Line {
	if note.Details.ForeignTaker != nil {
		return nil // it is said whole among the details
	}
	return []frame.Line{
		{Label: "notes.taker", Text: note.Customer.Name},
		{Label: "notes.tax_id", Text: format.TaxID(note.Customer.TaxID)},
		{Label: "note.address", Text: addressLine(note.Customer.Address)},
		{Label: "review.city", Text: cataloguepages.MunicipalityName(note.Municipality.Code)},
	}
}

// issuing is the name of the organization, with the tax id of its profile, and with its authority of
// the day of competence where it moves to another.
func issuing(r *frame.Request, competence nfse.Day) (string, error) {
	if !r.Scope.Livemode {
		return r.Organization, nil
	}
	profile, err := r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return r.Organization, nil
	}
	name := r.Organization + " · " + format.TaxID(profile.TaxID)
	if len(profile.Moves) > 0 {
		by, _ := authorities.Named(profile.On(competence).Authority)
		name += " · " + r.Language.Of(by)
	}
	return name, err
}

// classified are the lines of a note's classification: the codes that every one has in one line, and every
// other part that is given in a line of its own. There may be none (nil).
func classified(r *frame.Request, found *nfse.Classification) []frame.Line {
	if found == nil {
		return []frame.Line{{Label: "note.classification", Text: r.Language.Say("review.unclassified")}}
	}
	facts := []frame.Line{{Label: "note.classification", Text: "cNBS " + found.NBS + " · cIndOp " + found.CIndOp +
		" · CST " + found.CST +
		" · cClassTrib " + found.CClassTrib}}
	parts := classification.PartsOf(*found)
	for _, part := range classification.Parts {
		value := parts[part.Name]
		switch {
		case value == "" || slices.Contains(codesInOneLine, part.Name):
			continue
		case part.Name == "indfinal":
			value = yesOrNo(r, value == "true")
		case strings.HasPrefix(part.Name, "pdif-"):
			value = format.Percent(r.Language, value)
		}
		facts = append(facts, frame.Line{Label: "classify." + part.Name, Text: value})
	}
	return facts
}

// codesInOneLine are the parts that every classification has.
var codesInOneLine = []string{"nbs", "cindop", "cst", "cclasstrib"}

// emailed is the address to which the note is sent, that of the customer on record.
func emailed(r *frame.Request, form *frame.Form, note lifecycle.NewNote) (string, error) {
	if !note.Key.EmailCustomer {
		return r.Language.Say("note.no"), nil
	}
	if email := emailGiven(form); email != "" && note.Details.ForeignTaker == nil {
		return email, nil
	}
	customer, err := r.D.Store.Catalogues.CustomerByTaxID(r.Context(), r.Scope, note.Customer.TaxID)
	if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		err = nil
	}
	if err != nil || customer.Email == nil {
		return r.Language.Say("review.no_email"), err
	}
	return *customer.Email, nil
}

func yesOrNo(r *frame.Request, is bool) string {
	if is {
		return r.Language.Say("note.yes")
	}
	return r.Language.Say("note.no")
}

func rateWords(r *frame.Request, rate *nfse.Rate) string {
	if rate == nil {
		return "–"
	}
	return format.Percent(r.Language, rate.String()) + " %"
}

func orDash(text *string) string {
	if text == nil || *text == "" {
		return "–"
	}
	return *text
}

// addressLine writes an address in one line.
func addressLine(address nfse.Address) string {
	street := strings.TrimSpace(nfse.OrEmpty(address.StreetType) + " " + nfse.OrEmpty(address.Street))
	parts := []string{street, nfse.OrEmpty(address.Number), nfse.OrEmpty(address.Complement),
		nfse.OrEmpty(address.District)}
	if address.ZipCode != nil {
		parts = append(parts, format.ZipCode(*address.ZipCode))
	}
	written := []string{}
	for _, part := range parts {
		if part != "" {
			written = append(written, part)
		}
	}
	return strings.Join(written, ", ")
}
