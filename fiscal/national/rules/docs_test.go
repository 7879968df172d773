package rules

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"emissor/fiscal/rulecatalogue"
	"emissor/fiscal/rulecatalogue/cataloguetest"
)

// docs/rules.md is what the catalogue says; with -update it is written.
func TestDocs(t *testing.T) { cataloguetest.Document(t, "rules.md", rulesDocument(t)) }

var kindWords = map[rulecatalogue.HandlingKind]string{
	rulecatalogue.Impossible: "impossible by construction", rulecatalogue.Checked: "checked before sending",
	rulecatalogue.Left: "left to the authority",
}

func rulesDocument(t *testing.T) []byte {
	t.Helper()
	events, bare := annexII(t)
	var elsewhere, ours []officialRule
	for _, code := range namedElsewhere(t) {
		elsewhere = append(elsewhere, officialRule{code: code})
	}
	for _, rule := range Catalogue.All() {
		if rule.About == rulecatalogue.AboutEmissor {
			ours = append(ours, officialRule{code: rule.Code, field: rule.Field})
		}
	}
	var out bytes.Buffer
	out.WriteString(`# The authority's rules, and what Emissor does about each

Generated from the catalogue in fiscal/national/rules (catalogue.tsv) by
` + "`go test ./fiscal/national/rules -run TestDocs -update`" + `, and verified by the same test without the flag.
The rules are those of the official Annex I, edition 1.01 of 2026-02-09, and Annex II, edition 1.00 of 2025-12-16; row
is the row of the official spreadsheet. The words are ours. Codes that are named elsewhere are of an earlier edition,
which production may still answer by, of the next layout, or in no table at all. Those of the city of São Paulo are in
[rules-saopaulo.md](rules-saopaulo.md).

- *Impossible by construction*: no document that Emissor writes can break it. ` +
		`A test looks for it in thousands of random documents.
- *Checked before sending*: a note that would break it is rejected before it takes a number, or held
  where a person can give what is missing. A test breaks each one.
- *Left to the authority*: only the authority can tell, or it is not about what Emissor sends.

`)
	sections := []struct {
		title string
		rules []officialRule
	}{
		{"Annex I: DPS and NFS-e", annexI(t)},
		{"Annex I: reception of messages", reception(t)},
		{"Annex II: events", events},
		{"Codes named elsewhere in the authority's papers", elsewhere},
		{"Emissor's own", ours},
	}
	out.WriteString("| | rules | impossible | checked | left |\n|---|---:|---:|---:|---:|\n")
	for _, section := range sections {
		count := map[rulecatalogue.HandlingKind]int{}
		for _, official := range section.rules {
			count[handlingOf(official.code).Kind]++
		}
		fmt.Fprintf(&out, "| %s | %d | %d | %d | %d |\n", section.title, len(section.rules),
			count[rulecatalogue.Impossible], count[rulecatalogue.Checked], count[rulecatalogue.Left])
	}
	fmt.Fprintf(&out, "\nAnnex II has %d more rows that name a field without a rule.\n", bare)
	for _, section := range sections {
		fmt.Fprintf(&out, "\n## %s\n\n| row | code | field | meaning | what Emissor does | why |\n"+
			"|---|---|---|---|---|---|\n", section.title)
		for _, official := range section.rules {
			rule, known := Catalogue.Rule(official.code)
			if !known {
				t.Fatalf("%s is not in the catalogue", official.code)
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s |\n", official.row, rule.Code,
				cataloguetest.Quoted(official.field), rule.Explanation, kindWords[rule.Handling.Kind],
				reasonOf(rule.Handling))
		}
	}
	return out.Bytes()
}

// reasonOf is why a rule is handled so, and what the random messages show of it.
func reasonOf(handling rulecatalogue.Handling) string {
	var shown []string
	for _, proof := range handling.Proofs {
		path := strings.TrimPrefix(strings.TrimPrefix(proof.Path, "DPS/infDPS/"), "pedRegEvento/infPedReg/")
		switch {
		case proof.Always:
			shown = append(shown, "always `"+path+"`")
		case proof.Only == "":
			shown = append(shown, "never `"+path+"`")
		default:
			shown = append(shown, "`"+path+"` only `"+proof.Only+"`")
		}
	}
	if shown == nil {
		return handling.Why
	}
	return strings.TrimSuffix(handling.Why, ".") + " (" + strings.Join(shown, ", ") + ")."
}
