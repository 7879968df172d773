package operate

import (
	"context"
	"time"

	"emissor/nfse"
	"emissor/store/numbers"
	"emissor/store/outbox"
)

// OpenNotes counts the notes on their way, of one state and environment.
type OpenNotes struct {
	Status   nfse.Status `db:"status"`
	Livemode bool        `db:"livemode"`
	Count    int64       `db:"count"`
}

// Waiting describes the outbox rows of one environment.
type Waiting struct {
	Livemode      bool    `db:"livemode"`
	Rows          int64   `db:"rows"`
	Paused        int64   `db:"paused"`         // of them, those that cannot be started for now, or wait for their rate
	Failing       int64   `db:"failing"`        // of them, those that the engine did not take while it took others
	OldestSeconds float64 `db:"oldest_seconds"` // age of the oldest that is due and waits only for the engine
}

// Gauges are what the metrics show of the database. Only what is unfinished is counted, and what failed since the
// beginning of last month, so that the cost does not grow with the years.
type Gauges struct {
	OpenNotes          []OpenNotes
	Waiting            []Waiting
	OpenCancellations  int64
	PendingAnalyses    int64   // of cancellations that cities decide about
	AnalysisSeconds    float64 // since the city of the oldest has the request
	OpenDeliveries     int64
	DisabledEndpoints  int64
	HeldNotes          int64   // live notes that wait for an operator
	RefusedSeconds     float64 // since the oldest of them was refused for what a person can put right; 0: none was
	AmbiguousExchanges int64   // sent, and it is not known yet whether what they ask for exists
	AmbiguousSeconds   float64 // since the oldest of them became so
	OpenEmails         int64
	FailedEmails       int64   // of this month and the last
	ArchiveFailing     float64 // seconds since the archive last worked, where its last round failed
	ArchiveErasing     float64 // seconds since the oldest document was erased that the archive still has
	UndecidedDocuments int64   // that were found after a restore, and wait for a person
	PartsAhead         float64 // seconds for which all tables have their next parts
	Certificates       []CertificateExpiry
	Distributions      []DistributionLag
}

// DistributionLag is, of an environment, how long ago the distribution that succeeded least
// recently did.
type DistributionLag struct {
	Production  bool     `db:"production"`
	Seconds     float64  `db:"seconds"`      // since its last success, or since it was made
	LastSuccess *float64 `db:"last_success"` // of the distribution that succeeded most recently: seconds since 1970
}

// CertificateExpiry is how long a certificate that is in use lasts.
type CertificateExpiry struct {
	OrganizationID string  `db:"organization_id"`
	CertificateID  string  `db:"id"`
	Seconds        float64 `db:"seconds"` // until it ends; negative when it has ended
}

// Gauges reads the gauges of the moment.
func (s *Store) Gauges(ctx context.Context) (gauges Gauges, err error) {
	now := time.Now().UTC()
	lastMonth := time.Date(now.Year(), now.Month()-1, 1, 0, 0, 0, 0, time.UTC)
	if err = s.db.All(ctx, &gauges.OpenNotes, `
		SELECT status, livemode, count(*) AS count FROM notes
		WHERE status IN ('queued', 'processing') GROUP BY status, livemode`); err != nil {
		return gauges, err
	}
	if err = s.db.All(ctx, &gauges.Waiting, `
		SELECT livemode, count(*) AS rows, count(paused.reason) AS paused,
			count(*) FILTER (WHERE failures > 0) AS failing,
			coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE paused.reason IS NULL
				AND `+outbox.ToBeStarted+`)), 0) AS oldest_seconds
		FROM `+outbox.PausedOutbox+` GROUP BY livemode`); err != nil {
		return gauges, err
	}
	if err = s.db.All(ctx, &gauges.Certificates, `
		SELECT organization_id, id, extract(epoch FROM not_after - now())::float8 AS seconds
		FROM certificates WHERE removed_at IS NULL AND refused_at IS NULL`); err != nil {
		return gauges, err
	}
	if err = s.db.All(ctx, &gauges.Distributions, `
		SELECT production, max(extract(epoch FROM now() - coalesce(succeeded_at, created_at)))::float8 AS seconds,
			max(extract(epoch FROM succeeded_at))::float8 AS last_success
		FROM distributions WHERE over_at IS NULL GROUP BY production`); err != nil {
		return gauges, err
	}
	unfinished, err := s.db.Prepared(ctx, `SELECT
		(SELECT count(*) FROM notes WHERE cancellation_status = 'pending' AND analysis IS DISTINCT FROM 'pending'),
		(SELECT count(*) FROM notes WHERE analysis = 'pending'),
		(SELECT coalesce(extract(epoch FROM now() - min(analysis_since)), 0) FROM notes WHERE analysis = 'pending'),
		(SELECT count(*) FROM deliveries WHERE status = 'pending'),
		(SELECT count(*) FROM webhook_endpoints WHERE disabled_at IS NOT NULL AND deleted_at IS NULL),
		(SELECT count(*) FROM notes WHERE held_reason IS NOT NULL),
		(SELECT coalesce(extract(epoch FROM now() - min(refused_at)), 0) FROM notes
			WHERE held_reason IS NOT NULL AND status = 'processing'),
		(SELECT count(*) FROM emails WHERE status = 'pending'),
		(SELECT count(*) FROM emails WHERE status = 'failed' AND id >= $1),
		(SELECT count(*) FROM recovered_documents WHERE `+numbers.Undecided+`),
		(SELECT extract(epoch FROM (`+partsAhead+`) - now() AT TIME ZONE 'UTC')),
		coalesce((SELECT extract(epoch FROM now() - failing_since) FROM archive_state), 0),
		(SELECT coalesce(extract(epoch FROM now() - min(asked_at)), 0) FROM archive_erasures),
		count(*), coalesce(extract(epoch FROM clock_timestamp() - min(ambiguous_since)), 0)
		FROM fiscal_exchanges WHERE ambiguous AND state IN ('unsigned', 'signed', 'in_doubt')`)
	if err != nil {
		return gauges, err
	}
	err = unfinished.QueryRowxContext(ctx, nfse.FirstID(nfse.PrefixEmail, lastMonth)).
		Scan(&gauges.OpenCancellations, &gauges.PendingAnalyses, &gauges.AnalysisSeconds, &gauges.OpenDeliveries,
			&gauges.DisabledEndpoints, &gauges.HeldNotes, &gauges.RefusedSeconds, &gauges.OpenEmails,
			&gauges.FailedEmails, &gauges.UndecidedDocuments, &gauges.PartsAhead, &gauges.ArchiveFailing,
			&gauges.ArchiveErasing, &gauges.AmbiguousExchanges, &gauges.AmbiguousSeconds)
	return gauges, err
}
