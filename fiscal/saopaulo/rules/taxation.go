package rules

import (
	"strings"

	"emissor/fiscal"
	"emissor/nfse"
)

// The letters of taxation (TributacaoRPS) that are sent. A service says T (taxed in the
// city) or F (taxed elsewhere); the issuer's profile may say what that is for it: exempt
// (A, B), partly exempt (D), immune (M and N, R and S) or suspended (X, V). What is exported (P)
// the form or the service's taxation says.
const (
	lettersInside  = "TADMRX"
	lettersOutside = "FBNSV"
	letterExported = "P"
)

// Letter returns the letter of taxation of a declaration whose service says where it is
// taxed.
func Letter(declaration fiscal.Declaration) string {
	if declaration.Abroad().Export {
		return letterExported
	}
	letter, others := *declaration.Note.Service.MunicipalTaxation, declaration.Issuer.TaxationInside
	if letter == "F" {
		others = declaration.Issuer.TaxationOutside
	}
	if others != "" {
		return others
	}
	return letter
}

// TaxedInFull reports whether the city computes the ISS of a declaration by the rate of its table
// alone: of what is taxed in the city and in full, but not of issuers in Simples Nacional, who pay
// by another table.
func TaxedInFull(declaration fiscal.Declaration) bool {
	return declaration.Note.Service.MunicipalTaxation != nil && Letter(declaration) == "T" &&
		declaration.Issuer.Simples == nfse.SimplesNone
}

// LikelyRate returns the ISS rate by which a declaration's totals are estimated: that of the
// service, of what is taxed in full. The city takes its own, which should be the same (alert 208).
// It is nil where nothing is known.
func LikelyRate(declaration fiscal.Declaration) *nfse.Rate {
	rate := declaration.Note.Service.ISSRate
	if rate == nil || *rate == 0 || !TaxedInFull(declaration) {
		return nil
	}
	return rate
}

// TaxedOutside reports whether the ISS of a letter is due to another city, or would be.
func TaxedOutside(letter string) bool { return strings.Contains(lettersOutside, letter) }

// Suspended reports whether the ISS of a letter is suspended by a court or the
// administration (ExigibilidadeSuspensa).
func Suspended(letter string) bool { return letter == "X" || letter == "V" }

func isLetterOf(letters, letter string) bool {
	return letter == "" || len(letter) == 1 && strings.Contains(letters, letter)
}
