package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// replacementReasons are why a note replaces another one (cMotivo).
var replacementReasons = []string{"01", "02", "03", "04", "05", otherReason}

const otherReason = "99"

// replacementViolation finds what is wrong with the replacement of another note. What that
// one's events forbid, only the authority knows.
func replacementViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	replaced := declaration.Details.Replaces
	if replaced == nil {
		return nil
	}
	breaks := func(rule string) *rulecatalogue.Violation {
		return rulecatalogue.Breaks(rule, fact.ReplacementRefused.Fact())
	}
	reason := schema.Line(replaced.ReasonText)
	length := utf8.RuneCountInString(reason)
	switch {
	case !schema.ValidAccessKey(replaced.AccessKey) || !keyOf(replaced.AccessKey, declaration.Issuer):
		return breaks("E0042")
	case schema.GeneratedBy(replaced.AccessKey) != schema.GeneratedByNational:
		return breaks("E0065")
	case !schema.SchemaTakesKey(replaced.AccessKey):
		return detailViolation("replaces.access_key")
	case !slices.Contains(replacementReasons, replaced.ReasonCode):
		return detailViolation("replaces.reason_code")
	case replaced.ReasonCode == otherReason && reason == "":
		return breaks("E0078")
	case reason != "" && (length < schema.MinReason || length > schema.MaxReason):
		return detailViolation("replaces.reason_text")
	}
	rule, changed := changes(declaration, replaced.Original)
	if changed == "" {
		return nil
	}
	return rulecatalogue.Breaks(rule, fact.ReplacementChanges.With("field", changed))
}

// keyOf reports whether an access key is of a document that an issuer has issued in its city.
func keyOf(key string, issuer nfse.FiscalProfile) bool {
	registration, err := schema.Registration(issuer.TaxID)
	return err == nil && strings.HasPrefix(key, issuer.MunicipalityCode) && key[8:23] == registration
}

// identified reports whether a note said who its customer is.
func identified(note nfse.ReplacedNote) bool { return note.TaxID != "" || note.NIF != "" }

// changes names the first field that a replacement may not change and does, and the rule that
// forbids it to an issuer of its kind; empty where there is none.
func changes(declaration fiscal.Declaration, original nfse.ReplacedNote) (rule, field string) {
	now := replacedNote(declaration)
	if now.Competence != original.Competence {
		field = "competence"
	}
	if declaration.Issuer.Simples == nfse.SimplesNone {
		switch {
		case field != "":
		case now.NationalTaxCode != original.NationalTaxCode:
			field = fieldTaxCode
		case now.MunicipalityCode != original.MunicipalityCode || now.Country != original.Country:
			field = fieldPlace
		}
		return "E0060", field
	}
	switch {
	case field != "":
	case identified(original) && (now.TaxID != original.TaxID || now.NIF != original.NIF):
		field = fieldTaxID
	case now.AmountCents != original.AmountCents:
		field = fieldAmount
	}
	return "E0061", field
}
