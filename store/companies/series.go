package companies

import (
	"strings"

	"emissor/nfse"
)

// The columns that name an issuer and a series (nfse.SeriesKey), by the same names and in the
// same order in every table. Numbers do not depend on the registration, so sequences and
// exchanges have no column for it.
const (
	issuerColumns   = `authority, production, tax_id`
	SequenceColumns = issuerColumns + `, municipality_code, series`
	SeriesColumns   = SequenceColumns + `, registration`

	// ThisIssuer, ThisSequence and ThisSeries select by the first arguments: IssuerArguments,
	// SequenceArguments and SeriesArguments.
	ThisIssuer   = `(` + issuerColumns + `) = ($1, $2, $3)`
	ThisSequence = `(` + SequenceColumns + `) = ($1, $2, $3, $4, $5)`
	ThisSeries   = `(` + SeriesColumns + `) = ($1, $2, $3, $4, $5, $6)`
)

// Qualified are columns of a list of the table with an alias.
func Qualified(alias, columns string) string {
	return alias + "." + strings.ReplaceAll(columns, ", ", ", "+alias+".")
}

func IssuerArguments(key nfse.IssuerKey, more ...any) []any {
	return append([]any{key.Authority, key.Production, string(key.TaxID)}, more...)
}

func SequenceArguments(key nfse.SeriesKey, more ...any) []any {
	return append(IssuerArguments(key.IssuerKey, key.MunicipalityCode, key.Series), more...)
}

func SeriesArguments(key nfse.SeriesKey, more ...any) []any {
	return append(SequenceArguments(key, key.Registration), more...)
}

// AuditSeries is a series as the audit log names it, with one more value.
func AuditSeries(key nfse.SeriesKey, name string, value any) map[string]any {
	return map[string]any{"authority": key.Authority, "production": key.Production, "issuer": AuditTaxID(key.TaxID),
		"municipality_code": key.MunicipalityCode, "series": key.Series, name: value}
}
