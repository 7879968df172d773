package sefin_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"emissor/test/reference"
	"emissor/test/simulators/sefin"
)

// ruleCase is a rule about a group of a DPS: a document that breaks it, and its neighbour that
// does not.
type ruleCase struct {
	codes  string // by which the document is refused
	breaks []change
	keeps  []change
	// What is on record: for both documents, or of the neighbour where that is the difference.
	registry, neighbours *sefin.Registry
}

// groupRules are all of them, by what is wrong.
func groupRules() map[string]ruleCase {
	all := map[string]ruleCase{}
	for _, cases := range []map[string]ruleCase{
		federalRules, amountRules, deductionRules, documentRules, supplierRules, taxationRules, benefitRules, rateRules,
		takerRules, intermediaryRules, tradeRules, exportRules, siteRules, registerRules,
	} {
		maps.Copy(all, cases)
	}
	return all
}

func TestGroupRules(t *testing.T) {
	simulator, c := startWithIssuer(t)
	number := 0
	for name, test := range groupRules() {
		t.Run(name, func(t *testing.T) {
			number++
			registry := sefin.Registry{}
			if test.registry != nil {
				registry = *test.registry
			}
			simulator.SetRegistry(registry)
			broken := c.issue(c.dps(number, test.breaks...))
			if broken.codes() != test.codes || broken.status != http.StatusBadRequest {
				t.Errorf("%d %q, want %q: %s", broken.status, broken.codes(), test.codes, broken.text)
			}
			if test.neighbours != nil {
				simulator.SetRegistry(*test.neighbours)
			}
			// A refusal consumes nothing: the same number is issued.
			kept := c.issue(c.dps(number, test.keeps...))
			if kept.status != http.StatusCreated {
				t.Fatalf("its neighbour: %d %s", kept.status, kept.text)
			}
			nfse := string(simulator.NFSe(kept.body["chaveAcesso"].(string)))
			if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
				t.Errorf("the NFS-e is not valid: %v\n%s", err, nfse)
			}
		})
	}
}

// groupPaths are where the groups stand in the table of rules.
var groupPaths = regexp.MustCompile(`/(subst|toma|interm|serv|valores|trib)(/|$)`)

// neverByRule are the rules of the groups that refuse nothing here, and why.
var neverByRule = map[string]string{
	"issued by the provider": "E0194 E0212 E0222 E0224 E0228 E0229 E0231 E0232 E0236 E0254 E0272 E0280 E0284 " +
		"E0287 E0288 E0289 E0290 E0291 E0320 E0331 E0420 E0423 E0650 E0652 E0672 E0673",
	"refused by the schema":                     "E0233 E0292 E0686 E0692",
	"another rule comes first":                  "E0425",
	"the check digit of a CIB is not published": "E0373",
	"not of these groups":                       "E0702 E0703 E0704 E0706 E0707 E0708",
	"tested in dps_rules_test.go": "E0187 E0188 E0190 E0202 E0204 E0206 E0207 E0234 E0237 E0238 E0240 E0247 E0302 " +
		"E0310 E0315 E0316 E0322 E0370 E0372 E0390 E0392 E0583 E0588 E0595 E0600 E0604 E0617 E0619 E0621 E0625 " +
		"E0628 E0631 " +
		"E0635 E0640 E0667 E0710 E0712 E0713",
	"tested in groups_person_test.go": "E0675",
	"tested in replacement_test.go": "E0042 E0044 E0046 E0050 E0056 E0058 E0060 E0061 E0065 E0068 E0070 E0072 E0074 " +
		"E0076 E0078",
}

// Every rule of the official table about these groups that SEFIN applies is tested, or has a
// reason why nothing is refused by it here.
func TestGroupRules_AreAllOfTheTable(t *testing.T) {
	known := map[string]bool{}
	for _, codes := range neverByRule {
		for _, code := range strings.Fields(codes) {
			known[code] = true
		}
	}
	for _, test := range groupRules() {
		for _, code := range strings.Fields(test.codes) {
			known[code] = true
		}
	}
	table := string(reference.ReadNational(t, "data/sefin-rules-anexoI-v1.01-20260209.tsv"))
	for line := range strings.Lines(table) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		_, path, isDPS := strings.Cut(row[2], "DPS/")
		if isDPS && groupPaths.MatchString("/"+path+"/"+row[3]) && !strings.Contains(path, "IBSCBS") &&
			row[7] == "V" && row[1] != "" && !known[row[1]] {
			t.Errorf("%s (%s/%s) is neither tested nor explained", row[1], path, row[3])
		}
	}
}

// What the rules refuse by has words of its own, and a test that names it.
func TestCodesOfTheRules(t *testing.T) {
	code := regexp.MustCompile(`"(E0\d{3})"`)
	var refused []string
	for _, file := range sources(t, func(name string) bool {
		return !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "rejection_texts")
	}) {
		for _, match := range code.FindAllStringSubmatch(file, -1) {
			refused = append(refused, match[1])
		}
	}
	texts := strings.Join(sources(t, func(name string) bool { return strings.HasPrefix(name, "rejection_texts") }), "")
	tests := strings.Join(sources(t, func(name string) bool { return strings.HasSuffix(name, "_test.go") }), "")
	for _, code := range slices.Compact(slices.Sorted(slices.Values(refused))) {
		if !strings.Contains(texts, `"`+code+`"`) {
			t.Errorf("%s has no words", code)
		}
		if strings.Count(tests, code) == 0 {
			t.Errorf("%s is not tested", code)
		}
	}
}

// sources are the files of this package whose names pass.
func sources(t *testing.T, pass func(string) bool) []string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var contents []string
	for _, name := range names {
		if !pass(name) {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		contents = append(contents, string(content))
	}
	return contents
}

// inside adds a group after an element.
func inside(element, group string) change {
	return change{"</" + element + ">", "</" + element + ">" + group}
}

// changes joins changes and lists of them.
func changes(all ...any) []change {
	var list []change
	for _, one := range all {
		switch one := one.(type) {
		case change:
			list = append(list, one)
		case []change:
			list = append(list, one...)
		}
	}
	return list
}

// rioAt is a registry where Rio has another rate, in hundredths of a percent.
func rioAt(rate int64) *sefin.Registry { return &sefin.Registry{ISSRate: rate} }

// rio is a registry with an agreement of Rio.
func rio(agreed sefin.Agreement) *sefin.Registry {
	return &sefin.Registry{Municipalities: map[string]sefin.Agreement{"3304557": agreed}}
}

// price changes vServ.
func price(amount string) change { return change{"<vServ>1500.00<", "<vServ>" + amount + "<"} }
