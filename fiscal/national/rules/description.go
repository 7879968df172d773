package rules

import (
	"net/url"

	"emissor/fiscal"
	"emissor/fiscal/description"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// Description describes the national system.
var Description = description.Authority{
	Name: Name, English: "National system", Portuguese: "Sistema nacional",
	ValidateProfile: ValidateProfile,
	GreatestNumber:  schema.MaxNumber,
	TellsOfAll:      true, // cities share theirs with it
	CityRefuses:     CityRefuses,

	GroupsObjection: GroupsObjection,
	LikelyRate:      taxation.LikelyRate,
	CityRate:        cityRate,
	Sites: func(d fiscal.Declaration) (*nfse.Work, *nfse.CulturalEvent) {
		return taxation.WorkOf(d), taxation.EventOf(d)
	},

	ServiceDefect: ServiceDefect,
	Tables:        func(tables classification.Tables) classification.Tables { return tables },
	ClassificationDefect: func(tables classification.Tables, c nfse.Classification,
		nationalTaxCode string) *classification.Defect {
		return tables.Defect(c, nationalTaxCode)
	},
	Misclassified: func(tables classification.Tables, c nfse.Classification, nationalTaxCode string) bool {
		return tables.Defect(c, nationalTaxCode) != nil
	},

	Catalogue: Catalogue,
	RepairOf:  RepairOf,

	Replacement: &replacement,

	PublicURL: func(accessKey string) string {
		return "https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=" + url.QueryEscape(accessKey)
	},
}
