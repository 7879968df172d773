package store_test

import (
	"errors"
	"fmt"
	"testing"

	"emissor/store/catalogues"
	"emissor/test/testkit"
)

func expectZipCode(t *testing.T, database *testkit.Database, zip, remembered, ranged string) {
	t.Helper()
	gotRemembered, gotRanged, err := database.Store.Catalogues.ZipCode(t.Context(), zip)
	if err != nil || gotRemembered != remembered || gotRanged != ranged {
		t.Errorf("%s is remembered as %q, ranged as %q, %v; expected %q and %q", zip, gotRemembered, gotRanged, err,
			remembered, ranged)
	}
}

func TestZipCode_RememberedForNinetyDays(t *testing.T) {
	database := testkit.NewDatabase(t)
	expectZipCode(t, database, "01310100", "", "")
	must(t, database.Store.Catalogues.RememberZipCode(t.Context(), "01310100", "3550308"))
	expectZipCode(t, database, "01310100", "3550308", "")
	expectZipCode(t, database, "01310101", "", "")

	database.Exec(t, `UPDATE zip_codes SET fetched_at = now() - interval '89 days 23 hours'`)
	expectZipCode(t, database, "01310100", "3550308", "")
	database.Exec(t, `UPDATE zip_codes SET fetched_at = now() - interval '90 days'`)
	expectZipCode(t, database, "01310100", "", "")

	must(t, database.Store.Catalogues.RememberZipCode(t.Context(), "01310100", "3304557"))
	expectZipCode(t, database, "01310100", "3304557", "")
}

func TestZipCodeRange_Bounds(t *testing.T) {
	database := testkit.NewDatabase(t)
	must(t, database.Changes().Catalogues.ReplaceZipCodeRanges(t.Context(), []catalogues.ZipCodeRange{
		{Start: "01000000", End: "05999999", MunicipalityCode: "3550308"},
		{Start: "06000000", End: "06299999", MunicipalityCode: "3534401"},
		{Start: "20000000", End: "20000000", MunicipalityCode: "3304557"},
	}))
	for zip, code := range map[string]string{
		"00999999": "", "01000000": "3550308", "03210100": "3550308", "05999999": "3550308", "06000000": "3534401",
		"06299999": "3534401",
		"06300000": "", "19999999": "", "20000000": "3304557", "20000001": "", "99999999": "",
	} {
		expectZipCode(t, database, zip, "", code)
	}
}

func TestZipCodeImport_Replaces(t *testing.T) {
	database := testkit.NewDatabase(t)
	must(t, database.Changes().Catalogues.ReplaceZipCodeRanges(t.Context(),
		[]catalogues.ZipCodeRange{{Start: "01000000", End: "05999999", MunicipalityCode: "3550308"}}))
	many := make([]catalogues.ZipCodeRange, 2500) // more than fit into one statement
	for i := range many {
		many[i] = catalogues.ZipCodeRange{Start: fmt.Sprintf("2%04d000", i), End: fmt.Sprintf("2%04d999", i),
			MunicipalityCode: fmt.Sprintf("33%05d", i)}
	}
	must(t, database.Changes().Catalogues.ReplaceZipCodeRanges(t.Context(), many))
	expectZipCode(t, database, "01310100", "", "")
	for _, i := range []int{0, 999, 1000, 1999, 2000, 2499} {
		expectZipCode(t, database, fmt.Sprintf("2%04d500", i), "", fmt.Sprintf("33%05d", i))
	}
	if rows := database.Count(t, `SELECT count(*) FROM zip_code_ranges`); rows != len(many) {
		t.Errorf("there are %d ranges", rows)
	}
	must(t, database.Changes().Catalogues.ReplaceZipCodeRanges(t.Context(), nil))
	expectZipCode(t, database, "20000500", "", "")
}

func TestZipCodeImport_Fails(t *testing.T) {
	database := testkit.NewDatabase(t)
	must(t, database.Changes().Catalogues.ReplaceZipCodeRanges(t.Context(),
		[]catalogues.ZipCodeRange{{Start: "01000000", End: "05999999", MunicipalityCode: "3550308"}}))
	err := database.Changes().Catalogues.ReplaceZipCodeRanges(t.Context(), []catalogues.ZipCodeRange{
		{Start: "20000000", End: "20999999", MunicipalityCode: "3304557"},
		{Start: "20000000", End: "20999999", MunicipalityCode: "3550308"},
	})
	if err == nil {
		t.Error("a range that is there twice is imported")
	}
	expectZipCode(t, database, "01310100", "", "3550308")
	expectZipCode(t, database, "20000000", "", "")
}

// Without a lock each import deletes what it sees, and what it sees is not what
// the other one is writing: the ranges of both stay.
func TestZipCodeImport_AtTheSameTime(t *testing.T) {
	database := testkit.NewDatabase(t)
	const imports, ranges = 4, 50
	errs := together(imports, func(i int) error {
		mine := make([]catalogues.ZipCodeRange, ranges)
		for j := range mine {
			start := fmt.Sprintf("%04d%d000", j, i)
			mine[j] = catalogues.ZipCodeRange{Start: start, End: start, MunicipalityCode: fmt.Sprint(i)}
		}
		return database.Changes().Catalogues.ReplaceZipCodeRanges(t.Context(), mine)
	})
	must(t, errors.Join(errs...))
	if rows, sources := database.Count(t, `SELECT count(*) FROM zip_code_ranges`),
		database.Count(t, `SELECT count(DISTINCT municipality_code) FROM zip_code_ranges`); rows != ranges ||
		sources != 1 {
		t.Errorf("%d ranges of %d imports are there", rows, sources)
	}
}

func TestZipCodeImport_ReadMeanwhile(t *testing.T) {
	database := testkit.NewDatabase(t)
	must(t, database.Changes().Catalogues.ReplaceZipCodeRanges(t.Context(),
		[]catalogues.ZipCodeRange{{Start: "01000000", End: "05999999", MunicipalityCode: "3550308"}}))
	other := begun(t, database)
	_, err := other.Exec(`LOCK TABLE zip_code_ranges IN SHARE ROW EXCLUSIVE MODE; DELETE FROM zip_code_ranges`)
	must(t, err)
	expectZipCode(t, database, "01310100", "", "3550308")
}
