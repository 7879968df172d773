package rps

import (
	"testing"

	"emissor/nfse"
)

// The city's fraction is a rate of the law, or none.
func TestRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]nfse.Rate{
		"0.029": 2_90, "0.05": 5_00, "0.0201": 2_01, " 0.02\n": 2_00,
		"0": 0, "0.051": 0, "2.9": 0, "0.02901": 0, "": 0, "x": 0, "-0.02": 0, "+0.02": 0, "0.02.9": 0,
	} {
		got := nfse.Rate(0)
		if rate := Rate(text); rate != nil {
			got = *rate
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
