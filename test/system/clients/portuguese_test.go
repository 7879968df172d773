package clients

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"
)

// The pages in Portuguese are what the English ones and the translations make: -update writes them. No translation is
// left that nothing uses.
func TestPortuguese_UpToDate(t *testing.T) {
	file, err := os.Open(guides + "/pt/portuguese.tsv")
	must(t, err)
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comma, reader.LazyQuotes = '\t', true
	rows, err := reader.ReadAll()
	must(t, err)
	translations := map[string]string{}
	for _, row := range rows[1:] {
		translations[row[0]] = row[1]
	}
	all := ""
	for _, language := range languages {
		english := page(t, language.name)
		made, err := Portuguese(english, translations)
		if err != nil {
			t.Errorf("%s: %v", language.name, err)
			continue
		}
		path := guides + "/pt/" + language.name + ".md"
		if *update {
			must(t, os.WriteFile(path, []byte(made), 0o644))
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != made {
			t.Errorf("%s is not what the English page makes of it (%v): go test -C test/system ./clients "+
				"-run TestPortuguese -update", path, err)
		}
		all += strings.Join(strings.Fields(english), " ")
	}
	for english := range translations {
		if !strings.Contains(all, english) {
			t.Errorf("no page says %q", english)
		}
	}
}
