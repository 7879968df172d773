package operate

import (
	"context"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// InstalledOrganization is an organization as operators see it.
type InstalledOrganization struct {
	nfse.Organization
	People int `db:"people"`
	Held   int `db:"held"` // live notes that wait for a person
}

// InstalledOrganizations lists organizations oldest first, after the one with the id
// after, at most limit of them.
func (s *Store) InstalledOrganizations(ctx context.Context, after string, limit int) ([]InstalledOrganization, error) {
	organizations := []InstalledOrganization{}
	err := s.db.SelectContext(ctx, &organizations, `
		SELECT id, name, created_at,
			(SELECT count(*) FROM memberships WHERE organization_id = o.id) AS people,
			(SELECT count(*) FROM notes WHERE organization_id = o.id AND held_reason IS NOT NULL) AS held
		FROM organizations o WHERE id > $1 ORDER BY id LIMIT $2`, after, limit)
	return organizations, err
}

// DatabaseHealth is what the database server reports about itself.
type DatabaseHealth struct {
	Version         string `db:"version"`
	Schema          int64  `db:"schema"` // the last migration
	Bytes           int64  `db:"bytes"`
	Connections     int    `db:"connections"` // to this database
	MostConnections int    `db:"most_connections"`
}

// DatabaseHealth reads what the server reports about itself.
func (s *Store) DatabaseHealth(ctx context.Context) (health DatabaseHealth, err error) {
	err = s.db.GetContext(ctx, &health, `
		SELECT current_setting('server_version') AS version,
			(SELECT max(version_id) FROM `+postgres.VersionTable+` WHERE is_applied) AS schema,
			pg_database_size(current_database()) AS bytes,
			(SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
			current_setting('max_connections')::integer AS most_connections`)
	return health, err
}

// AuthorityCall is a call to an authority, and what came of it.
type AuthorityCall struct {
	NoteID         string          `db:"note_id"`
	OrganizationID string          `db:"organization_id"`
	Reference      string          `db:"reference"`
	What           string          `db:"what"`
	StartedAt      nfse.Timestamp  `db:"started_at"`
	EndedAt        *nfse.Timestamp `db:"ended_at"`
	Outcome        string          `db:"outcome"` // empty: none yet
	Status         int             `db:"status"`  // of HTTP; 0 when no answer came
	Reason         fact.Fact       `db:"reason"`
}

// LatestCalls lists the calls to authorities of all organizations, newest first.
func (s *Store) LatestCalls(ctx context.Context, limit int) ([]AuthorityCall, error) {
	return postgres.InPeriods(postgres.Period{}.Periods(false), limit, func(in postgres.Period,
		rows int) (calls []AuthorityCall, err error) {
		lowest, behind := in.Numbers()
		err = s.db.All(ctx, &calls, `
			SELECT c.note_id, n.organization_id, n.reference, c.what, c.started_at, c.ended_at,
				coalesce(c.outcome, '') AS outcome, coalesce(c.status, 0) AS status, c.reason
			FROM (SELECT * FROM fiscal_calls WHERE id >= $2 AND id < $3 ORDER BY id DESC LIMIT $1) c
			CROSS JOIN LATERAL (SELECT organization_id, reference FROM notes WHERE id = c.note_id LIMIT 1) n
			ORDER BY c.id DESC`, rows, lowest, behind)
		return calls, err
	})
}

// StuckDistribution is a distribution that cannot be read.
type StuckDistribution struct {
	ID           string          `db:"id"`
	Authority    string          `db:"authority"`
	Production   bool            `db:"production"`
	Failures     int             `db:"failures"`
	Problem      fact.Fact       `db:"problem"`
	ProblemSince nfse.Timestamp  `db:"problem_since"`
	SucceededAt  *nfse.Timestamp `db:"succeeded_at"`
}

// StuckDistributions lists the distributions that cannot be read, the longest first.
func (s *Store) StuckDistributions(ctx context.Context, limit int) ([]StuckDistribution, error) {
	stuck := []StuckDistribution{}
	err := s.db.SelectContext(ctx, &stuck, `
		SELECT id, authority, production, failures, problem, problem_since, succeeded_at FROM distributions
		WHERE problem IS NOT NULL AND over_at IS NULL ORDER BY problem_since LIMIT $1`, limit)
	return stuck, err
}

// FailedCity is a city whose parameters an authority did not give the last time.
type FailedCity struct {
	Authority        string          `db:"authority"`
	Production       bool            `db:"production"`
	MunicipalityCode string          `db:"municipality_code"`
	Failure          fact.Fact       `db:"failure"`
	FailedAt         nfse.Timestamp  `db:"failed_at"`
	FetchedAt        *nfse.Timestamp `db:"fetched_at"` // nil: never
}

// FailedCities lists the cities whose parameters could not be fetched the last time, the
// latest failure first.
func (s *Store) FailedCities(ctx context.Context, limit int) ([]FailedCity, error) {
	failed := []FailedCity{}
	err := s.db.SelectContext(ctx, &failed, `
		SELECT authority, production, municipality_code, failure, failed_at, fetched_at FROM municipal_parameters
		WHERE failure IS NOT NULL ORDER BY failed_at DESC LIMIT $1`, limit)
	return failed, err
}

// Connected counts the connections of one program in one role. The program is named by the
// name and version that it gives itself, which shows what is running.
type Connected struct {
	Program     string `db:"program"`
	Role        string `db:"role"`
	Connections int    `db:"connections"`
}

// ConnectedPrograms lists what is connected to the database now.
func (s *Store) ConnectedPrograms(ctx context.Context) ([]Connected, error) {
	connected := []Connected{}
	err := s.db.SelectContext(ctx, &connected, `
		SELECT coalesce(application_name, '') AS program, coalesce(usename, '') AS role, count(*) AS connections
		FROM pg_stat_activity WHERE datname = current_database() GROUP BY 1, 2 ORDER BY 2, 1`)
	return connected, err
}

// HeldNotesBehind lists what waits for an operator, oldest first, after the note with the
// id after.
func (s *Store) HeldNotesBehind(ctx context.Context, after string, limit int) ([]lifecycle.HeldNote, error) {
	held := []lifecycle.HeldNote{}
	err := s.db.SelectContext(ctx, &held, `
		SELECT id, organization_id, reference, status, held_since, held_reason FROM notes
		WHERE held_reason IS NOT NULL
			AND (held_since, id) > (coalesce((SELECT held_since FROM notes WHERE id = $1), '-infinity'), $1)
		ORDER BY held_since, id LIMIT $2`, after, limit)
	return held, err
}

// OutboxRow is a row of the outbox, with its id.
type OutboxRow struct {
	ID int64 `db:"id"`
	outbox.WaitingStart
}

// OutboxBehind lists what waits in the outbox, oldest first, after the row with an id.
func (s *Store) OutboxBehind(ctx context.Context, after int64, limit int) ([]OutboxRow, error) {
	waiting := []OutboxRow{}
	err := s.db.SelectContext(ctx, &waiting, `
		SELECT id, kind, subject_id, organization_id, livemode, coalesce(reference, '') AS reference, created_at,
			next_attempt_at, attempts, failure, failures, last_error, paused.reason AS paused_reason
		FROM `+outbox.PausedOutbox+` WHERE id > $1 ORDER BY id LIMIT $2`, after, limit)
	return waiting, err
}
