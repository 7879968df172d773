package company

import (
	"emissor/fiscal/authorities"
	"emissor/fiscal/description"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
)

// Classifier is what an authority says of how services are classified, by its own tables
// of a day.
type Classifier struct {
	classification.Tables // as the authority goes by them
	by                    description.Authority
}

// NewClassifier makes the one of an authority; one that nobody knows is taken for the
// default.
func NewClassifier(authority string, tables classification.Tables) Classifier {
	by, known := authorities.Named(authority)
	if !known {
		by = authorities.All[0]
	}
	return Classifier{by.Tables(tables), by}
}

// Fault returns the first reason why the authority would refuse a classification of a
// service with the national tax code; nil when there is none.
func (c Classifier) Fault(classified nfse.Classification, nationalTaxCode string) *classification.Fault {
	return c.by.ClassificationFault(c.Tables, classified, nationalTaxCode)
}
