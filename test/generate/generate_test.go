package generate

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"emissor/internal/municipality"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

const rounds = 3000

func ExampleGenerator() {
	g := New(6)
	fmt.Println(g.Reference())
	fmt.Println(UsualReference(20), "|", UsualName(21))
	// Output:
	// ǄİςǄ Ǆςﬁ
	// Pedido nº 20 | João José da Silva
}

// rules are the program's own, by the field of a body.
var rules = map[string]catalogue.Rule{
	"reference": catalogue.Reference, "service_id": catalogue.ID, "customer_id": catalogue.ID,
	"name": catalogue.ServiceName, "description": catalogue.Description, "service.description": catalogue.Description,
	"municipality_code": catalogue.MunicipalityCode, "national_tax_code": catalogue.NationalTaxCode,
	"municipal_tax_code": catalogue.MunicipalTaxCode, "municipal_taxation": catalogue.MunicipalTaxation,
	"customer.document": catalogue.TaxID, "customer.name": catalogue.CustomerName,
	"customer.nickname": catalogue.Nickname, "customer.email": catalogue.Email,
	"customer.municipality_code":   catalogue.MunicipalityCode,
	"customer.address.zip_code":    catalogue.ZipCode,
	"customer.address.street_type": catalogue.StreetType, "customer.address.street": catalogue.Street,
	"customer.address.number": catalogue.Number, "customer.address.district": catalogue.District,
	"customer.address.complement": catalogue.Complement,
	"reason_code":                 catalogue.ReasonCode, "reason_text": catalogue.ReasonText,
	"sandbox_scenario": catalogue.Scenario,
}

// check holds each field of a body against its rule, and counts how often each was
// there.
func check(t *testing.T, path string, body Body, seen map[string]int) {
	t.Helper()
	seen[path]++
	for field, value := range body {
		name := strings.TrimPrefix(path+"."+field, ".")
		seen[name]++
		var err error
		switch value := value.(type) {
		case Body:
			check(t, name, value, seen)
		case string:
			_, err = rules[name](value)
		case int64:
			err = catalogue.CheckAmountCents(value)
		case json.Number:
			_, err = nfse.ParseRate(value.String())
		case bool, nil:
		default:
			t.Errorf("%s is a %T", name, value)
		}
		if err != nil {
			t.Errorf("%s %v: %q", name, err, value)
		}
	}
	street, _ := body["street"].(string)
	streetType, _ := body["street_type"].(string)
	if err := catalogue.CheckStreet(nfse.Address{Street: &street, StreetType: &streetType}); err != nil {
		t.Error(err)
	}
}

// optional are the fields that a body may have and may lack.
var optional = map[string][]string{
	"": {"national_tax_code", "municipal_tax_code", "municipal_taxation", "iss_rate", "active", "service",
		"iss_withheld"},
	"customer": {"customer.nickname", "customer.email", "customer.municipality_code", "customer.address"},
	"customer.address": {"customer.address.street_type", "customer.address.complement", "customer.address.zip_code",
		"customer.address.street"},
}

func TestGenerator_BodiesAreValid(t *testing.T) {
	g, seen := New(1), map[string]int{}
	for range rounds {
		check(t, "", g.Service(), seen)
		check(t, "", g.ServiceChange(), seen)
		check(t, "", g.Issuance(nfse.NewID(nfse.PrefixService), g.Person()), seen)
		check(t, "", g.IssuanceTo(nfse.NewID(nfse.PrefixService), nfse.NewID(nfse.PrefixCustomer)), seen)
		check(t, "", g.Cancellation(), seen)
		check(t, "", Body{"sandbox_scenario": g.Scenario()}, seen)
		check(t, "customer", g.Customer(g.Person(), g.Chance(0.5)), seen)
		check(t, "customer", g.CustomerChange(), seen)
	}
	for path, fields := range optional {
		for _, field := range fields {
			if seen[field] == 0 || seen[field] == seen[path] {
				t.Errorf("%s was there %d times of %d", field, seen[field], seen[path])
			}
		}
	}
}

// Texts have the lengths of the contract, from the shortest to the longest.
func TestGenerator_Lengths(t *testing.T) {
	for name, test := range map[string]struct {
		next        func(*Generator) string
		least, most int
	}{
		"reference":   {(*Generator).Reference, 1, 200},
		"name":        {(*Generator).Name, 1, 148},
		"description": {(*Generator).Description, 3, 2000},
		"reason":      {func(g *Generator) string { return strings.TrimSpace(g.ReasonText()) }, 15, 255},
	} {
		g, shortest, longest := New(2), 1<<30, 0
		for range rounds {
			length := utf8.RuneCountInString(norm.NFC.String(test.next(g)))
			shortest, longest = min(shortest, length), max(longest, length)
		}
		if shortest != test.least || longest < test.most {
			t.Errorf("%s: from %d to %d characters", name, shortest, longest)
		}
	}
}

// Every kind occurs, and the pieces of each are as the kind says.
func TestGenerator_Kinds(t *testing.T) {
	g := New(3)
	var references, lines strings.Builder
	for range rounds {
		references.WriteString(g.Reference() + "\x00")
		lines.WriteString(g.Lines(1, 200) + "\x00")
	}
	for _, kind := range kinds {
		for _, piece := range kind.pieces {
			if counted, is := kind.characters(piece), utf8.RuneCountInString(norm.NFC.String(piece)); counted != is {
				t.Errorf("%s: %+q has %d characters, and is counted as %d", kind.name, piece, is, counted)
			}
			_, err := catalogue.Reference(piece)
			if hidden := err != nil; !kind.lines && hidden != kind.hidden && !strings.HasSuffix(piece, " ") {
				t.Errorf("%s: %+q: %v", kind.name, piece, err)
			}
			if !strings.Contains(lines.String(), piece) {
				t.Errorf("%s: %+q does not occur", kind.name, piece)
			}
			if !kind.hidden && !kind.lines && !strings.Contains(references.String(), piece) {
				t.Errorf("%s: %+q does not occur in references", kind.name, piece)
			}
		}
	}
}

func TestGenerator_ReferencesAreUnique(t *testing.T) {
	g, given := New(4), map[string]bool{}
	for range rounds {
		reference := g.Reference()
		if given[reference] {
			t.Fatalf("%q was given twice", reference)
		}
		given[reference] = true
	}
	usual := map[string]bool{}
	for n := range rounds {
		usual[UsualReference(n)] = true
		if _, err := catalogue.CustomerName(UsualName(n)); err != nil {
			t.Errorf("%q %v", UsualName(n), err)
		}
	}
	if len(usual) != rounds {
		t.Errorf("%d usual references are %d", rounds, len(usual))
	}
	for _, reference := range append(Poison(), UsualReference(0)) {
		if given[reference] {
			t.Errorf("%q was given to somebody else", reference)
		}
		if kept, err := catalogue.Reference(reference); err != nil || kept != reference {
			t.Errorf("%q: %v", reference, err)
		}
	}
}

func TestGenerator_SameSeed(t *testing.T) {
	bodies := func(seed uint64) (made []Body) {
		g := New(seed)
		for range 100 {
			made = append(made, g.Service(), g.Issuance("srv_1", g.Person()), g.Customer(g.Person(), true))
		}
		return made
	}
	once, again, other := fmt.Sprint(bodies(5)), fmt.Sprint(bodies(5)), fmt.Sprint(bodies(6))
	if once != again || once == other {
		t.Error("the same seed does not give the same")
	}
}

// The places are where the program's own ranges have them.
func TestGenerator_Places(t *testing.T) {
	file, err := os.Open("../../internal/municipality/data/ranges.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	ranges, err := municipality.ParseRanges(file)
	if err != nil {
		t.Fatal(err)
	}
	g, known := New(6), map[bool]int{}
	for range rounds {
		place := g.Place()
		known[place.Known]++
		code := ""
		for _, r := range ranges {
			if r.Start <= place.ZipCode && place.ZipCode <= r.End {
				code = r.Code
			}
		}
		if place.Known && code != place.MunicipalityCode || !place.Known && code != "" ||
			!municipality.Exists(place.MunicipalityCode) {
			t.Errorf("%+v is in %q", place, code)
		}
	}
	if known[true] == 0 || known[false] == 0 {
		t.Errorf("known are %v", known)
	}
}
