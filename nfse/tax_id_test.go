package nfse_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"emissor/nfse"
)

func TestTaxID_WithAndWithoutMask(t *testing.T) {
	for sent, kept := range map[string]nfse.TaxID{
		"529.982.247-25":     "52998224725",
		"52998224725":        "52998224725",
		"111.444.777-35":     "11144477735",
		"000.000.001-91":     "00000000191", // leading zeros belong to it
		"123.456.789-09":     "12345678909", // both remainders below 2 give 0
		"00.000.000/0001-91": "00000000000191",
		"33.000.167/0001-01": "33000167000101",
		"11222333000181":     "11222333000181",
		"12ABC34501DE35":     "12ABC34501DE35", // the federal example of an alphanumeric CNPJ
		"12.ABC.345/01DE-35": "12ABC34501DE35",
		"12abc34501de35":     "12ABC34501DE35", // small letters are the same letters
		"12.aBc.345/01dE-35": "12ABC34501DE35",
	} {
		got, err := nfse.ParseTaxID(sent)
		if err != nil || got != kept {
			t.Errorf("%q is read as %q (%v), expected %q", sent, got, err, kept)
		}
		if got.IsCNPJ() != (len(kept) == 14) {
			t.Errorf("%q is taken for the wrong kind", sent)
		}
	}
}

func TestTaxID_Refused(t *testing.T) {
	const form, digits, repeated = "must be a CPF", "wrong check digits", "repeats one character"
	for sent, why := range map[string]string{
		"":                    form,
		"5299822472":          form, // one short
		"529982247255":        form, // one long
		" 52998224725":        form,
		"52998224725\n":       form,
		"529.982.24725":       form, // half a mask
		"529-982-247.25":      form,
		"529 982 247 25":      form,
		"５２９９８２２４７２５":         form, // digits of another alphabet
		"12abc34501de3\u017f": form, // a letter whose capital is an S
		"12ABC34501DEA5":      form, // letters where check digits are
		"12ABC345O1DÉ35":      form,
		"12.ABC.345.01DE-35":  form,
		"11.222.333/0001-8":   form,
		"52998224724":         digits,
		"52998224735":         digits,
		"529.982.247-52":      digits,
		"11222333000182":      digits,
		"11222333000191":      digits,
		"12ABC34501DE53":      digits,
		"11111111111":         repeated, // its check digits are right
		"000.000.000-00":      repeated,
		"00000000000000":      repeated,
		"77.777.777/7777-77":  repeated,
		"99999999999":         repeated,
		"\x0052998224725\x00": form,
	} {
		got, err := nfse.ParseTaxID(sent)
		if got != "" || err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q is answered %q, %v; expected an error that it %s", sent, got, err, why)
		}
		if err != nil && sent != "" && strings.Contains(err.Error(), sent) {
			t.Errorf("the error repeats the tax id: %v", err)
		}
	}
}

// TestTaxID_CheckDigits computes check digits
// by the registers' published formula, written here a second time.
func TestTaxID_CheckDigits(t *testing.T) {
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	rapid.Check(t, func(t *rapid.T) {
		cnpj := rapid.Bool().Draw(t, "cnpj")
		var base string
		if cnpj {
			base = rapid.StringMatching(`[0-9A-Z]{12}`).Draw(t, "base")
		} else {
			base = rapid.StringMatching(`[0-9]{9}`).Draw(t, "base")
		}
		id := withCheckDigits(base, cnpj)
		if strings.Count(id, id[:1]) == len(id) {
			t.Skip("repeats one character")
		}
		for _, sent := range []string{id, masked(id), strings.ToLower(id), strings.ToLower(masked(id))} {
			if got, err := nfse.ParseTaxID(sent); err != nil || string(got) != id {
				t.Fatalf("%q is read as %q: %v", sent, got, err)
			}
		}

		at := rapid.IntRange(0, len(id)-1).Draw(t, "changed")
		alphabet := letters
		if !cnpj || at >= 12 {
			alphabet = letters[:10]
		}
		other := rapid.SampledFrom([]byte(alphabet)).Draw(t, "into")
		changed := id[:at] + string(other) + id[at+1:]
		// Remainders of 0 and 1 both read as 0, so a few changed digits leave the check digits right.
		stillRight := withCheckDigits(changed[:len(base)], cnpj) == changed
		if _, err := nfse.ParseTaxID(changed); (err == nil) != stillRight {
			t.Fatalf("%q, changed into %q: %v", id, changed, err)
		}
	})
}

func FuzzParseTaxID(f *testing.F) {
	for _, seed := range []string{"529.982.247-25", "12ABC34501DE35", "12.abc.345/01de-35", "00.000.000/0001-91",
		"11111111111", "", "1-.2/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		id, err := nfse.ParseTaxID(sent)
		if err != nil {
			if id != "" {
				t.Errorf("%q is refused (%v) and still gives %q", sent, err, id)
			}
			return
		}
		if bare := strings.NewReplacer(".", "", "-", "", "/", "").Replace(sent); strings.ToUpper(bare) != string(id) {
			t.Errorf("%q is read as %q", sent, id)
		}
		if again, err := nfse.ParseTaxID(string(id)); err != nil || again != id {
			t.Errorf("what was kept of %q cannot be read again: %q, %v", sent, again, err)
		}
		if withCheckDigits(string(id[:len(id)-2]), id.IsCNPJ()) != string(id) {
			t.Errorf("%q has wrong check digits and is accepted", id)
		}
	})
}

func withCheckDigits(base string, cnpj bool) string {
	first := []int{10, 9, 8, 7, 6, 5, 4, 3, 2}
	if cnpj {
		first = []int{5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}
	}
	second := append([]int{first[0] + 1}, first...)
	for _, weights := range [][]int{first, second} {
		sum := 0
		for i, weight := range weights {
			sum += (int(base[i]) - 48) * weight
		}
		digit := 11 - sum%11
		if digit >= 10 {
			digit = 0
		}
		base += fmt.Sprint(digit)
	}
	return base
}

func masked(d string) string {
	if len(d) == 11 {
		return d[:3] + "." + d[3:6] + "." + d[6:9] + "-" + d[9:]
	}
	return d[:2] + "." + d[2:5] + "." + d[5:8] + "/" + d[8:12] + "-" + d[12:]
}
