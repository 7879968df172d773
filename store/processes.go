package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"emissor/nfse"
)

// ProcessReport says that a process runs, and of which version it is.
type ProcessReport struct {
	ProcessID string `db:"process_id"` // a UUID, of one run
	Process   string `db:"process"`    // machine and process number
	Kind      string `db:"kind"`       // the command that it was started by
	Version   string `db:"version"`
}

// ReportProcess replaces the report of a process, and deletes those that are older than a day.
func (s *Store) ReportProcess(ctx context.Context, report ProcessReport) error {
	_, err := s.db.ExecContext(ctx, `
		WITH gone AS (DELETE FROM process_reports WHERE reported_at < now() - interval '1 day' AND process_id <> $1)
		INSERT INTO process_reports (process_id, process, kind, version) VALUES ($1, $2, $3, $4)
		ON CONFLICT (process_id) DO UPDATE SET version = EXCLUDED.version, reported_at = now()`,
		report.ProcessID, report.Process, report.Kind, report.Version)
	return err
}

// ForgetProcess deletes the report of a process that ends.
func (s *Store) ForgetProcess(ctx context.Context, processID string) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM process_reports WHERE process_id = $1`, processID)
	return err
}

// OlderProcess is one that runs, or did within the hour, and cannot read the new form of the database.
type OlderProcess struct {
	Process string         `db:"process"` // machine and process number, or what its connection says of it
	Version string         `db:"version"` // empty: it is not known, but older than the first that reports
	SeenAt  nfse.Timestamp `db:"seen_at"`
}

// newFormSince is the first version that reads the new form.
const newFormSince = "1.1.0"

// olderWithin is how long ago an older process may have reported for it to count as running.
const olderWithin = time.Hour

// OlderProcesses lists the processes of versions that cannot read the new form: those that say so, those that report
// their keyset as versions of before did and nothing else, and those whose connections name an older version.
func (s *Store) OlderProcesses(ctx context.Context) ([]OlderProcess, error) {
	var seen []OlderProcess
	err := s.db.SelectContext(ctx, &seen, `
		SELECT process, version, reported_at AS seen_at FROM process_reports
			WHERE reported_at > now() - make_interval(secs => $1)
		UNION ALL
		SELECT process, '', reported_at FROM keyset_reports k WHERE reported_at > now() - make_interval(secs => $1)
			AND NOT EXISTS (SELECT FROM process_reports p WHERE p.process_id = k.process_id)
		UNION ALL
		SELECT concat('connected from ', coalesce(host(client_addr), 'a socket'), ' as ', usename),
			split_part(application_name, '/', 2), max(coalesce(state_change, backend_start, now()))
		FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'emissor/%'
		GROUP BY 1, 2
		ORDER BY 1, 2`, olderWithin.Seconds())
	older := []OlderProcess{}
	for _, process := range seen {
		if isOlder(process.Version, newFormSince) {
			older = append(older, process)
		}
	}
	return older, err
}

// isOlder reports whether a version comes before another. One that is being made counts as what it becomes.
func isOlder(version, than string) bool {
	a, b := numbersOf(version), numbersOf(than)
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func numbersOf(version string) (numbers [3]int) {
	version, _, _ = strings.Cut(version, "-")
	for i, number := range strings.SplitN(version, ".", 3) {
		numbers[i], _ = strconv.Atoi(number)
	}
	return numbers
}
