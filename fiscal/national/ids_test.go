package national

import (
	"strings"
	"testing"

	"emissor/nfse"
)

func TestIDOfDPS(t *testing.T) {
	for _, row := range []struct {
		municipality string
		issuer       nfse.TaxID
		series       int
		number       int64
		want         string
	}{
		{"3304557", "11222333000181", 1, 42, "DPS330455721122233300018100001000000000000042"},
		{"3304557", "12ABC34501DE35", 1, 42, "DPS3304557212ABC34501DE3500001000000000000042"},
		{"3550308", "52998224725", 49999, 999999999999999, "DPS355030810005299822472549999999999999999999"},
	} {
		got, err := idOfDPS(row.municipality, row.issuer, row.series, row.number)
		if err != nil || got != row.want || len(got) != 45 {
			t.Errorf("%s, %v, want %s", got, err, row.want)
		}
	}
	for name, row := range map[string]struct {
		municipality string
		issuer       nfse.TaxID
		series       int
		number       int64
	}{
		"short municipality": {"330455", "11222333000181", 1, 42},
		"letters in it":      {"33O4557", "11222333000181", 1, 42},
		"cut CNPJ":           {"3304557", "1122233300018", 1, 42},
		"masked CNPJ":        {"3304557", "11.222.333/0001-81", 1, 42},
		"small letters":      {"3304557", "12abc34501de35", 1, 42},
		"wrong CPF":          {"3304557", "52998224724", 1, 42},
		"no document":        {"3304557", "", 1, 42},
		"series 0":           {"3304557", "11222333000181", 0, 42},
		"series of others":   {"3304557", "11222333000181", 50000, 42},
		"number 0":           {"3304557", "11222333000181", 1, 0},
		"number of 16":       {"3304557", "11222333000181", 1, 1_000_000_000_000_000},
	} {
		if id, err := idOfDPS(row.municipality, row.issuer, row.series, row.number); err == nil {
			t.Errorf("%s makes the id %s", name, id)
		} else if row.issuer != "" && strings.Contains(err.Error(), string(row.issuer)) {
			t.Errorf("%s: the error tells the document: %v", name, err)
		}
	}
}

func TestInternalCode(t *testing.T) {
	for id, want := range map[string]string{
		"nfse_0192x6q0vj5k3m8n2p4r6s8t0v": "q0vj5k3m8n2p4r6s8t0v", "nfse_1": "1",
	} {
		if got, err := internalCode(id); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", id, got, err, want)
		}
	}
	for _, id := range []string{"", "nfse_", "nfse_a_b", "nfse_\u00e7"} {
		if got, err := internalCode(id); err == nil {
			t.Errorf("%q gives %q", id, got)
		}
	}
	if a, b := nfse.NewID(nfse.PrefixNote), nfse.NewID(nfse.PrefixNote); must(t, a) == must(t, b) {
		t.Errorf("%s and %s have one code", a, b)
	}
}

func must(t *testing.T, id string) string {
	t.Helper()
	code, err := internalCode(id)
	if err != nil || len(code) != 20 {
		t.Fatal(code, err)
	}
	return code
}

func TestAccessKey(t *testing.T) {
	// The official description of the alphanumeric CNPJ, whose digits are
	// computed in the same way, gives 12ABC34501DE the digits 35.
	if first, second := checkDigit("12ABC34501DE"), checkDigit("12ABC34501DE3"); first != '3' || second != '5' {
		t.Errorf("check digits %c%c of 12ABC34501DE", first, second)
	}
	// 100 times 9 is 900, 900 - 81*11 = 9, 11 - 9 = 2; a rest of 0 or 1 gives 0.
	for body, want := range map[string]byte{"2": '7', "0": '0', "6": '0', "10000000": '2', "100000000": '9'} {
		if got := checkDigit(body); got != want {
			t.Errorf("check digit of %s: %c, want %c", body, got, want)
		}
	}
	const good = "33045572211222333000181000000000001226111234567894"
	withLetter := "3304557" + "2" + "2" + "12ABC34501DE35" + "0000000000012" + "2611" + "123456789"
	withLetter += string(checkDigit(withLetter))
	person := "3304557" + "2" + "1" + "00052998224725" + "0000000000012" + "2611" + "123456789"
	person += string(checkDigit(person))
	for name, key := range map[string]string{"sample": good, "letters": withLetter, "CPF": person} {
		if !validAccessKey(key) {
			t.Errorf("%s: %s is not valid", name, key)
		}
		for digit := byte('0'); digit <= '9'; digit++ {
			if other := key[:49] + string(digit); other != key && validAccessKey(other) {
				t.Errorf("%s: %s is valid too", name, other)
			}
		}
	}
	for _, key := range []string{"", good[:49], good + "0", " " + good[1:], strings.Replace(good, "2211222333", "2311222333", 1), strings.ToLower(withLetter), "NFS" + good[3:]} {
		if validAccessKey(key) {
			t.Errorf("%q is valid", key)
		}
	}
}
