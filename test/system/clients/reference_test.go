package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"emissor/test/long"
	"emissor/test/testkit"
)

// What is made of the description: for the dashboard, and for Postman.
const (
	referenceFile = "../../../dashboard/operate/reference.html"
	postmanFile   = guides + "/postman.json"
)

// The files are what the description makes of it: -update writes them.
func TestReference_UpToDate(t *testing.T) {
	for path, make := range map[string]func(*openapi3.T) ([]byte, error){
		referenceFile: Reference, postmanFile: Postman,
	} {
		made, err := make(testkit.Description(t))
		must(t, err)
		if *update {
			must(t, os.WriteFile(path, made, 0o644))
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != string(made) {
			t.Errorf("%s is not what api/openapi.yaml makes of it (%v): go test -C test/system ./clients "+
				"-run TestReference -update", path, err)
		}
	}
}

// Every operation and every record that another one names has its place, and every error its code.
func TestReference_Whole(t *testing.T) {
	text, err := os.ReadFile(referenceFile)
	must(t, err)
	page, description := string(text), testkit.Description(t)
	for _, item := range description.Paths.Map() {
		for _, operation := range item.Operations() {
			if strings.Count(page, `<h2 id="`+operation.OperationID+`">`) != 1 {
				t.Errorf("%s is not there once", operation.OperationID)
			}
		}
	}
	for _, link := range strings.Split(page, `href="#`)[1:] {
		if id, _, _ := strings.Cut(link, `"`); strings.Count(page, ` id="`+id+`"`) != 1 {
			t.Errorf("a link leads to #%s, which is not there once", id)
		}
	}
	for name, response := range description.Components.Responses {
		codes, _ := response.Value.Extensions["x-error-codes"].(map[string]any)
		for code := range codes {
			if !strings.Contains(page, "<code>"+code+"</code>") {
				t.Errorf("the code %s of %s is not there", code, name)
			}
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "style=") || strings.Contains(page, "svc_test_") {
		t.Error("it has a script, a style or a key")
	}
}

// Newman, Postman's command, runs the whole collection against the service.
func TestPostman_Runs(t *testing.T) {
	long.Only(t, "has Newman run the collection for Postman")
	t.Parallel()
	modules := npm(t, "newman")
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	file, err := filepath.Abs(postmanFile)
	must(t, err)
	output := runIn(t, t.TempDir(), nil, "node", filepath.Join(modules, "newman/bin/newman.js"), "run", file,
		"--env-var", "base_url="+s.URL, "--env-var", "api_key="+s.TestKey)
	if strings.Contains(output, s.TestKey) {
		t.Error("the key was written")
	}
	if issued := s.Text(t, `SELECT count(*)::text FROM notes WHERE status IN ('issued', 'cancelled')`); issued != "2" {
		t.Errorf("%s notes were issued:\n%s", issued, output)
	}
}
