package store

import (
	"strings"

	"emissor/nfse"
)

// The columns that name an issuer and a series (nfse.SeriesKey), by the same names and in the
// same order in every table. Numbers do not depend on the registration, so sequences and
// exchanges have no column for it.
const (
	issuerColumns   = `authority, production, tax_id`
	sequenceColumns = issuerColumns + `, municipality_code, series`
	seriesColumns   = sequenceColumns + `, registration`

	// thisIssuer, thisSequence and thisSeries select by the first arguments: issuerArguments,
	// sequenceArguments and seriesArguments.
	thisIssuer   = `(` + issuerColumns + `) = ($1, $2, $3)`
	thisSequence = `(` + sequenceColumns + `) = ($1, $2, $3, $4, $5)`
	thisSeries   = `(` + seriesColumns + `) = ($1, $2, $3, $4, $5, $6)`
)

// qualified are columns of a list of the table with an alias.
func qualified(alias, columns string) string {
	return alias + "." + strings.ReplaceAll(columns, ", ", ", "+alias+".")
}

func issuerArguments(key nfse.IssuerKey, more ...any) []any {
	return append([]any{key.Authority, key.Production, string(key.TaxID)}, more...)
}

func sequenceArguments(key nfse.SeriesKey, more ...any) []any {
	return append(issuerArguments(key.IssuerKey, key.MunicipalityCode, key.Series), more...)
}

func seriesArguments(key nfse.SeriesKey, more ...any) []any {
	return append(sequenceArguments(key, key.Registration), more...)
}

// auditSeries is a series as the audit log names it, with one more value.
func auditSeries(key nfse.SeriesKey, name string, value any) map[string]any {
	return map[string]any{"authority": key.Authority, "production": key.Production, "issuer": auditTaxID(key.TaxID),
		"municipality_code": key.MunicipalityCode, "series": key.Series, name: value}
}
