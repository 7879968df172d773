package operate

import (
	"context"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// KeyIDs name keys of the keyset.
type KeyIDs = pq.Int64Array

// KeysetRotated records a step of a rotation with the ids of the keyset's keys before and
// after it. It is called before the step is taken, as the keyset is not in the database.
func (c *Changes) KeysetRotated(ctx context.Context, before, after KeyIDs, step string) error {
	return c.Change(ctx, func(*sqlx.Tx) ([]audit.Record, error) {
		return []audit.Record{{Action: audit.KeysetRotate, SubjectID: "keyset",
			Before: map[string]any{"keys": before}, After: map[string]any{"keys": after, "step": step}}}, nil
	})
}

// KeysetReport says which keys of the keyset a process holds.
type KeysetReport struct {
	ProcessID    string         `db:"process_id"` // a UUID, of one run
	Process      string         `db:"process"`    // machine and process number
	KeyIDs       KeyIDs         `db:"key_ids"`
	PrimaryKeyID int64          `db:"primary_key_id"`
	ReportedAt   nfse.Timestamp `db:"reported_at"`
}

// ReportKeyset replaces the report of a process. The first report of a process also
// deletes the reports that are older than a day.
func (s *Store) ReportKeyset(ctx context.Context, report KeysetReport) error {
	var first bool
	err := s.db.GetContext(ctx, &first, `
		INSERT INTO keyset_reports (process_id, process, key_ids, primary_key_id) VALUES ($1, $2, $3, $4)
		ON CONFLICT (process_id) DO UPDATE SET key_ids = EXCLUDED.key_ids,
			primary_key_id = EXCLUDED.primary_key_id, reported_at = now()
		RETURNING xmax = 0`, // true where the row is new
		report.ProcessID, report.Process, report.KeyIDs, report.PrimaryKeyID)
	if err == nil && first {
		_, _, err = s.db.Counted(ctx, longGoneProcesses, postgres.SmallBatch)
	}
	return err
}

var longGoneProcesses = postgres.RowLoop{
	Name: `keyset reports`, ID: `process_id`,
	Due: `SELECT process_id AS key FROM keyset_reports WHERE reported_at < now() - interval '1 day' AND %s
		LIMIT $1`,
	Lock: `FOR UPDATE`,
	Do: `WITH forgotten AS (DELETE FROM keyset_reports WHERE process_id = ANY(ARRAY(%s)) RETURNING process_id)
		SELECT count(*), count(*) FROM forgotten`,
}

// ForgetKeysetReport deletes the report of a process that ends.
func (s *Store) ForgetKeysetReport(ctx context.Context, processID string) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM keyset_reports WHERE process_id = $1`, processID)
	return err
}

// KeysetReports lists the reports of the last five minutes. They come from the running processes, which report many
// times as often.
func (s *Store) KeysetReports(ctx context.Context) ([]KeysetReport, error) {
	reports := []KeysetReport{}
	err := s.db.SelectContext(ctx, &reports, `SELECT process_id, process, key_ids, primary_key_id, reported_at
		FROM keyset_reports WHERE reported_at > now() - interval '5 minutes' ORDER BY process, process_id`)
	return reports, err
}

// sealedColumns are all columns that hold what the keyset sealed. Each is sealed
// for the organization and the id of its row.
var sealedColumns = []struct{ table, column string }{
	{"certificates", "sealed"},
	{"city_logins", "sealed"},
	{"webhook_endpoints", "secret"},
	{"webhook_endpoints", "previous_secret"},
}

// allSealed is a query of every sealed secret, with the id of the key that sealed it,
// which follows the first byte. Removed secrets are empty.
var allSealed = func() string {
	var queries []string
	for _, of := range sealedColumns {
		queries = append(queries, `SELECT '`+of.table+`' AS of_table, '`+of.column+`' AS of_column,
			organization_id, id, `+of.column+` AS sealed,
			('x' || encode(substring(`+of.column+` FROM 2 FOR 4), 'hex'))::bit(32)::bigint AS key_id
			FROM `+of.table+` WHERE length(`+of.column+`) > 4`)
	}
	return strings.Join(queries, ` UNION ALL `)
}()

// SealedSecret is a sealed secret with its table, column and row.
type SealedSecret struct {
	Table          string `db:"of_table"`
	Column         string `db:"of_column"`
	OrganizationID string `db:"organization_id"`
	ID             string `db:"id"` // of the row
	Sealed         []byte `db:"sealed"`
	KeyID          int64  `db:"key_id"` // of the key that sealed it
}

// Place orders sealed secrets.
func (s SealedSecret) Place() string { return s.ID + " " + s.Column }

// SealedUnder finds secrets that one of these keys sealed, in the order of their places,
// after the given one.
func (s *Store) SealedUnder(ctx context.Context, keyIDs KeyIDs, place string, limit int) ([]SealedSecret, error) {
	secrets := []SealedSecret{}
	err := s.db.SelectContext(ctx, &secrets, `SELECT * FROM (`+allSealed+`) secrets
		WHERE key_id = ANY($1) AND (id || ' ' || of_column) COLLATE "C" > $2
		ORDER BY (id || ' ' || of_column) COLLATE "C" LIMIT $3`, keyIDs, place, limit)
	return secrets, err
}

// CountSealed counts the secrets that each key sealed.
func (s *Store) CountSealed(ctx context.Context) (counts map[int64]int, err error) {
	var rows []struct {
		KeyID int64 `db:"key_id"`
		Count int   `db:"count"`
	}
	err = s.db.SelectContext(ctx, &rows, `SELECT key_id, count(*) AS count FROM (`+allSealed+`) secrets
		GROUP BY key_id`)
	counts = map[int64]int{}
	for _, row := range rows {
		counts[row.KeyID] = row.Count
	}
	return counts, err
}

// Reseal replaces a secret by resealed, the same secret sealed again. done is false when the column has another value
// by now; then nothing changes.
func (s *Store) Reseal(ctx context.Context, secret SealedSecret, resealed []byte) (done bool, err error) {
	rows, err := postgres.Affected(s.db.ExecContext(ctx, `UPDATE `+secret.Table+` SET `+secret.Column+` = $1
		WHERE id = $2 AND `+secret.Column+` = $3`, resealed, secret.ID, secret.Sealed))
	return rows == 1, err
}
