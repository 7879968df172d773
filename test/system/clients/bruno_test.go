package clients

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"emissor/test/long"
	"emissor/test/testkit"
)

var update = flag.Bool("update", false, "write the collection for Bruno, and the dashboard's JavaScript")

const collection = guides + "/bruno"

// kept are the files of the collection by their paths.
func kept(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(collection), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(collection, path))
		files[path] = string(text)
		return err
	})
	must(t, err)
	return files
}

// The collection is what the description makes of it: -update writes it.
func TestBruno_UpToDate(t *testing.T) {
	made, err := Collection(testkit.Description(t))
	must(t, err)
	if *update {
		must(t, os.RemoveAll(collection))
		for path, text := range made {
			file := filepath.Join(collection, path)
			must(t, os.MkdirAll(filepath.Dir(file), 0o755))
			must(t, os.WriteFile(file, []byte(text), 0o644))
		}
	}
	files := kept(t)
	for path, text := range made {
		if files[path] != text {
			t.Errorf("%s is not what api/openapi.yaml makes of it: go test -C test/system ./clients -run TestBruno -update", path)
		}
		delete(files, path)
	}
	for path := range files {
		t.Errorf("%s is in the collection, and nothing makes it", path)
	}
}

// Every operation is in the collection, and no key.
func TestBruno_EveryOperation(t *testing.T) {
	requests := map[string]bool{}
	for path, text := range kept(t) {
		if strings.Contains(text, "svc_test_") || strings.Contains(text, "svc_live_") {
			t.Errorf("%s has a key", path)
		}
		name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".bru"), "-")
		requests[name] = true
	}
	for _, item := range testkit.Description(t).Paths.Map() {
		for _, operation := range item.Operations() {
			if !requests[operation.OperationID] {
				t.Errorf("the collection has not %s", operation.OperationID)
			}
		}
	}
}

// Bruno runs the whole collection against the service.
func TestBruno_Runs(t *testing.T) {
	long.Only(t, "has Bruno run its collection")
	t.Parallel()
	modules := npm(t, "@usebruno/cli")
	// So slow that the first reading of the note comes before its end.
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Slow: 10 * time.Second})
	folder := t.TempDir()
	must(t, os.CopyFS(folder, os.DirFS(collection)))
	// A note that takes a while has the collection wait for it: there is no XML before.
	inline := filepath.Join(folder, "nfse/createNfse-inline.bru")
	text, err := os.ReadFile(inline)
	must(t, err)
	slow := strings.Replace(string(text), `"sandbox_scenario": "authorized"`, `"sandbox_scenario": "slow"`, 1)
	must(t, os.WriteFile(inline, []byte(slow), 0o600))
	// Bruno does not wait for its default sandbox to be loaded: on a busy machine the first answer comes before it.
	output := runIn(t, folder, []string{"EMISSOR_API_URL=" + s.URL, "EMISSOR_API_KEY=" + s.TestKey},
		"node", filepath.Join(modules, "@usebruno/cli/bin/bru.js"), "run", "-r", "--env", "environment",
		"--sandbox", "developer")
	if strings.Contains(output, s.TestKey) {
		t.Error("Bruno wrote the key")
	}
	if !strings.Contains(slow, `"slow"`) || strings.Count(output, "nfse/getNfse (200 OK)") < 2 {
		t.Errorf("Bruno did not wait for the note:\n%s", output)
	}
	testkit.Eventually(t, "every note has ended", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE status IN ('queued', 'processing')`) == 0
	})
	if issued := s.Text(t, `SELECT count(*)::text FROM notes WHERE status IN ('issued', 'cancelled')`); issued != "2" {
		t.Errorf("%s notes were issued:\n%s", issued, output)
	}
}
