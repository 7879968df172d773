package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/nfse"
)

// Series is what is known of a series at an authority where a second sending of a
// number destroys what the first one made (fiscal.Capabilities, AsksFirst).
type Series struct {
	Authority    string          `db:"authority" json:"authority"`
	Production   bool            `db:"production" json:"production"`
	TaxID        nfse.TaxID      `db:"issuer" json:"tax_id"`
	Registration string          `db:"registration" json:"municipal_registration"`
	Series       int             `db:"series" json:"series"`
	AskedFrom    *int64          `db:"asked_from" json:"asked_from"` // numbers that the authority was asked about last
	AskedThrough *int64          `db:"asked_through" json:"asked_through"`
	UsedNumbers  pq.Int64Array   `db:"used_numbers" json:"used_numbers"` // of them
	AskedAt      *nfse.Timestamp `db:"asked_at" json:"asked_at"`
	HeldReason   *string         `db:"held_reason" json:"held_reason"`
	HeldAt       *nfse.Timestamp `db:"held_at" json:"held_at"`
}

const seriesColumns = `authority, production, issuer, registration, series, asked_from, asked_through, used_numbers,
	asked_at, held_reason, held_at`

// thisSeries selects the row of a series by the first five arguments, those of
// seriesOf.
const thisSeries = `(authority, production, issuer, registration, series) = ($1, $2, $3, $4, $5)`

func seriesOf(p nfse.FiscalProfile) []any {
	registration := ""
	if p.MunicipalRegistration != nil {
		registration = strings.TrimLeft(*p.MunicipalRegistration, "0")
	}
	return []any{p.Authority, p.Production, string(p.TaxID), registration, p.Series}
}

// thisDatabase names the database as it is: a copy of it, restored anywhere, is
// another one. So is one whose server took over from its primary, as it may lack the
// last commits; and one that was rewritten, which costs a question.
const thisDatabase = `(SELECT system_identifier::text || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
	|| '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
	|| '/' || 'fiscal_series'::regclass::oid || '/' || pg_relation_filenode('fiscal_series')
	FROM pg_control_system())`

// SeriesTurn is the right to send under a series, of which there is one for all
// workers, and what is known of the number that it was taken for.
type SeriesTurn struct {
	// Free says that the authority has nothing under the number, as it said not long ago.
	Free bool
	// Restored says that the authority was asked about the series before this database
	// was restored: a number that is used may be ours, of a time that was lost.
	Restored bool

	Busy time.Duration // how long others will probably take; the turn was not taken
	Held string        // why nothing may be sent; the turn was not taken
}

// Taken reports whether the turn was taken.
func (t SeriesTurn) Taken() bool { return t.Busy == 0 && t.Held == "" }

// SeriesBusy reports whether somebody has the turn of a profile's series. It changes
// nothing, so that those who wait may ask often.
func (s *Store) SeriesBusy(ctx context.Context, profile nfse.FiscalProfile) (busy bool, err error) {
	err = s.get(ctx, &busy, `SELECT EXISTS (SELECT FROM fiscal_series WHERE `+thisSeries+`
		AND held_reason IS NULL AND turn_token IS NOT NULL AND turn_until > clock_timestamp())`, seriesOf(profile)...)
	return busy, err
}

// TakeSeriesTurn takes the turn of an exchange's series for the exchange's number, or
// keeps it. What the authority said of the number counts for so long.
func (s *Store) TakeSeriesTurn(ctx context.Context, e *Exchange, lease Lease,
	counts time.Duration) (turn SeriesTurn, err error) {
	arguments := append(seriesOf(e.Profile), lease.Token, lease.For.Seconds(), e.Number, counts.Seconds())
	err = s.get(ctx, &turn, `
		INSERT INTO fiscal_series AS f (authority, production, issuer, registration, series, turn_token, turn_until)
		VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7))
		ON CONFLICT (authority, production, issuer, registration, series) DO UPDATE
			SET turn_token = $6, turn_until = clock_timestamp() + make_interval(secs => $7)
			WHERE f.held_reason IS NULL
				AND (f.turn_token IS NULL OR f.turn_token = $6 OR f.turn_until <= clock_timestamp())
		RETURNING coalesce(asked_in = `+thisDatabase+`
			AND asked_at > clock_timestamp() - make_interval(secs => $9)
			AND $8 BETWEEN asked_from AND asked_through AND $8 <> ALL (used_numbers), false) AS free,
			coalesce(asked_in <> `+thisDatabase+`, false) AS restored`, arguments...)
	if errors.Is(err, sql.ErrNoRows) {
		return s.othersTurn(ctx, e)
	}
	return turn, err
}

// slowTurn is the longest that a turn is expected to take: while the authority hangs, and
// at the first question about numbers, they take longer, and nobody is to wait for long
// when they do not any more.
const slowTurn = time.Second

// othersTurn says how long those before an exchange will probably be at its series, or
// that it is held.
func (s *Store) othersTurn(ctx context.Context, e *Exchange) (turn SeriesTurn, err error) {
	var row struct {
		Held   *string `db:"held_reason"`
		Each   int64   `db:"turn_ms"`
		Before int64   `db:"before"`
	}
	err = s.get(ctx, &row, `SELECT held_reason, turn_ms, (SELECT count(*) FROM (
				SELECT FROM fiscal_exchanges WHERE kind = 'issue' AND state IN ('unsigned', 'signed')
					AND authority <> 'national' AND authority = $1 AND production = $2 AND issuer = $3 AND series = $5
					AND number < $6 LIMIT 2000) waiting) AS before
		FROM fiscal_series WHERE `+thisSeries, append(seriesOf(e.Profile), e.Number)...)
	if err != nil {
		return turn, err
	}
	if row.Held != nil {
		return SeriesTurn{Held: *row.Held}, nil
	}
	each := min(time.Duration(cmp.Or(row.Each, 500))*time.Millisecond, slowTurn)
	return SeriesTurn{Busy: time.Duration(row.Before+1) * each}, nil
}

// sendingInTurn keeps the turn of the series that is named from the sixth argument on,
// for the fifth, of the holder of the third.
const sendingInTurn = `turn AS (
			UPDATE fiscal_series SET turn_until = clock_timestamp() + make_interval(secs => $5)
			WHERE (authority, production, issuer, registration, series) = ($6, $7, $8, $9, $10)
				AND turn_token = $3 AND turn_until > clock_timestamp() AND held_reason IS NULL
			RETURNING 1
		), `

// EndSeriesTurn gives a turn back, which took so long.
func (s *Store) EndSeriesTurn(ctx context.Context, profile nfse.FiscalProfile, lease Lease, took time.Duration) error {
	_, err := s.exec(ctx, `UPDATE fiscal_series SET turn_token = NULL, turn_until = NULL,
			turn_ms = CASE turn_ms WHEN 0 THEN $7 ELSE (3 * turn_ms + $7) / 4 END
		WHERE `+thisSeries+` AND turn_token = $6`, append(seriesOf(profile), lease.Token, took.Milliseconds())...)
	return err
}

// SaveNumbers stores what the authority said of numbers of a series from one on, up to
// the first that it said nothing of, beside what it said of their neighbours where
// that still counts.
func (s *Store) SaveNumbers(ctx context.Context, profile nfse.FiscalProfile, lease Lease, from int64,
	numbers fiscal.Numbers, counts time.Duration) error {
	through := numbers.KnownThrough(from)
	if through < from {
		return nil
	}
	_, err := s.exec(ctx, `
		WITH known AS (
			SELECT least(asked_from, $7) AS asked_from, greatest(asked_through, $8) AS asked_through,
				used_numbers, asked_at
			FROM fiscal_series WHERE `+thisSeries+` AND turn_token = $6 AND asked_in = `+thisDatabase+`
				AND asked_at > clock_timestamp() - make_interval(secs => $10)
				AND asked_from <= $8::bigint + 1 AND asked_through >= $7::bigint - 1
		)
		UPDATE fiscal_series SET asked_from = coalesce((SELECT asked_from FROM known), $7),
			asked_through = coalesce((SELECT asked_through FROM known), $8),
			used_numbers = coalesce((SELECT used_numbers FROM known), '{}') || coalesce($9::bigint[], '{}'),
			asked_at = coalesce((SELECT asked_at FROM known), clock_timestamp()), asked_in = `+thisDatabase+`
		WHERE `+thisSeries+` AND turn_token = $6`,
		append(seriesOf(profile), lease.Token, from, through, pq.Int64Array(numbers.Used), counts.Seconds())...)
	return err
}

// holdSeries lets nothing more be sent under the series of a profile.
func holdSeries(ctx context.Context, tx *sqlx.Tx, profile nfse.FiscalProfile, reason string) error {
	if reason == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO fiscal_series AS f (authority, production, issuer, registration, series, held_reason, held_at)
		VALUES ($1, $2, $3, $4, $5, $6, now())
		ON CONFLICT (authority, production, issuer, registration, series) DO UPDATE
			SET held_reason = $6, held_at = now() WHERE f.held_reason IS NULL`, append(seriesOf(profile), reason)...)
	return err
}

// SeriesHeld returns why nothing may be sent under the series of a profile; empty when
// it may.
func (s *Store) SeriesHeld(ctx context.Context, profile nfse.FiscalProfile) (reason string, err error) {
	err = s.get(ctx, &reason, `SELECT coalesce(held_reason, '') FROM fiscal_series WHERE `+thisSeries,
		seriesOf(profile)...)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return reason, err
}

// AllSeries lists the series of an organization, or, with an empty one, of all.
func (s *Store) AllSeries(ctx context.Context, organizationID string) ([]Series, error) {
	all := []Series{}
	err := s.db.SelectContext(ctx, &all, `SELECT `+seriesColumns+` FROM fiscal_series f
		WHERE $1 = '' OR EXISTS (SELECT FROM fiscal_profiles p WHERE p.organization_id = $1
			AND p.authority = f.authority AND p.profile ->> 'tax_id' = f.issuer)
		ORDER BY authority, production, issuer, registration, series`, organizationID)
	return all, err
}

// ReleaseSeries lets notes be sent under the series of a profile again, because a
// person has looked, and wakes up what waits for it. That the database was restored
// does not count against it any more. It is an error where the series is not held.
func (c *Changes) ReleaseSeries(ctx context.Context, profile nfse.FiscalProfile) error {
	return c.changeOne(ctx, func(tx *sqlx.Tx) (auditRecord, error) {
		var reason string
		err := tx.GetContext(ctx, &reason, `SELECT held_reason FROM fiscal_series
			WHERE `+thisSeries+` AND held_reason IS NOT NULL FOR NO KEY UPDATE`, seriesOf(profile)...)
		if errors.Is(err, sql.ErrNoRows) {
			err = nfse.Invalid("series", "%d is not held", profile.Series)
		}
		if err != nil {
			return auditRecord{}, err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE fiscal_series SET held_reason = NULL, held_at = NULL,
			asked_from = NULL, asked_through = NULL, used_numbers = '{}', asked_at = NULL, asked_in = NULL
			WHERE `+thisSeries, seriesOf(profile)...); err != nil {
			return auditRecord{}, err
		}
		record := auditRecord{Action: AuditSeriesRelease, SubjectID: profile.OrganizationID,
			Before: map[string]any{"authority": profile.Authority, "production": profile.Production,
				"issuer": auditTaxID(profile.TaxID), "series": profile.Series, "held_reason": reason},
		}.ofOrganization(profile.OrganizationID)
		return record, resumeHeld(ctx, tx, profile.OrganizationID)
	})
}
