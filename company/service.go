package company

import (
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/rules"
	saopaulo "emissor/fiscal/saopaulo/rules"
	"emissor/nfse"
	"emissor/store"
)

// What a service can lack beside what a rule of the authority names.
const (
	Unclassified  = "unclassified"
	Misclassified = "misclassified" // the authority would refuse its classification today
)

// ServiceFaults are the codes of what keeps live notes of a service from being issued
// by an authority today: those of its rules, and those above.
func ServiceFaults(authority string, tables classification.Tables, service store.ClassifiedService) (codes []string) {
	serviceFault := rules.ServiceFault
	if authority == SaoPaulo {
		serviceFault = saopaulo.ServiceFault
	}
	if code := serviceFault(service.Snapshot(nil)); code != "" {
		codes = append(codes, code)
	}
	switch c := service.Classification; {
	case c == nil:
		codes = append(codes, Unclassified)
	case authority == SaoPaulo && saopaulo.Misclassified(tables, *c),
		authority != SaoPaulo && tables.Fault(*c, orEmpty(service.NationalTaxCode)) != nil:
		codes = append(codes, Misclassified)
	}
	return codes
}

// MendedByClassifying reports whether what a person does about the rejection of a note is
// to classify its service anew.
func MendedByClassifying(rejection nfse.Rejection) bool {
	switch rejection.Catalogue {
	case National:
		return rules.MendedByClassifying(rejection.Code)
	case SaoPaulo:
		return saopaulo.MendedByClassifying(rejection.Code)
	}
	return false
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
