// Package accesskey makes the keys by which the national system knows notes. It is for
// the simulators.
package accesskey

import (
	"fmt"
	"strings"
	"time"

	"emissor/test/simulators/shared/checkdigit"
)

// The generators.
const (
	OfMunicipality = 1 // a system of the city's own
	OfNation       = 2 // the national emitter
)

// Note is what a key says of a note.
type Note struct {
	Municipality string // where it was issued, by IBGE code
	Generator    int    // by whose system: OfMunicipality or OfNation
	Issuer       string // CNPJ or CPF
	Number       int64
	IssuedAt     time.Time // of which year and month count
	Random       int       // below 1,000,000,000
}

// New makes the key of a note.
func New(n Note) string {
	key := fmt.Sprintf("%s%d%s%013d%s%09d",
		n.Municipality, n.Generator, Inscription(n.Issuer), n.Number, n.IssuedAt.Format("0601"), n.Random)
	return key + string(checkdigit.Modulo11(key, 9))
}

// Inscription is the kind of a tax id, 1 for a CPF and 2 for a CNPJ, and the tax
// id in fourteen places.
func Inscription(taxID string) string {
	kind := "2"
	if len(taxID) == 11 {
		kind = "1"
	}
	return kind + strings.Repeat("0", max(0, 14-len(taxID))) + taxID
}

// Valid checks the form and the digit of a key.
func Valid(key string) bool {
	return len(key) == 50 && checkdigit.Digits(key[:9]) && checkdigit.Digits(key[23:]) &&
		key[49] == checkdigit.Modulo11(key[:49], 9)
}

// Neighbour is a valid key beside a given one.
func Neighbour(key string) string {
	last := byte('0')
	if key[48] == last {
		last = '1'
	}
	changed := key[:48] + string(last)
	return changed + string(checkdigit.Modulo11(changed, 9))
}
