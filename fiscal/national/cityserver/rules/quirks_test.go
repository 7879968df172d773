package rules

import (
	"strings"
	"testing"

	"emissor/fiscal/cities"
)

// A table is read by the quirks of the families, and says in which column one is wrong; the table that is built in is
// right.
func TestQuirks(t *testing.T) {
	t.Parallel()
	if _, err := cities.Parse(cities.BuiltIn().File, Quirks()); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct{ family, quirks, words string }{
		"right":                        {"issnet", "not-found=E212,E213 test-city=5002704 rate=2", ""},
		"unknown family":               {"ginfes", "", "must be dsf or "},
		"no codes":                     {"issnet", "not-found=212", "as E212,E213"},
		"no city":                      {"issnet", "test-city=1", "IBGE code"},
		"no event":                     {"issnet", "cancelling=e101103", "off or e101101"},
		"no operation":                 {"issnet", "find-operation=ConsultarTudo", "ConsultarNfseDps or"},
		"three paths":                  {"sefin", "paths=nfse,dps/{dps},nfse/{key}", "four paths"},
		"a path without what is asked": {"sefin", "paths=nfse,dps,nfse/{key},evento", "four paths"},
		"half a segment":               {"sefin", "paths=nfse,dps{dps},nfse/{key},evento", "four paths"},
		"of another family": {"dsf", "test-city=5002704",
			"no quirk of the family dsf, which has: ask-timeout"},
	} {
		row := strings.Join([]string{"3552205", "sorocaba", c.family, "on", "2027-01-01", "", "https://nfse.example/ws",
			"https://test.nfse.example/ws", "inclusive-sha1", "3", c.quirks, "the city's guide"}, "\t")
		_, err := cities.Parse(strings.Join(cities.Columns(), "\t")+"\n"+row+"\n", Quirks())
		if (err == nil) != (c.words == "") || err != nil && !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
