package sefin

import (
	"slices"
	"time"

	"emissor/test/simulators/shared/checkdigit"
)

// Registry is what the authority knows of municipalities and of taxpayers, and
// what municipalities decided. The zero value accepts every document that is
// valid in itself; only in 3550308 (São Paulo) nobody outside Simples issues by the
// federal register alone. Its maps are not to be changed once it was handed over.
type Registry struct {
	// Municipalities are by IBGE code. Others are active, on the national emitter.
	Municipalities map[string]Agreement `json:"municipalities,omitempty"`
	// Taxpayers are by CNPJ or CPF. What others say of themselves is accepted.
	Taxpayers map[string]Taxpayer `json:"taxpayers,omitempty"`
	// UnknownTakers are the CNPJ and CPF that the federal registry lacks (E0190,
	// E0207).
	UnknownTakers []string `json:"unknown_takers,omitempty"`

	// RefuseCPFWithholding makes every taker with a CPF one that may not withhold
	// ISS (E0667).
	RefuseCPFWithholding bool `json:"refuse_cpf_withholding,omitempty"`

	// IBSCBSRequiredFrom is the day of competence from which a DPS without the group
	// IBSCBS is refused, of every issuer; empty is never.
	IBSCBSRequiredFrom string `json:"ibscbs_required_from,omitempty"`
	// UnknownClassTribs are the cClassTrib that the authority's calculator does not know
	// though they are published, such as 000006, 200055 and 200056 in 2026-10 (E0958,
	// E0969).
	UnknownClassTribs []string `json:"unknown_class_tribs,omitempty"`

	CancelWithin     Duration     `json:"cancel_within,omitempty"`      // the deadline of E0822; 0 is none
	CancelUpTo       int64        `json:"cancel_up_to,omitempty"`       // in cents, the limit of E0823; 0 is none
	CancelNeedsTaker bool         `json:"cancel_needs_taker,omitempty"` // E0824
	ISSRate          int64        `json:"iss_rate,omitempty"`           // in hundredths of a percent; 0 is 2.00 %
	PostalCodeOf     PostalCodeOf `json:"-"`                            // nil knows in which state a CEP lies
}

// PostalCodeOf reports whether a CEP exists in a municipality (E0240).
type PostalCodeOf func(cep, municipality string) bool

// Agreement is what a municipality agreed with the national system.
type Agreement struct {
	Absent    bool   `json:"absent,omitempty"`     // it has none: E0037
	Inactive  bool   `json:"inactive,omitempty"`   // E0038; and issuers elsewhere inform its rate (E0619)
	OwnIssuer bool   `json:"own_issuer,omitempty"` // it issues on a system of its own: E0039
	Since     string `json:"since,omitempty"`      // the day it became active: E0016

	// OnlyRegistered lets nobody outside Simples issue whom the city has no record of
	// its own of (situacaoEmissaoPadraoContribuintesRFB 0): E0084.
	OnlyRegistered bool `json:"only_registered,omitempty"`

	// Rates of ISS by service, as 01.07.01.000, in hundredths of a percent. Of others it
	// is that of the Registry, unless there is no table of rates at all (NoRates).
	Rates   map[string]int64 `json:"rates,omitempty"`
	NoRates bool             `json:"no_rates,omitempty"`
}

// Taxpayer is what is on record of an issuer.
type Taxpayer struct {
	Name         string `json:"name,omitempty"`
	Municipality string `json:"municipality,omitempty"` // where it is established: E0084
	Simples      string `json:"simples,omitempty"`      // opSimpNac on record: E0160
	Since        string `json:"since,omitempty"`        // the day of registration: E0018, E0020
	// MunicipalRegistration is its complementary record (CNC) in its municipality:
	// nil is not known, empty is none, so that IM is refused (E0120), another must
	// be sent (E0116).
	MunicipalRegistration *string `json:"municipal_registration,omitempty"`
}

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

func (r *Registry) knowsTaker(taxID string) bool {
	return !slices.Contains(r.UnknownTakers, taxID)
}

// classTrib is what is known of a cClassTrib that an NFS-e may have.
func (r *Registry) classTrib(code string) (class classTrib, listed bool) {
	if slices.Contains(r.UnknownClassTribs, code) {
		return classTrib{}, false
	}
	class, listed = classTribs()[code]
	return class, listed
}

func (r *Registry) postalCodeOf(cep, municipality string) bool {
	if r.PostalCodeOf != nil {
		return r.PostalCodeOf(cep, municipality)
	}
	return checkdigit.StateOfCEP(cep) != "" && checkdigit.StateOfCEP(cep) == checkdigit.States[municipality[:2]]
}

func (r *Registry) issRate() int64 {
	if r.ISSRate > 0 {
		return r.ISSRate
	}
	return 200
}

// tooLate reports whether the deadline of a municipality passed.
func (r *Registry) tooLate(issued, now time.Time) bool {
	return r.CancelWithin > 0 && now.Sub(issued) > time.Duration(r.CancelWithin)
}
