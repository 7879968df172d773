package taxation_test

import (
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/national/taxation"
)

// Every row of the authority's table of exports is decided by the rule.
func TestExportOf_EveryRowOfTheTable(t *testing.T) {
	due := map[string]taxation.Due{
		"EP": taxation.DueAtProvider, "ET": taxation.DueAtTaker, "LP": taxation.DueAtPlace,
		"99.01.01": taxation.DueNowhere,
	}
	refused := map[string]string{"ERRO 3": "E0539", "E0529": "E0529", "E0530": "E0530"}
	rows, byCity := official(t, "export-scenarios-anexoI-v1.01.tsv"), 0
	for _, row := range rows {
		scenario, rule, message := row[0], row[4], row[8]
		abroad := taxation.PartiesAbroad{Taker: row[1] == "Ext", Intermediary: row[2] == "Ext", Place: row[3] == "Ext"}
		iss := taxation.ISSTaxation(row[5][0] - '0')
		known, is := due[rule]
		if !is { // any service that its city has declared as not taxed
			byCity++
			if iss != taxation.NotTaxed {
				t.Errorf("%s: %s is not of services that a city does not tax", scenario, row[5])
			}
			continue
		}
		got := taxation.ExportOf(abroad, known, iss)
		if got.Refused != refused[message] {
			t.Errorf("%s: refused by %q, the table says %q", scenario, got.Refused, message)
		}
		if got.Refused != "" {
			continue
		}
		if got.ForeignTrade != (row[12] == "SIM") || got.ForeignTrade != (row[10] == "SIM") {
			t.Errorf("%s: comExt and NBS %t, the table says %s and %s", scenario, got.ForeignTrade, row[12], row[10])
		}
		// Of row 68, which is taxed in Brazil, the rules E0590 and E0591 say otherwise.
		if want := row[11] == "SIM" && scenario != "68"; got.ResultCountry != want {
			t.Errorf("%s: cPaisResult %t, the table says %s", scenario, got.ResultCountry, row[11])
		}
	}
	if len(rows) != 112 || byCity != 8 {
		t.Errorf("%d rows, of which %d by the city", len(rows), byCity)
	}
}

// The sets of codes are the same as in the authority's rules.
func TestCodeSets(t *testing.T) {
	sets := map[string]func(string) bool{
		"obra_required": taxation.NeedsWorks, "imovel_forbidden": taxation.ForbidsProperty,
		"event_required": taxation.NeedsEvent, "simples_deduction": taxation.MayDeductInSimples,
		"below_2pct_ok": taxation.MayBeBelowLeastRate, "simples_benefit": taxation.MayBenefitInSimples,
		"never_iss":          taxation.NeverTaxed,
		"incidence_at_place": func(code string) bool { return taxation.DueOf(code) == taxation.DueAtPlace },
	}
	lines := strings.Split(string(officialText(t, "ctribnac-sets.tsv")), "\n")
	columns := strings.Split(lines[0], "\t")
	listed := map[string][]string{}
	for _, line := range lines[1:] {
		for i, mark := range strings.Split(strings.TrimRight(line, "\r"), "\t") {
			if mark == "x" {
				listed[columns[i]] = append(listed[columns[i]], strings.SplitN(line, "\t", 2)[0])
			}
		}
	}
	for set, has := range sets {
		if len(listed[set]) == 0 {
			t.Errorf("the table has no column %s", set)
		}
		for _, code := range taxation.ServiceCodes() {
			if want := slices.Contains(listed[set], code); has(code) != want {
				t.Errorf("%s of %s: %t, the table says %t", set, code, has(code), want)
			}
		}
	}
}
