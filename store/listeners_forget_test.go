package store_test

import (
	"slices"
	"testing"

	"emissor/store/webhooks"
	"emissor/test/testkit"
)

// listen has a command of the tenancy's key listen.
func (n tenancy) listen(t *testing.T) webhooks.Listener {
	t.Helper()
	endpoint := n.newEndpoint()
	must(t, n.Changes().Webhooks.Listen(t.Context(), n.key, endpoint))
	return webhooks.Listener{ID: endpoint.ID, KeyID: n.key.ID, Scope: n.scope}
}

// The endpoint of a command that ended stays for a week, and as long as a delivery to it is on record. Those that
// people made stay for ever, removed or not.
func TestForgetListeners(t *testing.T) {
	tenant := newTenant(t)
	s := testkit.OpenStore(t, tenant.As(testkit.Roles.Worker))
	ended := func(ago string) string {
		t.Helper()
		listener := tenant.listen(t)
		must(t, tenant.Store.Webhooks.EndListener(t.Context(), listener))
		tenant.Exec(t, `UPDATE webhook_endpoints SET deleted_at = now() - $2::interval WHERE id = $1`, listener.ID, ago)
		return listener.ID
	}
	listening := tenant.listen(t)
	tenant.issue(t, "a", "")
	delivered := listening.ID
	must(t, tenant.Store.Webhooks.EndListener(t.Context(), listening))
	tenant.Exec(t, `UPDATE webhook_endpoints SET deleted_at = now() - interval '90 days' WHERE id = $1`, delivered)
	late, present, made := ended("6 days"), tenant.listen(t).ID, tenant.addEndpoint(t)
	ended("8 days")
	removed := tenant.addEndpoint(t)
	must(t, second(tenant.Changes().Webhooks.DeleteEndpoint(t.Context(), removed)))
	tenant.Exec(t, `UPDATE webhook_endpoints SET deleted_at = now() - interval '90 days' WHERE id = $1`, removed)

	forget := func(expected int, stay ...string) {
		t.Helper()
		looked, forgotten, err := s.Webhooks.ForgetListeners(t.Context(), 10)
		if err != nil || looked != expected || forgotten != expected {
			t.Errorf("of %d that it looked at it forgot %d, %v", looked, forgotten, err)
		}
		slices.Sort(stay)
		there := tenant.selected(t, `SELECT id FROM webhook_endpoints ORDER BY id`)
		if !slices.Equal(there, stay) {
			t.Errorf("there are %v, expected %v", there, stay)
		}
	}
	forget(1, delivered, late, present, made, removed)
	forget(0, delivered, late, present, made, removed)
	tenant.Exec(t, `DELETE FROM deliveries WHERE endpoint_id = $1`, delivered)
	forget(1, late, present, made, removed)
}
