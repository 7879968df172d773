package numbers

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/postgres"
)

// A database that was restored, or took over from its primary, may lack numbers that were taken. So each
// sequence knows the database in which its numbers were known to be all (checked_in), and in another one
// no number is taken of it before its authority was asked.

// Unchecked is a condition of a row of fiscal_sequences: this database is another than that in which its
// numbers are all.
func Unchecked(row string) string {
	return `coalesce(` + row + `.checked_in <> (SELECT sequence_database()), false)`
}

// AllChecked holds in the database in which every sequence was checked: in it one that is new here is new.
const AllChecked = `coalesce((SELECT name = sequence_database() FROM checked_database), true)`

// Undecided are documents about which a person decides.
const Undecided = `state IN ('missing', 'unclear')`

// MayTakeNumbers is ErrNumbersUnchecked or ErrDocumentsUndecided where no number may be taken of a
// profile's sequence for now. It makes the check of it more urgent, and one of a sequence that is new here.
func (s *Store) MayTakeNumbers(ctx context.Context, profile nfse.FiscalProfile) error {
	series := profile.SeriesKey()
	_, err := s.db.Exec(ctx, `INSERT INTO fiscal_sequences (`+companies.SequenceColumns+`, last_number, checked_in)
		SELECT $1, $2, $3, $4, $5, 0, (SELECT name FROM checked_database) WHERE NOT `+AllChecked+`
		ON CONFLICT DO NOTHING`, companies.SequenceArguments(series)...)
	if err != nil {
		return err
	}
	var waits struct {
		Undecided bool `db:"undecided"`
	}
	err = s.db.Get(ctx, &waits, `UPDATE fiscal_sequences q SET wanted_at = now(),
			checking_until = CASE WHEN check_problem IS NULL THEN checking_until
				ELSE least(checking_until, clock_timestamp() + interval '15 seconds') END
		WHERE `+companies.ThisSequence+` AND `+Unchecked(`q`)+`
		RETURNING EXISTS (SELECT FROM recovered_documents d
			WHERE (`+companies.Qualified(`d`, companies.SequenceColumns)+`) = ($1, $2, $3, $4, $5) AND `+Undecided+
		`) AS undecided`,
		companies.SequenceArguments(series)...)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	case waits.Undecided:
		return ErrDocumentsUndecided
	}
	return ErrNumbersUnchecked
}

// SequenceToCheck is a sequence of which this database may lack numbers.
type SequenceToCheck struct {
	nfse.SeriesKey // without a registration
	LastNumber     int64
	// NoticedFor is since when it is known that it is to be checked: what was sent before has arrived
	// after a while.
	NoticedFor time.Duration
	// Organizations may use the issuer.
	Organizations []string
	Open          []OpenNumber
}

// OpenNumber is a number of a sequence whose exchange has not ended.
type OpenNumber struct {
	Number int64 `db:"number"`
	Sent   bool  `db:"sent"` // something may exist under it, as far as this database knows
}

// ClaimSequenceToCheck gives a sequence to check, of one of the authorities, to one process for the
// lease: one for which notes wait first. It gives none where none is to be checked by now: what was noticed less
// than grace ago, as what was sent before has to arrive, and what waits for a person, is not given.
func (s *Store) ClaimSequenceToCheck(ctx context.Context, authorities []string, grace, lease time.Duration) (
	claimed *SequenceToCheck, err error) {
	if _, err := s.db.Exec(ctx, `UPDATE fiscal_sequences q
			SET noticed_in = sequence_database(), noticed_at = clock_timestamp(), checking_until = NULL
		WHERE authority = ANY ($1) AND `+Unchecked(`q`)+`
			AND noticed_in IS DISTINCT FROM sequence_database()`, pq.Array(authorities)); err != nil {
		return nil, err
	}
	var row struct {
		nfse.SeriesKey
		LastNumber int64 `db:"last_number"`
	}
	err = s.db.Get(ctx, &row, `UPDATE fiscal_sequences
		SET checking_until = clock_timestamp() + make_interval(secs => $3), check_problem = NULL
		WHERE (`+companies.SequenceColumns+`) = (
			SELECT `+companies.Qualified(`q`, companies.SequenceColumns)+` FROM fiscal_sequences q
			WHERE authority = ANY ($1) AND `+Unchecked(`q`)+`
				AND noticed_at <= clock_timestamp() - make_interval(secs => $2)
				AND (checking_until IS NULL OR checking_until <= clock_timestamp())
				AND NOT EXISTS (SELECT FROM recovered_documents d
					WHERE (`+companies.Qualified(`d`, companies.SequenceColumns)+`) = (`+
		companies.Qualified(`q`, companies.SequenceColumns)+`) AND d.`+Undecided+`)
			ORDER BY wanted_at DESC NULLS LAST LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
		RETURNING `+companies.SequenceColumns+`, '' AS registration, last_number`,
		pq.Array(authorities), grace.Seconds(), lease.Seconds())
	if err != nil {
		return nil, postgres.NoRow(err, nil)
	}
	claimed = &SequenceToCheck{SeriesKey: row.SeriesKey, LastNumber: row.LastNumber}
	if err := s.db.All(ctx, &claimed.Organizations, `SELECT organization_id FROM tax_id_claims
		WHERE `+companies.ThisIssuer+` ORDER BY owner DESC, organization_id`,
		companies.IssuerArguments(row.IssuerKey)...); err != nil {
		return nil, err
	}
	err = s.db.All(ctx, &claimed.Open, `SELECT number, state = 'in_doubt' OR ambiguous AS sent FROM fiscal_exchanges
		WHERE kind = 'issue' AND `+companies.ThisSequence+
		` AND state IN ('unsigned', 'signed', 'in_doubt') ORDER BY number`,
		companies.SequenceArguments(row.SeriesKey)...)
	return claimed, err
}

// KeepSequenceCheck prolongs the lease of a check.
func (s *Store) KeepSequenceCheck(ctx context.Context, series nfse.SeriesKey, lease time.Duration) error {
	_, err := s.db.Exec(ctx, `UPDATE fiscal_sequences SET checking_until = clock_timestamp() + make_interval(secs => $6)
		WHERE `+companies.ThisSequence, companies.SequenceArguments(series, lease.Seconds())...)
	return err
}

// SetSequenceAside ends a check that came to no end, which is tried again after a while, and says why.
func (s *Store) SetSequenceAside(ctx context.Context, series nfse.SeriesKey, problem fact.Fact,
	wait time.Duration) error {
	_, err := s.db.Exec(ctx, `UPDATE fiscal_sequences
		SET check_problem = $6, checking_until = clock_timestamp() + make_interval(secs => $7)
		WHERE `+companies.ThisSequence, companies.SequenceArguments(series, problem, wait.Seconds())...)
	return err
}

// EndSequenceCheck records that the authority was asked about all numbers of a sequence, and goes on after
// the greatest that it has a document under. Where something of it waits for a person, no number is taken
// before that is decided; else the notes that wait go on.
func (s *Store) EndSequenceCheck(ctx context.Context, series nfse.SeriesKey) error {
	return s.db.InTransaction(ctx, func(tx *sqlx.Tx) error { return EndSequenceCheck(ctx, tx, series) })
}

func EndSequenceCheck(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey) error {
	if _, err := tx.ExecContext(ctx, `UPDATE fiscal_sequences q SET checking_until = NULL, check_problem = NULL,
			last_number = greatest(last_number, (SELECT max(number) FROM recovered_documents
				WHERE `+companies.ThisSequence+`)),
			checked_in = CASE WHEN EXISTS (SELECT FROM recovered_documents WHERE `+companies.ThisSequence+` AND `+Undecided+`)
				THEN checked_in ELSE sequence_database() END
		WHERE `+companies.ThisSequence, companies.SequenceArguments(series)...); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE checked_database SET name = sequence_database()
		WHERE name <> sequence_database()
			AND NOT EXISTS (SELECT FROM fiscal_sequences q WHERE `+Unchecked(`q`)+`)`); err != nil {
		return err
	}
	return resumeIssuer(ctx, tx, series.IssuerKey)
}

// SequenceState is a sequence that is to be checked, as a person sees it.
type SequenceState struct {
	nfse.SeriesKey
	LastNumber int64           `db:"last_number" json:"last_number"`
	NoticedAt  *nfse.Timestamp `db:"noticed_at" json:"noticed_at"`
	Problem    fact.Fact       `db:"check_problem" json:"problem"` // why the last check came to no end
	Undecided  int             `db:"undecided" json:"undecided"`   // documents about which a person decides
}

// UncheckedSequences lists the sequences that are to be checked, of the issuers that an organization may
// use or, with an empty one, all.
func (s *Store) UncheckedSequences(ctx context.Context, organizationID string) ([]SequenceState, error) {
	all := []SequenceState{}
	err := s.db.All(ctx, &all, `SELECT `+companies.Qualified(`q`, companies.SequenceColumns)+
		`, '' AS registration, last_number, noticed_at,
			check_problem, (SELECT count(*) FROM recovered_documents d
				WHERE (`+companies.Qualified(`d`, companies.SequenceColumns)+`) = (`+
		companies.Qualified(`q`, companies.SequenceColumns)+`)
					AND d.`+Undecided+`) AS undecided
		FROM fiscal_sequences q
		WHERE `+Unchecked(`q`)+` AND ($1 = '' OR `+companies.Claimed(`$1`, `q.authority`, `q.production`, `q.tax_id`)+`)
		ORDER BY `+companies.Qualified(`q`, companies.SequenceColumns), organizationID)
	return all, err
}
