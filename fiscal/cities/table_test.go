package cities

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// file is a file of these rows.
func file(rows ...string) string {
	return strings.Join(append([]string{"# a comment", strings.Join(Columns(), "\t")}, rows...), "\n") + "\n"
}

// spoken are two families.
var spoken = Families{
	"spoken": {KeyInfo: {Check: OneOf("full")}},
	"other":  {"of-other": {Check: OneOf("1")}},
}

// row is a row, in which the values of some columns are others.
func row(others ...string) string {
	values := []string{"3552205", "sorocaba", "spoken", "on", "2027-01-01", "", "https://nfse.example/ws",
		"https://test.nfse.example/ws", "inclusive-sha1", "3", "series=10001-49999", "the city's guide"}
	for i := 0; i < len(others); i += 2 {
		values[slices.Index(Columns(), others[i])] = others[i+1]
	}
	return strings.Join(values, "\t")
}

// Every row that comes with the program is whole; what nobody has reported is off, and says why.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	for _, row := range BuiltIn().Rows() {
		if row.Municipality().Name == "" || row.Source == "" {
			t.Errorf("%s has no municipality or no source", row.Name)
		}
		if row.On() && (row.Production == "" || row.Test == "") {
			t.Errorf("%s is on and has not both addresses", row.Name)
		}
	}
	on := func(name string) bool {
		row, known := BuiltIn().Named(name, "2026-11-24")
		return known && row.On()
	}
	for name, want := range map[string]bool{
		"teresina": true, "campinas": true, "campo-grande": false, "belem": false, "brasilia": true,
		"ribeirao-preto": true, "goiania": false, "anapolis": false, "duque-de-caxias": false,
	} {
		if on(name) != want {
			t.Errorf("%s is on: %t, want %t", name, !want, want)
		}
	}
}

// A city of a family that is known is a row: nothing else is needed.
func TestParse(t *testing.T) {
	t.Parallel()
	table, err := Parse(file(row("until", "2027-06-30"),
		row("from", "2027-07-01", "production", "https://new.nfse.example/ws", "quirks", "rate=0.5 send-timeout=120s")),
		spoken)
	if err != nil {
		t.Fatal(err)
	}
	early, _ := table.Named("sorocaba", "2027-06-30")
	late, _ := table.OfMunicipality("3552205", "2030-01-01")
	if _, known := table.Named("sorocaba", "2026-12-31"); known {
		t.Error("a row holds before its first day")
	}
	if early.Base(true) != "https://nfse.example/ws" || late.Base(true) != "https://new.nfse.example/ws" ||
		late.Base(false) != "https://test.nfse.example/ws" {
		t.Errorf("the addresses are %q and %q", early.Base(true), late.Base(true))
	}
	if *early.Series() != (SeriesRange{10001, 49999}) || late.Series() != nil || *early.MunicipalCode != (Digits{3, 3}) {
		t.Errorf("series %v and %v, digits %v", early.Series(), late.Series(), early.MunicipalCode)
	}
	if late.Number(Rate, 1) != 0.5 || early.Number(Rate, 1) != 1 ||
		late.Duration(SendTimeout, time.Minute) != 2*time.Minute || early.Duration(SendTimeout, time.Minute) != time.Minute {
		t.Error("quirks are not read")
	}
	if !slices.Equal(table.Names(), []string{"sorocaba"}) || early.Municipality().String() != "Sorocaba/SP" {
		t.Errorf("names %v, municipality %s", table.Names(), early.Municipality())
	}
}

// What is wrong is said with line and column, and nothing of the file is taken.
func TestParse_Errors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		line    int
		column  string
		words   string
	}{
		"no header":             {"3552205\tsorocaba\n", 1, "", "must name the columns"},
		"no rows":               {file(), 1, "", "no row"},
		"not UTF-8":             {"\xff", 1, "", "UTF-8"},
		"too few columns":       {file("3552205\tsorocaba"), 3, "", "has 2 columns"},
		"unknown code":          {file(row(), row("city", "3552299")), 4, "city", `"3552299"`},
		"name":                  {file(row("name", "São Paulo")), 3, "name", "small letters"},
		"unknown family":        {file(row("family", "ginfes")), 3, "family", "must be other or spoken"},
		"off without a reason":  {file(row("state", "off")), 3, "state", "reason"},
		"state":                 {file(row("state", "yes")), 3, "state", "on, or off"},
		"no day":                {file(row("from", "01/01/2027")), 3, "from", "2026-11-24"},
		"no last day":           {file(row("until", "2027-02-30")), 3, "until", "2026-11-24"},
		"ends before it begins": {file(row("until", "2026-12-31")), 3, "until", "before the first day"},
		"http":                  {file(row("production", "http://nfse.example/ws")), 3, "production", "https"},
		"test with a query":     {file(row("test", "https://nfse.example/ws?a=1")), 3, "test", "without user"},
		"on without an address": {file(row("production", "", "test", "")), 3, "production", "only be off"},
		"signature":             {file(row("signature", "sha1")), 3, "signature", "inclusive-sha1"},
		"digits":                {file(row("municipal_code", "0-3")), 3, "municipal_code", "1-10"},
		"unknown quirk": {file(row("quirks", "sereis=1-2")), 3, "quirks",
			`"sereis" is no quirk of the family spoken`},
		"quirk twice":       {file(row("quirks", "rate=1 rate=2")), 3, "quirks", "rate is there twice"},
		"value of a quirk":  {file(row("quirks", "rate=fast")), 3, "quirks", "rate must be calls a second"},
		"series":            {file(row("quirks", "series=49999-10001")), 3, "quirks", "first and the last series"},
		"time":              {file(row("quirks", "ask-timeout=1h")), 3, "quirks", "at most 5m"},
		"word of a quirk":   {file(row("quirks", "key-info=leaf")), 3, "quirks", "must be full"},
		"of another family": {file(row("quirks", "of-other=1")), 3, "quirks", "no quirk of the family spoken"},
		"no source":         {file(row("source", "")), 3, "source", "known from"},
		"overlapping days":  {file(row(), row("from", "2028-01-01")), 4, "from", "overlaps the days of line 3"},
		"two names of a city": {
			file(row("until", "2027-01-31"), row("from", "2027-02-01", "name", "other")), 4, "name", "line 3",
		},
		"two cities of one name": {file(row(), row("city", "3549904")), 4, "name", "line 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table, err := Parse(c.content, spoken)
			var found *ParseError
			if !errors.As(err, &found) || found.Line != c.line || found.Column != c.column ||
				!strings.Contains(err.Error(), c.words) {
				t.Fatalf("the error is %v, want line %d, column %q, with %q", err, c.line, c.column, c.words)
			}
			if len(table.Rows()) != 0 {
				t.Error("rows of a wrong file are returned")
			}
		})
	}
}

// Files of any content are read or refused, and never more.
func FuzzParse(f *testing.F) {
	f.Add(builtIn)
	f.Add(file(row()))
	f.Fuzz(func(t *testing.T, content string) {
		table, err := Parse(content, spoken)
		if err != nil {
			return
		}
		for _, row := range (&table).Rows() {
			if found, known := table.Named(row.Name, row.From); !known || found.MunicipalityCode != row.MunicipalityCode {
				t.Fatalf("the row of %s does not hold on its first day", row.Name)
			}
			if row.On() && row.Base(true) == "" && row.Base(false) == "" {
				t.Fatalf("%s is on without an address", row.Name)
			}
		}
	})
}
