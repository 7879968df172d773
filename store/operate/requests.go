package operate

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/postgres"
)

// RequestsKept is for how long the requests of each key stay on record at least; a day more at
// most, as they are dropped by the day.
const RequestsKept = 7 * 24 * time.Hour

// APIRequest is a request to the API with a valid key, as its log keeps it: no body, no value, no
// query.
type APIRequest struct {
	ID string `db:"id"`
	nfse.Scope
	At           nfse.Timestamp `db:"at"`
	APIKeyID     string         `db:"api_key_id"`
	Method       string         `db:"method"`
	Route        string         `db:"route"`        // of the contract, as /v1/nfse/{id}
	PathID       string         `db:"path_id"`      // the id in its path; empty where that is none of ours
	Status       int            `db:"status"`       // 0: the caller had left
	Microseconds int64          `db:"microseconds"` // until the answer was written
	ErrorCode    nfse.Code      `db:"error_code"`
	ErrorField   string         `db:"error_field"` // a name of the contract; empty where it is another
	NoteID       string         `db:"note_id"`     // the note that it is about
	BodyBytes    int            `db:"body_bytes"`
	Fields       SentFields     `db:"fields"`
	OtherFields  int            `db:"other_fields"` // how many names were sent that the contract does not have
}

// Path is the path that was asked for, with the id in it where that is one of ours.
func (r APIRequest) Path() string {
	if r.PathID == "" {
		return r.Route
	}
	return strings.Replace(r.Route, "{id}", r.PathID, 1)
}

// Took is how long the answer took.
func (r APIRequest) Took() time.Duration { return time.Duration(r.Microseconds) * time.Microsecond }

// SentField is a field of the contract that was sent, and the size of its value in bytes.
type SentField struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

// RefusedKey is how often a key on record was refused.
type RefusedKey struct {
	nfse.Scope
	APIKeyID string
	Refusals int
}

// The parameters are one array for each column, so that the statement is the same for any number of
// rows. A row that is there already was written by an attempt whose answer was lost.
const insertRequests = `
	INSERT INTO api_requests (id, organization_id, livemode, at, api_key_id, method, route, path_id, status,
		microseconds, error_code, error_field, note_id, body_bytes, fields, other_fields)
	SELECT id, organization_id, livemode, at, api_key_id, method, route, nullif(path_id, ''), status, microseconds,
		nullif(error_code, ''), nullif(error_field, ''), nullif(note_id, ''), body_bytes, fields, other_fields
	FROM unnest($1::text[], $2::text[], $3::boolean[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
		$8::text[], $9::integer[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::integer[], $15::jsonb[],
		$16::integer[]) AS one (id, organization_id, livemode, at, api_key_id, method, route, path_id, status,
		microseconds, error_code, error_field, note_id, body_bytes, fields, other_fields)
	ON CONFLICT DO NOTHING`

// AddRequests puts requests on record. Where that fails because of one, each is written by itself,
// and failed is told of those that cannot be: they are lost.
func (s *Store) AddRequests(ctx context.Context, requests []APIRequest, failed func(APIRequest, error)) error {
	err := s.db.InTime(ctx, postgres.BatchTimes*s.db.RowTimeout(), func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, insertRequests, requestColumnsOf(requests)...)
		return err
	})
	if err == nil || ctx.Err() != nil || postgres.IsOutage(err) {
		return err
	}
	for _, one := range requests {
		err := s.db.Alone(ctx, s.db.RowTimeout(), func(ctx context.Context, tx *sqlx.Tx) error {
			_, err := tx.ExecContext(ctx, insertRequests, requestColumnsOf([]APIRequest{one})...)
			return err
		})
		switch {
		case err == nil:
		case ctx.Err() != nil || postgres.IsOutage(err):
			return err
		default:
			failed(one, err)
		}
	}
	return nil
}

func requestColumnsOf(requests []APIRequest) []any {
	n := len(requests)
	ids, organizations, live := make([]string, n), make([]string, n), make([]bool, n)
	at, keys := make([]string, n), make([]string, n)
	methods, routes, paths := make([]string, n), make([]string, n), make([]string, n)
	statuses, took := make([]int64, n), make([]int64, n)
	codes, wrong, notes := make([]string, n), make([]string, n), make([]string, n)
	bytes, fields, others := make([]int64, n), make([]string, n), make([]int64, n)
	for i, r := range requests {
		ids[i], organizations[i], live[i] = r.ID, r.OrganizationID, r.Livemode
		at[i], keys[i] = r.At.UTC().Format(time.RFC3339Nano), r.APIKeyID
		methods[i], routes[i], paths[i] = r.Method, r.Route, r.PathID
		statuses[i], took[i] = int64(r.Status), r.Microseconds
		codes[i], wrong[i], notes[i] = string(r.ErrorCode), r.ErrorField, r.NoteID
		bytes[i], fields[i], others[i] = int64(r.BodyBytes), r.Fields.text(), int64(r.OtherFields)
	}
	return []any{pq.Array(ids), pq.Array(organizations), pq.Array(live), pq.Array(at), pq.Array(keys),
		pq.Array(methods), pq.Array(routes), pq.Array(paths), pq.Array(statuses), pq.Array(took), pq.Array(codes),
		pq.Array(wrong), pq.Array(notes), pq.Array(bytes), pq.Array(fields), pq.Array(others)}
}

// CountRefusedKeys adds to today's counts of keys that were refused.
func (s *Store) CountRefusedKeys(ctx context.Context, refused []RefusedKey) error {
	n := len(refused)
	organizations, live, keys, counts := make([]string, n), make([]bool, n), make([]string, n), make([]int64, n)
	for i, r := range refused {
		organizations[i], live[i], keys[i], counts[i] = r.OrganizationID, r.Livemode, r.APIKeyID, int64(r.Refusals)
	}
	_, err := s.db.Exec(ctx, `
		INSERT INTO refused_keys (organization_id, livemode, api_key_id, day, refusals)
		SELECT organization_id, livemode, api_key_id, (now() AT TIME ZONE 'UTC')::date, refusals
		FROM unnest($1::text[], $2::boolean[], $3::text[], $4::bigint[])
			AS one (organization_id, livemode, api_key_id, refusals)
		ORDER BY api_key_id
		ON CONFLICT (organization_id, livemode, api_key_id, day)
			DO UPDATE SET refusals = refused_keys.refusals + excluded.refusals`,
		pq.Array(organizations), pq.Array(live), pq.Array(keys), pq.Array(counts))
	return err
}

// requestDays names the loop over the days of the request log.
const requestDays = "request days"

// KeepRequestDays makes the days of the request log that are missing, a week ahead, and drops those
// that are past their time; also the counts of refused keys. A day that cannot be made or dropped is
// set aside, and keeps no other from it.
func (s *Store) KeepRequestDays(ctx context.Context) (done int, err error) {
	if _, err := s.db.ExecContext(ctx, `DELETE FROM refused_keys
		WHERE day < (now() AT TIME ZONE 'UTC')::date - 7`); err != nil {
		return 0, err
	}
	var due []string
	err = s.db.SelectContext(ctx, &due, `
		WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day),
		made AS (
			SELECT to_date(substr(relname, 5), 'YYYYMMDD') AS day FROM pg_inherits
			JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'api_requests'::regclass
		), due AS (
			SELECT 'add ' || (today.day + ahead) AS id FROM today, generate_series(0, 7) ahead
			WHERE today.day + ahead NOT IN (SELECT day FROM made)
			UNION ALL SELECT 'drop ' || made.day FROM made, today WHERE made.day < today.day - 7
		)
		SELECT id FROM due WHERE NOT EXISTS (SELECT FROM row_failures WHERE loop = $1 AND row_id = due.id)
		ORDER BY id`, requestDays)
	if err != nil {
		return 0, err
	}
	keep := func(ctx context.Context, tx *sqlx.Tx, id string) error {
		what, day, _ := strings.Cut(id, " ")
		statement := map[string]string{
			"add": `SELECT add_request_day($1::date)`, "drop": `SELECT drop_request_day($1::date)`,
		}[what]
		_, err := tx.ExecContext(ctx, statement, day)
		if err == nil {
			done++
		}
		return err
	}
	_, err = s.db.Apart(ctx, requestDays, due, s.db.RowTimeout(), keep)
	again := s.db.DoAside(ctx, requestDays, func(ctx context.Context, tx *sqlx.Tx, id string) (bool, error) {
		if what, day, _ := strings.Cut(id, " "); what == "add" && day < time.Now().UTC().Format(time.DateOnly) {
			return false, nil // that day is over: nothing is missing any more
		}
		return false, keep(ctx, tx, id)
	})
	return done, errors.Join(err, again)
}
