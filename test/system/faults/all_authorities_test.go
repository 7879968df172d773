//go:build faults

package faults

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/companies"
	"emissor/test/harness"
	"emissor/test/simulators/fiorilli"
	"emissor/test/simulators/issnet"
	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/simulatortest"
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
	{"brasilia", "5300108", "11222333000505", 1},
	{"arealva", "3503406", "11222333000696", 1},
}

// municipalCodes are the cities' own codes of the service, where they want one (cTribMun).
var municipalCodes = map[string]string{"2211001": "001", "3509502": "001", "5300108": "1009"}

// granted are the numbers that Brasília has granted: more than there are notes.
var granted = nfse.NumberRange{First: 1, Last: 500}

// simulated are the authorities, as they are simulated.
type simulated struct {
	national *sefin.Simulator // and the cities of DSF
	saoPaulo *saopaulo.Simulator
	brasilia *issnet.Simulator
	arealva  *fiorilli.Simulator
}

// Live notes go to the national system, to São Paulo, and to cities whose own servers take the
// national declaration, all at once, while all of them fail in every way and workers, PostgreSQL and
// Temporal are killed; some are cancelled. In Teresina a second sending makes a second note, in São
// Paulo it cancels the first, in Brasília it is refused. In the end the ledgers and our database agree
// one to one, and nothing was made twice or destroyed.
func TestFaults_AllAuthorities(t *testing.T) {
	database := testkit.NewDatabase(t)
	authorities := startAuthorities(t)
	generated, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	keyset := string(generated)
	importCities(t, database, authorities)
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
			equip(t, database, keyset, profile, authorities.saoPaulo)
			continue
		}
		profile.ApproximateTaxes = nfse.ApproximateTaxes{Federal: 1345, Municipal: 290}
		if one.authority == "brasilia" {
			profile.GrantedNumbers = &granted
			equip(t, database, keyset, profile, authorities.brasilia)
			continue
		}
		if one.authority == "arealva" {
			equip(t, database, keyset, profile, authorities.arealva)
			continue
		}
		equip(t, database, keyset, profile, authorities.national)
	}
	running := install(t, database, keyset,
		"EMISSOR_NATIONAL_RESTRICTED_URL="+authorities.national.URL(),
		"EMISSOR_SAO_PAULO_URL="+authorities.saoPaulo.URL(), "EMISSOR_CITIES=true",
		"EMISSOR_AUTHORITY_CA="+rootsFile(t, slices.Concat(authorities.national.RootsPEM(),
			authorities.saoPaulo.RootsPEM(), authorities.brasilia.RootsPEM(), authorities.arealva.RootsPEM())),
		"EMISSOR_AUTHORITY_TIMEOUT=1s", "EMISSOR_AUTHORITY_GRACE_PERIOD=3s",
		"EMISSOR_NATIONAL_RATE=1000", "EMISSOR_SAO_PAULO_RATE=1000")
	var services []string
	for i, one := range issuers {
		services = append(services, serviceOf(t, database, running.url, keys[i], organizations[i], one.municipality))
	}
	authorities.fail(t, faultProfile, cityFaults)

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
	authorities.fail(t, sefin.FaultProfile{}, saopaulo.FaultProfile{})
	awaitEnd(t, database, everywhere.notes, `SELECT count(*) FROM notes
		WHERE status IN ('issued', 'rejected', 'cancelled') AND cancellation_status IS DISTINCT FROM 'pending'`)
	allAgree(t, database, authorities)
}

// awaitMore waits until so many notes have ended, which takes turns at most of the authorities; at least one of them
// every three minutes.
func awaitMore(t *testing.T, database *testkit.Database, ended string, share int) {
	t.Helper()
	last, since := -1, time.Now()
	for {
		now := database.Count(t, ended)
		switch {
		case now >= share:
			return
		case now != last:
			last, since = now, time.Now()
		case time.Since(since) > 3*time.Minute:
			t.Fatalf("%d notes have ended, not %d: %s", now, share, database.Text(t, `
				SELECT coalesce(string_agg(each, '; '), 'none is open') FROM (
					SELECT authority || ' ' || state || ' ' || count(*) AS each FROM fiscal_exchanges
					WHERE state IN ('unsigned', 'signed', 'in_doubt') GROUP BY authority, state) AS open`))
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// startAuthorities starts the simulators.
func startAuthorities(t *testing.T) (all simulated) {
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
	national, err := sefin.Start(sefin.Options{
		Options: server.Options{Shapes: anyShape()}, Cities: []sefin.City{teresina, campinas},
	})
	all.national = simulatortest.Started(t, national, err)
	saoPaulo, err := saopaulo.Start(saopaulo.Options{Options: server.Options{Shapes: anyShape()}})
	all.saoPaulo = simulatortest.Started(t, saoPaulo, err)
	behaviour := issnet.Behaviour{Codes: map[string][]string{}, Granted: map[string][]issnet.Granted{}}
	for _, one := range issuers {
		if one.authority == "brasilia" {
			behaviour.Codes[string(one.taxID)] = []string{municipalCodes[one.municipality]}
			behaviour.Granted[string(one.taxID)] = []issnet.Granted{
				{Series: one.series, First: granted.First, Last: granted.Last},
			}
		}
	}
	brasilia, err := issnet.Start(issnet.Options{
		Options: sefin.Options{Options: server.Options{Shapes: anyShape()}}, Behaviour: behaviour,
	})
	all.brasilia = simulatortest.Started(t, brasilia, err)
	arealva, err := fiorilli.Start(fiorilli.Options{Options: sefin.Options{Options: server.Options{Shapes: anyShape()}}})
	all.arealva = simulatortest.Started(t, arealva, err)
	return all
}

// fail has all of them fail in these ways.
func (s simulated) fail(t *testing.T, national sefin.FaultProfile, saoPaulo saopaulo.FaultProfile) {
	t.Helper()
	err := errors.Join(s.national.SetFaultProfile(national), s.brasilia.SetFaultProfile(national),
		s.arealva.SetFaultProfile(national),
		s.saoPaulo.SetFaultProfile(saoPaulo))
	if err != nil {
		t.Fatal(err)
	}
}

// importCities puts a table on record that has the cities which are simulated alone. Cancelling is as their
// families have it: on in those of DSF, off in Brasília and Arealva, where an empty answer says that there is no note.
func importCities(t *testing.T, database *testkit.Database, authorities simulated) {
	t.Helper()
	addresses := map[string]string{"brasilia": authorities.brasilia.URL(), "arealva": authorities.arealva.URL()}
	for _, city := range authorities.national.Cities() {
		addresses[city.Name] = authorities.national.CityURL(city.Name)
	}
	table, err := harness.CityTable(addresses, map[string]string{
		"grace-period": "3s", "rate": "100", "cancelling": "", "test-city": "",
		"send-timeout": "1s", "ask-timeout": "1s", "arealva/not-found": "empty",
	})
	if err == nil {
		err = database.Changes().Companies.ImportCityTable(t.Context(), companies.CityTable{
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
	if _, err := database.Changes().Catalogues.ClassifyServices(t.Context(), scope, []catalogues.ServiceClassification{
		{ServiceID: service, Classification: classification},
	}); err != nil {
		t.Fatal(err)
	}
	if code := municipalCodes[municipality]; code != "" {
		if err := database.Changes().Catalogues.TaxService(t.Context(), scope, service,
			nfse.ServiceTaxation{MunicipalCode: code}, ""); err != nil {
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
func allAgree(t *testing.T, database *testkit.Database, authorities simulated) {
	t.Helper()
	ledger, by := map[string]document{}, map[string]int{}
	enter := func(authority string, entry sefin.Entry) {
		ledger[entry.AccessKey] = document{authority, entry.Number, entry.Cancelled}
		if entry.SecondOf != "" {
			t.Errorf("%s is a second note of %s", entry.AccessKey, entry.DPSID)
		}
	}
	for _, entry := range authorities.national.Ledger() {
		enter(cmp.Or(entry.City, "national"), entry)
	}
	for _, entry := range authorities.brasilia.Ledger() {
		enter("brasilia", entry)
	}
	for _, entry := range authorities.arealva.Ledger() {
		enter("arealva", entry)
	}
	for _, entry := range authorities.saoPaulo.Ledger() {
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
	} {
		if n := database.Count(t, query); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
	awaitNone(t, database, "outbox rows", `SELECT count(*) FROM outbox`)
	if len(by) != len(issuers) {
		t.Errorf("not every authority has issued: %v", by)
	}
	t.Logf("issued: %v; %d cancelled, %d sendings to the national system and cities of DSF, %d to Brasília", by,
		database.Count(t, `SELECT count(*) FROM notes WHERE status = 'cancelled'`),
		len(authorities.national.Posts()), len(authorities.brasilia.Posts()))
}
