package rotation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"emissor/internal/seal"
	"emissor/store"
	"emissor/store/operate"
)

// CheckCurrent refuses a keyset that a command is to seal a secret with: what it seals must open in
// the processes that run, now and not only when it is needed.
func CheckCurrent(ctx context.Context, db *store.Store, keys seal.Keys) error {
	if len(keys) == 0 {
		return nil // a Sealer without keys says so when it is to seal
	}
	reports, err := db.Operate.KeysetReports(ctx)
	if err != nil {
		return err
	}
	if without := processesWithout(reports, keys.Primary()); len(without) > 0 {
		return fmt.Errorf("this keyset seals with the key %d, which these processes do not hold: %s",
			keys.Primary(), strings.Join(without, ", "))
	}
	known := numbers(append(keys.BeforePrimary(), keys.Primary()))
	ahead := processesWhere(reports, func(report operate.KeysetReport) bool {
		return !slices.Contains(known, report.PrimaryKeyID)
	})
	if len(ahead) > 0 {
		return fmt.Errorf("this keyset is not up to date: these processes seal with a newer key: %s",
			strings.Join(ahead, ", "))
	}
	return nil
}

// processesWithout are the processes that do not hold a key.
func processesWithout(reports []operate.KeysetReport, key seal.KeyID) []string {
	return processesWhere(reports, func(report operate.KeysetReport) bool {
		return !slices.Contains(report.KeyIDs, int64(key))
	})
}

func processesWhere(reports []operate.KeysetReport, holds func(operate.KeysetReport) bool) (processes []string) {
	for _, report := range reports {
		if holds(report) {
			processes = append(processes, fmt.Sprintf("%s (reported %s)", report.Process, report.ReportedAt))
		}
	}
	return processes
}

func numbers(keys []seal.KeyID) operate.KeyIDs {
	ids := make(operate.KeyIDs, len(keys))
	for i, key := range keys {
		ids[i] = int64(key)
	}
	return ids
}
