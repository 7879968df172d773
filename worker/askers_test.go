package worker_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/testkit"
	"emissor/worker"
)

// choosy is the national system, which does not let some certificates in to ask.
type choosy struct {
	*national.Authority
	onlyCities bool // it tells of cities, and not what happens outside

	mu    sync.Mutex
	out   []string // certificates that are shut out, by id
	asked []string // with which it was asked
}

// shutOut lets all certificates in but these, and forgets what was asked.
func (c *choosy) shutOut(ids ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out, c.asked = ids, nil
}

func (c *choosy) askedWith() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}

func (c *choosy) letsIn(access fiscal.Access) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, access.Credentials.ID)
	return !slices.Contains(c.out, access.Credentials.ID)
}

// Distributes implements fiscal.Distributor.
func (c *choosy) Distributes(production bool) bool {
	return !c.onlyCities && c.Authority.Distributes(production)
}

// Distribute implements fiscal.Distributor.
func (c *choosy) Distribute(ctx context.Context, access fiscal.Access, issuer nfse.TaxID, after int64) fiscal.Batch {
	if !c.letsIn(access) {
		return fiscal.Batch{Outcome: fiscal.BatchFailed, Reason: fact.ADNAnswered.With("status", 403), ShutOut: true}
	}
	return c.Authority.Distribute(ctx, access, issuer, after)
}

// AskCity implements fiscal.CityParameters.
func (c *choosy) AskCity(ctx context.Context, access fiscal.Access, code string) fiscal.CityAnswer {
	if !c.letsIn(access) {
		return fiscal.CityAnswer{Reason: fact.AnswerNotUnderstood.With("status", 401), ShutOut: true}
	}
	return c.Authority.AskCity(ctx, access, code)
}

// newChoosy is a system whose worker asks a choosy national system.
func newChoosy(t *testing.T) (n nationally, authority *choosy) {
	t.Helper()
	n = newExternalIn(t, testkit.Options{NoRounds: true})
	n.Worker.Stop()
	authority = &choosy{Authority: n.Authorities[0].Authority.(*national.Authority)}
	n.Authorities = []worker.Authority{{Authority: authority, Rate: 1000}}
	return n, authority
}

// certificateOf is the newest of an organization.
func (n nationally) certificateOf(t *testing.T, organizationID string) string {
	t.Helper()
	return n.Text(t, `SELECT id FROM certificates WHERE organization_id = $1 ORDER BY id DESC LIMIT 1`, organizationID)
}

// second lets another organization issue as the same company, with a certificate of its own.
func (n nationally) second(t *testing.T) (organizationID, certificateID string) {
	t.Helper()
	other, _, _ := n.NewOrganization(t, "Segunda")
	n.SetProfile(t, nfse.FiscalProfile{OrganizationID: other.ID, Authority: national.Name, TaxID: testkit.Issuer,
		MunicipalityCode: rio, Simples: nfse.SimplesNone, Series: 2})
	n.certify(t, other.ID, testkit.Issuer)
	return other.ID, n.certificateOf(t, other.ID)
}

// What happens outside is asked for with the certificate that worked last, and with the next
// one when that is shut out; that one organization's is never counts for another's.
func TestExternalEvents_ShutOutCertificate(t *testing.T) {
	t.Parallel()
	n, authority := newChoosy(t)
	first := n.certificateOf(t, n.Organization.ID)
	_, other := n.second(t)
	n.Exec(t, `DELETE FROM distributions`)
	n.Exec(t, `UPDATE certificates SET worked_at = now() WHERE id = $1`, first) // and is tried first
	n.Exec(t, `CREATE TABLE failed (failures integer)`)                         // a success forgets them
	n.Exec(t, `CREATE FUNCTION note_failure() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
		BEGIN INSERT INTO failed VALUES (NEW.failures); RETURN NEW; END $$`)
	n.Exec(t, `CREATE TRIGGER note_failure AFTER UPDATE ON distributions FOR EACH ROW WHEN (NEW.failures > 0)
		EXECUTE FUNCTION note_failure()`)
	authority.shutOut(first)
	n.StartWorker(t)
	asksWith := func(id string) {
		t.Helper()
		testkit.Eventually(t, "it asks with the other certificate", func() bool {
			asked := authority.askedWith()
			return len(asked) > 4 && !slices.ContainsFunc(asked[len(asked)-3:],
				func(one string) bool { return one != id })
		})
		if failed := n.Count(t, `SELECT count(*) FROM failed`); failed != 0 {
			t.Error("what failed is the certificate's, and counts for the issuer")
		}
	}
	asksWith(other)
	if asked := authority.askedWith(); asked[0] != first || slices.Contains(asked[1:], first) {
		t.Errorf("asked was with %v", asked)
	}
	if n.Count(t, `SELECT count(*) FROM certificates WHERE id = $1 AND shut_out_at IS NOT NULL`, first) != 1 ||
		n.Count(t, `SELECT count(*) FROM certificates WHERE id = $1 AND worked_at IS NOT NULL
			AND shut_out_at IS NULL`, other) != 1 {
		t.Error("it is not on record which works")
	}

	// With none that is let in the issuer waits, and says why.
	authority.shutOut(first, other)
	testkit.Eventually(t, "nobody is let in", func() bool {
		return n.Count(t, `SELECT count(*) FROM distributions WHERE failures > 0 AND problem @> $1`,
			fact.ADNAnswered.With("status", 403)) == 1
	})
	authority.shutOut()
	testkit.Eventually(t, "it goes on", func() bool {
		return n.Count(t, `SELECT count(*) FROM distributions WHERE failures = 0 AND problem IS NULL`) == 1
	})
}

// The parameters of a city are asked for with an organization's next certificate when one is
// shut out; and that none of them is let in keeps no other organization from asking.
func TestCities_ShutOutCertificate(t *testing.T) {
	t.Parallel()
	n, authority := newChoosy(t)
	first := n.certificateOf(t, n.Organization.ID)
	n.newCertificate(t)
	newer := n.certificateOf(t, n.Organization.ID)
	authority.onlyCities = true
	authority.shutOut(first, newer)
	otherOrganization, other := n.second(t)
	n.Exec(t, `DELETE FROM municipal_service_parameters`)
	n.Exec(t, `DELETE FROM municipal_parameters`)
	n.Exec(t, `UPDATE certificates SET worked_at = NULL, shut_out_at = NULL`)
	n.StartWorker(t)
	n.Await(t, n.LiveKey, n.issue(t), nfse.StatusIssued) // parameters that cannot be had decide nothing
	if failed := n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE failure IS NOT NULL
		OR fetching_until IS NOT NULL`); failed != 0 {
		t.Error("that certificates are shut out counts for the city")
	}
	if asked := authority.askedWith(); !slices.Equal(asked, []string{newer, first}) {
		t.Errorf("asked was with %v, expected %s and %s", asked, newer, first)
	}
	key := n.NewKey(t, otherOrganization, true)
	service := n.Call(t, http.MethodPost, "/v1/services", key, testkit.Body{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": rio,
		"default_amount_cents": 15000, "national_tax_code": "01.07.01", "iss_rate": 2,
	}).Expect(t, http.StatusCreated).Text("id")
	n.Await(t, key, n.Issue(t, key, testkit.Issuance(service, "second")), nfse.StatusIssued)
	if known := n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE municipality_code = $1
		AND city IS NOT NULL AND asked_by = $2`, rio, otherOrganization); known != 1 {
		t.Error("another organization's certificate did not ask")
	}
	if asked := authority.askedWith(); !slices.Equal(asked, []string{newer, first, other}) {
		t.Errorf("asked was with %v, expected %s last", asked, other)
	}
}

// A note whose CNPJ is another organization's waits without a number, says so, and goes on
// when the operator allows it.
func TestLiveNote_TaxIDOfAnother(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{}
	s, _ := newLive(t, authority)
	other := *s
	other.Organization, _, other.LiveKey = s.NewOrganization(t, "Segunda")
	profile := nfse.FiscalProfile{OrganizationID: other.Organization.ID, Authority: authority.Name(),
		TaxID: testkit.Issuer, MunicipalityCode: rio, Simples: nfse.SimplesNone, Series: 1}
	if err := s.Changes().Companies.SetFiscalProfile(t.Context(), profile); err != nil {
		t.Fatal(err)
	}
	other.NewCertificate(t)
	id := s.Issue(t, other.LiveKey, testkit.Issuance(other.NewService(t, other.LiveKey), "one"))
	testkit.Eventually(t, "the note is held", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE id = $1
			AND held_reason ->> 'code' = 'tax_id_of_another'`, id) == 1
	})
	if taken := s.Count(t, `SELECT count(*) FROM fiscal_exchanges`); taken != 0 || len(authority.Sent()) != 0 {
		t.Errorf("%d numbers were taken", taken)
	}
	if _, err := s.Changes().Companies.AllowTaxID(t.Context(), other.Organization.ID, profile.IssuerKey()); err != nil {
		t.Fatal(err)
	}
	s.Await(t, other.LiveKey, id, nfse.StatusIssued)
}

// What is another organization's is not asked for its stranger.
func TestExternalEvents_TaxIDOfAnother(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	stranger, _, _ := n.NewOrganization(t, "Estranha")
	profile := nfse.FiscalProfile{OrganizationID: stranger.ID, Authority: national.Name, TaxID: "42498733000148",
		MunicipalityCode: rio, Simples: nfse.SimplesNone, Series: 1}
	if err := n.Changes().Companies.SetFiscalProfile(t.Context(), profile); err != nil {
		t.Fatal(err)
	}
	n.certify(t, stranger.ID, profile.TaxID)
	before := callsOf(t, n.System, "distribution")
	testkit.Eventually(t, "others are asked about", func() bool {
		return callsOf(t, n.System, "distribution") > before+6
	})
	const known = `SELECT count(*) FROM distributions WHERE tax_id = '42498733000148' AND succeeded_at IS NOT NULL`
	if n.Count(t, known) != 0 {
		t.Fatal("it is asked about")
	}
	n.ClaimIssuer(t, profile)
	testkit.Eventually(t, "its own is asked about", func() bool { return n.Count(t, known) == 1 })
}
