package watch

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

const alarmsPage = "docs/operations/alarms.md"

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(path.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// alarm is a row of the table of alarms.
type alarm struct {
	metrics  []string // that it names
	rule     string
	runbook  string // a path in the repository, with an anchor
	severity string
}

var (
	ruleCell    = regexp.MustCompile(`^\[(\w+)\]\(([^)]+)\), (page|ticket)$`)
	namedMetric = regexp.MustCompile("`([a-z_]+[a-z](?::[a-z0-9]+)*)")
)

// alarms are the rows of the table of alarms.
func alarms(t *testing.T) (all []alarm) {
	t.Helper()
	_, table, _ := strings.Cut(page(t, alarmsPage), "\n## Alarms\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| alarm") {
			continue
		}
		found := ruleCell.FindStringSubmatch(strings.TrimSpace(cells[len(cells)-1]))
		if len(cells) != 3 || found == nil {
			t.Errorf("this row of the alarms names no rule and severity: %s", line)
			continue
		}
		one := alarm{rule: found[1], runbook: path.Join(path.Dir(alarmsPage), found[2]), severity: found[3]}
		for _, metric := range namedMetric.FindAllStringSubmatch(cells[0], -1) {
			one.metrics = append(one.metrics, metric[1])
		}
		all = append(all, one)
	}
	return all
}

// Each alarm of the table has a rule on its metric, each rule is in the table, and both lead to the same
// runbook.
func TestAlarms_EachHasARule(t *testing.T) {
	left := alerts(t)
	rows := alarms(t)
	if len(rows) < 40 {
		t.Errorf("only %d alarms were found", len(rows))
	}
	for _, row := range rows {
		is, known := left[row.rule]
		if !known {
			t.Errorf("the alarm %s has no rule, or is there twice", row.rule)
			continue
		}
		delete(left, row.rule)
		if is.Labels["severity"] != row.severity {
			t.Errorf("%s is a %s by its rule and a %s in the table", row.rule, is.Labels["severity"], row.severity)
		}
		if is.Annotations["runbook_url"] != row.runbook {
			t.Errorf("%s leads to %s, its rule to %q", row.rule, row.runbook, is.Annotations["runbook_url"])
		}
		if is.Annotations["summary"] == "" {
			t.Errorf("the rule %s has no summary", row.rule)
		}
		if len(row.metrics) > 0 && !strings.Contains(is.Expr, row.metrics[0]) {
			t.Errorf("the alarm on %s has the rule %s, which does not look at it", row.metrics[0], row.rule)
		}
	}
	for name := range left {
		t.Errorf("the table of alarms has no %s", name)
	}
}

// Each runbook says what the alarm means, what to look at, what to do, and how one sees that it is over.
func TestAlarms_EachHasARunbook(t *testing.T) {
	for name, is := range alerts(t) {
		file, anchor, _ := strings.Cut(is.Annotations["runbook_url"], "#")
		if anchor != strings.ToLower(name) {
			t.Errorf("%s leads to the anchor %q", name, anchor)
		}
		_, runbook, found := strings.Cut(page(t, file), "\n## "+name+"\n")
		runbook, _, _ = strings.Cut(runbook, "\n## ")
		if !found {
			t.Errorf("%s has no heading %s", file, name)
			continue
		}
		for _, head := range []string{"What it means", "What to look at", "What to do", "It is over"} {
			_, text, found := strings.Cut(runbook, "- **"+head+"**: ")
			if first, _, _ := strings.Cut(text, "\n"); !found || len(first) < 15 {
				t.Errorf("the runbook of %s does not say %q", name, head)
			}
		}
	}
}
