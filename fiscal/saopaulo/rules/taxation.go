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

// KnownRate returns the ISS rate that the city applies, as far as it is known before: that of the
// service, of what is taxed in the city and in full. It takes its own, which should be the same. It
// is nil where nothing is known, and for issuers in Simples Nacional, who pay by another table.
func KnownRate(declaration fiscal.Declaration) *nfse.Rate {
	service := declaration.Note.Service
	rate := service.ISSRate
	if rate == nil || *rate == 0 || service.MunicipalTaxation == nil ||
		Letter(declaration) != "T" || declaration.Issuer.Simples != nfse.SimplesNone {
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
