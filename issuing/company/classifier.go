package company

import (
	"context"
	"errors"

	"emissor/fiscal/authorities"
	"emissor/fiscal/description"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/catalogues"
	"emissor/store/companies"
)

// Classifier checks how services are classified, by an authority's rules and its tables of
// a day.
type Classifier struct {
	classification.Tables // as the authority uses them
	by                    description.Authority
}

// NewClassifier makes the classifier of an authority; an unknown one is taken for the
// default.
func NewClassifier(authority string, tables classification.Tables) Classifier {
	by, known := authorities.Named(authority)
	if !known {
		by = authorities.All()[0]
	}
	return Classifier{by.Tables(tables), by}
}

// Defect returns the first reason why the authority would refuse a classification of a
// service with the national tax code; nil when there is none.
func (c Classifier) Defect(classified nfse.Classification, nationalTaxCode string) *classification.Defect {
	return c.by.ClassificationDefect(c.Tables, classified, nationalTaxCode)
}

// MunicipalCodeDefect says why notes of a service wait today for the code that the city has for it
// (cTribMun); none where they do not.
func (c Classifier) MunicipalCodeDefect(service catalogues.ClassifiedService) fact.Fact {
	return municipalCodeDefect(c.by, service)
}

// Read reads a classification from its parts, of which an empty one is not given, and returns the
// first reason why the authority would refuse it for a service with the national tax code.
func (c Classifier) Read(
	part func(name string) string, nationalTaxCode string,
) (nfse.Classification, *classification.Defect) {
	classified, defect := classification.Parse(part)
	if defect == nil {
		defect = c.Defect(classified, nationalTaxCode)
	}
	return classified, defect
}

// AuthorityOf names the authority by which an organization issues notes of today, or would: without a
// profile the default.
func AuthorityOf(ctx context.Context, db *store.Store, organizationID string) (string, error) {
	profile, err := db.Companies.FiscalProfile(ctx, organizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return authorities.Default, nil
	}
	return Present(profile).Authority, err
}
