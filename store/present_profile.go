package store

import "emissor/nfse"

// PresentProfile is the fiscal profile of an organization at present, with what was learned of its
// issuers from authorities.
type PresentProfile struct {
	Profile nfse.FiscalProfile    `json:"profile"`
	Learned []learnedRegistration `json:"learned"`
}

// learnedRegistration says whether an issuer's municipal registration is sent.
type learnedRegistration struct {
	nfse.IssuerKey
	Sent bool `json:"sent"`
}

// presentProfile is a subquery: the PresentProfile of a note's organization.
const presentProfile = `(SELECT jsonb_build_object('profile', p.profile, 'learned', (
		SELECT jsonb_agg(jsonb_build_object('authority', l.authority, 'production', l.production,
			'tax_id', l.tax_id, 'sent', l.sent))
		FROM learned_registrations l WHERE l.organization_id = p.organization_id))
	FROM fiscal_profiles p WHERE p.organization_id = notes.organization_id)`

// ForDay is the profile as it holds for a note of a day of competence that has no number.
func (p PresentProfile) ForDay(day nfse.Day) nfse.FiscalProfile {
	return p.withLearned(p.Profile.On(day))
}

// ForNumber is the profile as it holds for one whose number was taken by another profile.
func (p PresentProfile) ForNumber(number nfse.FiscalProfile, day nfse.Day) nfse.FiscalProfile {
	return p.withLearned(p.Profile.Keeping(number, day))
}

// withLearned is a profile with what was learned from its authority.
func (p PresentProfile) withLearned(profile nfse.FiscalProfile) nfse.FiscalProfile {
	for _, learned := range p.Learned {
		if learned.IssuerKey == profile.IssuerKey() {
			profile.SendMunicipalRegistration = learned.Sent && profile.MunicipalRegistration != nil
		}
	}
	return profile
}

// issuingProfiles are the fiscal profiles, each once for every authority by which its organization
// issues on some day. They fail for no profile, whatever is in it, so that a damaged one does not stop
// the others.
const issuingProfiles = `(SELECT p.organization_id, p.profile, p.created_at, a.authority
	FROM fiscal_profiles p CROSS JOIN LATERAL (
		SELECT p.authority UNION SELECT jsonb_path_query(p.profile, '$.moves[*].authority') #>> '{}'
	) a (authority))`
