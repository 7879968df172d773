package authorities

import (
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
)

// A rate is asked for of a service that lacks what its authority wants.
func TestLikelyRate_OfNothing(t *testing.T) {
	for _, by := range All() {
		if rate := by.LikelyRate(fiscal.Declaration{}); rate != nil {
			t.Errorf("%s: %v", by.Name, *rate)
		}
		by.LikelyRate(fiscal.Declaration{Note: nfse.Note{Service: nfse.ServiceSnapshot{ISSRate: new(nfse.Rate(2_00))}}})
	}
}
