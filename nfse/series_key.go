package nfse

import "strings"

// SeriesKey names a series of numbers at an authority that numbers by the issuer's
// registration with it.
type SeriesKey struct {
	Authority    string
	Production   bool
	Issuer       TaxID
	Registration string // without zeros before it; empty: there is none
	Series       int
}

// SeriesKey names the series that the profile issues under.
func (p FiscalProfile) SeriesKey() SeriesKey {
	return SeriesKey{p.Authority, p.Production, p.TaxID, p.PlainRegistration(), p.Series}
}

// PlainRegistration is the municipal registration without the zeros that it may be written
// with before it; empty where there is none.
func (p FiscalProfile) PlainRegistration() string {
	if p.MunicipalRegistration == nil {
		return ""
	}
	return strings.TrimLeft(*p.MunicipalRegistration, "0")
}
