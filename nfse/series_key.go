package nfse

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// IssuerKey names an issuer in an environment of an authority.
type IssuerKey struct {
	Authority  string `db:"authority" json:"authority"`
	Production bool   `db:"production" json:"production"`
	TaxID      TaxID  `db:"tax_id" json:"tax_id"`
}

// SeriesKey names a series of an issuer. Its numbers are taken regardless of the
// registration. Where an authority counts numbers by the issuer's registration with it, each
// registration has a series of its own.
type SeriesKey struct {
	IssuerKey
	MunicipalityCode string `db:"municipality_code" json:"municipality_code"`
	Series           int    `db:"series" json:"series"`
	// Registration has no leading zeros; empty where there is none.
	Registration string `db:"registration" json:"municipal_registration"`
}

// IssuerKey names the issuer of the profile.
func (p FiscalProfile) IssuerKey() IssuerKey { return IssuerKey{p.Authority, p.Production, p.TaxID} }

// SeriesKey names the series that the profile issues under.
func (p FiscalProfile) SeriesKey() SeriesKey {
	return SeriesKey{p.IssuerKey(), p.MunicipalityCode, p.Series, p.PlainRegistration()}
}

// PlainRegistration is the municipal registration without leading zeros; empty where there
// is none.
func (p FiscalProfile) PlainRegistration() string {
	if p.MunicipalRegistration == nil {
		return ""
	}
	return plainRegistration(*p.MunicipalRegistration)
}

func plainRegistration(written string) string { return strings.TrimLeft(written, "0") }

// String is the series as one word, as commands write and read it:
// sao-paulo/production/11222333000181/3550308/1/31000000, which ends with the series
// where there is no registration.
func (s SeriesKey) String() string {
	text := fmt.Sprintf("%s/%s/%s/%s/%d", s.Authority, EnvironmentName(s.Production), string(s.TaxID),
		s.MunicipalityCode, s.Series)
	if s.Registration != "" {
		text += "/" + s.Registration
	}
	return text
}

var (
	authorityForm    = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	municipalityForm = regexp.MustCompile(`^[0-9]{7}$`)
)

var errSeriesKey = errors.New("must be AUTHORITY/ENVIRONMENT/DOCUMENT/MUNICIPALITY/SERIES[/REGISTRATION]")

// ParseSeriesKey reads a series in the form of String. The registration may have leading
// zeros. The error reads after the name of what was parsed.
func ParseSeriesKey(text string) (key SeriesKey, err error) {
	parts := strings.Split(text, "/")
	if len(parts) != 5 && len(parts) != 6 || !authorityForm.MatchString(parts[0]) ||
		!municipalityForm.MatchString(parts[3]) {
		return SeriesKey{}, errSeriesKey
	}
	key.Authority, key.MunicipalityCode = parts[0], parts[3]
	if key.Production, err = ParseEnvironment(parts[1]); err != nil {
		return SeriesKey{}, fmt.Errorf("has an environment that %w", err)
	}
	if key.TaxID, err = ParseTaxID(parts[2]); err != nil {
		return SeriesKey{}, fmt.Errorf("has a document that %w", err)
	}
	if key.Series, err = strconv.Atoi(parts[4]); err != nil || key.Series < 1 {
		return SeriesKey{}, errSeriesKey
	}
	if len(parts) == 6 {
		key.Registration = plainRegistration(parts[5])
	}
	return key, nil
}

// EnvironmentName is what commands and reports call an environment of an authority:
// production, or restricted for the authority's own test system.
func EnvironmentName(production bool) string {
	if production {
		return "production"
	}
	return "restricted"
}

// ParseEnvironment reads the name of an environment. The error reads after the name of what
// was parsed.
func ParseEnvironment(name string) (production bool, err error) {
	switch name {
	case EnvironmentName(true):
		return true, nil
	case EnvironmentName(false):
		return false, nil
	}
	return false, errors.New("must be production or restricted")
}
