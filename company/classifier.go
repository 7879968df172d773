package company

import (
	"emissor/fiscal/national/classification"
	saopaulo "emissor/fiscal/saopaulo/rules"
	"emissor/nfse"
)

// Classifier is what an authority says of how services are classified, by its own tables
// of a day.
type Classifier struct {
	classification.Tables // as the authority goes by them
	authority             string
}

// NewClassifier makes the one of an authority.
func NewClassifier(authority string, tables classification.Tables) Classifier {
	if authority == SaoPaulo {
		tables = tables.WithIndOps(classification.TableIndOpSaoPaulo)
	}
	return Classifier{tables, authority}
}

// Fault returns the first reason why the authority would refuse a classification of a
// service with the national tax code; nil when there is none.
func (c Classifier) Fault(classified nfse.Classification, nationalTaxCode string) *classification.Fault {
	if c.authority == SaoPaulo {
		return saopaulo.ClassificationFault(c.Tables, classified)
	}
	return c.Tables.Fault(classified, nationalTaxCode)
}
