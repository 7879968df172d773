package worker_test

import (
	"net/http"
	"testing"

	"emissor/activities"
	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/testkit"
)

// A series whose numbers cannot be checked waits by itself: the series beside it is checked, and its notes are
// issued. Once it can be, its own are.
func TestRecovery_Poison(t *testing.T) {
	t.Parallel()
	for _, harmful := range testkit.Harms {
		t.Run(string(harmful), func(t *testing.T) {
			t.Parallel()
			const poison = nfse.TaxID("42498733000148")
			n := newNational(t, nil, nil)
			other, _, key := n.NewOrganization(t, "Venenosa")
			n.SetProfile(t, nfse.FiscalProfile{OrganizationID: other.ID, Authority: national.Name, TaxID: poison,
				MunicipalityCode: "3304557", Simples: nfse.SimplesNone, Series: 1})
			n.certify(t, other.ID, poison)
			service := n.Call(t, http.MethodPost, "/v1/services", key, testkit.Body{
				"name": "Suporte", "description": "Suporte", "municipality_code": "3304557",
				"default_amount_cents": 15000, "national_tax_code": "01.07.01", "iss_rate": 2,
			}).Expect(t, http.StatusCreated).Text("id")
			n.Await(t, n.LiveKey, n.issue(t), nfse.StatusIssued)
			n.Await(t, key, n.Issue(t, key, testkit.Issuance(service, "before")), nfse.StatusIssued)

			h := harm(t, n.System, longestCall(t, harmful))
			h.add(string(poison), harmful)
			n.Exec(t, `UPDATE fiscal_sequences SET checked_in = 'the database before'`)
			n.StartWorker(t)
			waiting := n.Issue(t, key, testkit.Issuance(service, "after"))
			neighbour := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "after"))
			testkit.Eventually(t, "the poison series is asked about", func() bool { return h.times(string(poison)) > 0 })
			n.Await(t, n.LiveKey, neighbour, nfse.StatusIssued)
			testkit.Eventually(t, "it is set aside, with why", func() bool {
				return n.Count(t, `SELECT count(*) FROM fiscal_sequences WHERE check_problem IS NOT NULL
					AND checking_until > now() AND tax_id = $1`, string(poison)) == 1
			})
			if rowsFailed(t, n.System, activities.LoopRecovery) == 0 {
				t.Error("it is not counted")
			}
			h.autoFix()
			n.Exec(t, `UPDATE fiscal_sequences SET checking_until = NULL`)
			n.Await(t, key, waiting, nfse.StatusIssued)
		})
	}
}
