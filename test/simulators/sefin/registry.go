package sefin

import (
	"slices"

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
	// UnknownMunicipalities and UnknownCEPs are missing from the authority's tables, which
	// are older than those of IBGE and of the post (E0238, E0240 and their kin).
	UnknownMunicipalities []string `json:"unknown_municipalities,omitempty"`
	UnknownCEPs           []string `json:"unknown_ceps,omitempty"`

	// Benefits are by their number (nBM). While there are none every number that could be
	// one is, and what it grants is what the document says; once there are, others do not
	// exist (E0541).
	Benefits map[string]Benefit `json:"benefits,omitempty"`
	// MissingDocuments and CancelledDocuments are access keys of NFS-e (E0456, E0458) and of
	// NF-e (E0462, E0464) that nothing can be deducted by.
	MissingDocuments   []string `json:"missing_documents,omitempty"`
	CancelledDocuments []string `json:"cancelled_documents,omitempty"`
	// Collected are the access keys of notes of which the tax was collected: they are
	// neither cancelled (E0827) nor replaced (E0074).
	Collected []string `json:"collected,omitempty"`

	// RefuseCPFWithholding makes every taker and intermediary with a CPF one that may not
	// withhold ISS (E0667, E0670).
	RefuseCPFWithholding bool `json:"refuse_cpf_withholding,omitempty"`

	// IBSCBSRequiredFrom is the day of competence from which a DPS without the group
	// IBSCBS is refused, of every issuer; empty is never.
	IBSCBSRequiredFrom string `json:"ibscbs_required_from,omitempty"`
	// UnknownClassTribs are the cClassTrib that the authority's calculator does not know
	// though they are published, such as 000006, 200055 and 200056 in 2026-10 (E0958,
	// E0969).
	UnknownClassTribs []string `json:"unknown_class_tribs,omitempty"`

	// What every city wants of a cancellation; an Agreement can say more of one.
	CancelWithin     Duration     `json:"cancel_within,omitempty"`      // the deadline of E0822; 0 is none
	CancelUpTo       int64        `json:"cancel_up_to,omitempty"`       // in cents, the limit of E0823; 0 is none
	CancelNeedsTaker bool         `json:"cancel_needs_taker,omitempty"` // E0824
	ISSRate          int64        `json:"iss_rate,omitempty"`           // in hundredths of a percent; 0 is 2.00 %
	PostalCodeOf     PostalCodeOf `json:"-"`                            // nil knows in which state a CEP lies
}

// PostalCodeOf reports whether a CEP exists in a municipality (E0240).
type PostalCodeOf func(cep, municipality string) bool

// Taxpayer is what is on record of an issuer.
type Taxpayer struct {
	Name         string `json:"name,omitempty"`
	Municipality string `json:"municipality,omitempty"` // where it is established: E0084
	Simples      string `json:"simples,omitempty"`      // opSimpNac on record: E0160
	Since        string `json:"since,omitempty"`        // the day of registration: E0018, E0020
	Unknown      bool   `json:"unknown,omitempty"`      // the federal register lacks it: E0082, E0098
	// MunicipalRegistration is its complementary record (CNC) in its municipality:
	// nil is not known, empty is none, so that IM is refused (E0120), another must
	// be sent (E0116).
	MunicipalRegistration *string `json:"municipal_registration,omitempty"`
	// RegistrationState is what is wrong with that record: Unauthorised or Inactive.
	RegistrationState string `json:"registration_state,omitempty"`
}

// What a municipality says of a taxpayer's record (Taxpayer.RegistrationState).
const (
	Unauthorised = "unauthorised" // it may not issue: E0119
	Inactive     = "inactive"     // E0124
)

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

func (r *Registry) knowsMunicipality(code string) bool {
	return checkdigit.Municipality(code) && !slices.Contains(r.UnknownMunicipalities, code)
}

func (r *Registry) postalCodeOf(cep, municipality string) bool {
	if slices.Contains(r.UnknownCEPs, cep) {
		return false
	}
	if r.PostalCodeOf != nil {
		return r.PostalCodeOf(cep, municipality)
	}
	return checkdigit.StateOfCEP(cep) != "" && checkdigit.StateOfCEP(cep) == checkdigit.States[municipality[:2]]
}
