package rules

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"emissor/internal/tsv"
	"emissor/test/reference"
)

// official reads a file of the authority's material.
func official(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(reference.National(t, elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// officialRule is a row of one of the authority's tables.
type officialRule struct {
	row, code  string
	sharedOnly bool // applied to notes that cities share, and not to ours
}

// annexI is the table of the DPS and the NFS-e.
func annexI(t *testing.T) []officialRule {
	t.Helper()
	var rules []officialRule
	for _, column := range tsv.Rows(official(t, "data", "sefin-rules-anexoI-v1.01-20260209.tsv")) {
		rules = append(rules, officialRule{column[0], column[1], column[7] == "X" && column[8] == "V"})
	}
	return rules
}

// reception is the table of Annex I of what is looked at before a message is read.
func reception(t *testing.T) []officialRule {
	t.Helper()
	var rules []officialRule
	for _, column := range tsv.Rows(official(t, "data", "sefin-rules-anexoI-reception-v1.01-20260209.tsv")) {
		rules = append(rules, officialRule{code: column[0]})
	}
	return rules
}

// annexII is the table of events, but for the rows that name a field and no rule.
func annexII(t *testing.T) (rules []officialRule) {
	t.Helper()
	table := official(t, "data", "sefin-rules-anexoII-events-v1.00-20251216.tsv")
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		column := strings.Split(line, "\t")
		if _, err := strconv.Atoi(column[1]); err == nil && column[4] != "-" {
			rules = append(rules, officialRule{column[0], column[8], false})
		}
	}
	return rules
}

// namedElsewhere are the codes that only the text of the reference names: of the
// edition before, of the next layout, and such as are seen without being published.
func namedElsewhere(t *testing.T) []string {
	t.Helper()
	inTables := map[string]bool{}
	for _, official := range slices.Concat(annexI(t), reception(t), annexII(t)) {
		inTables[official.code] = true
	}
	text := official(t, "README.md") + official(t, "reform.md") + official(t, "classification.md")
	codes := regexp.MustCompile(`\b(E[0-9]{4}|RNG[0-9]{4})\b`).FindAllString(text, -1)
	codes = slices.DeleteFunc(codes, func(code string) bool { return inTables[code] })
	slices.Sort(codes)
	return slices.Compact(codes)
}
