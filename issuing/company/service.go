package company

import (
	"cmp"
	"time"

	"emissor/fiscal/authorities"
	"emissor/fiscal/description"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/catalogues"
)

// The defects of a service that are no rule of an authority.
const (
	Unclassified  = "unclassified"
	Misclassified = "misclassified" // the authority would refuse its classification today
	Unlinked      = "unlinked"      // the calculator has no link for its classification, for which it may be refused
)

// ClassifiedFrom is the first day of competence of which live notes by an authority need a classification
// of their service: its own, or else that of the installation's setting. Empty: they never do.
func ClassifiedFrom(authority string, setting nfse.Day) nfse.Day {
	by, _ := authorities.Named(authority)
	return cmp.Or(by.ClassifiedFrom, setting)
}

// ServiceLacks are the codes of what a service lacks on the day of the tables: the defects for
// which no live note of it would be issued, and what it may be refused for.
func ServiceLacks(authority string, tables classification.Tables,
	service catalogues.ClassifiedService) (codes []string) {
	codes = ServiceDefects(authority, tables, service)
	classifier := NewClassifier(authority, tables)
	if service.Classification != nil && classifier.Unlinked(*service.Classification) {
		codes = append(codes, Unlinked)
	}
	return codes
}

// ServiceDefects are the codes of the defects for which an authority would issue no live
// note of a service today: those of its rules, and those above.
func ServiceDefects(authority string, tables classification.Tables,
	service catalogues.ClassifiedService) (codes []string) {
	by, known := authorities.Named(authority)
	if !known {
		return nil
	}
	if code := by.ServiceDefect(service.Snapshot(nil)); code != "" {
		codes = append(codes, code)
	}
	if defect := municipalCodeDefect(by, service); !defect.None() {
		codes = append(codes, string(defect.Code))
	}
	switch c := service.Classification; {
	case c == nil:
		codes = append(codes, Unclassified)
	case by.Misclassified(tables, *c, nfse.OrEmpty(service.NationalTaxCode)):
		codes = append(codes, Misclassified)
	}
	return codes
}

// municipalCodeDefect is why notes of a service wait for the city's own code of it; none where they do
// not.
func municipalCodeDefect(by description.Authority, service catalogues.ClassifiedService) fact.Fact {
	if by.MunicipalCodeDefect == nil {
		return fact.Fact{}
	}
	return by.MunicipalCodeDefect(service.ID, service.MunicipalCode, nfse.DayOf(time.Now()))
}

// CorrectedByClassifying reports whether a person corrects the rejection of a note by classifying its service again.
func CorrectedByClassifying(rejection nfse.Rejection) bool {
	for _, catalogue := range authorities.Catalogues() {
		if catalogue.Name() == rejection.Catalogue {
			return catalogue.CorrectedByClassifying(rejection.Code)
		}
	}
	return false
}
