package certificate

import (
	"errors"
	"os"
	"testing"

	"emissor/nfse"
)

// Any file is read as a key with its certificate, or gives an error for its owner.
func FuzzReadPFX(f *testing.F) {
	for _, name := range []string{"modern.pfx", "legacy-3des.pfx", "legacy-rc2.pfx", "no-key.pfx"} {
		pfx, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(pfx, "senhação")
	}
	f.Fuzz(func(t *testing.T, pfx []byte, password string) {
		counter := iterationCounter{}
		counter.mac(pfx)
		if counter.walk(pfx, 0); counter.total > 10_000 && counter.total <= maxIterations {
			return // it would take seconds
		}
		bundle, err := ReadPFX(pfx, password)
		var known *nfse.Error
		if (bundle == nil) != (err != nil) || err != nil && !errors.As(err, &known) {
			t.Errorf("%v, %v", bundle, err)
		}
	})
}
