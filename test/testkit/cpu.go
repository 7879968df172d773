package testkit

import (
	"syscall"
	"testing"
	"time"
)

// ReportCPU reports, when the returned function is called, the processor time of this process for each round: on a
// busy machine it differs less than the time that passes.
func ReportCPU(b *testing.B) (report func()) {
	b.Helper()
	began := cpu(b)
	return func() { b.ReportMetric(float64(cpu(b)-began)/float64(b.N), "cpu-ns/op") }
}

func cpu(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
