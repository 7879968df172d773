package main

import (
	"encoding/json"
	"reflect"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

func TestOrganizationCommand_CreateAndList(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	if list := succeeds(t, settings, "organization", "list", "--json"); list != "[]\n" {
		t.Errorf("no organizations are listed as %s", list)
	}
	first := printed[nfse.Organization](t, settings, "organization", "create", "--name", "  Clínica <&> Exemplo ")
	if !nfse.IsID(nfse.PrefixOrganization, first.ID) || first.Name != "Clínica <&> Exemplo" ||
		first.CreatedAt.IsZero() {
		t.Errorf("created is %+v", first)
	}
	created := cells(succeeds(t, settings, "organization", "create", "--name", "Escola"))
	list := printed[[]nfse.Organization](t, settings, "organization", "list")
	if len(list) != 2 || list[0] != first || list[1].Name != "Escola" {
		t.Fatalf("listed are %+v", list)
	}
	header := []string{"ID", "NAME", "CREATED"}
	second := []string{list[1].ID, "Escola", list[1].CreatedAt.String()}
	if expected := [][]string{header, second}; !reflect.DeepEqual(created, expected) {
		t.Errorf("created is printed as %q", created)
	}
	table := cells(succeeds(t, settings, "organization", "list"))
	if !reflect.DeepEqual(table, [][]string{header, {first.ID, first.Name, first.CreatedAt.String()}, second}) {
		t.Errorf("the list is printed as %q", table)
	}
	raw := printed[[]map[string]json.RawMessage](t, settings, "organization", "list")
	if len(raw[0]) != 3 || raw[0]["id"] == nil || raw[0]["name"] == nil || raw[0]["created_at"] == nil {
		t.Errorf("a script reads %s", raw[0])
	}
}

func TestOrganizationCommand_NeedsAName(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t))
	misused(t, settings, `required flag(s) "name" not set`, "organization", "create")
	misused(t, settings, "--name must not be blank", "organization", "create", "--name", " ")
	misused(t, settings, `"Escola" is one argument too many`, "organization", "create", "--name", "x", "Escola")
}
