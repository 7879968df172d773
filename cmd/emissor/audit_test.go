package main

import (
	"encoding/json"
	"os"
	"os/user"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/company"
	"emissor/cmd/emissor/operate"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
	"emissor/store/received"
	"emissor/test/testkit"
)

// reading are the commands that change nothing that the audit log is about: what a caller does with a key is in the
// request log.
var reading = []string{
	"serve", "api", "worker", "dashboard", "migrate", "storage status", "config", "version", "healthcheck", "outbox", "audit list",
	"user list", "organization list", "key list", "keyset create", "keyset encrypt", "keyset status",
	"webhook list", "webhook test", "fiscal-profile show",
	"fiscal-profile check", "series list", "series check", "recovery list",
	"fiscal-profile list", "certificate list", "certificate open", "note find", "note show", "note held",
	"note danfse", "note calculate", "note compare", "rehearse", "doctor", "listen", "logs tail",
	"delivery list", "delivery show",
	"email list", "ledger list", "service list", "service suggest", "work list", "cultural-event list",
	"classification list", "classification show", "authority drift list", "authority drift show",
	"authority drift export", "city check", "city list", "city show", "city status",
	"archive status", "archive run", "archive verify", "archive read",
	"client note create", "client note wait", "client note show", "client note cancel", "client note list",
	"client note xml", "client service create", "client service show", "client service list", "client customer save",
	"client customer show", "client customer list", "trigger",
	"mcp",
	"organization tax-ids", "municipality show", "events status", "events list", "events show", "events documents",
}

// commandPaths are the commands that run something, as they are typed.
func commandPaths(command *cobra.Command) (paths []string) {
	for _, child := range command.Commands() {
		paths = append(paths, commandPaths(child)...)
	}
	if !command.HasSubCommands() {
		_, path, _ := strings.Cut(command.CommandPath(), " ")
		paths = append(paths, path)
	}
	return paths
}

// Every command that changes something leaves an entry that says who ran it and
// where. A new command is in neither list until somebody has decided which it is.
func TestAudit_EveryCommand(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	key := bookkept(t, c.database)
	organization := key.OrganizationID
	c.organization = organization
	endpoint := addEndpoint(t, c.settings, organization, "http://127.0.0.1:1/").ID
	live := printed[operate.PrintedEndpoint](t, c.settings, "webhook", "add", "http://127.0.0.1:1/", "--organization",
		organization, "--environment", "live").ID
	note, replaced := issueLive(t, c.database, key, "order"), issueLive(t, c.database, key, "order-1")
	waiting := acceptLive(t, c.database, key, "order-3")
	c.database.RefuseByTerm(t, note)
	c.database.IssuedNationally(t, replaced)
	c.database.Exec(t, placedTaker, replaced)
	c.settings = c.settings.withDashboard()
	_, _, err := c.database.Store.Catalogues.SyncCustomer(t.Context(), key.Scope, "11144477735",
		func(customer *nfse.Customer) error { customer.Name = "Ana"; return nil })
	must(t, err)
	file := pfxFile(t, c.chain.Issue(t, certificatetest.Template(issuerTaxID)))
	issuer := []string{"--organization", organization, "--document", string(issuerTaxID), "--environment", "restricted"}
	ranges := write(t, "ranges.tsv", []byte("01000-000\t05999-999\t3550308\n"))
	nbs := write(t, "nbs.tsv", []byte(nbsTable("Consultoria")))
	text := func(query string) string { return c.database.Text(t, query) }
	added, adding := map[string]string{}, map[audit.Action]string{
		audit.CertificateAdd: "CERTIFICATE", audit.WorkCreate: "WORK",
		audit.CulturalEventCreate: "OCCASION",
	}

	inCity, _, _ := c.database.NewOrganization(t, "Clínica de Arealva")
	c.database.SetProfile(t, nfse.FiscalProfile{OrganizationID: inCity.ID, Authority: "arealva", Series: 1,
		TaxID: issuerTaxID, MunicipalityCode: "3503406", MunicipalRegistration: new("998877")})
	password := write(t, "city.password", []byte("s3nha\n"))

	steps := []struct {
		path    string
		args    []string
		actions []audit.Action
	}{
		{"organization create", []string{"--name", "Escola"}, []audit.Action{audit.OrganizationCreate}},
		{"key create", []string{"--organization", organization, "--environment", "test"},
			[]audit.Action{audit.KeyCreate}},
		{"key set", []string{key.ID, "--expires", "90d"}, []audit.Action{audit.KeySet}},
		{"key revoke", []string{key.ID}, []audit.Action{audit.KeyRevoke}},
		{"webhook add", []string{"http://127.0.0.1:1/", "--organization", organization, "--environment", "test"},
			[]audit.Action{audit.WebhookAdd}},
		{"webhook set", []string{endpoint, "--events", "nfse.issued"}, []audit.Action{audit.WebhookSet}},
		{"webhook rotate", []string{endpoint}, []audit.Action{audit.WebhookRotate}},
		{"webhook disable", []string{endpoint}, []audit.Action{audit.WebhookDisable}},
		{"webhook enable", []string{endpoint}, []audit.Action{audit.WebhookEnable}},
		{"webhook remove", []string{endpoint}, []audit.Action{audit.WebhookRemove}},
		{"organization allow-tax-id", issuer, []audit.Action{audit.TaxIDAllow}},
		{"fiscal-profile set", []string{"--organization", organization, "--document", string(issuerTaxID),
			"--municipality", "3304557", "--simples", "none", "--series", "1", "--environment", "restricted",
			"--tax-federal", "13.45", "--next-number", "100"},
			[]audit.Action{audit.FiscalProfileSet, audit.SeriesNextNumber}},
		{"city-login set", []string{"--organization", inCity.ID, "--user", "clinica", "--password-file", password},
			[]audit.Action{audit.CityLoginSet}},
		{"city-login remove", []string{"--organization", inCity.ID}, []audit.Action{audit.CityLoginRemove}},
		{"events rescan", []string{"--organization", organization}, []audit.Action{audit.EventsRescan}},
		{"received read-again", []string{"--organization", organization, "--from", "7"},
			[]audit.Action{audit.ReceivedReadAgain}},
		{"certificate add", c.add(file)[2:],
			[]audit.Action{audit.CertificateAdd, audit.TaxIDClaim}},
		{"certificate retry", []string{"CERTIFICATE", "--organization", organization},
			[]audit.Action{audit.CertificateRetry}},
		{"certificate remove", []string{"CERTIFICATE", "--organization", organization},
			[]audit.Action{audit.CertificateRemove}},
		{"series release", []string{"--organization", organization, "--yes"},
			[]audit.Action{audit.SeriesRelease}},
		{"recovery begin", nil, []audit.Action{audit.RecoveryBegin}},
		{"recovery leave", []string{"--organization", organization, "--number", "77"},
			[]audit.Action{audit.RecoveryLeave}},
		{"recovery take-over", []string{"--organization", organization, "--number", "78", "--note", waiting},
			[]audit.Action{audit.RecoveryTakeOver}},
		{"organization revoke-tax-id", issuer, []audit.Action{audit.TaxIDRevoke}},
		{"delivery retry", []string{text(`SELECT id FROM deliveries WHERE endpoint_id = '` + live + `'`)},
			[]audit.Action{audit.DeliveryRetry}},
		{"email retry", []string{text(`SELECT id FROM emails`)}, []audit.Action{audit.EmailRetry}},
		{"note redrive", []string{note}, []audit.Action{audit.NoteRedrive}},
		{"note request-analysis", []string{note}, []audit.Action{audit.NoteAnalysis}},
		{"note replace", []string{replaced, "--reference", "order-2", "--reason", "03"},
			[]audit.Action{audit.NoteReplace, audit.NoteIssue}},
		{"keyset rotate", nil, []audit.Action{audit.KeysetRotate}},
		{"archive restore", []string{"--month", "2026-01"}, []audit.Action{audit.DocumentsRestore}},
		{"zip-codes import", []string{ranges}, []audit.Action{audit.ZipCodesImport}},
		{"service classify", []string{text(`SELECT id FROM services`), "--organization", organization, "--nbs",
			"115021000", "--cindop", "100301", "--cclasstrib", "000001"},
			[]audit.Action{audit.ServiceClassify}},
		{"service tax", []string{text(`SELECT id FROM services`), "--organization", organization, "--withhold", "irrf"},
			[]audit.Action{audit.ServiceTax}},
		{"customer tax", []string{text(`SELECT min(id) FROM customers WHERE livemode`), "--organization", organization,
			"--simples"}, []audit.Action{audit.CustomerTax}},
		{"work add", []string{"--organization", organization, "--name", "Casa", "--registration", "900012345678",
			"--municipality", "3304557"}, []audit.Action{audit.WorkCreate}},
		{"work set", []string{"WORK", "--organization", organization, "--name", "Casa 2"},
			[]audit.Action{audit.WorkSet}},
		{"work close", []string{"WORK", "--organization", organization}, []audit.Action{audit.WorkClose}},
		{"cultural-event add", []string{"--organization", organization, "--name", "Show", "--from", "2026-11-20",
			"--through", "2026-11-21", "--identification", "7", "--municipality", "3304557"},
			[]audit.Action{audit.CulturalEventCreate}},
		{"cultural-event set", []string{"OCCASION", "--organization", organization, "--through", "2026-11-22"},
			[]audit.Action{audit.CulturalEventSet}},
		{"cultural-event close", []string{"OCCASION", "--organization", organization},
			[]audit.Action{audit.CulturalEventClose}},
		{"classification import", []string{nbs, "--replace-newer"},
			[]audit.Action{audit.ClassificationImport}},
		{"city import", []string{write(t, "cities.tsv", []byte(cityFile()))},
			[]audit.Action{audit.CityImport}},
		{"municipality refresh", []string{"3304557", "--environment", "restricted"},
			[]audit.Action{audit.CityRefresh}},
		{"customer export", []string{"--organization", organization, "--document", "11144477735"},
			[]audit.Action{audit.CustomerExport}},
		{"customer erase", []string{"--organization", organization, "--document", "11144477735", "--yes"},
			[]audit.Action{audit.CustomerErase}},
		{"user invite", []string{"ana@example.com", "--organization", organization},
			[]audit.Action{audit.UserInvite}},
		{"user uninvite", []string{"ana@example.com", "--organization", organization},
			[]audit.Action{audit.UserUninvite}},
		{"user link", []string{"ana@example.com"}, []audit.Action{audit.UserLink}},
		{"user remove", []string{"ana@example.com"}, []audit.Action{audit.UserRemove}},
		{"audit prune", []string{"--older-than", "366d"}, []audit.Action{audit.Prune}},
	}
	var changing []string
	for _, step := range steps {
		changing = append(changing, step.path)
		if step.path == "events rescan" {
			_, err := c.database.Store.Received.StartDistributions(t.Context(),
				[]received.ServedEnvironment{{Authority: "national"}})
			must(t, err)
		}
		if step.path == "series release" {
			c.database.Exec(t, `INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series,
				registration, held_reason, held_at)
				VALUES ('national', false, '`+string(issuerTaxID)+`', '3304557', 1, '', '{"code": "x"}', now())`)
		}
		if step.path == "recovery begin" {
			c.database.Exec(t, `INSERT INTO recovered_documents (authority, production, tax_id, municipality_code, series,
					number, registration, state, correlation_id, access_key, authority_number, taker, taker_tax_id)
				SELECT 'national', false, '`+string(issuerTaxID)+`', '3304557', 1, number, '', 'missing', '', '', '', '', ''
				FROM generate_series(77, 78) number`)
		}
		if step.path == "audit prune" {
			c.database.Exec(t, `INSERT INTO audit_log (id, at, actor_kind, actor_id, actor_from, request_id, action,
				subject_id) VALUES ('aud_0', now() - interval '2 years', 'command', 'x', 'x', '', 'key.set', 'key_0')`)
		}
		for i, arg := range step.args {
			if id := added[arg]; id != "" {
				step.args[i] = id
			}
		}
		newest := text(`SELECT max(id) FROM audit_log`)
		output := succeeds(t, c.settings, append(strings.Fields(step.path+" --json"), step.args...)...)
		if !json.Valid([]byte(output)) { // nothing is not, either
			t.Errorf("%s --json prints %s", step.path, output)
		}
		entries, _, err := c.database.Store.Audit.Log(t.Context(), audit.Filter{Before: newest,
			Page: postgres.Page{Limit: 10}})
		must(t, err)
		var actions []audit.Action
		for _, entry := range entries {
			actions = append(actions, entry.Action)
			if actor := thisUser(t); entry.Actor != actor {
				t.Errorf("%s was done by %+v, expected %+v", step.path, entry.Actor, actor)
			}
			if word := adding[entry.Action]; word != "" {
				added[word] = entry.SubjectID
			}
		}
		if !reflect.DeepEqual(actions, step.actions) {
			t.Errorf("%s leaves %v, expected %v", step.path, actions, step.actions)
		}
	}

	decided := slices.Sorted(slices.Values(append(changing, reading...)))
	if paths := slices.Sorted(slices.Values(commandPaths(rootCommand()))); !reflect.DeepEqual(paths, decided) {
		t.Errorf("the commands are\n%v\nand those that read, or are tested to be audited\n%v", paths, decided)
	}
}

// thisUser is who runs the commands of the tests.
func thisUser(t *testing.T) nfse.Actor {
	t.Helper()
	current, err := user.Current()
	must(t, err)
	host, err := os.Hostname()
	must(t, err)
	return nfse.Actor{Kind: nfse.ActorCommand, ID: current.Username, From: host}
}

// Behind sudo the one who called it is on record; nobody else can claim to be
// somebody so.
func TestAudit_Sudo(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal().with("SUDO_USER", "alice")
	succeeds(t, settings, "organization", "create", "--name", "Clínica Exemplo")
	expected := thisUser(t)
	if os.Geteuid() == 0 {
		expected.ID = "alice"
	}
	if entries := printed[[]audit.Entry](t, settings, "audit", "list"); entries[0].Actor != expected {
		t.Errorf("it was done by %+v, expected %+v", entries[0].Actor, expected)
	}
}

func TestAuditCommand_List(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	organization := printed[nfse.Organization](t, settings, "organization", "create", "--name", "Clínica Exemplo")
	created := printed[company.PrintedKey](t, settings, "key", "create", "--organization", organization.ID,
		"--environment",
		"live", "--label", "loja")
	succeeds(t, settings, "key", "set", created.ID, "--allow-network", "203.0.113.0/24")
	revoked := printed[company.PrintedKey](t, settings, "key", "revoke", created.ID)
	list := func(flags ...string) []audit.Entry {
		t.Helper()
		return printed[[]audit.Entry](t, settings, append([]string{"audit", "list"}, flags...)...)
	}

	all := list()
	if len(all) != 4 || all[0].Action != audit.KeyRevoke || all[3].Action != audit.OrganizationCreate ||
		!nfse.IsID(nfse.PrefixAuditEntry, all[0].ID) || time.Since(all[0].At.Time) > time.Minute {
		t.Fatalf("listed are %+v", all)
	}
	for filter, expected := range map[string]int{
		"--organization " + organization.ID: 4, "--organization org_x": 0, "--action key": 3, "--action key.set": 1,
		"--subject " + created.ID: 3, "--actor " + thisUser(t).ID: 4, "--actor nobody-at-all": 0, "--since 1h": 4,
		"--since 2099-01-01T00:00:00Z": 0, "--until 2020-01-01T00:00:00Z": 0, "--until 2099-01-01T00:00:00Z": 4,
		"--starting-after " + all[1].ID: 2,
	} {
		if found := list(strings.Fields(filter)...); len(found) != expected {
			t.Errorf("%s finds %d, expected %d", filter, len(found), expected)
		}
	}
	limited := execute(t, settings, "audit", "list", "--limit", "3", "--json")
	var entries []audit.Entry
	must(t, json.Unmarshal([]byte(limited.stdout), &entries))
	if len(entries) != 3 || !strings.Contains(limited.stderr, "--starting-after "+entries[2].ID) {
		t.Errorf("three of four are listed as %+v", limited)
	}

	table := cells(succeeds(t, settings, "audit", "list"))
	me := thisUser(t)
	row := func(entry audit.Entry, change string) []string {
		return []string{entry.At.String(), "command " + me.ID, me.From, string(entry.Action), entry.SubjectID,
			organization.ID, change}
	}
	expected := [][]string{
		{"TIME", "ACTOR", "FROM", "ACTION", "SUBJECT", "ORGANIZATION", "CHANGE"},
		row(all[0], "revoked_at: - → "+revoked.RevokedAt.String()),
		row(all[1], `allowed_networks: - → ["203.0.113.0/24"]`),
		row(all[2], "confirm_municipal_operation: false; email_customer: false; label: loja; register_ledger: false"),
		row(all[3], "-"),
	}
	if !reflect.DeepEqual(table, expected) {
		t.Errorf("printed is\n%q\nexpected\n%q", table, expected)
	}
}

func TestAuditCommand_Refused(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	misused(t, settings, "--action must be an action or one of the kinds alert, archive, audit,", "audit", "list",
		"--action", "key.sell")
	misused(t, settings, "--limit must be 1 or more", "audit", "list", "--limit", "0")
	misused(t, settings, "--starting-after must be the id of an entry", "audit", "list", "--starting-after", "key_1")
	misused(t, settings, "--since must be", "audit", "list", "--since", "yesterday")
	misused(t, settings, "--until must be", "audit", "list", "--until", "tomorrow")
	for _, age := range []string{"", "365d", "1h", "-400d", "2099-01-01T00:00:00Z", "old"} {
		misused(t, settings, "--older-than must be an age as 1826d, of 366d or more",
			"audit", "prune", "--older-than", age)
	}
}

// In a container, where all are one user, a setting says who it is; the log says that
// it is only said.
func TestAudit_Claimed(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal().with("EMISSOR_OPERATOR", "alice")
	succeeds(t, settings, "organization", "create", "--name", "Escola")
	expected := thisUser(t)
	expected.ID = "alice (says " + expected.ID + ")"
	for _, entry := range printed[[]audit.Entry](t, settings, "audit", "list") {
		if entry.Actor != expected {
			t.Errorf("it was done by %+v, expected %+v", entry.Actor, expected)
		}
	}
}
