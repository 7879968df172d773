package store_test

import (
	"fmt"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/fiscal/simulation"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/lifecycle"
	"emissor/test/testkit"
)

// tenancy is one organization in one environment, with what a note needs.
type tenancy struct {
	*testkit.Database
	scope   nfse.Scope
	key     nfse.APIKey
	service nfse.Service
}

// newTenant makes an organization in the test environment of a database of its
// own. Tests that have one run side by side.
func newTenant(t *testing.T) tenancy {
	t.Helper()
	t.Parallel()
	return addTenant(t, testkit.NewDatabase(t), false)
}

func addTenant(t *testing.T, database *testkit.Database, livemode bool) tenancy {
	t.Helper()
	organization, err := database.Changes().Access.CreateOrganization(t.Context(), "Clínica Exemplo")
	must(t, err)
	return tenantOf(t, database, organization.ID, livemode)
}

func (n tenancy) inLive(t *testing.T) tenancy {
	t.Helper()
	return tenantOf(t, n.Database, n.scope.OrganizationID, true)
}

func tenantOf(t *testing.T, database *testkit.Database, organizationID string, livemode bool) tenancy {
	t.Helper()
	scope := nfse.Scope{OrganizationID: organizationID, Livemode: livemode}
	key, err := database.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{Scope: scope, Label: "test"},
		nfse.NewAPIKeyText(livemode))
	must(t, err)
	service, err := database.Store.Catalogues.CreateService(t.Context(), scope, nfse.Service{
		Name: "Consulta", Description: "Consulta médica", MunicipalityCode: "3550308", DefaultAmountCents: 15000,
		NationalTaxCode: new("040101"), ISSRate: new(nfse.Rate(201)), Active: true,
	})
	must(t, err)
	return tenancy{Database: database, scope: scope, key: key, service: service}
}

var documents atomic.Int64

// note is an issuance that was checked: a taker nobody has seen before.
func (n tenancy) note(reference string) lifecycle.NewNote {
	document := nfse.TaxID(fmt.Sprintf("%011d", documents.Add(1)))
	issuance := nfse.Issuance{
		Reference: reference, ServiceID: n.service.ID, AmountCents: 15000,
		Customer: &nfse.InlineTaker{
			TaxID: document, Name: "Maria da Silva",
			Address: nfse.Address{Street: new("Avenida Paulista"), Number: new("1578"), District: new("Bela Vista"),
				ZipCode: new("01310100")},
		},
	}
	if !n.scope.Livemode {
		issuance.Scenario = nfse.ScenarioAuthorized
	}
	return lifecycle.NewNote{
		Issuance: issuance, Key: n.key, RequestID: nfse.NewID(nfse.PrefixRequest), Service: n.service.Snapshot(nil),
		Customer: nfse.CustomerSnapshot{TaxID: document, Name: issuance.Customer.Name,
			Address: issuance.Customer.Address},
		Municipality: nfse.NoteMunicipality{Code: "3550308", Source: nfse.MunicipalityFromZipCode, Verified: true},
	}
}

// accept accepts a note and returns its id.
func (n tenancy) accept(t *testing.T, reference string) string {
	t.Helper()
	accepted, created, err := n.Store.Lifecycle.AcceptNote(t.Context(), n.note(reference))
	must(t, err)
	if !created {
		t.Fatalf("the reference %q is not new", reference)
	}
	return accepted.ID
}

// begin accepts a note, begins it and returns its id.
func (n tenancy) begin(t *testing.T, reference string) string {
	t.Helper()
	id := n.accept(t, reference)
	_, err := n.Store.Lifecycle.BeginNote(t.Context(), id)
	must(t, err)
	return id
}

// settleIssued ends a note as the simulation does.
func (n tenancy) settleIssued(t *testing.T, s *store.Store, id string) (lifecycle.Settled, error) {
	t.Helper()
	note, _, err := s.Lifecycle.NoteToSettle(t.Context(), id)
	if err != nil {
		return lifecycle.Settled{}, err
	}
	authority, xml, err := simulation.Issue(note, nfse.Timestamp{Time: time.Now()})
	must(t, err)
	return s.Lifecycle.SettleIssued(t.Context(), id, authority, xml)
}

func (n tenancy) settleRejected(t *testing.T, id string) (lifecycle.Settled, error) {
	t.Helper()
	return n.Store.Lifecycle.SettleRejected(t.Context(), id, rejection)
}

var rejection = nfse.Rejection{
	Source: nfse.RejectedByAuthority, Code: "E0207", Message: "CPF não encontrado <&>.",
	Field: new("customer.document"), Explanation: "why", Action: "what",
}

// begun opens a transaction of the test's own, to stand in the way of others.
func begun(t *testing.T, database *testkit.Database) *sqlx.Tx {
	t.Helper()
	tx, err := database.SQL.Beginx()
	must(t, err)
	t.Cleanup(func() { _ = tx.Rollback() })
	return tx
}

// awaitWaiting returns once so many statements wait for a lock.
func awaitWaiting(t *testing.T, database *testkit.Database, statements int) {
	t.Helper()
	testkit.Eventually(t, "a statement waits for a lock", func() bool {
		return database.Count(t, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`) == statements
	})
}

// expectRefusal fails unless the database refused a statement for this reason.
func expectRefusal(t *testing.T, err error, code pqerror.Code, constraint string) {
	t.Helper()
	if refusal := pq.As(err, code); refusal == nil || ofTable(refusal.Constraint) != constraint {
		t.Errorf("expected %s by %s, got %v", code, constraint, err)
	}
}

var ofPart = regexp.MustCompile(`(_before)?_[0-9]{6}$`)

// ofTable is the name in the whole table of what a part has under its own name.
func ofTable(name string) string { return ofPart.ReplaceAllString(name, "") }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// foundUnder has the issuer's authority have a document under a number that is not on record.
func (n tenancy) foundUnder(t *testing.T, number int64) {
	t.Helper()
	n.ClaimIssuer(t, n.issuer())
	must(t, n.Store.Operate.SaveUsed(t.Context(), n.issuer().SeriesKey(), number, "77"))
}
