package main

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/serve"
	"emissor/internal/metrics"
	"emissor/store/postgres"
)

// A row that a loop could not handle is named in the log, as an error, and counted.
func TestProcess_RowFailed(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	p := &serve.Process{Metrics: metrics.New(), Logger: slog.New(slog.NewTextHandler(&log, nil))}
	p.RowFailed(t.Context(), postgres.RowFailure{Loop: "sessions", RowID: "ses_1", Failures: 3, RetryAfter: time.Now(),
		Err: errors.New("poison")})
	for _, words := range []string{"level=ERROR", "loop=sessions", "row_id=ses_1", "failures=3", "error=poison"} {
		if !strings.Contains(log.String(), words) {
			t.Errorf("the log does not say %s: %s", words, log.String())
		}
	}
	families, err := p.Metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counted := ""
	for _, family := range families {
		if family.GetName() == "emissor_row_failures_total" {
			counted = family.String()
		}
	}
	if !strings.Contains(counted, "sessions") {
		t.Errorf("counted is %q", counted)
	}
}
