package national

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"emissor/fiscal"
)

// The authority's papers, relative to this package.
const papers = "../../../shared/national"

var update = flag.Bool("update", false, "write docs/rules.md anew")

// paper reads one of the authority's papers, and skips the test without it.
func paper(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(papers, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("needs %s of the authority's papers, expected in %s", name, papers)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// officialRule is a row of one of the authority's two tables.
type officialRule struct {
	row, code, field string
	sharedOnly       bool // applied to notes that cities share, and not to ours
}

// annexI is the table of the DPS and the NFS-e.
func annexI(t *testing.T) []officialRule {
	t.Helper()
	var rules []officialRule
	for i, line := range strings.Split(strings.TrimSpace(paper(t, "data/sefin-rules-anexoI-v1.00-20251216.tsv")), "\n") {
		if column := strings.Split(line, "\t"); i > 0 {
			rules = append(rules, officialRule{column[0], column[1], trimPath(column[2]) + column[3], column[7] == "X" && column[8] == "V"})
		}
	}
	return rules
}

// annexII is the table of events. Its rows that only name a field are counted
// apart; a row without a path continues the one above.
func annexII(t *testing.T) (rules []officialRule, bare int) {
	t.Helper()
	var path, field string
	for _, line := range strings.Split(strings.TrimSpace(paper(t, "data/sefin-rules-anexoII-events-v1.00-20251216.tsv")), "\n") {
		column := strings.Split(line, "\t")
		if _, err := strconv.Atoi(column[1]); err != nil {
			continue
		}
		if column[2] != "" {
			path = column[2]
		}
		if column[3] != "" {
			field = column[3]
		}
		if column[4] == "-" {
			bare++
			continue
		}
		rules = append(rules, officialRule{column[0], column[8], trimPath(path) + field, false})
	}
	return rules, bare
}

// trimPath leaves out what every path of the tables begins with.
func trimPath(path string) string {
	for _, prefix := range []string{"NFSe/infNFSe/DPS/", "DPS/infDPS/", "infDPS/"} {
		path = strings.TrimPrefix(path, prefix)
	}
	return strings.TrimPrefix(strings.TrimSuffix(path, "/")+"/", "/")
}

// namedElsewhere are the codes that only the reference names.
func namedElsewhere(t *testing.T) []string {
	t.Helper()
	inTables := map[string]bool{}
	events, _ := annexII(t)
	for _, official := range slices.Concat(annexI(t), events) {
		inTables[official.code] = true
	}
	var codes []string
	for _, code := range regexp.MustCompile(`\b(E[0-9]{4}|RNG[0-9]{4})\b`).FindAllString(paper(t, "README.md"), -1) {
		if !inTables[code] {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func TestEveryOfficialCodeIsExplained(t *testing.T) {
	codes := namedElsewhere(t)
	events, _ := annexII(t)
	for _, official := range slices.Concat(annexI(t), events) {
		if official.code == "" {
			t.Errorf("row %s has no code, and so no explanation", official.row)
		}
		codes = append(codes, official.code)
	}
	if len(codes) < 390 {
		t.Fatalf("only %d codes were read from the papers", len(codes))
	}
	general, _, _ := explain("no such code")
	for _, code := range codes {
		if explanation, _, _ := explain(code); explanation == general {
			t.Errorf("%s is not in the catalogue", code)
		}
	}
}

// TestSharedOnlyIsWhatTheTableSays keeps us from leaving a rule to others that
// is applied to us.
func TestSharedOnlyIsWhatTheTableSays(t *testing.T) {
	for _, official := range annexI(t) {
		if said := ruleByCode[official.code].how.why == sharedOnly.why; said != official.sharedOnly {
			t.Errorf("%s is applied only to shared notes: the table says %t, the catalogue %t", official.code, official.sharedOnly, said)
		}
	}
}

func TestWordsAreSentences(t *testing.T) {
	english := regexp.MustCompile(`(?i)\b(the|a|an|is|are|of|to|no|with|in|by|was|may|must|have|that|every|which)\b`)
	sentence := func(what, text string, most int) {
		switch {
		case len(text) < 20 || len(text) > most:
			t.Errorf("%s has %d characters: %q", what, len(text), text)
		case !unicode.IsUpper(rune(text[0])) || !strings.HasSuffix(text, "."):
			t.Errorf("%s is no sentence: %q", what, text)
		case strings.Contains(text, "  ") || strings.Contains(text, "..,") || strings.ContainsAny(text, "{}<>%_") && !strings.Contains(text, "iss_") && !strings.Contains(text, "_code"):
			t.Errorf("%s has something left over: %q", what, text)
		case !english.MatchString(text) || strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }):
			t.Errorf("%s is no English: %q", what, text)
		}
	}
	seen, explained := map[string]bool{}, map[string]string{}
	for _, r := range append(slices.Clone(catalogue), unknownRule) {
		if seen[r.code] {
			t.Errorf("%s is in the catalogue twice", r.code)
		}
		seen[r.code] = true
		if other, taken := explained[r.explanation]; taken {
			t.Errorf("%s and %s have one explanation: %q", other, r.code, r.explanation)
		}
		explained[r.explanation] = r.code
		sentence("the explanation of "+r.code, r.explanation, 220)
		sentence("the action of "+r.code, r.action, 320)
		if r.how.kind != "" {
			sentence("the reason of "+r.code, r.how.why, 200)
		}
	}
}

func TestUnknownCodeIsExplainedInGeneral(t *testing.T) {
	explanation, action, field := explain("E9123")
	if explanation != unknownRule.explanation || action != unknownRule.action || field != nil {
		t.Errorf("explain = %q, %q, %v", explanation, action, field)
	}
}

func TestExplainNamesTheField(t *testing.T) {
	for code, want := range map[string]string{"E0240": fieldZipCode, "E0310": fieldNationalCode, "E0619": fieldRate, "E0583": fieldWithheld, "E0202": fieldDocument} {
		if _, _, field := explain(code); field == nil || *field != want {
			t.Errorf("explain(%s) names %v, want %s", code, field, want)
		}
	}
	for _, code := range []string{"E0160", "E0714", "E1217", "E0822"} {
		if _, _, field := explain(code); field != nil {
			t.Errorf("explain(%s) names %s, which no caller sent", code, *field)
		}
	}
}

func TestTreatment(t *testing.T) {
	const nextLayout = `The element 'infDPS' has invalid child element 'cLocEmi'. List of possible elements expected: 'finNFSe'.`
	want := map[string]fiscal.Treatment{"E1206": fiscal.TryLater, "E1217": fiscal.TryLater, "E0008": fiscal.RenderAgain, "E0840": fiscal.Barred}
	for _, code := range []string{"E0014", "E0802", "E1805"} {
		want[code] = fiscal.Collision
	}
	for _, code := range []string{"E1200", "E1203", "E1205", "E1207", "E1208", "E1209", "E0715", "E0716", "E0718", "E1983", "E1986", "E1991"} {
		want[code] = fiscal.Certificate
	}
	for _, r := range append(slices.Clone(catalogue), rule{code: ""}, rule{code: "E9123"}) {
		expected, special := want[r.code]
		if !special {
			expected = fiscal.Final
		}
		if got := treatment(r.code, ""); got != expected {
			t.Errorf("treatment(%s) = %s, want %s", r.code, got, expected)
		}
	}
	for _, test := range []struct {
		code, complement string
		want             fiscal.Treatment
	}{
		{"E1235", nextLayout, fiscal.RenderAgain},
		{"RNG6110", nextLayout, fiscal.RenderAgain},
		{"E1235", strings.ToUpper(nextLayout), fiscal.RenderAgain},
		{"E1235", `The element 'IBSCBS' has invalid child element 'finNFSe'. List of possible elements expected: 'cIndOp'.`, fiscal.Final},
		{"E1235", `The element 'finNFSe' is invalid.`, fiscal.Final},
		{"E0310", nextLayout, fiscal.Final},
	} {
		if got := treatment(test.code, test.complement); got != test.want {
			t.Errorf("treatment(%s, %q) = %s, want %s", test.code, test.complement, got, test.want)
		}
	}
}

func TestNationalCodesAreTheOfficialOnes(t *testing.T) {
	official := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(paper(t, "data/ctribnac-anexoB.tsv")), "\n") {
		if code, _, _ := strings.Cut(line, "\t"); i > 0 {
			official[code] = true
		}
	}
	if len(official) != 335 || !maps.Equal(official, nationalCodeList) {
		t.Errorf("%d codes are official, %d are ours", len(official), len(nationalCodeList))
	}
}

// TestRulesTable verifies docs/rules.md, and with -update writes it.
func TestRulesTable(t *testing.T) {
	const file = "../../docs/rules.md"
	table := rulesTable(t)
	if *update {
		if err := os.WriteFile(file, table, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stored, table) {
		t.Error("docs/rules.md is not what the catalogue says: go test ./fiscal/national -run TestRulesTable -update")
	}
}

func rulesTable(t *testing.T) []byte {
	t.Helper()
	documents := annexI(t)
	events, bare := annexII(t)
	var elsewhere, ours []officialRule
	for _, code := range namedElsewhere(t) {
		elsewhere = append(elsewhere, officialRule{code: code})
	}
	for _, r := range rulesOfOurs {
		ours = append(ours, officialRule{code: r.code, field: r.field})
	}
	var out bytes.Buffer
	out.WriteString(`# The authority's rules, and what Emissor does about each

Generated from the catalogue in fiscal/national (rules_*.go) by
` + "`go test ./fiscal/national -run TestRulesTable -update`" + `, and verified by the same test without the flag.
The rules are those of the official Annex I and Annex II, edition 1.00 of 2025-12-16; row is the row of
the official spreadsheet. The words are ours.

- *Impossible by construction*: no document that Emissor writes can break it. A test looks for it in thousands of random documents.
- *Checked before sending*: a note that would break it is rejected before it takes a number. A test breaks each one.
- *Left to the authority*: only the authority can tell, or it is not about what Emissor sends.

`)
	sections := []struct {
		title string
		rules []officialRule
	}{
		{"Annex I: DPS and NFS-e", documents},
		{"Annex II: events", events},
		{"Codes named elsewhere in the authority's papers", elsewhere},
		{"Emissor's own", ours},
	}
	out.WriteString("| | rules | impossible | checked | left |\n|---|---:|---:|---:|---:|\n")
	for _, section := range sections {
		count := map[kind]int{}
		for _, official := range section.rules {
			count[ruleByCode[official.code].how.kind]++
		}
		fmt.Fprintf(&out, "| %s | %d | %d | %d | %d |\n", section.title, len(section.rules), count[impossible], count[checked], count[left])
	}
	fmt.Fprintf(&out, "\nAnnex II has %d more rows that name a field without a rule.\n", bare)
	for _, section := range sections {
		fmt.Fprintf(&out, "\n## %s\n\n| row | code | field | meaning | what Emissor does | why |\n|---|---|---|---|---|---|\n", section.title)
		for _, official := range section.rules {
			r, known := ruleByCode[official.code]
			if !known {
				t.Fatalf("%s is not in the catalogue", official.code)
			}
			field := official.field
			if field != "" {
				field = "`" + field + "`"
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s |\n", official.row, r.code, field, r.explanation, r.how.kind, r.how.reason())
		}
	}
	return out.Bytes()
}

// reason is why, and what the random documents show of it.
func (d disposition) reason() string {
	var shown []string
	for _, p := range d.proofs {
		element := "`" + strings.TrimPrefix(strings.TrimPrefix(p.path, "DPS/infDPS/"), "pedRegEvento/infPedReg/") + "`"
		switch {
		case p.always:
			shown = append(shown, "always "+element)
		case p.values == nil:
			shown = append(shown, "never "+element)
		default:
			shown = append(shown, element+" only `"+strings.Join(p.values, "` or `")+"`")
		}
	}
	if shown == nil {
		return d.why
	}
	return strings.TrimSuffix(d.why, ".") + " (" + strings.Join(shown, ", ") + ")."
}

// Whoever reads why a cancellation was refused has a note that exists: no words
// may make them issue it again.
func TestRefusedCancellationsAreNotToldToIssueAgain(t *testing.T) {
	for _, r := range append(slices.Clone(catalogue), rule{code: "E9123"}) {
		explanation, action := explainRefusal(r.code)
		if explanation == "" || action == "" || strings.Contains(action, "issue again") || strings.Contains(action, "Nothing was issued") {
			t.Errorf("explainRefusal(%s) = %q, %q", r.code, explanation, action)
		}
	}
}
