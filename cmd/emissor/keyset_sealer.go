package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"emissor/internal/panics"
	"emissor/seal"
	"emissor/seal/kms"
	"emissor/store"
)

// kek is the key of a KMS that encrypts the keyset, if one does.
func (c config) kek(ctx context.Context) (seal.KEK, error) {
	kek, err := kms.Open(ctx, c.KeysetKEK)
	if err != nil {
		return nil, fmt.Errorf("EMISSOR_KEYSET_KEK: %w", err)
	}
	return kek, nil
}

// sealer opens the keyset.
func (c config) sealer(ctx context.Context) (*seal.Sealer, error) {
	kek, err := c.kek(ctx)
	if err != nil {
		return nil, err
	}
	return seal.Open(seal.Source{File: c.KeysetFile, Text: c.Keyset, KEK: kek})
}

// sealing opens the keyset for a command that seals a secret. What it seals must
// open in the processes that run, now and not only when it is needed.
func (s *session) sealing(ctx context.Context) (*seal.Sealer, error) {
	sealer, err := s.config.sealer(ctx)
	if err != nil {
		return nil, err
	}
	reports, err := s.store.KeysetReports(ctx)
	if err != nil {
		return nil, err
	}
	keys := sealer.Keys()
	if len(keys) == 0 {
		return sealer, nil // which says so when it is to seal
	}
	if without := processesWithout(reports, keys.Primary()); len(without) > 0 {
		return nil, fmt.Errorf("this keyset seals with the key %d, which these processes do not hold: %s",
			keys.Primary(), strings.Join(without, ", "))
	}
	known := numbers(append(keys.BeforePrimary(), keys.Primary()))
	ahead := processesWhere(reports, func(report store.KeysetReport) bool {
		return !slices.Contains(known, report.PrimaryKeyID)
	})
	if len(ahead) > 0 {
		return nil, fmt.Errorf("this keyset is not up to date: these processes seal with a newer key: %s",
			strings.Join(ahead, ", "))
	}
	return sealer, nil
}

// processesWithout are the processes that do not hold a key.
func processesWithout(reports []store.KeysetReport, key seal.KeyID) []string {
	return processesWhere(reports, func(report store.KeysetReport) bool {
		return !slices.Contains(report.KeyIDs, int64(key))
	})
}

func processesWhere(reports []store.KeysetReport, holds func(store.KeysetReport) bool) (processes []string) {
	for _, report := range reports {
		if holds(report) {
			processes = append(processes, fmt.Sprintf("%s (reported %s)", report.Process, report.ReportedAt))
		}
	}
	return processes
}

// keepKeyset keeps a process's keyset up to date while it runs, reports what it
// holds, and seals anew what older keys sealed.
func keepKeyset(ctx context.Context, p *process, sealer *seal.Sealer) error {
	if len(sealer.Keys()) == 0 {
		return nil
	}
	host, _ := os.Hostname()
	report := store.KeysetReport{ProcessID: uuid.NewString(), Process: fmt.Sprintf("%s/%d", host, os.Getpid())}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = p.store.ForgetKeysetReport(ctx, report.ProcessID)
	}()
	resealing := newResealing(p.store, sealer)
	for {
		if err := sealer.Reload(); err != nil {
			p.logger.Warn("the keyset cannot be read again; the one from before stays in use", "error", err)
		}
		keys := sealer.Keys()
		report.KeyIDs, report.PrimaryKeyID = numbers(keys.IDs()), int64(keys.Primary())
		err := panics.Within(ctx, keysetLongest, func(ctx context.Context) error {
			return p.store.ReportKeyset(ctx, report)
		})
		if err != nil && ctx.Err() == nil {
			p.logger.Warn("the process could not report which keys it holds", "error", err)
		} else if err == nil {
			resealInBackground(ctx, p, resealing)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(keysetInterval):
		}
	}
}

// keysetInterval is how often a process reads its keyset again and reports which keys it
// holds: soon enough for whoever rotates it step by step.
const keysetInterval = 10 * time.Second

// keysetLongest is what a report, or sealing some secrets anew, may take; the next round
// goes on.
const keysetLongest = time.Minute

func resealInBackground(ctx context.Context, p *process, resealing *resealing) {
	var result resealed
	err := panics.Within(ctx, keysetLongest, func(ctx context.Context) (err error) {
		result, err = resealing.run(ctx, resealBatch)
		return err
	})
	if err != nil && ctx.Err() == nil {
		p.logger.Warn("secrets could not be sealed anew", "error", err)
	}
	for _, failure := range result.failed {
		p.metrics.RowFailed("keyset")
		p.logger.Error("a secret could not be sealed anew; it is tried again", "loop", "keyset", "row_id",
			failure.place, "wait", resealPause.String(), "error", failure.err)
	}
	if result.done > 0 {
		p.logger.Info("secrets were sealed anew", "secrets", result.done, "key", resealing.sealer.Keys().Primary())
	}
}

func numbers(keys []seal.KeyID) store.KeyIDs {
	return mapped(keys, func(key seal.KeyID) int64 { return int64(key) })
}
