package operate

import (
	"context"
	"log/slog"
	"math"
	"strconv"
	"time"

	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/nfse"
	"emissor/store/books"
	"emissor/store/postgres"
)

const (
	// With rollUpInterval the figures are less than a minute old.
	rollUpInterval = 15 * time.Second

	// rollUpLongest is how long one round may take; the next one continues.
	rollUpLongest = 2 * time.Minute
)

// KeepRolledUp rolls up the moves of notes, and the calls to authorities, again and again until ctx ends. Several
// processes may do so at once.
func (s *Store) KeepRolledUp(ctx context.Context, logger *slog.Logger) {
	s.KeepRolledUpEvery(ctx, logger, rollUpInterval, rollUpLongest)
}

// KeepRolledUpEvery is KeepRolledUp with other pauses and times.
func (s *Store) KeepRolledUpEvery(ctx context.Context, logger *slog.Logger, pause, longest time.Duration) {
	for {
		for _, part := range []struct {
			what, loop string
			do         func(context.Context) error
		}{
			{"the figures of notes", rollUps.Name, s.RollUp},
			{"the figures of months", books.Closings.Name, books.New(s.db).RollUpClosings},
			{"the calls to authorities", callPeriods.Name, s.RollUpCalls},
		} {
			if err := panics.Within(ctx, longest, part.do); err != nil && ctx.Err() == nil {
				logger.ErrorContext(ctx, part.what+" could not be rolled up; it is tried again", "loop", part.loop,
					"wait", pause.String(), "error", err)
			}
		}
		if retry.Sleep(ctx, pause) != nil {
			return
		}
	}
}

// RollUp adds to the figures what notes have done since they were last rolled up. A move is counted in the statement
// that deletes it: once, no matter in which order moves were committed.
func (s *Store) RollUp(ctx context.Context) error {
	for {
		looked, _, err := s.db.Counted(ctx, rollUps, postgres.RollUpBatch)
		if err != nil || looked < postgres.RollUpBatch {
			return err
		}
	}
}

var rollUps = postgres.RowLoop{
	Name: `roll-ups`, ID: `id`,
	Due:  `SELECT id AS key, ctid AS place FROM note_moves WHERE %s LIMIT $1`,
	Lock: `FOR UPDATE`,
	Do: `
		WITH due AS MATERIALIZED (%s), taken AS ( -- a place is that of a part, and of several rows
			DELETE FROM note_moves WHERE ctid = ANY(ARRAY(SELECT place FROM due)) AND id = ANY(ARRAY(SELECT key FROM due))
			RETURNING *
		), changed (organization_id, livemode, day, kind, name, notes, amount_cents) AS (
			SELECT organization_id, livemode, day, 'state', became, 1, amount_cents FROM taken
			UNION ALL
			SELECT organization_id, livemode, day, 'state', was, -1, -amount_cents FROM taken WHERE was IS NOT NULL
			UNION ALL
			SELECT organization_id, livemode, day, 'rejection', coalesce(rejection_code, ''), 1, 0 FROM taken
			WHERE became = 'rejected'
			UNION ALL
			SELECT organization_id, livemode, day, 'time',
				ceil(ln(greatest(1, milliseconds)) / ln(1.2))::int::text, 1, 0 FROM taken
			WHERE milliseconds IS NOT NULL
		), added AS (
			INSERT INTO note_figures AS f (organization_id, livemode, day, kind, name, notes, amount_cents)
			SELECT organization_id, livemode, day, kind, name, sum(notes), sum(amount_cents) FROM changed
			GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
			ON CONFLICT (organization_id, livemode, day, kind, name) DO UPDATE
				SET notes = f.notes + excluded.notes, amount_cents = f.amount_cents + excluded.amount_cents
		)
		SELECT count(*), count(*) FROM taken`,
}

// NoteFigures are the figures of a scope since a day. Each note counts on the day on
// which it was accepted.
type NoteFigures struct {
	First      string       // the day of the scope's first note, as 2026-11-22, also before that; empty: it has none
	Days       []DayFigures // those with a note, in their order
	Rejections []Figure     // by code, the most frequent first
	times      map[int]int64
}

// DayFigures are the notes of a day by their state.
type DayFigures struct {
	Day   string // as 2026-11-22
	Notes map[nfse.Status]Figure
}

// Figure counts notes and adds up their amounts.
type Figure struct {
	Name        string `db:"name"`
	Notes       int64  `db:"notes"`
	AmountCents int64  `db:"amount_cents"` // at most what an int64 holds
}

// NoteFigures reads the figures of a scope. They are as old as the last roll-up.
func (s *Store) NoteFigures(ctx context.Context, scope nfse.Scope, since time.Time) (figures NoteFigures, err error) {
	var rows []struct {
		Day  string `db:"day"`
		Kind string `db:"kind"`
		Figure
	}
	first := since.Format(time.DateOnly)
	if err := s.db.SelectContext(ctx, &rows, `
		SELECT to_char(day, 'YYYY-MM-DD') AS day, kind, name, notes,
			least(amount_cents, 9223372036854775807)::bigint AS amount_cents
		FROM note_figures WHERE organization_id = $1 AND livemode = $2 AND day >= $3::date AND kind <> 'rejection'
			AND notes <> 0
		ORDER BY organization_id, livemode, day, kind, name`, scope.OrganizationID, scope.Livemode, first); err != nil {
		return figures, err
	}
	if err := s.db.GetContext(ctx, &figures.First, `
		SELECT coalesce((SELECT to_char(day, 'YYYY-MM-DD') FROM note_figures WHERE organization_id = $1 AND livemode = $2
			ORDER BY organization_id, livemode, day LIMIT 1), '')`, scope.OrganizationID, scope.Livemode); err != nil {
		return figures, err
	}
	figures.times = map[int]int64{}
	for _, row := range rows {
		if row.Kind == "time" {
			power, err := strconv.Atoi(row.Name)
			if err != nil {
				return figures, err
			}
			figures.times[power] += row.Notes
			continue
		}
		if last := len(figures.Days) - 1; last < 0 || figures.Days[last].Day != row.Day {
			figures.Days = append(figures.Days, DayFigures{row.Day, map[nfse.Status]Figure{}})
		}
		figures.Days[len(figures.Days)-1].Notes[nfse.Status(row.Name)] = row.Figure
	}
	err = s.db.SelectContext(ctx, &figures.Rejections, `
		SELECT name, sum(notes)::bigint AS notes, 0 AS amount_cents FROM note_figures
		WHERE organization_id = $1 AND livemode = $2 AND day >= $3::date AND kind = 'rejection'
		GROUP BY name ORDER BY notes DESC, name LIMIT 10`, scope.OrganizationID, scope.Livemode, first)
	return figures, err
}

// TimeToIssue is an upper bound of the given quantile of the times from acceptance to
// issue, at most a fifth too high; ok is false where no note was issued.
func (f NoteFigures) TimeToIssue(quantile float64) (most time.Duration, ok bool) {
	var all, counted int64
	highest := 0
	for power, notes := range f.times {
		all += notes
		highest = max(highest, power)
	}
	for power := 0; power <= highest && all > 0; power++ {
		if counted += f.times[power]; float64(counted) >= quantile*float64(all) {
			return time.Duration(math.Pow(1.2, float64(power)) * float64(time.Millisecond)), true
		}
	}
	return 0, false
}
