package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/description"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
)

// MaxNumber is the greatest number of an RPS, and of a note (tpNumero): twelve digits.
const MaxNumber = 999_999_999_999

// Description describes the city of São Paulo.
var Description = description.Authority{
	Name: Name, English: "City of São Paulo", Portuguese: "Prefeitura de São Paulo",
	Municipality:    Municipality,
	ValidateProfile: ValidateProfile,
	ProfileFields:   []string{"taxation_inside", "taxation_outside"},
	GreatestNumber:  MaxNumber,
	ExactHolder:     ExactHolder,
	TakesTurns:      true,

	GroupsObjection: GroupsObjection,
	LikelyRate:      LikelyRate,
	Sites: func(d fiscal.Declaration) (*nfse.Work, *nfse.CulturalEvent) {
		return WorkOf(d), EventOf(d)
	},

	ClassifiedFrom: "2026-01-01", // the day from which a note may have IBS and CBS: layout 2 has no note without
	ServiceDefect:  ServiceDefect,
	Tables: func(tables classification.Tables) classification.Tables {
		return tables.WithIndOps(classification.TableIndOpSaoPaulo)
	},
	ClassificationDefect: func(tables classification.Tables, c nfse.Classification, _ string) *classification.Defect {
		return ClassificationDefect(tables, c)
	},
	Misclassified: func(tables classification.Tables, c nfse.Classification, _ string) bool {
		return Misclassified(tables, c)
	},

	Catalogue: Catalogue,
	RepairOf:  RepairOf,

	OwnURL: func(issuer nfse.FiscalProfile, number, verificationCode string) string {
		return NoteURL(issuer.PlainRegistration(), number, verificationCode)
	},
}
