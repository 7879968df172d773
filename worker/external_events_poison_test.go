package worker_test

import (
	"testing"
	"time"

	"emissor/activities"
	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// An issuer of whom every question fails, panics or hangs stops no other one from being
// asked about, although one is asked about at a time; and its own pauses grow. AutoFixed, it
// is asked about too.
func TestExternalEvents_PoisonIssuer(t *testing.T) {
	t.Parallel()
	const poison, neighbour, another nfse.TaxID = "42498733000148", "11444777000161", "12345678000195"
	for _, harmful := range testkit.Harms {
		t.Run(string(harmful), func(t *testing.T) {
			t.Parallel()
			// Seldom enough that one turn at a time is enough for four issuers on a busy machine.
			n := newExternalIn(t, testkit.Options{EventsInterval: time.Second})
			h := harm(t, n.System, longestCall(t, harmful))
			for name, taxID := range map[string]nfse.TaxID{"Venenosa": poison, "Vizinha": neighbour, "Outra": another} {
				organization, _, _ := n.NewOrganization(t, name)
				profile := nfse.FiscalProfile{OrganizationID: organization.ID, Authority: national.Name, TaxID: taxID,
					MunicipalityCode: rio, Simples: nfse.SimplesNone, Series: 1}
				n.SetProfile(t, profile)
				n.certify(t, organization.ID, taxID)
			}
			h.add(string(poison), harmful)
			n.StartWorker(t)
			testkit.Eventually(t, "the poison issuer is asked about",
				func() bool { return h.times(string(poison)) > 1 })
			met := n.Text(t, `SELECT now()::text`)
			asked := func(taxID nfse.TaxID) bool {
				return n.Count(t, `SELECT count(*) FROM distributions
					WHERE tax_id = $1 AND succeeded_at > $2::timestamptz`,
					string(taxID), met) == 1
			}
			// Not of testkit.Issuer: the worker that harm stopped may have been asking about it, which is noticed
			// after minutes.
			for _, other := range []nfse.TaxID{neighbour, another} {
				testkit.Eventually(t, "its neighbour is asked about meanwhile", func() bool { return asked(other) })
			}
			testkit.Eventually(t, "its failures are recorded", func() bool {
				return n.Count(t, `SELECT count(*) FROM distributions WHERE tax_id = $1 AND failures > 1
					AND succeeded_at IS NULL`, string(poison)) == 1
			})
			failed := rowsFailed(t, n.System, activities.LoopDistributions)
			if (failed > 0) != (harmful != testkit.Fails) {
				t.Errorf("%v rows failed on our side", failed)
			}
			if held := n.Count(t, `SELECT count(*) FROM distribution_leases
				WHERE lease_until > now() + interval '1 hour'`); held > 0 {
				t.Error("the turn is held")
			}
			h.autoFix()
			testkit.Eventually(t, "the mended issuer is asked about", func() bool { return asked(poison) })
		})
	}
}

// An entry that the database does not take is flagged, and what follows it is applied.
func TestExternalEvents_PoisonEntry(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	n.Exec(t, `ALTER TABLE external_events ADD CONSTRAINT poison CHECK (type IS DISTINCT FROM '203206')`)
	n.register(t, key, "203202", sefin.EventDetails{})
	n.register(t, key, "203206", sefin.EventDetails{})
	n.register(t, key, "305101", sefin.EventDetails{})
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	var flagged fact.Fact
	if err := n.SQL.Get(&flagged, `SELECT problem FROM external_events WHERE problem IS NOT NULL`); err != nil ||
		!flagged.Equal(fact.ExternalNotStored.With("why", fact.RefusedByDatabase.With("code", "23514"))) {
		t.Errorf("flagged is %v, %v", flagged, err)
	}
	n.applied(t, "203202")
	testkit.Eventually(t, "it is counted", func() bool { // once its batch is stored
		return counter(t, n.System, "emissor_external_events_flagged_total") == 1 &&
			rowsFailed(t, n.System, activities.LoopDistributions) == 1
	})
	n.Exec(t, `ALTER TABLE external_events DROP CONSTRAINT poison`)
	if _, err := n.Changes().Received.RescanEvents(t.Context(), n.Organization.ID); err != nil {
		t.Fatal(err)
	}
	n.applied(t, "203206")
}
