package clients

import (
	"path/filepath"
	"testing"

	"emissor/test/long"
)

// vacuum finds nothing in the description, by the rules of dev/clients. Building it takes ten minutes of a processor,
// so that make test-long runs it where it was built.
func TestDescription_Lint(t *testing.T) {
	long.Only(t, "has vacuum lint api/openapi.yaml")
	t.Parallel()
	rules, err := filepath.Abs("../../../dev/clients")
	must(t, err)
	runIn(t, filepath.Dir(description), nil, tool(t, "vacuum"), "lint", "--no-banner", "--no-clip", "--details",
		"--ruleset", filepath.Join(rules, "vacuum.yaml"), "--ignore-file", filepath.Join(rules, "vacuum-ignore.yaml"),
		"--fail-severity", "hint", filepath.Base(description))
}
