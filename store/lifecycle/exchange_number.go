package lifecycle

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/companies"
	"emissor/store/exchanges"
	"emissor/store/numbers"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// ErrNoNumberLeft says that a series has no number left that a declaration can bear.
var ErrNoNumberLeft = errors.New("no number of the series is left")

// TakeNumber takes the next number of the profile's sequence for a note and leases its
// exchange, unless the lease is zero, in one statement: so no number is without an exchange
// that records what became of it, and none is skipped. A note that has a document already, or
// is not to be issued, takes none, and nil is returned. No number above the authority's greatest, and
// none that is not granted, is taken (ErrNoNumberLeft), and none where the organization may not use the
// issuer (an error of CheckTaxID), or the database may lack numbers that were taken (ErrNumbersUnchecked,
// ErrDocumentsUndecided). Where the sendings of a series take turns the note is then in processing, as it waits for one; under a series that is
// held none is taken, and nil is returned.
func (s *Store) TakeNumber(ctx context.Context, noteID string, profile nfse.FiscalProfile,
	authority fiscal.Capabilities, lease exchanges.Lease) (*exchanges.Exchange, error) {
	first, last := profile.NextNumber(1), profile.LastNumber(authority.NumberLimit())
	encoded, err := nfse.Marshal(profile)
	if err != nil {
		return nil, err
	}
	var taken struct {
		ID     int64 `db:"id"`
		Number int64 `db:"number"`
	}
	arguments := companies.SequenceArguments(profile.SeriesKey(), noteID, string(encoded), tokenOf(lease),
		lease.For.Seconds(),
		last, authority.AsksFirst, first)
	from, note, until := `SELECT id FROM notes`, ``, `FOR NO KEY UPDATE`
	if authority.AsksFirst {
		from = `UPDATE notes SET ` + SetBegun + `, ` + outbox.RequeueLater
		note = ` AND NOT EXISTS (SELECT FROM fiscal_series WHERE ` + companies.ThisSequence + ` AND registration = $13
			AND held_reason IS NOT NULL)`
		until = `RETURNING id`
		arguments = append(arguments, profile.SeriesKey().Registration)
	}
	sum := sha256.Sum256(encoded)
	arguments = append(arguments, sum[:])
	digest := fmt.Sprint("$", len(arguments))
	err = s.db.Get(ctx, &taken, `
		WITH note AS (
			`+from+`
			WHERE id = $6 AND livemode AND status IN ('queued', 'processing') AND `+notCancelledFirst+`
				AND `+companies.Claimed(`notes.organization_id`, `$1`, `$2`, `$3`)+`
				AND NOT EXISTS (SELECT FROM fiscal_exchanges WHERE note_id = $6 AND kind = 'issue'
				AND state NOT IN ('number_conflict', 'unused', 'spent'))`+note+`
			`+until+`
		), sequence AS (
			INSERT INTO fiscal_sequences (`+companies.SequenceColumns+`, last_number, checked_in)
			SELECT $1, $2, $3, $4, $5, $12::bigint, (SELECT name FROM checked_database) FROM note
			WHERE $12::bigint <= $10::bigint AND (`+numbers.AllChecked+`
				OR EXISTS (SELECT FROM fiscal_sequences WHERE `+companies.ThisSequence+`))
			ON CONFLICT (`+companies.SequenceColumns+`)
				DO UPDATE SET last_number = greatest(fiscal_sequences.last_number + 1, $12::bigint)
				WHERE fiscal_sequences.last_number < $10::bigint AND NOT `+numbers.Unchecked(`fiscal_sequences`)+`
			RETURNING last_number
		), shared AS (
			SELECT id FROM exchange_profiles WHERE digest = `+digest+`
		), new_shared AS (
			INSERT INTO exchange_profiles (digest, profile)
			SELECT `+digest+`, $7::jsonb FROM sequence WHERE NOT EXISTS (SELECT FROM shared)
			ON CONFLICT DO NOTHING -- the next exchange finds it
		)
		INSERT INTO fiscal_exchanges (note_id, kind, `+companies.SequenceColumns+
		`, number, profile, profile_id, lease_token,
			lease_until, takes_turns)
		SELECT note.id, 'issue', $1, $2, $3, $4, $5, last_number,
			CASE WHEN NOT EXISTS (SELECT FROM shared) THEN $7::jsonb END, (SELECT id FROM shared), $8,
			clock_timestamp() + make_interval(secs => $9), $11
		FROM note, sequence
		RETURNING id, number`, arguments...)
	switch refusal := pq.As(err, pqerror.UniqueViolation); {
	case refusal != nil && refusal.Constraint == "fiscal_exchanges_current":
		return nil, nil // another run of the note was faster, and the sequence was rolled back
	case errors.Is(err, sql.ErrNoRows):
		if err := companies.New(s.db).CheckTaxID(ctx,
			profile); err != nil { // first, as nothing of another's series may be told
			return nil, err
		}
		if err := numbers.New(s.db).MayTakeNumbers(ctx, profile); err != nil {
			return nil, err
		}
		return nil, s.noNumberLeft(ctx, noteID, profile, last)
	case err != nil:
		return nil, err
	}
	return &exchanges.Exchange{ID: taken.ID, NoteID: noteID, Profile: profile, Exchange: fiscal.Exchange{
		Kind: fiscal.Issue, State: fiscal.Unsigned, Series: profile.Series, Number: taken.Number,
	}}, nil
}

// noNumberLeft is ErrNoNumberLeft where the series of a note is used up, and no other run
// of the note took a number for it.
func (s *Store) noNumberLeft(ctx context.Context, noteID string, profile nfse.FiscalProfile, last int64) error {
	next, err := numbers.New(s.db).NextNumber(ctx, profile.SeriesKey())
	if err != nil || profile.NextNumber(next) <= last {
		return err
	}
	var numbered bool
	err = s.db.Get(ctx, &numbered, `SELECT EXISTS (SELECT FROM fiscal_exchanges WHERE note_id = $1 AND kind = 'issue'
		AND state NOT IN ('number_conflict', 'unused', 'spent'))`, noteID)
	if err == nil && !numbered {
		err = ErrNoNumberLeft
	}
	return err
}

// SetNextNumber has the profile's sequence go on from a number, for a company that
// continues the series of another program. A number that was taken already is an error, and
// so is an issuer that the organization may not use (CheckTaxID).
func (c *Changes) SetNextNumber(ctx context.Context, profile nfse.FiscalProfile, number int64) error {
	return c.setNextNumber(ctx, profile, nil, number)
}

// ReplaceNextNumber does the same for a person who saw which number was next: ErrChanged
// says that it has changed since, set by another person or taken by a note.
func (c *Changes) ReplaceNextNumber(ctx context.Context, profile nfse.FiscalProfile, seen, number int64) error {
	return c.setNextNumber(ctx, profile, &seen, number)
}

// setNextNumber sets the next number; with seen nil, whichever it was.
func (c *Changes) setNextNumber(ctx context.Context, profile nfse.FiscalProfile, seen *int64, number int64) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		series := profile.SeriesKey()
		if err := companies.CheckTaxID(ctx, tx, profile.OrganizationID, series.IssuerKey); err != nil {
			return audit.Record{}, err
		}
		before, err := setNextNumber(ctx, tx, profile, seen, number)
		return audit.Record{Action: audit.SeriesNextNumber, SubjectID: profile.OrganizationID,
			Before: companies.AuditSeries(series, "next_number", before), After: companies.AuditSeries(series, "next_number",
				number),
		}.OfOrganization(profile.OrganizationID), err
	})
}

// NextNumber is the number that the profile's sequence goes on from; for a new series 1, or the first
// that is granted. Of granted numbers that are used up it is the one after the last.
// It is an error of CheckTaxID where the organization may not use the issuer.
func (s *Store) NextNumber(ctx context.Context, profile nfse.FiscalProfile) (next int64, err error) {
	if err := companies.New(s.db).CheckTaxID(ctx, profile); err != nil {
		return 0, err
	}
	next, err = numbers.New(s.db).NextNumber(ctx, profile.SeriesKey())
	return profile.NextNumber(next), err
}

// setNextNumber returns the next number as it was; nil for a series that is new.
func setNextNumber(
	ctx context.Context, tx *sqlx.Tx, profile nfse.FiscalProfile, seen *int64, number int64,
) (*int64, error) {
	series := profile.SeriesKey()
	var before []int64
	err := tx.SelectContext(ctx, &before, `SELECT last_number + 1 FROM fiscal_sequences
		WHERE `+companies.ThisSequence+` FOR NO KEY UPDATE`, companies.SequenceArguments(series)...)
	if err != nil {
		return nil, err
	}
	next := int64(1) // of a series that is new
	if len(before) == 1 {
		next = before[0]
	}
	if seen != nil && profile.NextNumber(next) != *seen {
		return nil, postgres.ErrChanged
	}
	// A series that is new here may have been begun since: that row is not locked yet.
	set, err := postgres.Affected(tx.ExecContext(ctx, `
		INSERT INTO fiscal_sequences (`+companies.SequenceColumns+`, last_number)
		VALUES ($1, $2, $3, $4, $5, $6::bigint - 1)
		ON CONFLICT (`+companies.SequenceColumns+`)
		DO UPDATE SET last_number = EXCLUDED.last_number
			WHERE fiscal_sequences.last_number <= EXCLUDED.last_number
				AND ($7::bigint IS NULL OR greatest(fiscal_sequences.last_number + 1, $8::bigint) = $7)`,
		companies.SequenceArguments(series, number, seen, profile.NextNumber(1))...))
	if err == nil && set == 0 && seen != nil && len(before) == 0 {
		return nil, postgres.ErrChanged
	}
	if err == nil && set == 0 {
		err = nfse.Invalid("next_number", "numbers from %d on are taken in this series", number)
	}
	if err != nil || len(before) == 0 {
		return nil, err
	}
	return &before[0], nil
}

// EndUnbuilt ends the exchange of a number under which no message could be built: the
// number is unused, and the note may take another. Repeated, or after a message was
// signed, it changes nothing.
func (s *Store) EndUnbuilt(ctx context.Context, exchangeID int64) error {
	_, err := s.db.Exec(ctx, `
		UPDATE fiscal_exchanges SET state = 'unused', lease_token = NULL, lease_until = NULL, updated_at = now()
		WHERE id = $1 AND kind = 'issue' AND state = 'unsigned' AND NOT ambiguous
			AND NOT EXISTS (SELECT FROM fiscal_messages WHERE exchange_id = $1)`, exchangeID)
	return err
}

// NumbersLost counts the numbers of a series that the note took and found
// in use by another system, and reports whether a number of it is unused because no message
// could be built under it.
func (s *Store) NumbersLost(ctx context.Context, noteID string,
	series nfse.SeriesKey) (conflicts int, unbuilt bool, err error) {
	var lost struct {
		Conflicts int  `db:"conflicts"`
		Unbuilt   bool `db:"unbuilt"`
	}
	err = s.db.Get(ctx, &lost, `
		SELECT count(*) FILTER (WHERE state = 'number_conflict' AND `+companies.ThisSequence+`) AS conflicts,
			coalesce(bool_or(state = 'unused'), false) AS unbuilt
		FROM fiscal_exchanges WHERE note_id = $6 AND kind = 'issue'`, companies.SequenceArguments(series, noteID)...)
	return lost.Conflicts, lost.Unbuilt, err
}

// tokenOf is the argument of a statement; null of the zero lease.
func tokenOf(lease exchanges.Lease) any {
	if lease == (exchanges.Lease{}) {
		return nil
	}
	return lease.Token
}
