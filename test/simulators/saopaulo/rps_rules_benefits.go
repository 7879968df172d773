package saopaulo

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// The letters of TributacaoRPS by which less ISS is claimed, or none.
const (
	exempt          = "AB"
	partlyExempt    = "D"
	immune          = "MNRS"
	objectiveImmune = "RS"
)

// checkBenefits checks what is claimed by the letter of taxation against what the
// taxpayer declared to the city.
func (r *review) checkBenefits() {
	switch {
	case strings.Contains(immune, r.taxation):
		r.rejectIf(r.taxpayer.SelfEmployed, 1233)
		r.checkImmunity()
	case strings.Contains(exempt, r.taxation):
		r.rejectIf(r.taxpayer.SelfEmployed, 1233)
		r.checkBenefit(1254, 1251)
	case r.taxation == partlyExempt:
		r.checkPartialExemption()
		r.checkBenefit(1255, 1252)
	}
}

func (r *review) checkImmunity() {
	r.rejectIf(strings.Contains(objectiveImmune, r.taxation) && r.service.NoImmunity, 1236)
	if r.taxpayer.Immunities == nil {
		return
	}
	code := r.serviceCode()
	inForce, ofService := false, false
	for _, declared := range r.taxpayer.Immunities {
		if declared.holds(r.get("DataEmissao")) {
			inForce = true
			ofService = ofService || declared.Services == nil || slices.Contains(declared.Services, code)
		}
	}
	switch {
	case len(r.taxpayer.Immunities) == 0:
		r.reject(1227)
	case !inForce:
		r.reject(1212)
	case !ofService:
		r.reject(1213)
	}
}

// partialExemptions began with the other letters of 2015.
const partialExemptions = "2015-02-23"

func (r *review) checkPartialExemption() {
	from := cmp.Or(r.call.registry.PartlyExemptFrom, partialExemptions)
	r.rejectIf(r.get("DataEmissao") < from, 1615, printedDay(from))
	r.rejectIf(r.taxpayer.SelfEmployed, 1613)
	r.rejectIf(r.taxpayer.Partnership, 1614)
	rate := rateOf(r.service, ratePoints(r.get("AliquotaServicos")))
	r.warnIf((r.amount()-r.cents("ValorDeducoes"))*rate < r.amount()*lowestRate, 1612)
}

// checkBenefit looks for the benefit that is claimed: a code says that there is none, by
// an error or in its place by an alert.
func (r *review) checkBenefit(missing, missingAlert int) {
	if r.taxpayer.Benefits == nil {
		return
	}
	found, forTaker := false, false
	for _, benefit := range r.taxpayer.Benefits {
		if benefit.holds(r.get("DataEmissao")) && benefit.Partial == (r.taxation == partlyExempt) &&
			(benefit.Service == "" || benefit.Service == r.serviceCode()) {
			found = true
			forTaker = forTaker || benefit.Taker == "" || benefit.Taker == r.taker()
		}
	}
	const ofAnother, ofAnotherAlert = 1256, 1253
	onlyWarns := r.call.registry.WarnOfBenefits
	r.rejectIf(!found && !onlyWarns, missing)
	r.warnIf(!found && onlyWarns, missingAlert)
	r.rejectIf(found && !forTaker && !onlyWarns, ofAnother)
	r.warnIf(found && !forTaker && onlyWarns, ofAnotherAlert)
}

// printedDay is a day as texts have it: 23/02/2015.
func printedDay(day string) string {
	parsed, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return parsed.Format("02/01/2006")
}
