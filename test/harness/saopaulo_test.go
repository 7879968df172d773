package harness_test

import (
	"os"
	"path/filepath"
	"testing"

	"emissor/test/harness"
	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/server"
)

// The simulator of the city runs as a process of its own, is told what to do, and can be
// killed and started again.
func TestSaoPaulo(t *testing.T) {
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	programs, err := harness.Built(t.Context(), dir)
	check(err)
	city, err := harness.StartSaoPaulo(t.Context(), programs.SaoPaulo, dir, harness.Simulation{Keep: true})
	check(err)
	t.Cleanup(city.Kill)
	check(city.SetFaults(t.Context(), saopaulo.FaultProfile{}))
	check(city.SetRegistry(t.Context(), saopaulo.Registry{CancelWidth: 24}))
	pfx, err := city.Certificate(t.Context(), "11222333000181", "Acme", "segredo")
	check(err)
	issued, messages, err := city.Ledger(t.Context())
	check(err)
	if len(pfx) == 0 || len(issued) != 0 || len(messages) != 0 {
		t.Errorf("%d bytes, %v, %v", len(pfx), issued, messages)
	}
	roots, err := os.ReadFile(city.Roots())
	check(err)
	kept, err := os.ReadFile(filepath.Join(dir, "saopaulo", server.RootsFile))
	if err != nil || string(kept) != string(roots) {
		t.Errorf("the roots that are kept are others: %v", err)
	}
}
