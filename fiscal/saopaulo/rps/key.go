package rps

import (
	"fmt"
	"regexp"
	"strconv"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// MaxNumber is the greatest number of an RPS, and of a note (tpNumero).
const MaxNumber = 999_999_999_999

// Key names an RPS (ChaveRPS). Sent again under the same key, it takes the place
// of the first: the city cancels that note and issues another.
type Key struct {
	Registration string // of the issuer with the city (CCM), without zeros before it
	Series       string // 1 to 5 characters
	Number       int64
}

// KeyOf returns the key of a number of an issuer's series.
func KeyOf(issuer nfse.FiscalProfile, number int64) (Key, error) {
	registration, err := Registration(issuer)
	switch {
	case err != nil:
		return Key{}, err
	case issuer.Series < 1 || issuer.Series > 99999:
		return Key{}, fact.Failure(fact.CityFieldDigits.With("field", "SerieRPS", "most", 5))
	case number < 1 || number > MaxNumber:
		return Key{}, fact.Failure(fact.CityFieldDigits.With("field", "NumeroRPS", "most", 12))
	}
	return Key{Registration: registration, Series: strconv.Itoa(issuer.Series), Number: number}, nil
}

// MessageID is the key in one word.
func (k Key) MessageID() string {
	return fmt.Sprintf("RPS%s%s%012d", zeros(k.Registration, 12), zeros(k.Series, 5), k.Number)
}

var registrationForm = regexp.MustCompile(`^[1-9][0-9]{0,11}$`)

// Registration returns an issuer's registration with the city as messages have
// it: its digits, without zeros before them.
func Registration(issuer nfse.FiscalProfile) (string, error) {
	if issuer.MunicipalRegistration == nil {
		return "", fact.Failure(fact.CityFieldMissing.With("field", "InscricaoPrestador"))
	}
	registration := issuer.PlainRegistration()
	if !registrationForm.MatchString(registration) {
		return "", fact.Failure(fact.CityFieldDigits.With("field", "InscricaoPrestador", "most", 12))
	}
	return registration, nil
}

// write writes the elements of a ChaveRPS.
func (k Key) write(w *writer) {
	w.element("InscricaoPrestador", k.Registration)
	w.element("SerieRPS", k.Series)
	w.element("NumeroRPS", strconv.FormatInt(k.Number, 10))
}
