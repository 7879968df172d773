package watch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"

	"emissor/test/long"
)

const (
	root     = "../../.."
	rulesDir = root + "/deploy/prometheus"
)

// rule is an alert, or a series that is recorded.
type rule struct {
	Alert       string
	Record      string
	Expr        string
	For         string
	Labels      map[string]string
	Annotations map[string]string
}

// ruleFiles are the files of rules that are deployed.
var ruleFiles = []string{"emissor-alerts.yml", "emissor-slo.yml"}

// rules are all rules that are deployed.
func rules(t *testing.T) (all []rule) {
	t.Helper()
	for _, name := range ruleFiles {
		var file struct{ Groups []struct{ Rules []rule } }
		readYAML(t, filepath.Join(rulesDir, name), &file)
		for _, group := range file.Groups {
			all = append(all, group.Rules...)
		}
	}
	return all
}

// alerts are the rules that are alerts, by name.
func alerts(t *testing.T) map[string]rule {
	t.Helper()
	named := map[string]rule{}
	for _, one := range rules(t) {
		if one.Alert == "" {
			continue
		}
		if _, twice := named[one.Alert]; twice {
			t.Errorf("there are two rules %s", one.Alert)
		}
		named[one.Alert] = one
	}
	return named
}

func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// promtool runs promtool, which dev/setup.sh installs where it can.
func promtool(t *testing.T, arguments ...string) {
	t.Helper()
	program, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed (on Debian: apt-get install prometheus): the rules are not run")
	}
	command := exec.Command(program, arguments...)
	command.Dir = rulesDir
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("promtool %q: %v\n%s", arguments, err, output)
	}
}

// ruleTests are the files of promtool's unit tests.
func ruleTests(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(rulesDir + "/tests/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no tests of the rules: %v", err)
	}
	return files
}

func TestRules_AreRead(t *testing.T) {
	promtool(t, "check", "config", "prometheus.yml")
	promtool(t, append([]string{"check", "rules"}, ruleFiles...)...)
}

func TestRules_Fire(t *testing.T) {
	long.Only(t, "runs promtool's tests of the rules")
	arguments := []string{"test", "rules"}
	for _, file := range ruleTests(t) {
		arguments = append(arguments, filepath.Join("tests", filepath.Base(file)))
	}
	promtool(t, arguments...)
}

// The unit tests show each alert firing, and show it at another moment of the same story not firing.
func TestRules_EachIsTested(t *testing.T) {
	type moment struct {
		Expr       string
		EvalTime   string                    `yaml:"eval_time"`
		ExpSamples []struct{ Labels string } `yaml:"exp_samples"`
	}
	fires, ends := map[string]bool{}, map[string]bool{}
	for _, path := range ruleTests(t) {
		var file struct {
			Tests []struct {
				Name    string
				Moments []moment `yaml:"promql_expr_test"`
			}
		}
		readYAML(t, path, &file)
		for _, story := range file.Tests {
			var firing [][]string
			for _, at := range story.Moments {
				names := []string{}
				for _, sample := range at.ExpSamples {
					names = append(names, sample.Labels)
				}
				firing = append(firing, names)
			}
			for i, names := range firing {
				for _, name := range names {
					fires[name] = true
					for _, others := range firing[i+1:] {
						ends[name] = ends[name] || !slices.Contains(others, name)
					}
				}
			}
		}
	}
	for name := range alerts(t) {
		label := `{alertname="` + name + `"}`
		if !fires[label] {
			t.Errorf("no test shows %s firing", name)
		}
		// What is recorded over days takes days to end.
		if !ends[label] && name != "EmissorBudgetBurnsSlowly" {
			t.Errorf("no test shows the end of %s", name)
		}
	}
}
