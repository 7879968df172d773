package main

import (
	"os"
	"path/filepath"
	"testing"

	"emissor/test/testkit"
)

func TestZipCodesCommand_Import(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	folder := t.TempDir()
	file := func(content string) string {
		t.Helper()
		path := filepath.Join(folder, "ranges.tsv")
		must(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	ranged := func(zip, code string) {
		t.Helper()
		if _, got, err := database.Store.Catalogues.ZipCode(t.Context(), zip); err != nil || got != code {
			t.Errorf("%s is in %q, %v, expected %q", zip, got, err, code)
		}
	}

	good := file("01000-000\t05999-999\t3550308\n20000000\t23799999\t3304557\n")
	output := succeeds(t, settings, "zip-codes", "import", good)
	if output != "2 ranges imported; they replace all imported before\n" {
		t.Errorf("the import says %s", output)
	}
	ranged("01310100", "3550308")
	for _, bad := range []string{
		"",
		"01000000\t05999999\n",
		"01000000\t05999999\t3550309\n", // no such municipality
		"05999999\t01000000\t3550308\n", // backwards
		"01000000\t05999999\t3550308\n05999999\t06999999\t3534401\n", // overlapping
		"not a table",
	} {
		misused(t, settings, "nothing was imported", "zip-codes", "import", file(bad))
		ranged("01310100", "3550308")
		ranged("22000000", "3304557")
	}
	misused(t, settings, "no such file", "zip-codes", "import", filepath.Join(folder, "missing.tsv"))
	again := printed[map[string]int](t, settings, "zip-codes", "import", file("20000000,23799999,3304557\n"))
	if again["ranges"] != 1 {
		t.Errorf("a script reads %v", again)
	}
	ranged("01310100", "")
	ranged("22000000", "3304557")
}
