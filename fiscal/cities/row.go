package cities

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"emissor/fiscal/xmldsig"
	"emissor/internal/municipality"
	"emissor/nfse"
)

// Row is how a city's server is reached and written to, from one day of competence to another.
type Row struct {
	// Name is the authority's, in fiscal profiles, task queues and metrics.
	Name             string
	MunicipalityCode string
	Family           Family
	// Off says why notes are not issued by the city before an operator turns it on; empty: they are.
	Off string
	// From and Until are the first and the last day of competence; Until is empty while it is open.
	From, Until nfse.Day

	// Production and Test are the bases of the city's two servers; empty: that one is not served.
	Production, Test string

	Signature xmldsig.Profile
	// MunicipalCode are the digits of the city's own code of a service (cTribMun), which is then
	// wanted of each; nil: it is as in the national system.
	MunicipalCode *Digits
	Quirks        map[Quirk]string
	// Source is where the row is known from.
	Source string

	values []string // of the file, in the order of its columns
}

// Digits are the least and the most digits of a code.
type Digits struct{ Least, Most int }

// Fit reports whether a code is of so many digits.
func (d Digits) Fit(code string) bool {
	return len(code) >= d.Least && len(code) <= d.Most && strings.Trim(code, "0123456789") == ""
}

// String is how many digits, as 3 or 1-10.
func (d Digits) String() string {
	if d.Least == d.Most {
		return strconv.Itoa(d.Least)
	}
	return strconv.Itoa(d.Least) + "-" + strconv.Itoa(d.Most)
}

// SeriesRange are the least and the greatest series that a city leaves to companies.
type SeriesRange struct{ First, Last int }

// Value is what the file has in a column.
func (r Row) Value(column string) string {
	i := slices.Index(Columns(), column)
	if i < 0 || i >= len(r.values) {
		return ""
	}
	return r.values[i]
}

// Same reports whether a file would have the same for both.
func (r Row) Same(as Row) bool { return slices.Equal(r.values, as.values) }

// On reports whether notes are issued by the city.
func (r Row) On() bool { return r.Off == "" }

// Base is the address of the server of an environment; empty where it is not served.
func (r Row) Base(production bool) string {
	if production {
		return r.Production
	}
	return r.Test
}

// Holds reports whether the row holds on a day of competence.
func (r Row) Holds(day nfse.Day) bool {
	return r.From <= day && (r.Until == "" || day <= r.Until)
}

// Municipality is the city.
func (r Row) Municipality() municipality.Municipality {
	found, _ := municipality.Find(r.MunicipalityCode)
	return found
}

// Is reports whether the row has a quirk with this value.
func (r Row) Is(quirk Quirk, value string) bool { return r.Quirks[quirk] == value }

// Cancels reports whether the city takes cancellations from programs, where its family usually does
// or does not.
func (r Row) Cancels(usually bool) bool {
	word, given := r.Quirks[Cancelling]
	return usually && !given || given && word != "off"
}

// Series are the series that the city leaves to companies; nil: as in the national system.
func (r Row) Series() *SeriesRange {
	series, err := parseSeries(r.Quirks[Series])
	if err != nil {
		return nil
	}
	return &series
}

// Duration is the time that a quirk gives, or else the family's.
func (r Row) Duration(quirk Quirk, usual time.Duration) time.Duration {
	duration, _ := time.ParseDuration(r.Quirks[quirk])
	return cmp.Or(duration, usual)
}

// Number is the number that a quirk gives, or else the family's.
func (r Row) Number(quirk Quirk, usual float64) float64 {
	number, _ := strconv.ParseFloat(r.Quirks[quirk], 64)
	return cmp.Or(number, usual)
}
