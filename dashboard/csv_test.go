package dashboard

import (
	"testing"

	"emissor/dashboard/frame"
)

// No cell begins with what makes a formula, no matter which separator a spreadsheet takes.
func TestPlainCell(t *testing.T) {
	t.Parallel()
	for text, cell := range map[string]string{
		"":                  "",
		"Clínica Sol":       "Clínica Sol",
		"=1+1":              "'=1+1",
		"＝1+1":              "'＝1+1",
		"|cmd":              "'|cmd",
		" -1+1":             " '-1+1",
		"\t=1":              "'\t'=1",
		"a;=1+1":            "a;'=1+1",
		"a,+1":              "a,'+1",
		"a\t@x":             "a\t'@x",
		"a\r\n-1":           "a\r\n'-1",
		`a;"=1+1"`:          `a;"'=1+1"`,
		`a;;="1";,=2`:       `a;;'="1";,'=2`,
		"a; \u00a0=1":       "a; \u00a0=1",
		"-1234,56":          "-1234,56",
		"-1234.56":          "-1234.56",
		"12.345.678/0001-9": "12.345.678/0001-9",
		"-1,=2":             "'-1,'=2",
	} {
		if plain := frame.PlainCell(text); plain != cell {
			t.Errorf("%q is %q, expected %q", text, plain, cell)
		}
	}
}
