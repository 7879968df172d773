package national

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/nfse"
)

func TestCheckAcceptsWhatIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		document := drawDocument(t)
		if rejection := check(document, checkedAt); rejection != nil {
			t.Fatalf("refused: %s %s (%v)\n%+v", rejection.Code, rejection.Message, rejection.Field, document)
		}
	})
}

// drawJunk is text that a caller, or a broken database, could hold.
func drawJunk(t *rapid.T) string {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[0-9A-Za-z .\-]{0,20}`),
		rapid.StringMatching(`[0-9]{5,16}`),
		rapid.SampledFrom([]string{
			"", " ", "\n", "\x00", "\u00a0", "\u2603", "\U0001F600", "\u2026", "\ufffd", "\xff", "<a>&\"'", "]]>", " a ", "a\r\nb", "\u200b",
			strings.Repeat("x", 5000), strings.Repeat("\u2026", 900), strings.Repeat("\u00e3 ", 200), strings.Repeat("\u00df", 256),
		}),
	).Draw(t, "junk")
}

// drawCorrupted is a valid document of which one datum was replaced.
func drawCorrupted(t *rapid.T) fiscal.Document {
	d := drawDocument(t)
	var (
		junk    = func() string { return drawJunk(t) }
		maybe   = func() *string { return rapid.Ptr(rapid.Just(drawJunk(t)), true).Draw(t, "maybe") }
		number  = func() int { return rapid.IntRange(-2, 60000).Draw(t, "number") }
		percent = func() nfse.Percent { return nfse.Percent(rapid.IntRange(-1, 10002).Draw(t, "percent")) }
		address = &d.Note.Customer.Address
		taxes   = &d.Issuer.ApproximateTaxes
	)
	corruptions := []func(){
		func() { d.Issuer.TaxID = nfse.TaxID(junk()) },
		func() { d.Issuer.MunicipalityCode = junk() },
		func() { d.Issuer.MunicipalRegistration = maybe() },
		func() { d.Issuer.SendMunicipalRegistration = !d.Issuer.SendMunicipalRegistration },
		func() { d.Issuer.Simples = nfse.SimplesOption(rapid.IntRange(-1, 5).Draw(t, "simples")) },
		func() { d.Issuer.SimplesRegime = rapid.Ptr(rapid.IntRange(-1, 5), true).Draw(t, "regime") },
		func() { d.Issuer.SpecialRegime = rapid.IntRange(-1, 11).Draw(t, "special") },
		func() { d.Issuer.Series = number() },
		func() { taxes.Federal = percent() },
		func() { taxes.State = percent() },
		func() { taxes.Municipal = percent() },
		func() { taxes.Simples = percent() },
		func() {
			d.Issuer.InactiveMunicipalities = []string{d.Note.Service.MunicipalityCode, d.Issuer.MunicipalityCode}
		},
		func() { d.Issuer.InactiveMunicipalities = []string{junk()} },
		func() { d.Note.AmountCents = rapid.Int64().Draw(t, "amount") },
		func() { d.Note.ISSWithheld = !d.Note.ISSWithheld },
		func() { d.Note.Service.Description = junk() },
		func() { d.Note.Service.MunicipalityCode = junk() },
		func() { d.Note.Service.NationalTaxCode = maybe() },
		func() { d.Note.Service.MunicipalTaxCode = maybe() },
		func() { d.Note.Service.ISSRate = rapid.Ptr(rapid.Just(nfse.Rate(number())), true).Draw(t, "rate") },
		func() { d.Note.Customer.TaxID = nfse.TaxID(junk()) },
		func() { d.Note.Customer.TaxID = d.Issuer.TaxID },
		func() { d.Note.Customer.Name = junk() },
		func() { d.Note.Customer.Email = maybe() },
		func() { d.Note.Customer.MunicipalityCode = maybe() },
		func() { d.Note.Municipality.Code = junk() },
		func() { address.StreetType = maybe() },
		func() { address.Street = maybe() },
		func() { address.Number = maybe() },
		func() { address.District = maybe() },
		func() { address.ZipCode = maybe() },
		func() { address.Complement = maybe() },
	}
	corruptions[rapid.IntRange(0, len(corruptions)-1).Draw(t, "datum")]()
	return d
}

// TestCorruptedIsRefusedOrValid replaces one datum of a valid document by
// anything: it is refused, or what is rendered follows the schema all the same.
func TestCorruptedIsRefusedOrValid(t *testing.T) {
	paper(t, "xsd-1.01/DPS_v1.01.xsd")
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Fatal("needs xmllint (Debian: libxml2-utils), which dev/setup.sh tests installs")
	}
	const count = 1500
	credentials := testCredentials(t)
	corrupted := rapid.Custom(drawCorrupted)
	directory, refused := t.TempDir(), 0
	arguments := []string{"--nonet", "--noout", "--schema", filepath.Join(papers, "xsd-1.01/DPS_v1.01.xsd")}
	for i := range count {
		document := corrupted.Example(i)
		if rejection := check(document, checkedAt); rejection != nil {
			if again := check(document, checkedAt); !reflect.DeepEqual(again, rejection) {
				t.Errorf("%+v, then %+v", rejection, again)
			}
			refused++
			continue
		}
		rendering, err := renderDPS(Options{}, document, credentials, checkedAt)
		if err != nil {
			t.Fatalf("accepted, but not rendered: %v\n%+v", err, document)
		}
		file := filepath.Join(directory, fmt.Sprintf("%d.xml", i))
		if err := os.WriteFile(file, rendering.XML, 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, file)
	}
	if refused < count/4 || refused > count*9/10 {
		t.Errorf("%d of %d were refused: the corruptions test too little", refused, count)
	}
	if out, err := exec.Command(xmllint, arguments...).CombinedOutput(); err != nil {
		problems := slices.DeleteFunc(strings.Split(string(out), "\n"), func(line string) bool { return strings.HasSuffix(line, "validates") })
		t.Errorf("accepted, but not valid: %v\n%s", err, strings.Join(problems[:min(len(problems), 20)], "\n"))
	}
}
