package sefin

import (
	"strconv"
	"strings"
	"testing"

	"emissor/test/reference"
	"emissor/test/simulators/shared/checkdigit"
)

// rows are the fields of an official table, without its head.
func rows(t *testing.T, path string) [][]string {
	t.Helper()
	var all [][]string
	for line := range strings.Lines(string(reference.ReadNational(t, path))) {
		all = append(all, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
	}
	if len(all) < 18 {
		t.Fatalf("%s holds %d lines", path, len(all))
	}
	return all[1:]
}

// What the rules know without the registers agrees with the official tables.
func TestRegisters(t *testing.T) {
	t.Run("Municipalities", func(t *testing.T) {
		for _, code := range []string{"", "3304558", "9999999", "0000000", "330455", "33O4557"} {
			if checkdigit.Municipality(code) {
				t.Errorf("%q exists", code)
			}
		}
		for _, row := range rows(t, "data/municipios-anexoA-20251210.tsv") {
			if !checkdigit.Municipality(row[0]) {
				t.Errorf("%s does not exist", row[0])
			}
		}
	})
	t.Run("PostalCodes", func(t *testing.T) {
		var registry Registry
		for _, row := range rows(t, "data/cep-ranges.tsv") {
			for _, cep := range row[:2] {
				if !registry.postalCodeOf(cep, row[2]) {
					t.Errorf("%s does not lie in %s but in %q", cep, row[2], checkdigit.StateOfCEP(cep))
				}
			}
		}
	})
	t.Run("Services", func(t *testing.T) {
		listed := map[string]bool{}
		for _, row := range rows(t, "data/ctribnac-anexoB-v1.01-20260122.tsv") {
			listed[row[0]] = true
			if !serviceExists(row[0]) {
				t.Errorf("%s does not exist", row[0])
			}
		}
		if len(services()) != 338 || serviceExists("990301") {
			t.Errorf("%d services are known", len(services()))
		}
		for code := range services() {
			if !listed[code] {
				t.Errorf("%s is not on the official list", code)
			}
		}
	})
	t.Run("ClassTribs", classTribsAreListed)
	t.Run("Operations", func(t *testing.T) {
		listed := 0
		for _, row := range rows(t, "data/indop.tsv") {
			if inAnnexC := row[1] == "1"; inAnnexC != (supplyPlaces[row[0]] != 0) {
				t.Errorf("cIndOp %s is in Annex C: %t", row[0], inAnnexC)
			} else if inAnnexC {
				listed++
			}
			place, field := supplyPlaces[row[0]], row[12]
			takes := strings.Contains(field, "/toma/") || strings.Contains(field, "/dest/")
			if place != 0 && takes != (place == atRecipient) {
				t.Errorf("the place of %s is not %q", row[0], field)
			}
		}
		if listed != len(supplyPlaces) {
			t.Errorf("%d codes, not %d", len(supplyPlaces), listed)
		}
	})
	t.Run("NBS", func(t *testing.T) {
		for _, row := range rows(t, "data/nbs-anexoB.tsv") {
			if !nbsExists(row[0]) {
				t.Errorf("NBS %s does not exist", row[0])
			}
		}
	})
}

func classTribsAreListed(t *testing.T) {
	listed := map[string]classTrib{}
	for _, row := range rows(t, "data/cclasstrib.tsv") {
		if row[5] != "1" {
			continue
		}
		number := func(text string) int64 {
			value, _ := strconv.ParseInt(text, 10, 64)
			return value
		}
		class := classTrib{
			rated: row[6] == "1" && row[14] != "Sem alíquota", regular: row[11] == "1",
			deferred: row[8] == "1", reduced: row[7] == "1", redIBS: number(row[9]), redCBS: number(row[10]),
		}
		listed[row[2]] = class
		if known := classTribs()[row[2]]; known != class {
			t.Errorf("cClassTrib %s: %+v, but the official table has %+v", row[2], known, class)
		}
	}
	if len(listed) != len(classTribs()) {
		t.Errorf("%d codes, not %d", len(classTribs()), len(listed))
	}
}

// unlistedCodes are in no official table: users of the authority report them.
var unlistedCodes = map[string]bool{"RNG9999": true, "E1217": true}

func TestRejectionTexts_HaveOfficialCodes(t *testing.T) {
	var official strings.Builder
	for _, table := range []string{
		"data/sefin-rules-anexoI-v1.00-20251216.tsv", "data/sefin-rules-anexoI-v1.01-20260209.tsv",
		"data/sefin-rules-anexoI-reception-v1.01-20260209.tsv", "data/sefin-rules-anexoII-events-v1.00-20251216.tsv",
	} {
		official.Write(reference.ReadNational(t, table))
	}
	for code := range rejectionTexts {
		if !strings.Contains(official.String(), code) && !unlistedCodes[code] {
			t.Errorf("%s is in none of the tables", code)
		}
	}
}
