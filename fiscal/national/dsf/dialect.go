package dsf

import (
	"emissor/fiscal/cities"
	"emissor/fiscal/national/dsf/rules"
	"emissor/fiscal/national/sefin"
)

// Dialect is how the server of a city is spoken to.
func Dialect(row cities.Row) *sefin.Dialect {
	dialect := sefin.Dialect{
		Paths:     sefin.Paths{Issue: "nfse", Find: "nfse/dps/{dps}", Fetch: "nfse/{key}", Event: "nfse/{key}/eventos"},
		KeyPrefix: "NFS", // production answers with it; the guide has paths without
		// Teresina refuses under erros, Campinas under alertas.
		AlertsRefuse:  true,
		OnlyDocuments: true,
		TellsNoEvents: true,
		Rules: &sefin.Rules{
			Catalogue: rules.Catalogue, Handling: rules.Handling, CodeOf: rules.CodeOf,
			Failures: []string{"RNG9999", "E999", "E9999", rules.Failed},
		},
	}
	if row.Is(cities.Paths, "adn") { // the older edition, as Belém's test system has it
		dialect.Paths.Issue, dialect.Paths.Find = "dps", "dps/{dps}"
	}
	return &dialect
}
