package dps

import (
	"strings"
	"testing"

	"emissor/nfse"
)

func TestDPSID(t *testing.T) {
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
		got, err := dpsID(row.municipality, row.issuer, row.series, row.number)
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
		"no tax id":          {"3304557", "", 1, 42},
		"series 0":           {"3304557", "11222333000181", 0, 42},
		"series of others":   {"3304557", "11222333000181", 50000, 42},
		"number 0":           {"3304557", "11222333000181", 1, 0},
		"number of 16":       {"3304557", "11222333000181", 1, 1_000_000_000_000_000},
	} {
		if id, err := dpsID(row.municipality, row.issuer, row.series, row.number); err == nil {
			t.Errorf("%s makes the id %s", name, id)
		} else if row.issuer != "" && strings.Contains(err.Error(), string(row.issuer)) {
			t.Errorf("%s: the error tells the tax id: %v", name, err)
		}
	}
}

func TestCorrelationID(t *testing.T) {
	for id, want := range map[string]string{
		"nfse_0192x6q0vj5k3m8n2p4r6s8t0v": "q0vj5k3m8n2p4r6s8t0v", "nfse_1": "1",
	} {
		if got, err := correlationIDOf(id); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", id, got, err, want)
		}
	}
	for _, id := range []string{"", "nfse_", "nfse_a_b", "nfse_\u00e7"} {
		if got, err := correlationIDOf(id); err == nil {
			t.Errorf("%q gives %q", id, got)
		}
	}
	if a, b := nfse.NewID(nfse.PrefixNote), nfse.NewID(nfse.PrefixNote); must(t, a) == must(t, b) {
		t.Errorf("%s and %s have one correlation id", a, b)
	}
}

func must(t *testing.T, id string) string {
	t.Helper()
	code, err := correlationIDOf(id)
	if err != nil || len(code) != 20 {
		t.Fatal(code, err)
	}
	return code
}
