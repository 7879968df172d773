package notes

import (
	"slices"
	"strings"

	"emissor/dashboard/frame"
	"emissor/fiscal"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// corrections are links to the pages on which what a note was rejected for, or waits for, is
// corrected.
func corrections(r *frame.Request, note nfse.Note, waiting []fact.Fact) (corrections []correction) {
	classify := note.Rejection != nil && company.CorrectedByClassifying(*note.Rejection)
	service := correction{"note.correct.service", r.Link("/catalogue/services/" + note.ServiceID)}
	company := correction{"note.correct.company", r.Link("/company")}
	if rejection := note.Rejection; rejection != nil {
		field := nfse.OrEmpty(rejection.Field)
		if strings.HasPrefix(field, "service.") || strings.HasPrefix(rejection.Code, "national_tax_code") || classify {
			corrections = append(corrections, service)
		}
		if field == "" && !classify && r.Role.May(nfse.SeeCompany) {
			corrections = append(corrections, company)
		}
		if r.Role.May(nfse.IssueNotes) {
			corrections = append(corrections, correction{"note.correct.again", r.Link("/notes/new", "from", note.ID)})
		}
		return corrections
	}
	for _, why := range waiting {
		if CorrectedInCompany(why) && r.Role.May(nfse.SeeCompany) && !slices.Contains(corrections, company) {
			corrections = append(corrections, company)
		}
		if CorrectedInService(why) && !slices.Contains(corrections, service) {
			corrections = append(corrections, service)
		}
	}
	return corrections
}

// CorrectedInCompany reports whether what a note waits for is corrected on the company's pages.
func CorrectedInCompany(why fact.Fact) bool {
	return refusedFor(why, fiscal.CorrectProfile, fiscal.GiveRegistration, fiscal.CorrectSimples, fiscal.ChooseSeries,
		fiscal.CorrectRegister, fiscal.AskCity, fiscal.GiveMonthsRate, fiscal.AddCertificate) ||
		inner(why).Is(fact.NoFiscalProfile, fact.ProfileRefused, fact.CityProfileRefused, fact.CityHasNoTestSystem,
			fact.TaxIDNotShown, fact.NoUsableCertificate, fact.CertificateDoesNotOpen, fact.AddCertificateItTakes,
			fact.SeriesHeld, fact.SeriesOfAnotherSystem, fact.SeriesUsedUp, fact.CityRefuses, fact.CityNeedsRate,
			fact.SimplesRateMissing, fact.CityNotOnDay, fact.CitySeries, fact.CityRegistrationMissing,
			fact.CityOfSimples, fact.CityOfMEI, fact.GrantedNumbersUsedUp, fact.CityNumbersMissing)
}

// CorrectedInService reports whether what a note waits for is corrected on its service's page.
func CorrectedInService(why fact.Fact) bool {
	return refusedFor(why, fiscal.CorrectService, fiscal.CorrectClassified, fiscal.CorrectRate, fiscal.GiveMonthsRate,
		fiscal.CorrectTaxation, fiscal.CorrectWithholding) ||
		inner(why).Is(fact.ClassificationRequired, fact.ClassificationRefused, fact.CityClassificationMissing,
			fact.CityClassificationUnsaid, fact.CityClassificationRefused, fact.CityNeedsRate, fact.RateMissing,
			fact.RateTooHigh, fact.RateZero, fact.RateTooLowToWithhold, fact.CityRateOutOfRange,
			fact.NationalTaxCodeMissing, fact.NationalTaxCodeUnknown, fact.PlaceInvalid,
			fact.MunicipalTaxCodeMissing, fact.MunicipalTaxCodeForm, fact.MunicipalTaxCodeTooShort,
			fact.CityCodeMissing, fact.CityCodeDigits, fact.CityCodeNumber,
			fact.WorkMissing, fact.EventMissing, fact.NBSMissing, fact.ForeignTradeLacks, fact.ISSTreatmentLacks)
}

// refusedFor reports whether the authority refuses a note for what one of some acts puts right.
func refusedFor(why fact.Fact, acts ...fiscal.Act) bool {
	act, _ := why.Arguments["act"].(string)
	return why.Is(fact.RefusedForSettings) && slices.Contains(acts, fiscal.Act(act))
}

// inner is why the rules would no longer accept a note that they accepted before, or else the
// fact itself.
func inner(why fact.Fact) fact.Fact {
	if said, is := why.Arguments["why"].(fact.Fact); is && why.Is(fact.NoLongerTaken) {
		return said
	}
	return why
}
