package doctor

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"emissor/nfse/fact"
)

// ofDoctor are the facts of findings and of what is to be done: those of its own and those that it has of others.
func ofDoctor() (codes []fact.Code) {
	within := []fact.Code{ // which stand within others
		fact.DoctorTooSlow, fact.DoctorPanicked, fact.DoctorServiceLacks, fact.WhereByNational, fact.WhereByCity,
	}
	codes = append(codes, fact.CertificateDoesNotOpen, fact.CityOff, fact.CityNotOnDay, fact.CityOfIndividual,
		fact.CityOfSimples, fact.CityOfMEI)
	for _, code := range fact.Codes() {
		of, _, _ := strings.Cut(string(code), "_")
		if (of == "doctor" || of == "where") && !slices.Contains(within, code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// Everything that is found or to be done is a sentence in both languages, and spells a host as it is.
func TestFinding_IsASentence(t *testing.T) {
	t.Parallel()
	if len(ofDoctor()) < 80 {
		t.Fatalf("there are only %d facts", len(ofDoctor()))
	}
	for _, name := range []string{"national", "sao-paulo"} {
		for _, code := range ofDoctor() {
			var arguments []any
			for _, argument := range code.Names() {
				arguments = append(arguments, argument, argumentOf(code, argument, name))
			}
			seen := code.With(arguments...)
			f := Finding{Seen: seen, Do: seen}
			for language, in := range map[string]func() (string, string){"en": f.English, "pt": f.Portuguese} {
				text, do := in()
				first, _ := utf8.DecodeRuneInString(text)
				if unicode.IsLower(first) || !strings.HasSuffix(text, ".") || strings.Contains(text, "..") ||
					strings.Contains(text, "Sefin.") || do != text {
					t.Errorf("%s, %s: %q and %q", code, language, text, do)
				}
			}
		}
	}
	if seen, do := (Finding{}).English(); seen != "" || do != "" {
		t.Errorf("nothing is said as %q and %q", seen, do)
	}
}

// argumentOf is what an argument of that name may be: a name that begins with a small letter, a number, or a sentence.
func argumentOf(code fact.Code, argument, authority string) any {
	switch {
	case argument == "authority":
		return called(authority)
	case argument == "why" && code != fact.CityOff: // which goes on after it
		return fact.CityOfMEI.Fact()
	case argument == "city":
		return "São Paulo/SP"
	case slices.Contains([]string{"secrets", "lacking", "left"}, argument):
		return 7
	}
	return "sefin.example"
}
