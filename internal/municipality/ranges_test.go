package municipality

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestBuiltInRanges_OrderedAndApart(t *testing.T) {
	previous := Range{End: "00000000"}
	for _, r := range builtInRanges() {
		if r.Start <= previous.End || r.End < r.Start {
			t.Errorf("%+v follows %+v", r, previous)
		}
		if !Exists(r.Code) {
			t.Errorf("%+v: no such municipality", r)
		}
		previous = r
	}
}

func TestBuiltInRanges_HoldEveryCapital(t *testing.T) {
	capitals := []string{
		"1100205", "1200401", "1302603", "1400100", "1501402", "1600303", "1721000", // Porto Velho ... Palmas
		// São Luís ... Salvador
		"2111300", "2211001", "2304400", "2408102", "2507507", "2611606", "2704302", "2800308", "2927408",
		"3106200", "3205309", "3304557", "3550308", // Belo Horizonte, Vitória, Rio de Janeiro, São Paulo
		"4106902", "4205407", "4314902", // Curitiba, Florianópolis, Porto Alegre
		"5002704", "5103403", "5208707", "5300108", // Campo Grande, Cuiabá, Goiânia, Brasília
	}
	cities, states := map[string]bool{}, map[string]bool{}
	for _, r := range builtInRanges() {
		cities[r.Code] = true
	}
	for _, code := range capitals {
		if !cities[code] {
			t.Errorf("the capital %s is missing", code)
		}
		m, _ := Find(code)
		states[m.State] = true
	}
	if len(states) != 27 {
		t.Errorf("the capitals cover %d states, want 27", len(states))
	}
	if len(cities) < 150 {
		t.Errorf("only %d cities have a range", len(cities))
	}
}

func TestBuiltInRanges_Code(t *testing.T) {
	for zip, want := range map[string]string{
		"01310100": "3550308", "20040020": "3304557", "29010120": "3205309", "69900062": "1200401",
		"65045215": "2111300",
		"01000000": "3550308", "05999999": "3550308", // the ends belong to the range
		"06000000": "3534401",                          // the next one begins right after
		"00000000": "", "00999999": "", "99999999": "", // outside of all
		"06900000": "", // Embu-Guaçu/SP is too small for the table
	} {
		if got := builtInCode(zip); got != want {
			t.Errorf("builtInCode(%s) = %q, want %q", zip, got, want)
		}
	}
}

func TestBuiltInRanges_CodeAsSlowSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zip := rapid.StringMatching(`[0-9]{8}`).Draw(t, "zip")
		want := ""
		for _, r := range builtInRanges() {
			if r.Start <= zip && zip <= r.End {
				want = r.Code
			}
		}
		if got := builtInCode(zip); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestBuiltInRanges_AgreeWithReference(t *testing.T) {
	reference := map[Range]bool{}
	byCode := map[string]int{}
	for _, line := range readReference(t, "cep-ranges.tsv") {
		reference[Range{line[0], line[1], line[2]}] = true
		byCode[line[2]]++
	}
	for _, r := range builtInRanges() {
		if !reference[r] {
			t.Errorf("%+v is not in the reference", r)
		}
		byCode[r.Code]--
	}
	// A city is in the table with all of its ranges.
	for _, r := range builtInRanges() {
		if byCode[r.Code] != 0 {
			t.Errorf("%s has %d ranges too few", r.Code, byCode[r.Code])
		}
	}
}

func TestParseRanges_WholeReference(t *testing.T) {
	var file strings.Builder
	lines := readReference(t, "cep-ranges.tsv")
	for _, line := range lines {
		file.WriteString(strings.Join(line, "\t") + "\n")
	}
	ranges, err := ParseRanges(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(ranges) != len(lines) ||
		!slices.IsSortedFunc(ranges, func(a, b Range) int { return strings.Compare(a.Start, b.Start) }) {
		t.Errorf("%d ranges of %d lines, or not in order", len(ranges), len(lines))
	}
}
