package municipality

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// stateByPrefix has the states by the first two digits of their IBGE codes.
var stateByPrefix = map[string]string{
	"11": "RO", "12": "AC", "13": "AM", "14": "RR", "15": "PA", "16": "AP", "17": "TO",
	"21": "MA", "22": "PI", "23": "CE", "24": "RN", "25": "PB", "26": "PE", "27": "AL", "28": "SE", "29": "BA",
	"31": "MG", "32": "ES", "33": "RJ", "35": "SP", "41": "PR", "42": "SC", "43": "RS",
	"50": "MS", "51": "MT", "52": "GO", "53": "DF",
}

func TestDirectory_Complete(t *testing.T) {
	all := byCode()
	if len(all) != 5571 {
		t.Errorf("the directory has %d municipalities, want 5571", len(all))
	}
	states := map[string]bool{}
	for code, m := range all {
		if len(code) != 7 || m.Code != code || m.Name == "" || m.Name != strings.TrimSpace(m.Name) {
			t.Errorf("malformed entry %q: %+v", code, m)
		}
		if want := stateByPrefix[code[:2]]; m.State != want {
			t.Errorf("%s is in state %q, want %q", code, m.State, want)
		}
		states[m.State] = true
	}
	if len(states) != 27 {
		t.Errorf("the directory has %d states, want 27", len(states))
	}
}

func TestDirectory_CheckDigits(t *testing.T) {
	// IBGE gave these nine a wrong digit and kept it.
	exceptions := map[string]bool{
		"2201919": true, "2201988": true, "2202251": true, "2611533": true, "3117836": true,
		"3152131": true, "4305871": true, "5203939": true, "5203962": true,
	}
	for code, m := range byCode() {
		if right := checkDigit(code) == code[6]; right == exceptions[code] {
			t.Errorf("%s %s: check digit right: %v, exception: %v", code, m, right, exceptions[code])
		}
	}
}

// checkDigit computes the seventh digit of an IBGE code: weights 1 and 2 in turn, the
// digits of the products added, completed to the next ten.
func checkDigit(code string) byte {
	sum := 0
	for i := range 6 {
		product := int(code[i]-'0') * (1 + i%2)
		sum += product/10 + product%10
	}
	return byte('0' + (10-sum%10)%10)
}

func TestDirectory_Find(t *testing.T) {
	m, found := Find("3550308")
	if want := (Municipality{Code: "3550308", Name: "São Paulo", State: "SP"}); !found || m != want {
		t.Errorf("Find = %+v, %v", m, found)
	}
	if m.String() != "São Paulo/SP" {
		t.Errorf("String = %q", m)
	}
	if !Exists("5101837") {
		t.Error("Boa Esperança do Norte, the youngest municipality, is missing")
	}
	for _, code := range []string{"", "0000000", "3550309", "355030", "35503080", "SP", "São Paulo"} {
		if Exists(code) {
			t.Errorf("%q exists", code)
		}
	}
}

func TestDirectory_FindByName(t *testing.T) {
	unaccented := strings.NewReplacer("á", "a", "Á", "A", "â", "a", "Â", "A", "ã", "a", "ç", "c", "é", "e",
		"É", "E", "ê", "e", "í", "i", "Í", "I", "ó", "o", "Ó", "O", "ô", "o", "õ", "o", "ú", "u", "ü", "u")
	spellings := map[string]func(string) string{
		"as it is":            func(name string) string { return name },
		"upper case":          strings.ToUpper,
		"lower case":          strings.ToLower,
		"without accents":     unaccented.Replace,
		"without punctuation": strings.NewReplacer("'", " ", "-", " ").Replace,
		"curly apostrophe":    strings.NewReplacer("'", "’").Replace,
		"no apostrophe":       strings.NewReplacer("'", "").Replace,
	}
	for code, m := range byCode() {
		for spelling, spell := range spellings {
			if got, _ := findByName(m.State, spell(m.Name)); got.Code != code {
				t.Errorf("%s, %s: got %q, want %s", m, spelling, got.Code, code)
			}
		}
	}
}

func TestDirectory_FindByNameDoesNotGuess(t *testing.T) {
	for _, wrong := range [][2]string{
		{"SP", "Rio de Janeiro"}, {"SP", ""}, {"", "São Paulo"}, {"sp", "São Paulo"}, {"SP", "São"},
		{"SP", "Vila Mariana"},
	} {
		if m, found := findByName(wrong[0], wrong[1]); found {
			t.Errorf("findByName(%q, %q) = %s", wrong[0], wrong[1], m)
		}
	}
}

// The reference lists lie beside the project, not in it.
const referenceFolder = "../../../shared/national/data/"

// readReference returns the lines of a reference list without its header, or skips.
func readReference(t *testing.T, name string) [][]string {
	file, err := os.Open(referenceFolder + name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the reference list %s is not on this machine", referenceFolder+name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comma = '\t'
	lines, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return lines[1:]
}

func TestDirectory_AgreesWithReference(t *testing.T) {
	reference := readReference(t, "municipios-anexoA-20251210.tsv")
	for _, line := range reference {
		code, state, name := line[0], line[1], line[2]
		m, found := Find(code)
		if !found || m.Name != name || (state != "" && m.State != state) {
			t.Errorf("%s: got %+v, the reference says %q %q", code, m, name, state)
		}
	}
	// Boa Esperança do Norte is younger than the reference.
	if got, want := len(byCode()), len(reference)+1; got != want {
		t.Errorf("the directory has %d municipalities, want %d", got, want)
	}
}
