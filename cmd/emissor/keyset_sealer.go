package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

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

// resealBatch is how many secrets a process seals anew at a time.
const resealBatch = 100

// keepKeyset keeps a process's keyset up to date while it runs, reports what it
// holds, and seals anew what older keys sealed.
func keepKeyset(ctx context.Context, p *process, sealer *seal.Sealer) error {
	database, logger := p.store, p.logger
	if len(sealer.Keys()) == 0 {
		return nil
	}
	host, _ := os.Hostname()
	report := store.KeysetReport{ProcessID: uuid.NewString(), Process: fmt.Sprintf("%s/%d", host, os.Getpid())}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = database.ForgetKeysetReport(ctx, report.ProcessID)
	}()
	for {
		if err := sealer.Reload(); err != nil {
			logger.Warn("the keyset cannot be read again; the one from before stays in use", "error", err)
		}
		keys := sealer.Keys()
		report.KeyIDs, report.PrimaryKeyID = numbers(keys.IDs()), int64(keys.Primary())
		if err := database.ReportKeyset(ctx, report); err != nil && ctx.Err() == nil {
			logger.Warn("the process could not report which keys it holds", "error", err)
		} else if resealed, err := reseal(ctx, database, sealer, resealBatch); err != nil && ctx.Err() == nil {
			logger.Warn("secrets could not be sealed anew", "error", err)
		} else if resealed.done > 0 {
			logger.Info("secrets were sealed anew", "secrets", resealed.done, "key", keys.Primary())
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(p.config.KeysetInterval):
		}
	}
}

// resealed is what came of sealing secrets anew.
type resealed struct {
	done   int
	closed []string // those that do not open with the keyset
}

// reseal seals what keys older than the primary one sealed with that one, up to
// a number of secrets; 0 is all.
func reseal(ctx context.Context, database *store.Store, sealer *seal.Sealer, most int) (result resealed, err error) {
	older := numbers(sealer.Keys().BeforePrimary())
	if len(older) == 0 {
		return result, nil
	}
	for place := ""; most == 0 || result.done < most; {
		secrets, err := database.SealedUnder(ctx, older, place, resealBatch)
		if err != nil || len(secrets) == 0 {
			return result, err
		}
		for _, secret := range secrets {
			place = secret.Place()
			opened, err := sealer.Unseal(secret.Sealed, secret.OrganizationID, secret.ID)
			if err != nil {
				result.closed = append(result.closed, secret.Table+" "+place)
				continue
			}
			sealed, err := sealer.Seal(opened, secret.OrganizationID, secret.ID)
			clear(opened)
			if err != nil {
				return result, err
			}
			done, err := database.Reseal(ctx, secret, sealed)
			if err != nil {
				return result, err
			}
			if done {
				result.done++
			}
		}
	}
	return result, nil
}

func numbers(keys []seal.KeyID) store.KeyIDs {
	return mapped(keys, func(key seal.KeyID) int64 { return int64(key) })
}
