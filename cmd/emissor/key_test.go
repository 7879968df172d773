package main

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/company"
	"emissor/nfse"
	"emissor/test/testkit"
)

// newOrganization makes one for a test of other commands.
func newOrganization(t *testing.T, database *testkit.Database) nfse.Organization {
	t.Helper()
	organization, err := database.Changes().Access.CreateOrganization(t.Context(), "Clínica Exemplo")
	must(t, err)
	return organization
}

// The limits of keys and endpoints hold for commands too.
func TestCommands_TooMany(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := withKeyset(t, settingsOf(database).withoutTemporal())
	organization := newOrganization(t, database)
	key := []string{"key", "create", "--organization", organization.ID, "--environment", "test"}
	succeeds(t, settings, key...)
	database.Exec(t, `INSERT INTO api_keys SELECT (jsonb_populate_record(k, jsonb_build_object('id', k.id || i,
		'hash', '\x' || md5(i::text)))).* FROM api_keys k, generate_series(2, 50) i`)
	fails(t, settings, "the organization has as many valid keys in this environment as it may have: 50", key...)
	endpoint := []string{"webhook", "add", "https://hooks.example.com/a", "--organization", organization.ID,
		"--environment", "live"}
	succeeds(t, settings, endpoint...)
	database.Exec(t, `INSERT INTO webhook_endpoints SELECT (jsonb_populate_record(e, jsonb_build_object('id',
		e.id || i))).* FROM webhook_endpoints e, generate_series(2, 20) i`)
	fails(t, settings, "the organization has as many webhook endpoints in this environment as it may have: 20",
		endpoint...)
}

func TestKeyCommand_ShownOnceAndRevoked(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database)

	created := printed[company.PrintedKey](t, settings, "key", "create", "--organization", organization.ID,
		"--environment",
		"live",
		"--label", "loja", "--email-customer", "--confirm-municipal-operation")
	if !strings.HasPrefix(created.Key, "svc_live_") || !nfse.IsAPIKeyText(created.Key) {
		t.Fatalf("the key is %q", created.Key)
	}
	lastFour := created.Key[len(created.Key)-4:]
	expected := company.PrintedKey{
		ID: created.ID, Key: created.Key, OrganizationID: organization.ID, Environment: "live", Label: "loja",
		Defaults: nfse.Defaults{EmailCustomer: true, ConfirmMunicipalOperation: true}, AllowedNetworks: nfse.Networks{},
		CreatedAt: created.CreatedAt, LastFour: &lastFour,
	}
	if !reflect.DeepEqual(created, expected) || !nfse.IsID(nfse.PrefixAPIKey, created.ID) {
		t.Errorf("created is %+v, expected %+v", created, expected)
	}
	key, err := database.Store.Access.APIKey(t.Context(), created.Key, netip.Addr{})
	if err != nil || key.ID != created.ID || !key.Livemode {
		t.Errorf("the key opens %+v, %v", key, err)
	}

	listed := succeeds(t, settings, "key", "list", "--organization", organization.ID, "--json") + succeeds(t, settings,
		"key", "list", "--organization", organization.ID)
	if !strings.Contains(listed, created.ID) || strings.Contains(listed, "svc_live_") ||
		strings.Contains(listed, created.Key[len("svc_live_"):]) {
		t.Errorf("the list says\n%s", listed)
	}

	revoked := printed[company.PrintedKey](t, settings, "key", "revoke", created.ID)
	if revoked.RevokedAt == nil || revoked.Key != "" || revoked.ID != created.ID {
		t.Errorf("revoked is %+v", revoked)
	}
	_, err = database.Store.Access.APIKey(t.Context(), created.Key, netip.Addr{})
	if !nfse.IsCode(err, nfse.CodeInvalidAPIKey) {
		t.Errorf("a revoked key is answered %v", err)
	}
	again := printed[company.PrintedKey](t, settings, "key", "revoke", created.ID)
	list := printed[[]company.PrintedKey](t, settings, "key", "list", "--organization", organization.ID)
	if !reflect.DeepEqual(again, revoked) || !reflect.DeepEqual(list, []company.PrintedKey{revoked}) {
		t.Errorf("revoked again is %+v, the list is %+v, expected %+v", again, list, revoked)
	}
}

func TestKeyCommand_Printed(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database)
	output := succeeds(t, settings, "key", "create", "--organization", organization.ID, "--environment", "test",
		"--register-ledger")
	var text string
	for _, row := range cells(output) {
		if nfse.IsAPIKeyText(row[0]) {
			text = row[0]
		}
	}
	if !strings.HasPrefix(text, "svc_test_") || strings.Count(output, text) != 1 ||
		!strings.Contains(output, "It is shown only now.") {
		t.Fatalf("the command printed\n%s", output)
	}
	key := printed[[]company.PrintedKey](t, settings, "key", "list", "--organization", organization.ID)[0]
	expected := [][]string{
		{"ID", "ENVIRONMENT", "LABEL", "E-MAIL", "LEDGER", "CONFIRM", "NETWORKS", "CREATED", "LAST USED", "EXPIRES",
			"REVOKED"},
		{key.ID, "test", "false", "true", "false", "any", key.CreatedAt.String(), "-", "-", "-"}, // no label
	}
	for _, table := range []string{strings.Split(output, "\n\n")[0], succeeds(t, settings, "key", "list",
		"--organization", organization.ID)} {
		if rows := cells(table); !reflect.DeepEqual(rows, expected) {
			t.Errorf("printed is %q, expected %q", rows, expected)
		}
	}
}

func TestKeyCommand_Refused(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database)
	stranger := nfse.NewID(nfse.PrefixOrganization)
	text := nfse.NewAPIKeyText(false)

	for _, environment := range []string{"", "production", "Live", "TEST"} {
		misused(t, settings, "--environment must be test or live", "key", "create", "--organization", organization.ID,
			"--environment", environment)
	}
	misused(t, settings, `required flag(s) "environment" not set`, "key", "create", "--organization", organization.ID)
	fails(t, settings, `there is no organization "`+stranger+`"`, "key", "create", "--organization", stranger,
		"--environment", "test")
	fails(t, settings, `there is no organization "x"`, "key", "list", "--organization", "x")
	fails(t, settings, `there is no key "key_`, "key", "revoke", nfse.NewID(nfse.PrefixAPIKey))
	misused(t, settings, "KEY_ID is missing", "key", "revoke")
	for _, mistyped := range []string{text, text[:len(text)-1], strings.ToUpper(text), organization.ID} {
		misused(t, settings, "name the key by its id (key_...), as `emissor key list` shows it, and not by its text",
			"key", "revoke", mistyped)
		if result := execute(t, settings, "key", "revoke", mistyped); strings.Contains(result.stderr, mistyped) {
			t.Errorf("the error repeats what may be a key: %s", result.stderr)
		}
	}
	if keys := database.Count(t, `SELECT count(*) FROM api_keys`); keys != 0 {
		t.Errorf("%d keys were made all the same", keys)
	}
}

// What no flag names stays as it is; a limit is lifted by its word alone.
func TestKeyCommand_Set(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database)
	began := time.Now()
	created := printed[company.PrintedKey](t, settings, "key", "create", "--organization", organization.ID,
		"--environment",
		"live", "--label", "loja", "--register-ledger", "--expires", "90d",
		"--allow-network", "203.0.113.0/24,2001:db8::/48", "--allow-network", "198.51.100.7")
	networks := "203.0.113.0/24,2001:db8::/48,198.51.100.7/32"
	days := created.ExpiresAt.Sub(began).Hours() / 24
	if created.AllowedNetworks.String() != networks || days < 89.9 || days > 90.1 {
		t.Errorf("created is %+v", created)
	}
	set := func(flags ...string) company.PrintedKey {
		t.Helper()
		return printed[company.PrintedKey](t, settings, append([]string{"key", "set", created.ID}, flags...)...)
	}
	expected := created
	expected.Key = ""
	if unchanged := set(); !reflect.DeepEqual(unchanged, expected) {
		t.Errorf("without a flag it becomes %+v", unchanged)
	}
	expected.Label, expected.EmailCustomer = "caixa", true
	if relabelled := set("--label", "caixa", "--email-customer"); !reflect.DeepEqual(relabelled, expected) {
		t.Errorf("relabelled is %+v", relabelled)
	}
	expected.ExpiresAt.Time = time.Date(2099, 1, 2, 3, 4, 5, 0, time.UTC)
	if later := set("--expires", "2099-01-02T00:04:05-03:00"); !reflect.DeepEqual(later, expected) {
		t.Errorf("with another end it is %+v", later)
	}
	expected.AllowedNetworks = nfse.Networks{netip.MustParsePrefix("::1/128")}
	if moved := set("--allow-network", "::1"); !reflect.DeepEqual(moved, expected) {
		t.Errorf("with another network it is %+v", moved)
	}
	table := succeeds(t, settings, "key", "list", "--organization", organization.ID)
	if !strings.Contains(table, "::1/128") || !strings.Contains(table, "2099-01-02T03:04:05.000Z") {
		t.Errorf("the list says\n%s", table)
	}
	expected.AllowedNetworks, expected.ExpiresAt, expected.RegisterLedger = nfse.Networks{}, nil, false
	lifted := set("--allow-network", "any", "--expires", "never", "--register-ledger=false")
	if !reflect.DeepEqual(lifted, expected) {
		t.Errorf("with its limits lifted it is %+v", lifted)
	}

	for flag, mistakes := range map[string]map[string]string{
		"--allow-network": {
			"": "must name a network, or be any", "lan": "must be a network", "any,::1": "must be a network",
			"10.0.0.0/33": "must be a network", "fe80::1%eth0": "must be a network",
			"10.0.0.1/8": "the network is 10.0.0.0/8", "::ffff:10.0.0.0/104": "must write a network of IPv4 as one",
		},
		"--expires": {
			"": "must be a duration", "-1h": "must be a duration", "0d": "must be a duration",
			"soon": "must be a duration", "2020-01-01T00:00:00Z": "a time to come",
		},
	} {
		for value, why := range mistakes {
			misused(t, settings, why, "key", "set", created.ID, flag, value)
			misused(t, settings, why, "key", "create", "--organization", organization.ID, "--environment", "test", flag,
				value)
		}
	}
	fails(t, settings, "there is no key", "key", "set", nfse.NewID(nfse.PrefixAPIKey), "--label", "x")
	misused(t, settings, "not by its text", "key", "set", nfse.NewAPIKeyText(true), "--label", "x")
	succeeds(t, settings, "key", "revoke", created.ID)
	fails(t, settings, "was revoked at", "key", "set", created.ID, "--expires", "1h")
	if keys := printed[[]company.PrintedKey](t, settings, "key", "list", "--organization",
		organization.ID); len(keys) != 1 {
		t.Errorf("there are %d keys", len(keys))
	}
}

// The use of a key is kept without a write for each request, at the latest when the
// API stops.
func TestKeyCommand_LastUsed(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	organization, used, _ := database.NewOrganization(t, "Clínica Exemplo")
	program := start(t, settings, "api")
	caller{program.api, used}.newService(t)
	program.terminate(t)
	program.expectEnd(t)
	for _, key := range printed[[]company.PrintedKey](t, settings, "key", "list", "--organization", organization.ID) {
		if (key.LastUsedAt != nil) != (key.Environment == "test") {
			t.Errorf("listed is %+v", key)
		}
	}
	if n := database.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'key.set'`); n != 0 {
		t.Error("a use is in the audit log")
	}
}
