package store_test

import (
	"errors"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

// limited are the changes of a process that keeps limits.
func (n tenancy) limited(t *testing.T, role string, limits postgres.Limits) *store.Changes {
	t.Helper()
	return testkit.OpenLimitedStore(t, n.As(role), limits).By(testkit.Operator)
}

func (n tenancy) createKey(t *testing.T, by *store.Changes, scope nfse.Scope) (nfse.APIKey, error) {
	t.Helper()
	return by.Access.CreateAPIKey(t.Context(), nfse.APIKey{Scope: scope}, nfse.NewAPIKeyText(scope.Livemode))
}

func isLimit(err error) bool {
	var limit *postgres.LimitError
	return errors.As(err, &limit)
}

// Only keys that are valid count, of one organization in one environment.
func TestLimits_Keys(t *testing.T) {
	tenant := newTenant(t) // with a key
	other := addTenant(t, tenant.Database, false)
	by := tenant.limited(t, testkit.Roles.Dashboard, postgres.Limits{Keys: 2})
	created, err := tenant.createKey(t, by, tenant.scope)
	must(t, err)
	if _, err := tenant.createKey(t, by, tenant.scope); !isLimit(err) {
		t.Errorf("a third key: %v", err)
	}
	must(t, second(tenant.createKey(t, by, other.scope)))
	for range 2 {
		must(t, second(tenant.createKey(t, by, nfse.Scope{OrganizationID: tenant.scope.OrganizationID,
			Livemode: true})))
	}

	must(t, second(by.Access.RevokeAPIKey(t.Context(), tenant.key.ID)))
	must(t, second(tenant.createKey(t, by, tenant.scope)))
	tenant.Exec(t, `UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE id = $1`, created.ID)
	must(t, second(tenant.createKey(t, by, tenant.scope)))
	label := func(key *nfse.APIKey) error { key.Label = "loja"; return nil }
	must(t, second(by.Access.SetAPIKey(t.Context(), created.ID, func(key *nfse.APIKey) error {
		key.ExpiresAt = &nfse.Timestamp{Time: time.Now().Add(-time.Minute)}
		return label(key)
	})))
	forEver := func(key *nfse.APIKey) error { key.ExpiresAt = nil; return nil }
	if _, err := by.Access.SetAPIKey(t.Context(), created.ID, forEver); !isLimit(err) {
		t.Errorf("an expired key is made valid: %v", err)
	}
	if valid := tenant.Count(t, `SELECT count(*) FROM api_keys WHERE organization_id = $1 AND NOT livemode
		AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
		tenant.scope.OrganizationID); valid != 2 {
		t.Errorf("%d keys are valid", valid)
	}
	// A limit that was lowered takes nothing away.
	lower := tenant.limited(t, testkit.Roles.Operator, postgres.Limits{Keys: 1})
	valid := tenant.Text(t, `SELECT max(id) FROM api_keys WHERE organization_id = $1 AND NOT livemode`,
		tenant.scope.OrganizationID)
	must(t, second(lower.Access.SetAPIKey(t.Context(), valid, label)))
}

func TestLimits_Endpoints(t *testing.T) {
	tenant := newTenant(t)
	live, other := tenant.inLive(t), addTenant(t, tenant.Database, false)
	by := tenant.limited(t, testkit.Roles.Dashboard, postgres.Limits{Endpoints: 2})
	first, err := by.Webhooks.CreateEndpoint(t.Context(), tenant.newEndpoint())
	must(t, err)
	for _, n := range []tenancy{tenant, live, other} {
		must(t, second(by.Webhooks.CreateEndpoint(t.Context(), n.newEndpoint())))
	}
	must(t, second(by.Webhooks.DisableEndpoint(t.Context(), first.ID, fact.InWords("off")))) // it can be enabled again
	if _, err := by.Webhooks.CreateEndpoint(t.Context(), tenant.newEndpoint()); !isLimit(err) {
		t.Errorf("a third endpoint: %v", err)
	}
	must(t, second(by.Webhooks.DeleteEndpoint(t.Context(), first.ID)))
	must(t, second(by.Webhooks.CreateEndpoint(t.Context(), tenant.newEndpoint())))
}

// There are never more than the limit, no matter how much is added at once and by how many processes.
func TestLimits_AtOnce(t *testing.T) {
	tenant := newTenant(t)
	limits := postgres.Limits{Keys: 5, Endpoints: 5}
	processes := []*store.Changes{
		tenant.limited(t, testkit.Roles.Dashboard, limits), tenant.limited(t, testkit.Roles.Operator, limits),
	}
	made := together(16, func(i int) (made [2]int) {
		by := processes[i%2]
		if _, err := tenant.createKey(t, by, tenant.scope); err == nil {
			made[0]++
		} else if !isLimit(err) {
			t.Errorf("a key: %v", err)
		}
		if _, err := by.Webhooks.CreateEndpoint(t.Context(), tenant.newEndpoint()); err == nil {
			made[1]++
		} else if !isLimit(err) {
			t.Errorf("an endpoint: %v", err)
		}
		return made
	})
	var keys, endpoints int
	for _, one := range made {
		keys, endpoints = keys+one[0], endpoints+one[1]
	}
	if keys != 4 || endpoints != 5 { // one key was there
		t.Errorf("%d keys and %d endpoints were made", keys, endpoints)
	}
	if there := tenant.Count(t, `SELECT count(*) FROM api_keys WHERE organization_id = $1`,
		tenant.scope.OrganizationID); there != 5 {
		t.Errorf("%d keys are there", there)
	}
}
