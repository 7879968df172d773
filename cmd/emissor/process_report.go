package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"emissor/internal/panics"
	"emissor/store"
)

// reportInterval is how often a process reports its version: often enough that one that is silent for an hour is gone.
const reportInterval = 5 * time.Minute

// processName names this process to people: machine and process number.
func processName() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

// keepReporting reports that this process runs, and its version, until ctx ends: what programs of before cannot read
// is done only when none of them is left.
func (r *running) keepReporting(ctx context.Context) {
	report := store.ProcessReport{ProcessID: r.id, Process: processName(), Kind: r.runs.kind(), Version: version()}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = r.store.ForgetProcess(ctx, report.ProcessID)
	}()
	for {
		err := panics.Within(ctx, reportInterval/5, func(ctx context.Context) error {
			return r.store.ReportProcess(ctx, report)
		})
		pause := reportInterval
		if err != nil && ctx.Err() == nil {
			r.logger.Warn("the process could not report its version", "error", err)
			pause /= 10
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// kind is the command that runs these parts.
func (p parts) kind() string {
	switch {
	case p.api && p.worker:
		return "serve"
	case p.api:
		return "api"
	case p.worker:
		return "worker"
	}
	return "dashboard"
}
