package nfse

import (
	"cmp"
	"crypto/sha256"
	"regexp"
	"strings"

	"emissor/nfse/fact"
)

// TaxID is a taker's or an organization's CPF (11 digits) or CNPJ (14
// characters, capital letters allowed in the first 12), without mask.
type TaxID string

// Why a tax id is not valid.
var (
	errTaxIDForm       = fact.Failure(fact.TaxIDForm.Fact())
	errTaxIDCheckDigit = fact.Failure(fact.TaxIDCheckDigit.Fact())
	errTaxIDRepeated   = fact.Failure(fact.TaxIDRepeated.Fact())
)

var (
	taxIDForm = regexp.MustCompile(`^([0-9]{11}|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|` + // CPF, bare or masked
		`[0-9A-Za-z]{12}[0-9]{2}|` + // CNPJ
		`[0-9A-Za-z]{2}\.[0-9A-Za-z]{3}\.[0-9A-Za-z]{3}/[0-9A-Za-z]{4}-[0-9]{2})$`)
	taxIDMask = strings.NewReplacer(".", "", "-", "", "/", "")
)

// ParseTaxID removes the mask, makes letters capital and verifies the check digits.
// The error reads after the name of the field: "must be ...".
func ParseTaxID(s string) (TaxID, error) {
	if !taxIDForm.MatchString(s) {
		return "", errTaxIDForm
	}
	bare := strings.ToUpper(taxIDMask.Replace(s))
	var ok bool
	if len(bare) == 11 {
		ok = checkDigit(bare[:9], 10) == bare[9] && checkDigit(bare[:10], 11) == bare[10]
	} else {
		ok = checkDigit(bare[:12], 9) == bare[12] && checkDigit(bare[:13], 9) == bare[13]
	}
	if strings.Count(bare, bare[:1]) == len(bare) {
		return "", errTaxIDRepeated
	}
	if !ok {
		return "", errTaxIDCheckDigit
	}
	return TaxID(bare), nil
}

// IsCNPJ reports whether the tax id is a CNPJ, of a company, and not a CPF, of a
// person.
func (id TaxID) IsCNPJ() bool { return len(id) == 14 }

// Masked is the tax id as people write it: 529.982.247-25, NIF for a foreign one. What is neither CPF nor CNPJ is as
// it is.
func (id TaxID) Masked() string {
	switch {
	case id.IsForeign():
		return "NIF"
	case len(id) == 11:
		return string(id[:3] + "." + id[3:6] + "." + id[6:9] + "-" + id[9:])
	case len(id) == 14:
		return string(id[:2] + "." + id[2:5] + "." + id[5:8] + "/" + id[8:12] + "-" + id[12:])
	}
	return string(id)
}

// NobodysTaxID replaces the tax id of an erased customer: it has the form of one,
// is different for every customer, and belongs to nobody, because its check digits
// are wrong.
func NobodysTaxID(customerID string) TaxID {
	body := "X" + strings.ToUpper(customerID[max(0, len(customerID)-11):])
	id := body + "00"
	if _, err := ParseTaxID(id); err == nil {
		id = body + "01"
	}
	return TaxID(id)
}

// foreignMark begins the tax ids of ForeignTaxID.
const foreignMark = "EX"

// ForeignTaxID stands in place of the tax id of a customer abroad, who has none: it has the form of
// a CNPJ with wrong check digits, and is the same for the same tax number, or name, of a country.
// No document states it.
func ForeignTaxID(party ForeignParty) TaxID {
	sum := sha256.Sum256([]byte(party.Country + "\x00" + cmp.Or(party.NIF, party.Name)))
	body := foreignMark + strings.ToUpper(encodeBase32([16]byte(sum[:16])))[:10]
	id := body + "00"
	if _, err := ParseTaxID(id); err == nil {
		id = body + "01"
	}
	return TaxID(id)
}

// IsForeign reports whether the tax id is one of ForeignTaxID.
func (id TaxID) IsForeign() bool {
	_, err := ParseTaxID(string(id))
	return err != nil && len(id) == 14 && strings.HasPrefix(string(id), foreignMark)
}

// checkDigit computes the modulo 11 of the federal registers: weights from 2 upwards
// starting at the right, beginning again at 2 after the heaviest; a character
// counts as its ASCII code less 48, so digits count as themselves.
func checkDigit(s string, heaviest int) byte {
	sum, weight := 0, 2
	for i := len(s) - 1; i >= 0; i-- {
		sum += int(s[i]-'0') * weight
		if weight++; weight > heaviest {
			weight = 2
		}
	}
	if rest := sum % 11; rest >= 2 {
		return byte('0' + 11 - rest)
	}
	return '0'
}
