package worker_test

import (
	"fmt"
	"net/http"
	"testing"

	"golang.org/x/sync/errgroup"

	"emissor/internal/testkit"
)

// BenchmarkSandboxNotes drives notes from POST to their final state through
// everything real: HTTP, PostgreSQL, outbox, Temporal.
func BenchmarkSandboxNotes(b *testing.B) {
	s := testkit.NewSystem(b, testkit.Options{Worker: true})
	service := s.NewService(b, s.TestKey)
	b.ResetTimer()
	var group errgroup.Group
	group.SetLimit(16)
	for i := range b.N {
		group.Go(func() error {
			answer := s.Call(b, http.MethodPost, "/v1/nfse", s.TestKey, testkit.Issuance(service, fmt.Sprint(i)))
			if answer.Status != http.StatusAccepted {
				return fmt.Errorf("%d %s", answer.Status, answer.Raw)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
	testkit.Eventually(b, "every note is issued", func() bool {
		return s.Count(b, `SELECT count(*) FROM notes WHERE status = 'issued'`) == b.N
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "notes/s")
}
