// Package companies is how an organization issues: its fiscal profile, certificates and tax ids, which names it gives
// its series (series.go), and what cities have set (city_parameters.go, city_services.go, city_tables.go,
// city_terms.go).
package companies
