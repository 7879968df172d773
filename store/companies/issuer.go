package companies

// OfProduction is whether a fiscal profile p is of production. It never fails, no matter what is in a profile, so
// that a damaged one does not stop the others.
const OfProduction = `coalesce(p.profile -> 'production' = 'true', false)`

// IssuingProfiles are the fiscal profiles, each once for every authority by which its organization issues on some
// day. The query never fails, no matter what is in a profile, so that a damaged one does not stop the others.
const IssuingProfiles = `(SELECT p.organization_id, p.profile, p.created_at, a.authority
	FROM fiscal_profiles p CROSS JOIN LATERAL (
		SELECT p.authority UNION SELECT jsonb_path_query(p.profile, '$.moves[*].authority') #>> '{}'
	) a (authority))`

// ClaimedProfile is whether the organization of a fiscal profile p has a claim of its issuer.
var ClaimedProfile = Claimed(`p.organization_id`, `p.authority`, OfProduction, `p.profile ->> 'tax_id'`)
