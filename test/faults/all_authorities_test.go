//go:build faults

package faults

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/store"
	"emissor/test/harness"
	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// issuers are companies, each of which issues by another authority.
var issuers = []struct {
	authority, municipality string
	taxID                   nfse.TaxID
	series                  int
}{
	{"national", "3304557", "11222333000181", 1},
	{"sao-paulo", "3550308", "11222333000262", 1},
	{"teresina", "2211001", "11222333000343", 10001},
	{"campinas", "3509502", "11222333000424", 10001},
}

// Live notes go to the national system, to São Paulo, and to cities whose own servers take the
// national declaration, all at once, while all of them fail in every way and workers, PostgreSQL and
// Temporal are killed; some are cancelled. In Teresina a second sending makes a second note, in São
// Paulo it cancels the first. In the end the ledgers and our database agree one to one, and nothing
// was made twice or destroyed.
func TestFaults_AllAuthorities(t *testing.T) {
	database := testkit.NewDatabase(t)
	national, city := startAuthorities(t)
	generated, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	keyset := string(generated)
	importCities(t, database, national)
	var keys []string
	var organizations []nfse.Organization
	for _, one := range issuers {
		organization, _, key := database.NewOrganization(t, one.authority)
		keys, organizations = append(keys, key), append(organizations, organization)
		profile := nfse.FiscalProfile{
			OrganizationID: organization.ID, Authority: one.authority, TaxID: one.taxID, MunicipalityCode: one.municipality,
			MunicipalRegistration: new("31000000"), Simples: nfse.SimplesNone, Series: one.series,
		}
		if profile.Production = one.authority == "sao-paulo"; profile.Production {
			equip(t, database, keyset, profile, city)
			continue
		}
		profile.ApproximateTaxes = nfse.ApproximateTaxes{Federal: 1345, Municipal: 290}
		equip(t, database, keyset, profile, national)
	}
	running := install(t, database, keyset,
		"EMISSOR_NATIONAL_RESTRICTED_URL="+national.URL(), "EMISSOR_SAO_PAULO_URL="+city.URL(), "EMISSOR_CITIES=true",
		"EMISSOR_AUTHORITY_CA="+rootsFile(t, append(national.RootsPEM(), city.RootsPEM()...)),
		"EMISSOR_AUTHORITY_TIMEOUT=1s", "EMISSOR_AUTHORITY_GRACE_PERIOD=3s",
		"EMISSOR_NATIONAL_RATE=1000", "EMISSOR_SAO_PAULO_RATE=1000")
	var services []string
	for i, one := range issuers {
		services = append(services, serviceOf(t, database, running.url, keys[i], organizations[i], one.municipality))
	}
	if err := national.SetFaultProfile(faultProfile); err != nil {
		t.Fatal(err)
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
			for n := range everywhere.notes / clients {
				of := n % len(keys)
				id := issueUntilAccepted(t, running.url, keys[of],
					testkit.Issuance(services[of], fmt.Sprintf("mixed-%d-%d", client, n)))
				if random.IntN(4) == 0 {
					time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond) // at any moment of its life
					cancelUntilAnswered(t, running.url, keys[of], id)
				}
			}
		})
	}
	const ended = `SELECT count(*) FROM notes WHERE status NOT IN ('queued', 'processing')`
	random := rand.New(rand.NewPCG(seed, clients))
	for kill := range everywhere.faults {
		share := everywhere.notes * (kill + 1) / (everywhere.faults + 2)
		awaitMore(t, database, ended, share)
		switch kill {
		case 1:
			control(t, "restart", "postgres")
		case 3:
			control(t, "restart", "temporal")
		default:
			running.replaceWorker(t, random)
		}
	}
	issuing.Wait()
	if err := national.SetFaultProfile(sefin.FaultProfile{}); err != nil {
		t.Fatal(err)
	}
	if err := city.SetFaultProfile(saopaulo.FaultProfile{}); err != nil {
		t.Fatal(err)
	}
	awaitEnd(t, database, everywhere.notes, `SELECT count(*) FROM notes
		WHERE status IN ('issued', 'rejected', 'cancelled') AND cancellation_status IS DISTINCT FROM 'pending'`)
	allAgree(t, database, national, city)
}

// awaitMore waits until so many notes have ended, which takes turns at most of the authorities.
func awaitMore(t *testing.T, database *testkit.Database, ended string, share int) {
	t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); database.Count(t, ended) < share; {
		if time.Now().After(deadline) {
			t.Fatalf("%d notes have ended, not %d: %s", database.Count(t, ended), share, database.Text(t, `
				SELECT coalesce(string_agg(each, '; '), 'none is open') FROM (
					SELECT authority || ' ' || state || ' ' || count(*) AS each FROM fiscal_exchanges
					WHERE state IN ('unsigned', 'signed', 'in_doubt') GROUP BY authority, state) AS open`))
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// startAuthorities starts the simulators: of the national system and of the cities beside it, and of
// São Paulo.
func startAuthorities(t *testing.T) (*sefin.Simulator, *saopaulo.Simulator) {
	t.Helper()
	teresina, err := sefin.CityNamed("teresina")
	if err != nil {
		t.Fatal(err)
	}
	campinas, err := sefin.CityNamed("campinas")
	if err != nil {
		t.Fatal(err)
	}
	teresina.SecondNote, campinas.RefusesAs = true, 200
	national, err := sefin.Start(sefin.Options{Cities: []sefin.City{teresina, campinas}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = national.Close() })
	city, err := saopaulo.Start(saopaulo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = city.Close() })
	return national, city
}

// importCities puts a table on record that has the cities which are simulated alone.
func importCities(t *testing.T, database *testkit.Database, simulator *sefin.Simulator) {
	t.Helper()
	addresses := map[string]string{}
	for _, city := range simulator.Cities() {
		addresses[city.Name] = simulator.CityURL(city.Name)
	}
	table, err := harness.CityTable(addresses, map[string]string{
		"grace-period": "3s", "rate": "100", "cancelling": "", "send-timeout": "1s", "ask-timeout": "1s",
	})
	if err == nil {
		err = database.Changes().ImportCityTable(t.Context(), store.CityTable{
			SourceName: "cities.tsv", SourceSHA256: strings.Repeat("0", 64), Content: table,
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// serviceOf makes a service of a company, with what the city wants of it.
func serviceOf(t *testing.T, database *testkit.Database, url, key string, of nfse.Organization,
	municipality string) string {
	t.Helper()
	wanted := map[string]any{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": municipality,
		"default_amount_cents": 15000,
	}
	classification := nfse.Classification{NBS: "115013000", CIndOp: "100301", CST: "000", CClassTrib: "000001"}
	if municipality == "3550308" {
		wanted["municipal_tax_code"], wanted["municipal_taxation"], wanted["iss_rate"] = "2919", "T", 2.9
		classification.IndFinal = new(false)
	} else {
		wanted["national_tax_code"] = "01.07.01"
	}
	service := post(t, url+"/v1/services", key, wanted)["id"].(string)
	scope := nfse.Scope{OrganizationID: of.ID, Livemode: true}
	if _, err := database.Changes().ClassifyServices(t.Context(), scope, []store.ServiceClassification{
		{ServiceID: service, Classification: classification},
	}); err != nil {
		t.Fatal(err)
	}
	if municipality == "2211001" || municipality == "3509502" {
		if err := database.Changes().TaxService(t.Context(), scope, service,
			nfse.ServiceTaxation{MunicipalCode: "001"}, ""); err != nil {
			t.Fatal(err)
		}
	}
	return service
}

// document is what an authority has issued.
type document struct {
	authority, number string
	cancelled         bool
}

// allAgree compares what all authorities issued with what we believe.
func allAgree(t *testing.T, database *testkit.Database, national *sefin.Simulator, city *saopaulo.Simulator) {
	t.Helper()
	ledger, by := map[string]document{}, map[string]int{}
	for _, entry := range national.Ledger() {
		authority := entry.City
		if authority == "" {
			authority = "national"
		}
		ledger[entry.AccessKey] = document{authority, entry.Number, entry.Cancelled}
		if entry.SecondOf != "" {
			t.Errorf("%s is a second note of %s", entry.AccessKey, entry.DPSID)
		}
	}
	for _, entry := range city.Ledger() {
		ledger[entry.NationalKey] = document{"sao-paulo", entry.RPSNumber, entry.Cancelled}
		if entry.CancelledBy == saopaulo.ByResend {
			t.Errorf("the note %d was cancelled by a second sending of its RPS %s", entry.Number, entry.RPSNumber)
		}
	}
	var known []struct {
		ID        string `db:"id"`
		AccessKey string `db:"access_key"`
		Status    string `db:"status"`
		Authority string `db:"authority"`
		Number    string `db:"number"`
	}
	if err := database.SQL.Select(&known, `SELECT n.id, n.access_key, n.status, d.authority, d.number::text
		FROM notes n JOIN fiscal_exchanges d ON d.note_id = n.id AND d.kind = 'issue' AND d.state = 'accepted'
		WHERE n.issued_at IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	for _, note := range known {
		want := document{note.Authority, note.Number, note.Status == "cancelled"}
		if got := ledger[note.AccessKey]; got != want {
			t.Errorf("%s is %+v, and at the authority %+v", note.ID, want, got)
		}
		delete(ledger, note.AccessKey)
		by[note.Authority]++
	}
	for key, entry := range ledger {
		t.Errorf("%s was issued, %+v, and no note knows of it", key, entry)
	}
	for what, query := range map[string]string{
		"rejected notes": `SELECT count(*) FROM notes WHERE status = 'rejected'`,
		"notes with more than one event of kind": `SELECT count(*)
			FROM (SELECT note_id, type FROM events GROUP BY 1, 2 HAVING count(*) > 1) AS doubled`,
		"numbers without an end": `SELECT count(*) FROM fiscal_exchanges
			WHERE state IN ('unsigned', 'signed', 'in_doubt')`,
		"numbers in use by others": `SELECT count(*) FROM fiscal_exchanges WHERE state = 'number_conflict'`,
		"held series":              `SELECT count(*) FROM fiscal_series WHERE held_reason IS NOT NULL`,
		"outbox rows":              `SELECT count(*) FROM outbox`,
	} {
		if n := database.Count(t, query); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
	if len(by) != len(issuers) {
		t.Errorf("not every authority has issued: %v", by)
	}
	t.Logf("issued: %v; %d cancelled, %d sendings to the national system and cities", by,
		database.Count(t, `SELECT count(*) FROM notes WHERE status = 'cancelled'`), len(national.Posts()))
}
