package authorities

import (
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
)

func TestOfCity(t *testing.T) {
	for code, name := range map[string]string{"3550308": "sao-paulo", "3304557": "", "": ""} {
		if found, known := OfCity(code); found.Name != name || known != (name != "") {
			t.Errorf("the authority of %q is %q, %t", code, found.Name, known)
		}
	}
}

// A rate is asked for of a service that lacks what its authority wants.
func TestLikelyRate_OfNothing(t *testing.T) {
	for _, by := range All() {
		if rate := by.LikelyRate(fiscal.Declaration{}); rate != nil {
			t.Errorf("%s: %v", by.Name, *rate)
		}
		by.LikelyRate(fiscal.Declaration{Note: nfse.Note{Service: nfse.ServiceSnapshot{ISSRate: new(nfse.Rate(2_00))}}})
	}
}
