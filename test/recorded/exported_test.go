package recorded

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/drift"
)

// differs are the recordings of which something else follows once they are anonymised, and why.
var differs = map[string]string{
	"sefin-find-cancellation-200-cut": "its base64 is cut at another place",
	"issnet-issue-200-no-result-cut":  "its document is taken to be whole",
	"issnet-issue-200-cut":            "its key is within a document",
	"issnet-issue-200-exists":         "its words decide, as it has no code",
	"dsf-find-200-stranger":           "its only key is taken to be that of the document",
}

// What an installation exports of an answer is a recording: it is read, and what follows from it is what follows from
// the answer, as far as that is decided by codes and members and not by words.
func TestExported(t *testing.T) {
	all, err := ReadAll("answers")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		if len(one.Answers) != 1 || one.Header["authority"] == "none" {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(one.Path), ".txt"), func(t *testing.T) {
			t.Parallel()
			answer := one.Answers[0]
			body := filledBy.Replace(strings.ReplaceAll(answer.Body, ">{{nfse}}<", "><NFSe Id=\"a\"><b/>\n</NFSe><"))
			file := drift.Drift{Authority: one.Header["authority"], Call: one.Header["call"], Status: answer.Status,
				Production: one.Header["environment"] == "production", Media: drift.MediaOf(answer.Media),
				Copy: string(drift.BuiltIn().Anonymised([]byte(body)))}.Export()
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "exported.txt"), []byte(file), 0o600); err != nil {
				t.Fatal(err)
			}
			exported, err := ReadAll(folder)
			if err != nil || len(exported) != 1 {
				t.Fatalf("%d recordings, %v", len(exported), err)
			}
			if before := one.Header["before"]; before != "" {
				exported[0].Header["before"] = before
			}
			_, other := differs[strings.TrimSuffix(filepath.Base(one.Path), ".txt")]
			if got := follow(t, exported[0], nil); slices.Equal(got, one.Expected) == other {
				t.Errorf("of\n%s\nfollows\n\t%s\nand not\n\t%s", file, strings.Join(got, "\n\t"),
					strings.Join(one.Expected, "\n\t"))
			}
		})
	}
}

var filledBy = strings.NewReplacer("{{key}}", strings.Repeat("35", 25), "{{other key}}", strings.Repeat("42", 25),
	"{{dps}}", "DPS"+strings.Repeat("3", 42), "{{nfse}}", strings.Repeat("H4sI", 99),
	"{{event}}", strings.Repeat("H4sI", 99))
