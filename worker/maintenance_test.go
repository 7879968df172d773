package worker_test

import (
	"testing"

	"emissor/test/testkit"
)

// A chore that fails, no matter at what, does not keep those behind it from being done.
func TestMaintenance_ChoreFails(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	s.NewEndpoint(t, "https://hooks.example.com/nfse", false)
	s.Exec(t, `UPDATE webhook_endpoints SET previous_secret = 'x', previous_secret_ends_at = now()`)
	s.Exec(t, `REVOKE SELECT ON certificates FROM `+testkit.Roles.Worker+`, `+testkit.Roles.API)
	runMaintenanceUntil(t, s, "the chore behind it is done", func() bool {
		return s.Count(t, `SELECT count(*) FROM webhook_endpoints WHERE previous_secret IS NOT NULL`) == 0
	})
	testkit.Eventually(t, "the failure is counted", func() bool {
		families, err := s.Metrics.Registry.Gather()
		for _, family := range families {
			if family.GetName() == "emissor_row_failures_total" {
				return err == nil && family.GetMetric()[0].GetLabel()[0].GetValue() == "maintenance"
			}
		}
		return false
	})
}
