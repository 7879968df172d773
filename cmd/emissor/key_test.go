package main

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"emissor/internal/testkit"
	"emissor/nfse"
)

func newOrganization(t *testing.T, settings settings) nfse.Organization {
	t.Helper()
	return printed[nfse.Organization](t, settings, "organization", "create", "--name", "Clínica Exemplo")
}

func TestKeyCommand_ShownOnceAndRevoked(t *testing.T) {
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, settings)

	created := printed[printedKey](t, settings, "key", "create", "--organization", organization.ID, "--environment",
		"live",
		"--label", "loja", "--email-customer", "--confirm-municipal-operation")
	if !strings.HasPrefix(created.Key, "svc_live_") || !nfse.IsAPIKeyText(created.Key) {
		t.Fatalf("the key is %q", created.Key)
	}
	expected := printedKey{
		ID: created.ID, Key: created.Key, OrganizationID: organization.ID, Environment: "live", Label: "loja",
		Defaults: nfse.Defaults{EmailCustomer: true, ConfirmMunicipalOperation: true}, CreatedAt: created.CreatedAt,
	}
	if !reflect.DeepEqual(created, expected) || !nfse.IsID(nfse.PrefixAPIKey, created.ID) {
		t.Errorf("created is %+v, expected %+v", created, expected)
	}
	key, err := database.Store.APIKey(t.Context(), created.Key, netip.Addr{})
	if err != nil || key.ID != created.ID || !key.Livemode {
		t.Errorf("the key opens %+v, %v", key, err)
	}

	listed := succeeds(t, settings, "key", "list", "--organization", organization.ID, "--json") + succeeds(t, settings,
		"key", "list", "--organization", organization.ID)
	if !strings.Contains(listed, created.ID) || strings.Contains(listed, "svc_live_") ||
		strings.Contains(listed, created.Key[len("svc_live_"):]) {
		t.Errorf("the list says\n%s", listed)
	}

	revoked := printed[printedKey](t, settings, "key", "revoke", created.ID)
	if revoked.RevokedAt == nil || revoked.Key != "" || revoked.ID != created.ID {
		t.Errorf("revoked is %+v", revoked)
	}
	_, err = database.Store.APIKey(t.Context(), created.Key, netip.Addr{})
	if !nfse.IsCode(err, nfse.CodeInvalidAPIKey) {
		t.Errorf("a revoked key is answered %v", err)
	}
	again := printed[printedKey](t, settings, "key", "revoke", created.ID)
	list := printed[[]printedKey](t, settings, "key", "list", "--organization", organization.ID)
	if !reflect.DeepEqual(again, revoked) || !reflect.DeepEqual(list, []printedKey{revoked}) {
		t.Errorf("revoked again is %+v, the list is %+v, expected %+v", again, list, revoked)
	}
}

func TestKeyCommand_Printed(t *testing.T) {
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	organization := newOrganization(t, settings)
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
	key := printed[[]printedKey](t, settings, "key", "list", "--organization", organization.ID)[0]
	expected := [][]string{
		{"ID", "ENVIRONMENT", "LABEL", "E-MAIL", "LEDGER", "CONFIRM", "CREATED", "REVOKED"},
		{key.ID, "test", "false", "true", "false", key.CreatedAt.String(), "-"}, // no label
	}
	for _, table := range []string{strings.Split(output, "\n\n")[0], succeeds(t, settings, "key", "list",
		"--organization", organization.ID)} {
		if rows := cells(table); !reflect.DeepEqual(rows, expected) {
			t.Errorf("printed is %q, expected %q", rows, expected)
		}
	}
}

func TestKeyCommand_Refused(t *testing.T) {
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, settings)
	stranger := nfse.NewID(nfse.PrefixOrganization)
	text := nfse.NewAPIKeyText(false)

	for _, environment := range []string{"", "production", "Live", "TEST"} {
		fails(t, settings, "--environment must be test or live", "key", "create", "--organization", organization.ID,
			"--environment", environment)
	}
	fails(t, settings, `required flag(s) "environment" not set`, "key", "create", "--organization", organization.ID)
	fails(t, settings, `there is no organization "`+stranger+`"`, "key", "create", "--organization", stranger,
		"--environment", "test")
	fails(t, settings, `there is no organization "x"`, "key", "list", "--organization", "x")
	fails(t, settings, `there is no key "key_`, "key", "revoke", nfse.NewID(nfse.PrefixAPIKey))
	fails(t, settings, "accepts 1 arg(s), received 0", "key", "revoke")
	for _, mistyped := range []string{text, text[:len(text)-1], strings.ToUpper(text), organization.ID} {
		fails(t, settings, "name the key by its id (key_...), as `emissor key list` shows it, and not by its text",
			"key", "revoke", mistyped)
		if result := execute(t, settings, "key", "revoke", mistyped); strings.Contains(result.stderr, mistyped) {
			t.Errorf("the error repeats what may be a key: %s", result.stderr)
		}
	}
	if keys := database.Count(t, `SELECT count(*) FROM api_keys`); keys != 0 {
		t.Errorf("%d keys were made all the same", keys)
	}
}
