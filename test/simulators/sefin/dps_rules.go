package sefin

import (
	"strconv"
	"time"

	"emissor/test/simulators/shared/checkdigit"
)

// dpsReview applies the rules to a DPS that the schema accepted.
type dpsReview struct {
	*dps
	registry    *Registry
	environment string // tpAmb
	now         time.Time
	city        *City                 // that it was sent to; nil: the national system
	cancelled   func(key string) bool // whether a note of this simulator is

	found    []rejection
	computed *sums // once asked for
}

func (r *dpsReview) reject(code string) { r.found = append(r.found, *reject(code)) }

func (r *dpsReview) rejectIf(wrong bool, code string) {
	if wrong {
		r.reject(code)
	}
}

// sums are what the document's amounts make.
func (r *dpsReview) sums() *sums {
	if r.computed == nil {
		r.computed = r.compute(r.registry)
	}
	return r.computed
}

// dpsRules run in order. The first that finds something ends the review: what
// comes later may rest on it.
var dpsRules = []func(*dpsReview){
	(*dpsReview).identity, (*dpsReview).dates, (*dpsReview).municipality,
	(*dpsReview).replacement,
	(*dpsReview).provider, (*dpsReview).regime, (*dpsReview).taker, (*dpsReview).intermediary,
	(*dpsReview).service, (*dpsReview).foreignTrade, (*dpsReview).site,
	(*dpsReview).taxation, (*dpsReview).export, (*dpsReview).benefit, (*dpsReview).withholding, (*dpsReview).rate,
	(*dpsReview).deduction, (*dpsReview).deductionDocuments, (*dpsReview).amounts, (*dpsReview).floor,
	(*dpsReview).federal, (*dpsReview).totals, (*dpsReview).ibscbs,
}

// run returns what the first rule with an objection found; none when the DPS is
// accepted.
func (r *dpsReview) run() []rejection {
	for _, rule := range dpsRules {
		if rule(r); len(r.found) > 0 {
			return r.found
		}
	}
	return nil
}

func (r *dpsReview) identity() {
	r.rejectIf(r.id() != r.expectedID(), "E0004")
	r.rejectIf(r.get("tpAmb") != r.environment, "E0006")
	series, _ := strconv.Atoi(r.get("serie"))
	r.rejectIf(series < 1 || series > 49999, "E0010")
}

func (r *dpsReview) dates() {
	r.rejectIf(r.issued().After(r.now), "E0008")
	r.rejectIf(r.get("dCompet") > r.get("dhEmi")[:10], "E0015")
}

// municipality checks the issuer's municipality. An MEI may issue everywhere, and an issuer in Simples also where a
// city issues on a system of its own.
func (r *dpsReview) municipality() {
	if r.city != nil {
		r.taken()
		return
	}
	agreement := r.registry.agreement(r.get("cLocEmi"))
	isMEI := r.simples() == mei
	switch {
	case agreement.Absent:
		r.rejectIf(!isMEI || !checkdigit.Municipality(r.get("cLocEmi")), "E0037")
	case isMEI:
	case agreement.Inactive:
		r.reject("E0038")
	case agreement.OwnIssuer:
		r.rejectIf(r.simples() == outsideSimples || r.get("dCompet") < simplesNational, "E0039")
	default:
		r.rejectIf(r.get("dCompet") < agreement.Since, "E0016")
	}
}
