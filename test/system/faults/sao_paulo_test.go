//go:build faults

package faults

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/server"
	"emissor/test/testkit"
)

// cityFaults are what goes wrong at the city, in about one call of two. What it makes
// it shows late, but before it is looked for the second time.
var cityFaults = saopaulo.FaultProfile{Faults: []saopaulo.Fault{
	{Kind: saopaulo.Latency, Jitter: saopaulo.Duration(60 * time.Millisecond)},
	{Kind: saopaulo.Drop, After: true, Probability: 0.08},
	{Kind: saopaulo.Drop, Probability: 0.05},
	{Kind: saopaulo.Reset, After: true, Probability: 0.05},
	{Kind: saopaulo.Reset, Probability: 0.03},
	{Kind: saopaulo.HalfAnswer, Probability: 0.03},
	{Kind: saopaulo.Status, Status: 502, Body: "html", After: true, Probability: 0.04},
	{Kind: saopaulo.Status, Status: 500, Body: "soap_fault", After: true, Probability: 0.03},
	{Kind: saopaulo.Status, Status: 503, Probability: 0.03},
	{Kind: saopaulo.TruncatedXML, Scope: saopaulo.Issue, Probability: 0.03},
	{Kind: saopaulo.Reject, Scope: saopaulo.Issue, Code: "1110", Probability: 0.03},
	{Kind: saopaulo.Hide, Scope: saopaulo.Query, Delay: saopaulo.Duration(2 * time.Second)},
}}

// registrations are the registrations of three companies, each of which has its own series.
var registrations = []string{"31000000", "31000001", "31000002"}

// Live notes go to the city, where a second sending cancels what the first one made,
// while it fails in every way and workers and PostgreSQL are killed; some are cancelled.
// In the end its ledger and our database agree one to one, and no note was cancelled by
// a second sending.
func TestFaults_SaoPaulo(t *testing.T) {
	database := testkit.NewDatabase(t)
	city, err := saopaulo.Start(saopaulo.Options{Options: server.Options{Shapes: anyShape()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = city.Close() })
	generated, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	keyset := string(generated)
	var keys []string
	var organizations []nfse.Organization
	keyOf := map[string]string{}
	for i := range registrations {
		organization, _, key := database.NewOrganization(t, "São Paulo "+registrations[i])
		keys, organizations = append(keys, key), append(organizations, organization)
		keyOf[organization.ID] = key
		equip(t, database, keyset, nfse.FiscalProfile{
			OrganizationID: organization.ID, Authority: "sao-paulo", Production: true, TaxID: issuer,
			MunicipalityCode: "3550308", MunicipalRegistration: &registrations[i], Simples: nfse.SimplesNone, Series: 1,
		}, city)
	}
	running := install(t, database, keyset,
		"EMISSOR_SAO_PAULO_URL="+city.URL(),
		"EMISSOR_AUTHORITY_CA="+rootsFile(t, city.RootsPEM()),
		"EMISSOR_AUTHORITY_TIMEOUT=1s",
		"EMISSOR_AUTHORITY_GRACE_PERIOD=3s",
		"EMISSOR_SAO_PAULO_RATE=1000")
	url := running.url
	services := make([]string, len(keys))
	for i, key := range keys {
		services[i] = post(t, url+"/v1/services", key, map[string]any{
			"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": "3550308",
			"default_amount_cents": 15000, "municipal_tax_code": "2919", "municipal_taxation": "T", "iss_rate": 2.9,
		})["id"].(string)
		if _, err := database.Changes().Catalogues.ClassifyServices(t.Context(),
			nfse.Scope{OrganizationID: organizations[i].ID, Livemode: true}, []catalogues.ServiceClassification{{
				ServiceID: services[i],
				Classification: nfse.Classification{NBS: "115013000", CIndOp: "100301", CST: "000",
					CClassTrib: "000001", IndFinal: new(false)},
			}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := city.SetFaultProfile(cityFaults); err != nil {
		t.Fatal(err)
	}

	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	var issuing sync.WaitGroup
	for client := range clients {
		issuing.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(client)))
			for n := range inCity.notes / clients {
				of := n % len(keys)
				id := issueUntilAccepted(t, url, keys[of],
					testkit.Issuance(services[of], fmt.Sprintf("city-%d-%d", client, n)))
				if random.IntN(8) == 0 {
					time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond) // at any moment of its life
					cancelUntilAnswered(t, url, keys[of], id)
				}
			}
		})
	}
	const ended = `SELECT count(*) FROM notes WHERE status NOT IN ('queued', 'processing')`
	random := rand.New(rand.NewPCG(seed, clients))
	for kill := range inCity.faults {
		share := inCity.notes * (kill + 1) / (inCity.faults + 2)
		testkit.Eventually(t, "more notes have ended", func() bool { return database.Count(t, ended) >= share })
		if kill == 2 {
			control(t, "restart", "postgres")
		} else {
			running.replaceWorker(t, random)
		}
		var issued []struct {
			ID           string `db:"id"`
			Organization string `db:"organization_id"`
		}
		if err := database.SQL.Select(&issued, `SELECT id, organization_id FROM notes WHERE status = 'issued'
			ORDER BY random() LIMIT 4`); err != nil {
			t.Fatal(err)
		}
		for _, note := range issued {
			cancelUntilAnswered(t, url, keyOf[note.Organization], note.ID)
		}
	}
	issuing.Wait()
	if err := city.SetFaultProfile(saopaulo.FaultProfile{}); err != nil {
		t.Fatal(err)
	}
	awaitEnd(t, database, inCity.notes, `SELECT count(*) FROM notes
		WHERE status IN ('issued', 'rejected', 'cancelled') AND cancellation_status IS DISTINCT FROM 'pending'`)
	agreeWithCity(t, database, city)
}

// agreeWithCity compares what the city issued with what we believe.
func agreeWithCity(t *testing.T, database *testkit.Database, city *saopaulo.Simulator) {
	t.Helper()
	var known []struct {
		ID        string `db:"id"`
		AccessKey string `db:"access_key"`
		Status    string `db:"status"`
		Number    string `db:"number"`
	}
	if err := database.SQL.Select(&known, `SELECT n.id, n.access_key, n.status, d.number::text FROM notes n
		JOIN fiscal_exchanges d ON d.note_id = n.id AND d.kind = 'issue' AND d.state = 'accepted'
		WHERE n.issued_at IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	ledger := map[string]saopaulo.Entry{}
	for _, entry := range city.Ledger() {
		ledger[entry.NationalKey] = entry
		if entry.CancelledBy == saopaulo.ByResend {
			t.Errorf("the note %d of %s was cancelled by a second sending of its RPS %s", entry.Number,
				entry.Registration, entry.RPSNumber)
		}
	}
	cancelled := 0
	for _, note := range known {
		entry, exists := ledger[note.AccessKey]
		if !exists {
			t.Errorf("%s has the key %s, which the city does not know", note.ID, note.AccessKey)
			continue
		}
		delete(ledger, note.AccessKey)
		if entry.RPSNumber != note.Number || entry.Cancelled != (note.Status == "cancelled") {
			t.Errorf("%s is %s under the number %s, and at the city %+v", note.ID, note.Status, note.Number, entry)
		}
		if entry.Cancelled {
			cancelled++
		}
	}
	for key, entry := range ledger {
		t.Errorf("the city has issued %s (RPS %s of %s), and no note knows of it", key, entry.RPSNumber,
			entry.Registration)
	}
	for what, query := range map[string]string{
		"rejected notes": `SELECT count(*) FROM notes WHERE status = 'rejected'`,
		"notes with more than one event of kind": `SELECT count(*)
			FROM (SELECT note_id, type FROM events GROUP BY 1, 2 HAVING count(*) > 1) AS doubled`,
		"numbers without an end": `SELECT count(*) FROM fiscal_exchanges
			WHERE state IN ('unsigned', 'signed', 'in_doubt')`,
		"numbers in use by others": `SELECT count(*) FROM fiscal_exchanges WHERE state = 'number_conflict'`,
		"held series":              `SELECT count(*) FROM fiscal_series WHERE held_reason IS NOT NULL`,
		"numbers with two messages": `SELECT count(*) FROM (SELECT exchange_id FROM fiscal_messages m
			JOIN fiscal_exchanges e ON e.id = m.exchange_id AND e.kind = 'issue'
			GROUP BY 1 HAVING count(*) > 1) AS twice`,
	} {
		if n := database.Count(t, query); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
	awaitNone(t, database, "outbox rows", `SELECT count(*) FROM outbox`)
	var open []string
	if err := database.SQL.Select(&open, `SELECT e.note_id || ' ' || e.state || ', asked ' || e.not_found ||
			', held ' || coalesce((SELECT held_reason::text FROM notes WHERE id = e.note_id), 'not') || ', leased ' ||
			coalesce(e.lease_until - clock_timestamp(), '0')::text || ', turn ' ||
			coalesce((SELECT max(turn_until) FROM fiscal_series) - clock_timestamp(), '0')::text || ': ' ||
			string_agg(c.what || ' ' || coalesce(c.outcome, 'cut off') || ' ' || coalesce(c.reason::text, '') || ' ' ||
			to_char(c.started_at, 'MI:SS'), ', ' ORDER BY c.id)
		FROM fiscal_exchanges e JOIN fiscal_calls c ON c.note_id = e.note_id
		WHERE e.state IN ('unsigned', 'signed', 'in_doubt') GROUP BY e.id`); err != nil {
		t.Error(err)
	}
	for _, one := range open {
		t.Errorf("without an end: %s", one)
	}
	t.Logf("%d issued, %d of them cancelled, %d cancelled before; %d messages, %d calls of which %d cut off",
		len(known), cancelled,
		database.Count(t, `SELECT count(*) FROM notes WHERE status = 'cancelled' AND issued_at IS NULL`),
		len(city.Messages()), database.Count(t, `SELECT count(*) FROM fiscal_calls`),
		database.Count(t, `SELECT count(*) FROM fiscal_calls WHERE outcome IS NULL`))
}
