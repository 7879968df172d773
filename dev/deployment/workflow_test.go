package deployment

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// What a public CI runs is the gate, and only what passed it is published, by a tag; each target of make exists.
func TestWorkflow(t *testing.T) {
	type job struct {
		If, Needs   string
		Permissions map[string]string
		Steps       []struct{ Run string }
	}
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]job
	}
	read(t, "../../.github/workflows/ci.yml", &workflow)
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	gate, release := workflow.Jobs["gate"], workflow.Jobs["release"]
	if len(workflow.Jobs) != 2 || release.Needs != "gate" || release.If != "startsWith(github.ref, 'refs/tags/v')" ||
		len(gate.Permissions) > 0 || workflow.Permissions["contents"] != "read" || len(workflow.Permissions) != 1 {
		t.Errorf("what may publish is %+v", workflow)
	}
	runs := func(j job, command string) bool {
		return slices.ContainsFunc(j.Steps, func(step struct{ Run string }) bool {
			return strings.Contains(step.Run, command)
		})
	}
	if !runs(gate, ".ci/run") || !runs(release, "make release ") || runs(gate, "make release") {
		t.Errorf("the jobs run %+v", workflow.Jobs)
	}
	for _, step := range release.Steps {
		for _, target := range regexp.MustCompile(`\bmake ([a-z-]+)`).FindAllStringSubmatch(step.Run, -1) {
			if !strings.Contains(string(makefile), "\n"+target[1]+":") {
				t.Errorf("there is no make %s", target[1])
			}
		}
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}
