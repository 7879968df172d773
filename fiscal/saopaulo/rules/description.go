package rules

import (
	"emissor/fiscal/description"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
)

// MaxNumber is the greatest number of an RPS, and of a note (tpNumero): twelve digits.
const MaxNumber = 999_999_999_999

// Description describes the city of São Paulo.
var Description = description.Authority{
	Name: Name, English: "City of São Paulo", Portuguese: "Prefeitura de São Paulo",
	ValidateProfile: ValidateProfile,
	ProfileFields:   []string{"taxation_inside", "taxation_outside"},
	GreatestNumber:  MaxNumber,
	ExactHolder:     ExactHolder,
	TakesTurns:      true,

	ServiceFault: ServiceFault,
	Tables: func(tables classification.Tables) classification.Tables {
		return tables.WithIndOps(classification.TableIndOpSaoPaulo)
	},
	ClassificationFault: func(tables classification.Tables, c nfse.Classification, _ string) *classification.Fault {
		return ClassificationFault(tables, c)
	},
	Misclassified: func(tables classification.Tables, c nfse.Classification, _ string) bool {
		return Misclassified(tables, c)
	},

	Catalogue: Catalogue,

	OwnPage: func(issuer nfse.FiscalProfile, number, verificationCode string) string {
		return PageURL(issuer.PlainRegistration(), number, verificationCode)
	},
}
