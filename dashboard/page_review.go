package dashboard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"emissor/dashboard/format"
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
	Value   fiscalValue
	Facts   []line
	Changes []changedLine // in what a note that replaces another differs from it
	Leads   []line        // before all: why it replaces which
	Typed   []line        // the form: its fields' names and values
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
func (r *request) review(form *form, note lifecycle.NewNote, fields []string,
	replaces *company.ToReplace) (page reviewPage,
	err error) {
	if page.Value, err = r.fiscalValue(); err != nil {
		return page, err
	}
	if page.Facts, err = r.factsOf(form, note, page.Value); err != nil {
		return page, err
	}
	if replaces != nil {
		if page.Changes, err = r.changedFrom(*replaces, note); err != nil {
			return page, err
		}
		page.Leads = replacementFacts(r, *replaces, *note.Details.Replaces)
	}
	if page.Warnings, err = r.objections(note); err != nil {
		return page, err
	}
	if page.Service = note.Service.ID; r.scope.Livemode {
		if page.Rate, err = r.rateOfNote(note); err != nil {
			return page, err
		}
		service, err := r.d.store.Catalogues.ClassifiedService(r.Context(), r.scope, page.Service)
		if err != nil {
			return page, err
		}
		authority, err := r.d.authority(r)
		if err != nil {
			return page, err
		}
		page.Lacks, _ = r.missingForLive(authority, service)
	}
	for _, name := range fields {
		if value := form.Value(name); value != "" {
			page.Typed = append(page.Typed, line{name, value})
		}
	}
	shown, err := nfse.Marshal([]any{page.Value, r.language, page.Facts, page.Leads, page.Changes})
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
func (r *request) factsOf(form *form, note lifecycle.NewNote, value fiscalValue) ([]line, error) {
	competence := r.competenceOf(note)
	issuer, err := r.issuing(competence)
	if err != nil {
		return nil, err
	}
	facts := []line{
		{"frame.environment", r.language.Say("review.environment." + string(value))},
		{"review.issuer", issuer},
		{"issue.reference", note.Reference},
	}
	facts = append(facts, r.linesOf(note, competence)...)
	if !r.scope.Livemode {
		return append(facts, line{"issue.scenario", r.language.Say("issue.scenario." + string(note.Scenario))}), nil
	}
	declaration, err := r.declarationOf(note, competence)
	if err != nil {
		return nil, err
	}
	facts = append(append(facts, r.setOf(declaration)...), r.withheldOf(declaration)...)
	of, err := r.d.store.Catalogues.ServiceClassification(r.Context(), r.scope, note.Service.ID)
	if err != nil {
		return nil, err
	}
	city, err := r.cityRate(declaration)
	if err != nil {
		return nil, err
	}
	facts = append(facts, r.computedOf(declaration, of != nil, city)...)
	email, err := r.emailed(form, note)
	return append(append(facts, r.classified(of)...),
		line{"issue.email_customer", email},
		line{"issue.register_ledger", r.yesOrNo(note.Key.RegisterLedger)},
		line{"issue.confirm_municipal_operation", r.yesOrNo(note.Key.ConfirmMunicipalOperation)},
	), err
}

// linesOf are the lines of what a note says of itself: its value, service and customer, and its details.
func (r *request) linesOf(note lifecycle.NewNote, competence nfse.Day) []line {
	return slices.Concat([]line{
		{"notes.amount", format.Money(r.language, note.AmountCents)},
		{"notes.competence", format.Date(r.language, competence)},
		{"notes.service", note.Service.Name},
		{"note.description", note.Service.Description},
		{"note.tax_code", orDash(note.Service.NationalTaxCode)},
		{"review.municipal_tax_code", orDash(note.Service.MunicipalTaxCode)},
		{"review.service_city", municipalityName(note.Service.MunicipalityCode)},
		{"review.iss_rate", r.rate(note.Service.ISSRate)},
		{"note.withheld", r.yesOrNo(note.ISSWithheld)},
	}, r.takerOf(note), r.detailsOf(note.Details))
}

// rateOfNote says which rate of ISS counts for a live note, where the service says another.
func (r *request) rateOfNote(note lifecycle.NewNote) (string, error) {
	declaration, err := r.declarationOf(note, r.competenceOf(note))
	if err != nil {
		return "", err
	}
	city, err := r.cityRate(declaration)
	return r.rateWarning(declaration, city), err
}

// competenceOf is the day of competence that a note would have.
func (r *request) competenceOf(note lifecycle.NewNote) nfse.Day {
	return cmp.Or(note.Competence, nfse.DayOf(time.Now()))
}

// takerOf are the lines of a note's customer.
func (r *request) takerOf(note lifecycle.NewNote) []line {
	if note.Details.ForeignTaker != nil {
		return nil // it is said whole among the details
	}
	return []line{
		{"notes.taker", note.Customer.Name},
		{"notes.tax_id", format.TaxID(note.Customer.TaxID)},
		{"note.address", addressLine(note.Customer.Address)},
		{"review.city", municipalityName(note.Municipality.Code)},
	}
}

// issuing is the name of the organization, with the tax id of its profile, and with its authority of
// the day of competence where it moves to another.
func (r *request) issuing(competence nfse.Day) (string, error) {
	if !r.scope.Livemode {
		return r.organization, nil
	}
	profile, err := r.d.store.Companies.FiscalProfile(r.Context(), r.scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return r.organization, nil
	}
	name := r.organization + " · " + format.TaxID(profile.TaxID)
	if len(profile.Moves) > 0 {
		by, _ := authorities.Named(profile.On(competence).Authority)
		name += " · " + r.language.Of(by)
	}
	return name, err
}

// classified are the lines of a note's classification: the codes that every one has in one line, and every
// other part that is given in a line of its own. There may be none (nil).
func (r *request) classified(found *nfse.Classification) []line {
	if found == nil {
		return []line{{"note.classification", r.language.Say("review.unclassified")}}
	}
	facts := []line{{"note.classification", "cNBS " + found.NBS + " · cIndOp " + found.CIndOp + " · CST " + found.CST +
		" · cClassTrib " + found.CClassTrib}}
	parts := classification.PartsOf(*found)
	for _, part := range classification.Parts {
		value := parts[part.Name]
		switch {
		case value == "" || slices.Contains(codesInOneLine, part.Name):
			continue
		case part.Name == "indfinal":
			value = r.yesOrNo(value == "true")
		case strings.HasPrefix(part.Name, "pdif-"):
			value = format.Percent(r.language, value)
		}
		facts = append(facts, line{"classify." + part.Name, value})
	}
	return facts
}

// codesInOneLine are the parts that every classification has.
var codesInOneLine = []string{"nbs", "cindop", "cst", "cclasstrib"}

// emailed is the address to which the note is sent, that of the customer on record.
func (r *request) emailed(form *form, note lifecycle.NewNote) (string, error) {
	if !note.Key.EmailCustomer {
		return r.language.Say("note.no"), nil
	}
	if email := form.emailGiven(); email != "" && note.Details.ForeignTaker == nil {
		return email, nil
	}
	customer, err := r.d.store.Catalogues.CustomerByTaxID(r.Context(), r.scope, note.Customer.TaxID)
	if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		err = nil
	}
	if err != nil || customer.Email == nil {
		return r.language.Say("review.no_email"), err
	}
	return *customer.Email, nil
}

func (r *request) yesOrNo(is bool) string {
	if is {
		return r.language.Say("note.yes")
	}
	return r.language.Say("note.no")
}

func (r *request) rate(rate *nfse.Rate) string {
	if rate == nil {
		return "–"
	}
	return format.Percent(r.language, rate.String()) + " %"
}

func orDash(text *string) string {
	if text == nil || *text == "" {
		return "–"
	}
	return *text
}

// addressLine writes an address in one line.
func addressLine(address nfse.Address) string {
	street := strings.TrimSpace(textOf(address.StreetType) + " " + textOf(address.Street))
	parts := []string{street, textOf(address.Number), textOf(address.Complement), textOf(address.District)}
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
