package numbers

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/companies"
	"emissor/store/exchanges"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// Series is what is known of a series at an authority where a second sending of a
// number destroys what the first one made (fiscal.Capabilities, AsksFirst).
type Series struct {
	nfse.SeriesKey
	AskedFrom    *int64          `db:"asked_from" json:"asked_from"` // numbers that it was last asked about
	AskedThrough *int64          `db:"asked_through" json:"asked_through"`
	UsedNumbers  pq.Int64Array   `db:"used_numbers" json:"used_numbers"` // of them
	AskedAt      *nfse.Timestamp `db:"asked_at" json:"asked_at"`
	HeldReason   fact.Fact       `db:"held_reason" json:"held_reason"` // why nothing may be sent
	HeldAt       *nfse.Timestamp `db:"held_at" json:"held_at"`
}

const knownOfSeries = companies.SeriesColumns +
	`, asked_from, asked_through, used_numbers, asked_at, held_reason, held_at`

// thisDatabase names this database, and no copy of it: see series_database in the
// migrations.
const thisDatabase = `series_database()`

// SeriesTurn is the right to send under a series, of which there is one for all
// workers, and what is known of the number that it was taken for.
type SeriesTurn struct {
	// Free says that the authority answered not long ago that it has nothing under the number.
	Free bool
	// Unchecked says that this database may be a restored copy of the one that messages were
	// sent from, and lack what was sent after the copy was made. Nothing may be sent before
	// the authority was asked about all open numbers (CheckSeries).
	Unchecked bool

	Busy time.Duration // how long others will probably take; the turn was not taken
	Held fact.Fact     // why nothing may be sent; the turn was not taken
}

// Taken reports whether the turn was taken.
func (t SeriesTurn) Taken() bool { return t.Busy == 0 && t.Held.None() }

// numberFree is a condition of a series: the authority answered, in this database and no longer
// ago than a parameter says in seconds, that it has nothing under a number.
func numberFree(number, counts string) string {
	return `asked_at > clock_timestamp() - make_interval(secs => ` + counts + `)
		AND ` + number + ` BETWEEN asked_from AND asked_through AND ` + number + ` <> ALL (used_numbers)
		AND checked_in = ` + thisDatabase
}

// TurnToTake is a condition of a row of fiscal_series: nobody but the holder of a token has the
// turn, and the series is not held.
func TurnToTake(row, token string) string {
	return row + `.held_reason IS NULL
		AND (` + row + `.turn_token IS NULL OR ` + row + `.turn_token = ` + token + `
			OR ` + row + `.turn_until <= clock_timestamp())`
}

// LookAtSeries reads what TakeSeriesTurn would return, but for Unchecked. It changes nothing, so
// that those who wait may look often: busy reports whether somebody else has the turn.
func (s *Store) LookAtSeries(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease,
	counts time.Duration) (turn SeriesTurn, busy bool, err error) {
	var row struct {
		Held fact.Fact `db:"held_reason"`
		Free bool      `db:"free"`
		Busy bool      `db:"busy"`
	}
	err = s.db.Get(ctx, &row, `SELECT held_reason,
			held_reason IS NULL AND NOT (`+TurnToTake(`fiscal_series`, `$7`)+`) AS busy,
			coalesce(`+numberFree(`$8`, `$9`)+`, false) AS free
		FROM fiscal_series WHERE `+companies.ThisSeries,
		companies.SeriesArguments(e.Profile.SeriesKey(), lease.Token, e.Number, counts.Seconds())...)
	if errors.Is(err, sql.ErrNoRows) { // nobody has sent under it
		return SeriesTurn{}, false, nil
	}
	return SeriesTurn{Held: row.Held, Free: row.Free}, row.Busy, err
}

// TakeSeriesTurn takes the turn of an exchange's series for the exchange's number, or
// prolongs it. counts is for how long an answer about the number is taken for true.
func (s *Store) TakeSeriesTurn(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease,
	counts time.Duration) (turn SeriesTurn, err error) {
	err = s.db.Get(ctx, &turn, `
		INSERT INTO fiscal_series AS f (`+companies.SeriesColumns+`, turn_token, turn_until)
		VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(secs => $8))
		ON CONFLICT (`+companies.SeriesColumns+`) DO UPDATE
			SET turn_token = $7, turn_until = clock_timestamp() + make_interval(secs => $8)
			WHERE `+TurnToTake(`f`, `$7`)+`
		RETURNING coalesce(`+numberFree(`$9`, `$10`)+`, false) AS free,
			coalesce(checked_in <> `+thisDatabase+`, false) AS unchecked`,
		companies.SeriesArguments(e.Profile.SeriesKey(), lease.Token, lease.For.Seconds(), e.Number, counts.Seconds())...)
	if errors.Is(err, sql.ErrNoRows) {
		return s.OthersTurn(ctx, e)
	}
	return turn, err
}

// toSend are the exchanges that wait for the turn of their series.
const toSend = `kind = 'issue' AND state IN ('unsigned', 'signed') AND takes_turns
	AND disposition IS DISTINCT FROM 'needs_person'`

// slowTurn bounds how long turns are expected to take. While the authority hangs, and at
// the first question about numbers, they take longer, but waits computed from that would be
// too long afterwards.
const slowTurn = time.Second

// OthersTurn says how long the exchanges before this one will probably need for their
// turns, or that the series is held.
func (s *Store) OthersTurn(ctx context.Context, e *exchanges.Exchange) (turn SeriesTurn, err error) {
	var row struct {
		Held   fact.Fact `db:"held_reason"`
		Each   int64     `db:"turn_ms"`
		Before int64     `db:"before"`
	}
	err = s.db.Get(ctx, &row, `SELECT held_reason, coalesce(turn_ms, 0) AS turn_ms, (SELECT count(*) FROM (
				SELECT FROM fiscal_exchanges WHERE `+toSend+` AND `+companies.ThisSequence+` AND number < $7 LIMIT 2000) waiting
			) AS before
		FROM (SELECT) one LEFT JOIN fiscal_series ON `+companies.ThisSeries,
		companies.SeriesArguments(e.Profile.SeriesKey(), e.Number)...)
	if err != nil {
		return turn, err
	}
	if !row.Held.None() {
		return SeriesTurn{Held: row.Held}, nil
	}
	each := min(time.Duration(cmp.Or(row.Each, 500))*time.Millisecond, slowTurn)
	return SeriesTurn{Busy: time.Duration(row.Before+1) * each}, nil
}

// SendingInTurn takes the turn of the series $6 to $11, or prolongs it, for $5 seconds and the
// holder of the token $3. Where $13 is not 0, only if the number $12 is known to be free by an
// answer no older than that.
var SendingInTurn = `turn AS (
			UPDATE fiscal_series SET turn_token = $3, turn_until = clock_timestamp() + make_interval(secs => $5)
			WHERE (` + companies.SeriesColumns + `) = ($6, $7, $8, $9, $10, $11) AND ` + TurnToTake(`fiscal_series`, `$3`) + `
				AND ($13::float8 = 0 OR ` + numberFree(`$12`, `$13`) + `)
			RETURNING 1
		), `

// endTurn gives the turn of the series back that a condition names, and records how many
// milliseconds it took, a parameter.
func endTurn(took, condition string) string {
	return `UPDATE fiscal_series SET turn_token = NULL, turn_until = NULL,
			turn_ms = CASE turn_ms WHEN 0 THEN ` + took + ` ELSE (3 * turn_ms + ` + took + `) / 4 END
		WHERE ` + condition
}

// TurnPassedOn gives the turn back with an answer, unless another has its row locked: the answer
// does not wait for that.
var TurnPassedOn = `turn AS (` + endTurn(`:took`, `(`+companies.SeriesColumns+`) IN (
			SELECT `+companies.SeriesColumns+` FROM fiscal_series WHERE (`+companies.SeriesColumns+`) =
				(:authority, :production, :tax_id, :municipality, :series, :registration) AND turn_token = :token
			FOR NO KEY UPDATE SKIP LOCKED)`) + ` RETURNING 1), `

// EndSeriesTurn gives a turn back, and records how long it took.
func (s *Store) EndSeriesTurn(ctx context.Context, series nfse.SeriesKey, lease exchanges.Lease,
	took time.Duration) error {
	_, err := s.db.Exec(ctx, endTurn(`$8`, companies.ThisSeries+` AND turn_token = $7`),
		companies.SeriesArguments(series, lease.Token, took.Milliseconds())...)
	return err
}

// SaveNumbers stores which numbers of a series, from one through another, the authority
// said are used. What it said of adjoining numbers is kept where it is not older than
// counts.
func (s *Store) SaveNumbers(ctx context.Context, series nfse.SeriesKey, lease exchanges.Lease, from, through int64,
	used []int64, counts time.Duration) error {
	if through < from {
		return nil
	}
	_, err := s.db.Exec(ctx, `
		WITH known AS (
			SELECT least(asked_from, $8) AS asked_from, greatest(asked_through, $9) AS asked_through,
				used_numbers, asked_at
			FROM fiscal_series WHERE `+companies.ThisSeries+` AND turn_token = $7 AND checked_in = `+thisDatabase+`
				AND asked_at > clock_timestamp() - make_interval(secs => $11)
				AND asked_from <= $9::bigint + 1 AND asked_through >= $8::bigint - 1
		)
		UPDATE fiscal_series SET asked_from = coalesce((SELECT asked_from FROM known), $8),
			asked_through = coalesce((SELECT asked_through FROM known), $9),
			used_numbers = coalesce((SELECT used_numbers FROM known), '{}') || coalesce($10::bigint[], '{}'),
			asked_at = coalesce((SELECT asked_at FROM known), clock_timestamp()), checked_in = `+thisDatabase+`
		WHERE `+companies.ThisSeries+` AND turn_token = $7`,
		companies.SeriesArguments(series, lease.Token, from, through, pq.Int64Array(used), counts.Seconds())...)
	return err
}

// NumbersToCheck are the numbers by which it is found out whether something was sent under
// a series that this database does not know of, at most most of them: the numbers above
// after of notes of which nothing was sent as far as it knows, lowest first; and, where
// there are no more, those that are taken next, none above the greatest.
func (s *Store) NumbersToCheck(ctx context.Context, series nfse.SeriesKey, after int64, most int,
	greatest int64) (numbers []int64, more bool, err error) {
	err = s.db.All(ctx, &numbers, `SELECT number FROM fiscal_exchanges
		WHERE `+toSend+` AND NOT ambiguous AND `+companies.ThisSequence+` AND number > $6 ORDER BY number LIMIT $7`,
		companies.SequenceArguments(series, after, most)...)
	if err != nil || len(numbers) == most {
		return numbers, true, err
	}
	next, err := s.NextNumber(ctx, series)
	for ; len(numbers) < most && next <= greatest; next++ {
		numbers = append(numbers, next)
	}
	return numbers, false, err
}

// SeriesChecked records that nothing was sent under a series that this database does not
// know of. It does so only for the holder of the turn.
func (s *Store) SeriesChecked(ctx context.Context, series nfse.SeriesKey, lease exchanges.Lease) error {
	_, err := s.db.Exec(ctx, `UPDATE fiscal_series SET checked_in = `+thisDatabase+`, asked_at = NULL
		WHERE `+companies.ThisSeries+` AND turn_token = $7`, companies.SeriesArguments(series, lease.Token)...)
	return err
}

// HoldSeries holds a series: nothing more is sent under it before a person has looked.
func HoldSeries(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey, reason fact.Fact) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO fiscal_series AS f (`+companies.SeriesColumns+`, held_reason, held_at, checked_in)
		VALUES ($1, $2, $3, $4, $5, $6, $7, now(), `+thisDatabase+`)
		ON CONFLICT (`+companies.SeriesColumns+`) DO UPDATE
			SET held_reason = $7, held_at = now() WHERE f.held_reason IS NULL`, companies.SeriesArguments(series, reason)...)
	return err
}

// SeriesHeld returns why nothing may be sent under a series; none when it may.
func (s *Store) SeriesHeld(ctx context.Context, series nfse.SeriesKey) (reason fact.Fact, err error) {
	err = s.db.Get(ctx, &reason, `SELECT held_reason FROM fiscal_series WHERE `+companies.ThisSeries,
		companies.SeriesArguments(series)...)
	return reason, postgres.NoRow(err, nil)
}

// AllSeries lists the series of the issuers that an organization may use, or, with an
// empty one, all.
func (s *Store) AllSeries(ctx context.Context, organizationID string) ([]Series, error) {
	all := []Series{}
	err := s.db.SelectContext(ctx, &all, `SELECT `+knownOfSeries+` FROM fiscal_series f
		WHERE $1 = '' OR `+companies.Claimed(`$1`, `f.authority`, `f.production`, `f.tax_id`)+`
		ORDER BY `+companies.SeriesColumns, organizationID)
	return all, err
}

// HeldSeries lists those of AllSeries of an organization under which nothing may be sent.
func (s *Store) HeldSeries(ctx context.Context, organizationID string) ([]Series, error) {
	held := []Series{}
	err := s.db.All(ctx, &held, `SELECT f.* FROM tax_id_claims k, LATERAL (SELECT `+knownOfSeries+` FROM fiscal_series
			WHERE authority = k.authority AND production = k.production AND tax_id = k.tax_id
				AND held_reason IS NOT NULL) f
		WHERE k.organization_id = $1
		ORDER BY f.authority, f.production, f.tax_id, f.municipality_code, f.series, f.registration`, organizationID)
	return held, err
}

// ReleaseSeries lets notes be sent under a series again, because a person of the
// organization, or an operator, has looked, and wakes up what waits for it. The check after
// a restored database is taken as done. It is an error where the series is not held, or the
// organization may not use its issuer (CheckTaxID).
func (c *Changes) ReleaseSeries(ctx context.Context, organizationID string, series nfse.SeriesKey) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		if err := companies.CheckTaxID(ctx, tx, organizationID, series.IssuerKey); err != nil {
			return audit.Record{}, err
		}
		var reason fact.Fact
		err := tx.GetContext(ctx, &reason, `SELECT held_reason FROM fiscal_series
			WHERE `+companies.ThisSeries+` AND held_reason IS NOT NULL FOR NO KEY UPDATE`,
			companies.SeriesArguments(series)...)
		if err != nil {
			return audit.Record{}, postgres.NoRow(err, nfse.Invalid("series", "%d is not held", series.Series))
		}
		if _, err := tx.ExecContext(ctx, ReleaseSeries, companies.SeriesArguments(series)...); err != nil {
			return audit.Record{}, err
		}
		if err := leaveAll(ctx, tx, series); err != nil {
			return audit.Record{}, err
		}
		record := audit.Record{Action: audit.SeriesRelease, SubjectID: organizationID,
			Before: companies.AuditSeries(series, "held_reason", reason)}.OfOrganization(organizationID)
		if err := resumeIssuer(ctx, tx, series.IssuerKey); err != nil {
			return audit.Record{}, err
		}
		return record, nil
	})
}

// ReleaseSeries lets notes be sent under a series. The check after a restored database is taken as done.
const ReleaseSeries = `UPDATE fiscal_series SET held_reason = NULL, held_at = NULL,
		asked_from = NULL, asked_through = NULL, used_numbers = '{}', asked_at = NULL, checked_in = ` + thisDatabase + `
	WHERE ` + companies.ThisSeries

// leaveAll leaves the documents of a series that wait for a person as they are: their numbers are never taken.
func leaveAll(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey) error {
	_, err := tx.ExecContext(ctx, `
		WITH decided AS (
			UPDATE recovered_documents SET state = 'left', taker = '', taker_tax_id = '', decided_at = now()
			WHERE `+companies.ThisSeries+` AND `+Undecided+`
			RETURNING number
		)
		UPDATE fiscal_sequences SET last_number = greatest(last_number, (SELECT max(number) FROM decided))
		WHERE `+companies.ThisSequence+` AND EXISTS (SELECT FROM decided)`, companies.SeriesArguments(series)...)
	return err
}

// resumeIssuer wakes up the notes of all organizations that issue by an issuer: see ResumeHeld.
func resumeIssuer(ctx context.Context, tx *sqlx.Tx, issuer nfse.IssuerKey) error {
	var organizations []string
	if err := tx.SelectContext(ctx, &organizations, `SELECT organization_id FROM `+companies.IssuingProfiles+` p
		WHERE authority = $1 AND profile ->> 'tax_id' = $2 ORDER BY 1`, issuer.Authority,
		string(issuer.TaxID)); err != nil {
		return err
	}
	for _, organization := range organizations {
		if err := outbox.ResumeHeld(ctx, tx, organization); err != nil {
			return err
		}
	}
	return nil
}
