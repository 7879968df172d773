package sefin

import (
	"strings"
	"time"

	"emissor/test/simulators/shared/cents"
	"emissor/test/simulators/shared/checkdigit"
)

// Agreement is what a municipality agreed with the national system.
type Agreement struct {
	Absent    bool   `json:"absent,omitempty"`     // it has none: E0037
	Inactive  bool   `json:"inactive,omitempty"`   // E0038; and issuers elsewhere inform its rate (E0619)
	OwnIssuer bool   `json:"own_issuer,omitempty"` // it issues on a system of its own: E0039
	Since     string `json:"since,omitempty"`      // the day it became active: E0016

	// OnlyRegistered lets nobody outside Simples issue whom the city has no record of
	// its own of (situacaoEmissaoPadraoContribuintesRFB 0): E0084.
	OnlyRegistered bool `json:"only_registered,omitempty"`

	// Rates of ISS by service, as 01.07.01.000, in hundredths of a percent. Other services have the Registry's rate,
	// unless there is no table of rates at all (NoRates).
	Rates   map[string]int64 `json:"rates,omitempty"`
	NoRates bool             `json:"no_rates,omitempty"`

	// What the city decided of services, by cTribNac, as 010701.
	NotAdministered []string            `json:"not_administered,omitempty"` // E0312
	NotIncident     []string            `json:"not_incident,omitempty"`     // not taxed there (E0539, E0540)
	MunicipalCodes  map[string][]string `json:"municipal_codes,omitempty"`  // its cTribMun; not listed: any (E0314)
	// Deductions are the ways of a service: ByPercent, ByValue, ByDocuments. Of one that is
	// not listed all are admitted (E0440, E0446, E0449, E0454).
	Deductions map[string][]string `json:"deductions,omitempty"`

	// How a note is cancelled: until so many days after it was issued (E0822), up to an
	// amount in cents (E0823), only with a taker (E0824). 0 is no limit.
	CancelDays       int   `json:"cancel_days,omitempty"`
	CancelUpTo       int64 `json:"cancel_up_to,omitempty"`
	CancelNeedsTaker bool  `json:"cancel_needs_taker,omitempty"`

	// How a note is replaced: until so many days after it was issued (E0050), only with a
	// taker (E0056), and without change of taker and intermediary (E0058).
	ReplaceDays        int  `json:"replace_days,omitempty"`
	ReplaceNeedsTaker  bool `json:"replace_needs_taker,omitempty"`
	ReplaceSameParties bool `json:"replace_same_parties,omitempty"`
}

// The ways to deduct (Agreement.Deductions).
const (
	ByPercent   = "percent"   // pDR
	ByValue     = "value"     // vDR
	ByDocuments = "documents" // documentos
)

// firstAgreements is when municipalities joined of which nothing else is said.
const firstAgreements = "2022-01-01"

func (r *Registry) agreement(municipality string) Agreement {
	agreement, known := r.Municipalities[municipality]
	if !known && municipality == "3550308" {
		agreement.OnlyRegistered, agreement.NoRates = true, true
	}
	if !checkdigit.Municipality(municipality) {
		agreement.Absent = true
	}
	if agreement.Since == "" {
		agreement.Since = firstAgreements
	}
	return agreement
}

func (r *Registry) active(municipality string) bool {
	agreement := r.agreement(municipality)
	return !agreement.Absent && !agreement.Inactive
}

func (r *Registry) issRate() int64 {
	if r.ISSRate > 0 {
		return r.ISSRate
	}
	return 200
}

// issRateOf is the rate of the ISS of a note: that which the document says, that of a benefit,
// or that of the city.
func (r *Registry) issRateOf(d *dps, granted Benefit) int64 {
	if d.has(tribMun + "/pAliq") {
		return cents.Read(d.get(tribMun + "/pAliq"))
	}
	if granted.Kind == differentRate && granted.Rate > 0 {
		return granted.Rate
	}
	code := d.serviceCode()
	municipal := or(d.get("serv/cServ/cTribMun"), "000")
	dotted := strings.Join([]string{code[:2], code[2:4], code[4:], municipal}, ".")
	if rate, found := r.rateOf(d.dueIn(), dotted); found {
		return rate
	}
	return r.issRate()
}

// tooLateToCancel reports whether the deadline of a city passed.
func (r *Registry) tooLateToCancel(municipality string, issued, now time.Time) bool {
	return r.CancelWithin > 0 && now.Sub(issued) > time.Duration(r.CancelWithin) ||
		passed(r.agreement(municipality).CancelDays, issued, now)
}

// cancelLimit is the largest amount of a note that can be cancelled, in cents; 0 is none.
func (r *Registry) cancelLimit(municipality string) int64 {
	general, own := r.CancelUpTo, r.agreement(municipality).CancelUpTo
	if general == 0 || own == 0 {
		return max(general, own)
	}
	return min(general, own)
}

func (r *Registry) cancelNeedsTaker(municipality string) bool {
	return r.CancelNeedsTaker || r.agreement(municipality).CancelNeedsTaker
}

// passed reports whether more than so many days passed; 0 is no deadline.
func passed(days int, since, now time.Time) bool {
	return days > 0 && now.Sub(since) > time.Duration(days)*24*time.Hour
}
