//go:build faults

package faults

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/fiscal/certificate"
	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/companies"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/icp"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/shapes"
	"emissor/test/testkit"
)

const issuer = nfse.TaxID("11222333000181")

// faultProfile is what goes wrong at the authority, in about one call of two.
var faultProfile = sefin.FaultProfile{Faults: []sefin.Fault{
	{Kind: sefin.Latency, Jitter: sefin.Duration(60 * time.Millisecond)},
	{Kind: sefin.Drop, After: true, Probability: 0.08},
	{Kind: sefin.Drop, Probability: 0.05},
	{Kind: sefin.Reset, After: true, Probability: 0.05},
	{Kind: sefin.Reset, Probability: 0.03},
	{Kind: sefin.HalfAnswer, Probability: 0.03},
	{Kind: sefin.Status, Status: 502, Body: "html", After: true, Probability: 0.04},
	{Kind: sefin.Status, Status: 500, After: true, Probability: 0.03},
	{Kind: sefin.Status, Status: 400, Body: "erros", Code: "E999", After: true, Probability: 0.02},
	{Kind: sefin.Status, Status: 500, Body: "erros", Probability: 0.02},
	{Kind: sefin.Status, Status: 503, Probability: 0.03},
	{Kind: sefin.Status, Status: 429, RetryAfter: "1", Probability: 0.03},
	{Kind: sefin.TruncatedGzip, Scope: sefin.Issue, Probability: 0.03},
	{Kind: sefin.OtherDocument, Scope: sefin.Issue, Probability: 0.02},
	{Kind: sefin.Variant, Variant: sefin.Capitalised, Probability: 0.05},
	{Kind: sefin.Variant, Variant: sefin.EmptyErro, Probability: 0.05},
	{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E1217", Probability: 0.04},
	{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0008", Probability: 0.02},
}}

// anyShape has answers come in any form, and gateways answer, until the end; what is lost is the profile's.
func anyShape() *shapes.Shapes {
	return shapes.Any(rand.Uint64(), shapes.Rates{Pages: 0.04, Handshakes: 0.03})
}

// Live notes go to the authority while it fails in every way and workers,
// PostgreSQL and Temporal are killed; some are cancelled, and some replaced. In the end the authority's ledger and our
// database agree one to one.
func TestFaults_LiveNotes(t *testing.T) {
	database := testkit.NewDatabase(t)
	organization, _, key := database.NewOrganization(t, "Live")
	subscriber, keyset := subscribe(t, database, nfse.Scope{OrganizationID: organization.ID, Livemode: true})
	authority, err := sefin.Start(sefin.Options{Options: server.Options{Shapes: anyShape()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = authority.Close() })
	equip(t, database, keyset, nfse.FiscalProfile{
		OrganizationID: organization.ID, Authority: "national", TaxID: issuer, MunicipalityCode: "3304557",
		Simples: nfse.SimplesNone, Series: 1, ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345, Municipal: 290},
	}, authority)
	running := install(t, database, keyset,
		"EMISSOR_NATIONAL_RESTRICTED_URL="+authority.URL(),
		"EMISSOR_AUTHORITY_CA="+rootsFile(t, authority.RootsPEM()),
		"EMISSOR_AUTHORITY_TIMEOUT=1s",
		"EMISSOR_AUTHORITY_GRACE_PERIOD=2s",
		"EMISSOR_NATIONAL_RATE=1000")
	url := running.url
	service := post(t, url+"/v1/services", key, map[string]any{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": "3304557",
		"default_amount_cents": 15000, "national_tax_code": "01.07.01",
	})["id"].(string)
	if _, err := database.Changes().Catalogues.ClassifyServices(t.Context(),
		nfse.Scope{OrganizationID: organization.ID, Livemode: true}, []catalogues.ServiceClassification{{
			ServiceID:      service,
			Classification: nfse.Classification{NBS: "115013000", CIndOp: "100301", CST: "000", CClassTrib: "000001"},
		}}); err != nil {
		t.Fatal(err)
	}
	if err := authority.SetFaultProfile(faultProfile); err != nil {
		t.Fatal(err)
	}

	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	var issuing sync.WaitGroup
	for client := range clients {
		issuing.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(client)))
			for n := range live.notes / clients {
				id := issueUntilAccepted(t, url, key, testkit.Issuance(service, fmt.Sprintf("live-%d-%d", client, n)))
				if random.IntN(8) == 0 {
					time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond) // at any moment of its life
					cancelUntilAnswered(t, url, key, id)
				}
			}
		})
	}
	replaced := 0
	const ended = `SELECT count(*) FROM notes WHERE status NOT IN ('queued', 'processing')`
	random := rand.New(rand.NewPCG(seed, clients))
	for kill := range live.faults {
		share := live.notes * (kill + 1) / (live.faults + 2)
		testkit.Eventually(t, "more notes have ended", func() bool { return database.Count(t, ended) >= share })
		switch kill {
		case 2:
			control(t, "restart", "postgres")
		case 4:
			control(t, "restart", "temporal")
		default:
			running.replaceWorker(t, random)
		}
		var issued []string
		if err := database.SQL.Select(&issued, `SELECT id FROM notes WHERE status = 'issued'
			ORDER BY random() LIMIT 9`); err != nil {
			t.Fatal(err)
		}
		instead := min(3, len(issued))
		scope := nfse.Scope{OrganizationID: organization.ID, Livemode: true}
		replaced += replaceSome(t, database, scope, issued[:instead])
		issued = issued[instead:]
		for _, id := range issued {
			cancelUntilAnswered(t, url, key, id)
		}
	}
	issuing.Wait()
	if err := authority.SetFaultProfile(sefin.FaultProfile{}); err != nil {
		t.Fatal(err)
	}

	awaitEnd(t, database, live.notes+replaced, `SELECT count(*) FROM notes
		WHERE status IN ('issued', 'rejected', 'cancelled') AND cancellation_status IS DISTINCT FROM 'pending'`)
	agree(t, database, authority)
	replacedAgree(t, database, replaced)
	awaitEnd(t, database, database.Count(t, `SELECT count(*) FROM events`),
		`SELECT count(*) FROM deliveries WHERE status = 'delivered'`)
	subscriber.expectAll(t, database)
}

// equip gives the organization of a profile what live notes need.
func equip(t *testing.T, database *testkit.Database, keyset string, profile nfse.FiscalProfile, authority interface {
	NewPFX(icp.Subject, string) ([]byte, error)
}) {
	t.Helper()
	organizationID := profile.OrganizationID
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	database.SetProfile(t, profile)
	pfx, err := authority.NewPFX(icp.Subject{TaxID: string(profile.TaxID)}, "secret")
	check(err)
	bundle, err := certificate.ReadPFX(pfx, "secret")
	check(err)
	content, err := bundle.Marshal()
	check(err)
	sealer, err := seal.New([]byte(keyset))
	check(err)
	id := nfse.NewID(nfse.PrefixCertificate)
	sealed, err := sealer.Seal(content, organizationID, id)
	check(err)
	_, err = database.Changes().Companies.AddCertificate(t.Context(), companies.Certificate{
		ID: id, OrganizationID: organizationID, TaxID: profile.TaxID, Fingerprint: bundle.Fingerprint(), Sealed: sealed,
		NotBefore: nfse.Timestamp{Time: bundle.Leaf.NotBefore}, NotAfter: nfse.Timestamp{Time: bundle.Leaf.NotAfter},
	})
	check(err)
}

// agree compares what the authority issued with what we believe.
func agree(t *testing.T, database *testkit.Database, authority *sefin.Simulator) {
	t.Helper()
	var known []struct {
		ID        string `db:"id"`
		AccessKey string `db:"access_key"`
		Status    string `db:"status"`
		DPS       string `db:"message_id"`
	}
	if err := database.SQL.Select(&known, `SELECT n.id, n.access_key, n.status, d.message_id FROM notes n
		JOIN fiscal_exchanges d ON d.note_id = n.id AND d.kind = 'issue' AND d.state = 'accepted'
		WHERE n.issued_at IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	ledger := map[string]sefin.Entry{}
	numbers := map[string]bool{}
	cancelled := 0
	for _, entry := range authority.Ledger() {
		ledger[entry.AccessKey] = entry
		if numbers[entry.Number] {
			t.Errorf("the number %s was used twice", entry.Number)
		}
		numbers[entry.Number] = true
	}
	for _, note := range known {
		entry, exists := ledger[note.AccessKey]
		if !exists {
			t.Errorf("%s has the access key %s, which the authority does not know", note.ID, note.AccessKey)
			continue
		}
		delete(ledger, note.AccessKey)
		if !strings.HasSuffix(note.ID, entry.CIntContrib) || entry.DPSID != note.DPS {
			t.Errorf("%s has the access key of another note", note.ID)
		}
		if entry.Cancelled != (note.Status == "cancelled") {
			t.Errorf("%s is %s, and at the authority cancelled: %v", note.ID, note.Status, entry.Cancelled)
		}
		if entry.Cancelled {
			cancelled++
		}
	}
	for key, entry := range ledger {
		t.Errorf("the authority has issued %s (DPS %s), and no note knows of it", key, entry.DPSID)
	}
	for what, query := range map[string]string{
		"rejected notes": `SELECT count(*) FROM notes WHERE status = 'rejected'`,
		"notes with more than one event of kind": `SELECT count(*)
			FROM (SELECT note_id, type FROM events GROUP BY 1, 2 HAVING count(*) > 1) AS doubled`,
		"numbers without an end": `SELECT count(*) FROM fiscal_exchanges
			WHERE state IN ('unsigned', 'signed', 'in_doubt')`,
		"holes in the sequence": `SELECT (SELECT max(last_number) FROM fiscal_sequences) - count(*)
			FROM fiscal_exchanges WHERE kind = 'issue'`,
	} {
		if n := database.Count(t, query); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
	awaitNone(t, database, "outbox rows", `SELECT count(*) FROM outbox WHERE kind <> 'delivery'`)
	posts := authority.Posts()
	t.Logf("%d issued, %d of them cancelled, %d cancelled before; %d requests sent, %d calls of which %d cut off",
		len(known), cancelled,
		database.Count(t, `SELECT count(*) FROM notes WHERE status = 'cancelled' AND issued_at IS NULL`), len(posts),
		database.Count(t, `SELECT count(*) FROM fiscal_calls`),
		database.Count(t, `SELECT count(*) FROM fiscal_calls WHERE outcome IS NULL`))
}
