package store_test

import (
	"fmt"
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/received"
)

// An authority that an organization moves to, or has left, is asked for the issuer's distribution, and
// the organization is named once; a damaged profile of another stops nothing.
func TestMoves_Distributions(t *testing.T) {
	n := newTenant(t)
	profile := n.profile()
	profile.Moves = []nfse.Move{{From: "2027-01-01", Authority: "after", Series: 2},
		{From: "2028-01-01", Authority: "after", Series: 3}}
	n.SetProfile(t, profile)
	damaged := addTenant(t, n.Database, true)
	damaged.SetProfile(t, damaged.profile())
	n.Exec(t, `UPDATE fiscal_profiles SET profile = '{"moves": {"authority": 7}, "tax_id": {}}'
		WHERE organization_id = $1`, damaged.key.OrganizationID)
	for _, authority := range []string{profile.Authority, "after"} {
		started, err := n.Store.Received.StartDistributions(t.Context(), []received.ServedEnvironment{{Authority: authority,
			Production: true}})
		if err != nil || started != 1 {
			t.Errorf("of %s are started %d, %v", authority, started, err)
		}
		_, organizations, err := n.Store.Received.Distribution(t.Context(), n.Text(t, `SELECT id FROM distributions
			WHERE authority = $1`, authority))
		if err != nil || len(organizations) != 1 || organizations[0] != n.key.OrganizationID {
			t.Errorf("of %s are named %v, %v", authority, organizations, err)
		}
	}
	all, err := n.Store.Received.Distributions(t.Context(), n.key.OrganizationID)
	if err != nil || len(all) != 2 {
		t.Errorf("listed are %+v, %v", all, err)
	}
}

// What one authority has taught of the registration holds for notes of its days alone.
func TestMoves_LearnedRegistration(t *testing.T) {
	n := newTenant(t).inLive(t)
	profile := n.profile()
	profile.SendMunicipalRegistration = false
	profile.Moves = []nfse.Move{{From: "2027-01-01", Authority: "after", Series: 2}}
	n.SetProfile(t, profile)
	n.Exec(t, `INSERT INTO learned_registrations (organization_id, authority, production, tax_id, sent, code)
		VALUES ($1, 'after', $2, $3, true, 'E0116')`, n.key.OrganizationID, profile.Production, string(profile.TaxID))
	live, err := n.Store.Lifecycle.LiveNote(t.Context(), n.begin(t, "a"), fiscal.Issue)
	must(t, err)
	before, after := live.Profile.ForDay("2026-12-31"), live.Profile.ForDay("2027-01-01")
	if before.SendMunicipalRegistration || !after.SendMunicipalRegistration ||
		fmt.Sprint(before.SeriesKey(), " ", after.SeriesKey()) != fmt.Sprint(profile.SeriesKey(), " ",
			profile.On("2027-06-01").SeriesKey()) {
		t.Errorf("they are %+v and %+v", before, after)
	}
	if kept := live.Profile.ForNumber(after, "2026-12-31"); !kept.SendMunicipalRegistration || kept.Series != 2 {
		t.Errorf("for a number of the other it is %+v", kept)
	}
}
