package rules

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"emissor/fiscal"
	"emissor/internal/tsv"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/reference"
)

// The reference material has the table with words of its own for whose a reason is.
var whoseInWords = map[string]fiscal.Whose{
	"company setting": fiscal.OfProfile, "company register": fiscal.OfRegister,
	"company register / city": fiscal.OfRegister, "city": fiscal.OfCity, "city register": fiscal.OfCity,
	"city register (CNC)": fiscal.OfCity, "city parameters": fiscal.OfService, "service": fiscal.OfService,
	"service / city": fiscal.OfService, "form": fiscal.OfForm, "product / form": fiscal.OfForm,
	"clock": fiscal.OfClock, "clock, form": fiscal.OfClock, "customer": fiscal.OfCustomer,
	"customer / city": fiscal.OfCustomer, "caller / product": fiscal.OfCustomer,
	"certificate": fiscal.OfCertificate, "product": fiscal.OfProgram, "product / host": fiscal.OfProgram,
	"product / new layout": fiscal.OfProgram,
	"authority":            "authority", "note": "note", "event": "event", "own earlier send": "note",
}

func TestRepairs_AsInTheReference(t *testing.T) {
	content, err := os.ReadFile(reference.National(t, "data", "rejection-repair.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	codes := slices.Clone(noRequestsCause)
	for _, row := range tsv.Rows(strings.ReplaceAll(string(content), "\r", "")) {
		code, subject, whose, class := row[0], row[1], row[3], row[4]
		codes = append(codes, code)
		ours, known := repairs[code]
		if !known || ours.Subject != subject || ours.Whose != whoseInWords[whose] || string(ours.class) != class {
			t.Errorf("%s: %+v, want %q of %q, %s", code, ours, subject, whose, class)
		}
	}
	slices.Sort(codes)
	if kept := slices.Sorted(maps.Keys(repairs)); !slices.Equal(kept, codes) ||
		len(codes) != 135+len(noRequestsCause) {
		t.Errorf("%d codes here, %d there", len(kept), len(codes))
	}
}

// noRequestsCause are codes that the reference does not have, of what no request can cause: their notes wait. E1226,
// E1229 and E0121 were recorded (test/recorded).
var noRequestsCause = []string{"E0121", "E1225", "E1226", "E1228", "E1229", "E1242", "E6154", "E6155"}

// The handbook and the setting name the codes that are doubted, and the handbook what those of the company and of the
// customer lead to after that.
func TestRepairs_Doubtful(t *testing.T) {
	isDoubtful := func(after func(repair) bool) (codes []string) {
		for _, code := range slices.Sorted(maps.Keys(repairs)) {
			if Doubtful(code) && after(repairs[code]) {
				codes = append(codes, code)
			}
		}
		return codes
	}
	any := func(repair) bool { return true }
	held := func(one repair) bool { return one.class == ClassHold && one.Scope == fiscal.ScopeCompany }
	for _, text := range []struct {
		file, pattern string
		after         func(repair) bool
	}{
		{"docs/operations/doubtful-notes.md", `registers \(([^)]*)\)`, any},
		{"docs/operations/doubtful-notes.md", `registers \(([^)]*)\)`, held},
		{"cmd/emissor/cli/national.go", `EMISSOR_NATIONAL_DOUBTFUL_REFUSALS"[^(]*\(([^)]*)\)`, any},
	} {
		content, err := os.ReadFile(filepath.Join("../../..", text.file))
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		if said := regexp.MustCompile(text.pattern).FindSubmatch(content); said != nil {
			codes = strings.FieldsFunc(string(said[1]), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
		}
		if doubtful := isDoubtful(text.after); len(doubtful) == 0 || !slices.Equal(codes, doubtful) {
			t.Errorf("%s names %v by %s, the table has %v", text.file, codes, text.pattern, doubtful)
		}
	}
}

// Who waits is told whose it is and what to do, in both languages.
func TestRepairs_HaveWords(t *testing.T) {
	for code, one := range repairs {
		if Handling(code, "") != fiscal.NeedsPerson {
			continue
		}
		for kind, value := range map[string]string{"whose": string(one.Whose), "act": string(one.Act)} {
			if word := fact.Word(kind, value, false); word == value || word == fact.Word(kind, value, true) {
				t.Errorf("%s: no words for %s %q", code, kind, value)
			}
		}
		if word := fact.Word("auto_fix", string(one.AutoFix), true); one.AutoFix != "" && word == string(one.AutoFix) {
			t.Errorf("%s: no words for %q", code, one.AutoFix)
		}
	}
}

// A fault of the authority, and a code that nobody knows, are never a refusal.
func TestRepairs_FaultsAreNoRefusals(t *testing.T) {
	for _, code := range []string{"E999", "E9999", "RNG9999", "E1206", "E1217", "HTTP400"} {
		switch handling := Handling(code, ""); handling {
		case fiscal.TryLater, fiscal.Uncatalogued:
		default:
			t.Errorf("%s is %s", code, handling)
		}
	}
}

// Others of a service wait behind a note only where they would be refused as it is: not for what is
// set for this note alone, nor for what the city of its customer says.
func TestRepairIn(t *testing.T) {
	home, taker := "010101", "170501"
	plain := fiscal.Declaration{Note: nfse.Note{Service: nfse.ServiceSnapshot{NationalTaxCode: &home}}}
	byHand, ofCustomer, atTaker := plain, plain, plain
	byHand.Details.Deduction = &nfse.Deduction{Cents: 1}
	ofCustomer.Taxation.Customer = &nfse.CustomerTaxation{}
	atTaker.Note.Service.NationalTaxCode = &taker
	for name, test := range map[string]struct {
		declaration fiscal.Declaration
		code        string
		scope       fiscal.Scope
	}{
		"the service":                       {plain, "E0312", fiscal.ScopeService},
		"the company":                       {plain, "E0160", fiscal.ScopeCompany},
		"the company, by a note by hand":    {byHand, "E0160", fiscal.ScopeCompany},
		"what was given in the form":        {byHand, "E0440", fiscal.ScopeNote},
		"what is set for the customer":      {ofCustomer, "E0312", fiscal.ScopeNote},
		"the city of the customer":          {atTaker, "E0312", fiscal.ScopeNote},
		"the rate of those that withhold":   {plain, "E0621", fiscal.ScopeNote},
		"what a city has yet to say":        {plain, "E0068", fiscal.ScopeNote},
		"a code of which nothing is known":  {plain, "E9123", fiscal.ScopeNote},
		"the service, which has no code":    {fiscal.Declaration{}, "E0312", fiscal.ScopeService},
		"the company, at the customer's":    {atTaker, "E0160", fiscal.ScopeCompany},
		"the service's, for a customer set": {ofCustomer, "E0901", fiscal.ScopeNote},
	} {
		if scope := RepairIn(test.declaration, test.code).Scope; scope != test.scope {
			t.Errorf("%s: %q", name, scope)
		}
	}
}

func TestCanMend(t *testing.T) {
	registration, code, rate := "123", "010101", nfse.Rate(200)
	var c Checker
	bare := fiscal.Declaration{Note: nfse.Note{Service: nfse.ServiceSnapshot{NationalTaxCode: &code}}}
	whole := bare
	whole.Issuer.MunicipalRegistration, whole.Note.Service.ISSRate = &registration, &rate
	withheld, placed := bare, bare
	withheld.Note.ISSWithheld = true
	byAnother := withheld
	byAnother.Details.Intermediary = &nfse.Intermediary{WithholdsISS: true}
	placed.Note.Competence, placed.Issuer.Simples = "2026-05-05", nfse.SimplesNone
	placed.Classification = &nfse.Classification{CIndOp: "030102"}
	taxed := whole
	taxed.Note.AmountCents, taxed.Note.Customer.TaxID, taxed.Note.Competence = 1000_00, "33444555000181", "2026-05-05"
	taxed.Issuer.TaxID, taxed.Issuer.Simples = "11222333000181", nfse.SimplesNone
	taxed.Taxation.Service = &nfse.ServiceTaxation{Withholding: &nfse.Withholding{IRRF: 1_50}}
	for name, test := range map[string]struct {
		declaration fiscal.Declaration
		autoFix     fiscal.AutoFix
		can         bool
	}{
		"a registration to send":             {whole, fiscal.SendRegistration, true},
		"no registration":                    {bare, fiscal.SendRegistration, false},
		"a registration left out":            {bare, fiscal.OmitRegistration, true},
		"a rate to send":                     {whole, fiscal.SendRate, true},
		"no rate":                            {bare, fiscal.SendRate, false},
		"a rate left out":                    {whole, fiscal.OmitRate, true},
		"an address that nothing asks for":   {bare, fiscal.OmitAddress, true},
		"an address of who withholds":        {withheld, fiscal.OmitAddress, false},
		"an address where another withholds": {byAnother, fiscal.OmitAddress, true},
		"an address that is the place":       {placed, fiscal.OmitAddress, false},
		"federal taxes":                      {taxed, fiscal.OmitFederal, true},
		"no federal taxes":                   {whole, fiscal.OmitFederal, false},
		"another signature":                  {bare, fiscal.OtherSignature, true},
		"nothing that is known as certainly": {whole, "", false},
	} {
		if can := c.CanAutoFix(test.declaration, test.autoFix); can != test.can {
			t.Errorf("%s: %v", name, can)
		}
	}
}
