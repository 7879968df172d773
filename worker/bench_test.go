package worker_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"emissor/internal/testkit"
	"emissor/simulators/sefin"
)

// BenchmarkSandboxNotes drives notes from POST to their final state through
// everything real: HTTP, PostgreSQL, outbox, Temporal.
func BenchmarkSandboxNotes(b *testing.B) {
	s := testkit.NewSystem(b, testkit.Options{Worker: true})
	service := s.NewService(b, s.TestKey)
	drive(b, s, s.TestKey, service)
}

// BenchmarkLiveNotes does the same with live notes: signed, sent over mutual TLS
// to the simulator of the national authority, which answers after a while.
func BenchmarkLiveNotes(b *testing.B) {
	for _, latency := range []time.Duration{0, 500 * time.Millisecond} {
		b.Run(latency.String(), func(b *testing.B) {
			n := newNational(b, nil, nil)
			n.faults(b, sefin.Fault{Kind: sefin.Latency, Delay: sefin.Duration(latency)})
			drive(b, n.System, n.LiveKey, n.service)
			if issued := len(n.authority.Ledger()); issued != b.N {
				b.Errorf("the authority has issued %d of %d", issued, b.N)
			}
		})
	}
}

// drive issues b.N notes and waits for the last.
func drive(b *testing.B, s *testkit.System, key, service string) {
	b.ResetTimer()
	var group errgroup.Group
	group.SetLimit(16)
	for i := range b.N {
		group.Go(func() error {
			answer := s.Call(b, http.MethodPost, "/v1/nfse", key, testkit.Issuance(service, fmt.Sprint(i)))
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
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "notes/s")
}
