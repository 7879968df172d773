package recorded

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/cities"
	"emissor/fiscal/national/cityserver/rules"
	"emissor/test/reference"
)

var update = flag.Bool("update", false, "write what follows from each recording into its file")

// What follows from each answer is what its file expects.
func TestRecordings(t *testing.T) {
	all, err := ReadAll("answers")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("nothing is recorded")
	}
	for _, one := range all {
		t.Run(strings.TrimSuffix(filepath.Base(one.Path), ".txt"), func(t *testing.T) {
			t.Parallel()
			for _, name := range []string{"source", "host", "authority"} {
				if one.Header[name] == "" {
					t.Errorf("it does not say its %s", name)
				}
			}
			if family := one.Header["family"]; family != "" { // of servers that this program does not speak to
				if _, known := rules.Families[cities.Family(family)]; known || one.Header["authority"] != "none" {
					t.Errorf("the family %s is spoken: its recordings name an authority of it", family)
				}
				return
			}
			got := follow(t, one, nil)
			if *update {
				if err := os.WriteFile(one.Path, []byte(one.Expecting(got)), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if !slices.Equal(got, one.Expected) {
				t.Errorf("what follows is\n\t%s\nand not\n\t%s", strings.Join(got, "\n\t"),
					strings.Join(one.Expected, "\n\t"))
			}
		})
	}
}

// Each recording of the collection is here, and none of the identities in it.
func TestRecordings_OfTheCollection(t *testing.T) {
	folder := reference.Recorded(t)
	all, err := ReadAll("answers")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	identities := regexp.MustCompile(`[0-9]{11,}`)
	for _, file := range files {
		i := slices.IndexFunc(all, func(one Recording) bool { return one.Header["recording"] == filepath.Base(file) })
		if i < 0 {
			t.Errorf("%s is not here", filepath.Base(file))
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(content), "this line ----")
		for _, identity := range identities.FindAllString(body, -1) {
			if i := slices.IndexFunc(all, func(one Recording) bool { return strings.Contains(one.rest, identity) }); i >= 0 {
				t.Errorf("%s names somebody of %s", all[i].Path, filepath.Base(file))
			}
		}
	}
}
