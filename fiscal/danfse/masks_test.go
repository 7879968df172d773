package danfse

import (
	"strings"
	"testing"
)

func TestForms(t *testing.T) {
	for name, c := range map[string]struct {
		form     func(string) string
		expected map[string]string
	}{
		"CNPJ": {maskCNPJ, map[string]string{"11222333000181": "11.222.333/0001-81",
			"12ABC34501DE35": "12.ABC.345/01DE-35", "1122233300018": "1122233300018", "": ""}},
		"CPF": {maskCPF, map[string]string{"52998224725": "529.982.247-25", "5299822472é": "5299822472é"}},
		"CEP": {maskCEP, map[string]string{"01310100": "01.310-100", "1310100": "1310100"}},
		"tax": {maskTax, map[string]string{"010601": "01.06.01", "0106": "0106"}},
		"NBS": {maskNBS, map[string]string{"115021000": "1.1502.10.00"}},
		"phone": {maskPhone, map[string]string{"11987654321": "(11) 98765-4321", "2122334455": "(21) 2233-4455",
			"5511987654321": "+55 (11) 98765-4321", "551122334455": "+55 (11) 2233-4455", "22334455": "2233-4455",
			"123": "123", "+1 555": "+1 555"}},
		"date":   {date, map[string]string{"2026-11-21": "21/11/2026", "2026-13-21": "2026-13-21", "": ""}},
		"moment": {moment, map[string]string{"2026-11-21T23:30:05-04:00": "21/11/2026 23:30:05", "x": "x"}},
		"Brasília": {brasilia, map[string]string{"2026-11-21T01:30:05.007Z": "2026-11-20T22:30:05-03:00",
			"x": "x"}},
		"money": {reais, map[string]string{"0": "R$ 0,00", "1": "R$ 1,00", "1.5": "R$ 1,50", "999.99": "R$ 999,99",
			"1000.00": "R$ 1.000,00", "999999999999999.99": "R$ 999.999.999.999.999,99", "": "", "x": "R$ x",
			"007.10": "R$ 7,10"}},
		"percent": {percent, map[string]string{"5.00": "5,00 %", "2.5": "2,50 %", "": ""}},
		"cents": {decimalOfCents, map[string]string{"1": "0.01", "12": "0.12", "123": "1.23", "0": "0.00", "": "",
			"-1": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			for text, expected := range c.expected {
				if got := c.form(text); got != expected {
					t.Errorf("%q is written %q, expected %q", text, got, expected)
				}
			}
		})
	}
}

func TestSum(t *testing.T) {
	for expected, amounts := range map[string][]string{
		"":                    {"", ""},
		"0.00":                {"0.00", ""},
		"0.30":                {"0.10", "0.2", ""},
		"1999999999999999.98": {"999999999999999.99", "999999999999999.99"},
		"100.00":              {"99", "1"},
	} {
		if got := sum(amounts...); got != expected {
			t.Errorf("%q add up to %q, expected %q", amounts, got, expected)
		}
	}
	for _, wrong := range []string{"-1.00", "1.001", "x", ".5", "1000000000000000.00"} {
		if got := sum("1.00", wrong); got != "" {
			t.Errorf("with %q the sum is %q", wrong, got)
		}
	}
}

func TestPrintable(t *testing.T) {
	for text, expected := range map[string]string{
		"Conceição":              "Conceição",
		"Conceic\u0327a\u0303o":  "Conceição", // decomposed
		"  a \t b\x00c\r\nd ":    "a b c d",
		"“x” – € … œ":            "“x” – € … œ", // Windows-1252 has them
		"ő č ł":                  "o c l",
		"عربي":                   "????",
		"a\u200bb\u202ec\u00add": "abcd",
		"👍🏽":                     "??",
		"ﬁ":                      "fi",
	} {
		if got := printable(text); got != expected {
			t.Errorf("%q is printed %q, expected %q", text, got, expected)
		}
	}
}

func TestCut(t *testing.T) {
	if got := content.cut("short", 5); got != "short" {
		t.Errorf("cut to %q", got)
	}
	long := strings.Repeat("Rua das Flores ", 20)
	if got := content.cut(long, 5); !strings.HasSuffix(got, ellipsis) || content.width(got) > 5 ||
		content.width(got) < 4.5 {
		t.Errorf("cut to %q, %.2f cm", got, content.width(got))
	}
	for text, expected := range map[string]string{
		strings.Repeat("a", 77): strings.Repeat("a", 77),
		strings.Repeat("a", 78): strings.Repeat("a", 77) + ellipsis,
		strings.Repeat("ç", 90): strings.Repeat("ç", 77) + ellipsis,
	} {
		if got := cutRunes(text, 80); got != expected {
			t.Errorf("%q is cut to %q", text, got)
		}
	}
}

func TestWrap(t *testing.T) {
	lines := content.wrap([]string{"um dois três", "", strings.Repeat("x", 60)}, 3)
	for _, line := range lines {
		if content.width(line) > 3 {
			t.Errorf("%q is %.2f cm wide", line, content.width(line))
		}
	}
	if joined := strings.Join(lines, ""); joined != "um dois três"+strings.Repeat("x", 60) || lines[1] != "" {
		t.Errorf("wrapped are %q", lines)
	}
	if cut := content.cutLines(lines, 2, 3); len(cut) != 2 || cut[1] != ellipsis {
		t.Errorf("cut are %q", cut)
	}
}
