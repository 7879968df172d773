package notes

import (
	"emissor/nfse"
	"emissor/store/companies"
)

// PresentTaxationSQL is a subquery: what is set at present for a service and a customer, with the
// open work and event that they refer to (nfse.Taxation); null where nothing is.
func PresentTaxationSQL(organization, livemode, service, customer string) string {
	return `SELECT nullif(jsonb_strip_nulls(jsonb_build_object(
			'service', s.taxation, 'customer', c.taxation,
			'work', w.work || jsonb_build_object('id', w.id), 'event', e.event || jsonb_build_object('id', e.id))),
				'{}')
		FROM (SELECT) AS one
		LEFT JOIN service_taxations s ON (s.organization_id, s.livemode, s.service_id)
			= (` + organization + `, ` + livemode + `, ` + service + `)
		LEFT JOIN customer_taxations c ON (c.organization_id, c.livemode, c.customer_id)
			= (` + organization + `, ` + livemode + `, ` + customer + `)
		LEFT JOIN works w ON (w.organization_id, w.livemode, w.id)
			= (` + organization + `, ` + livemode + `, coalesce(c.taxation->>'work_id', s.taxation->>'work_id'))
			AND w.closed_at IS NULL
		LEFT JOIN cultural_events e ON (e.organization_id, e.livemode, e.id)
			= (` + organization + `, ` + livemode + `, s.taxation->>'event_id') AND e.closed_at IS NULL`
}

// PresentProfile is the fiscal profile of an organization at present, with what was learned of its
// issuers from authorities.
type PresentProfile struct {
	Profile nfse.FiscalProfile              `json:"profile"`
	Learned []companies.LearnedRegistration `json:"learned"`
}

// PresentProfileSQL is a subquery: the PresentProfile of a note's organization.
const PresentProfileSQL = `(SELECT jsonb_build_object('profile', p.profile, 'learned', (
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
