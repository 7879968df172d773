package books

import (
	"context"
	"strings"
	"time"

	"emissor/nfse"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// MonthState is how a note with a document counts in its month.
type MonthState string

// The states. Only issued notes stand; of the others the closing says what they were.
const (
	MonthIssued    MonthState = "issued"
	MonthCancelled MonthState = "cancelled"
	MonthReplaced  MonthState = "replaced" // cancelled by the note that replaces it
)

// MonthSums are sums of notes with a document, as their documents state the amounts, in cents.
// A sum is at most what an int64 holds.
type MonthSums struct {
	Notes            int64 `db:"notes"`
	Unstated         int64 `db:"unstated"` // of them whose documents state no totals
	AmountCents      int64 `db:"amount_cents"`
	TotalCents       int64 `db:"total_cents"`
	NetCents         int64 `db:"net_cents"`
	ISSCents         int64 `db:"iss_cents"`
	ISSWithheldCents int64 `db:"iss_withheld_cents"` // of it, by customers
	IRRFCents        int64 `db:"irrf_cents"`
	CSRFCents        int64 `db:"csrf_cents"`
	INSSCents        int64 `db:"inss_cents"`
	IBSCents         int64 `db:"ibs_cents"`
	CBSCents         int64 `db:"cbs_cents"`
}

// ISSDueCents is the ISS that the company itself pays.
func (s MonthSums) ISSDueCents() int64 { return s.ISSCents - s.ISSWithheldCents }

// Plus adds up two sums.
func (s MonthSums) Plus(o MonthSums) MonthSums {
	return MonthSums{
		Notes: s.Notes + o.Notes, Unstated: s.Unstated + o.Unstated, AmountCents: s.AmountCents + o.AmountCents,
		TotalCents: s.TotalCents + o.TotalCents, NetCents: s.NetCents + o.NetCents, ISSCents: s.ISSCents + o.ISSCents,
		ISSWithheldCents: s.ISSWithheldCents + o.ISSWithheldCents, IRRFCents: s.IRRFCents + o.IRRFCents,
		CSRFCents: s.CSRFCents + o.CSRFCents, INSSCents: s.INSSCents + o.INSSCents, IBSCents: s.IBSCents + o.IBSCents,
		CBSCents: s.CBSCents + o.CBSCents,
	}
}

// MonthFigure are the sums of a month's notes of one service in one city under one regime.
type MonthFigure struct {
	Month     nfse.Month `db:"month"`
	State     MonthState `db:"state"`
	ServiceID string     `db:"service_id"`
	Service   string     `db:"service"` // its name now
	City      string     `db:"city"`    // where it is rendered, by its IBGE code
	// Regime is the option in Simples Nacional and the assessment (opSimpNac:regApTribSN) by which
	// it was issued; empty of test notes.
	Regime string `db:"regime"`
	MonthSums
}

// monthSums are the columns that are added up.
var monthSums = []string{"notes", "unstated", "amount_cents", "total_cents", "net_cents", "iss_cents",
	"iss_withheld_cents", "irrf_cents", "csrf_cents", "inss_cents", "ibs_cents", "cbs_cents"}

const monthKeys = `organization_id, livemode, month, state, service_id, city, regime`

// MonthFigures reads the figures of the months from first to last. They are exact: what was not
// rolled up yet is added.
func (s *Store) MonthFigures(ctx context.Context, scope nfse.Scope, first, last nfse.Month) (figures []MonthFigure,
	err error) {
	var sums []string
	for _, column := range monthSums {
		sums = append(sums, `least(sum(`+column+`), 9223372036854775807)::bigint AS `+column)
	}
	columns := monthKeys + `, ` + strings.Join(monthSums, `, `)
	const ofMonths = ` WHERE organization_id = $1 AND livemode = $2 AND month BETWEEN $3::date AND $4::date`
	err = s.db.SelectContext(ctx, &figures, `
		SELECT f.*, coalesce((SELECT name FROM services v WHERE v.id = f.service_id), '') AS service FROM (
			SELECT to_char(month, 'YYYY-MM') AS month, state, service_id, city, regime, `+strings.Join(sums, `, `)+`
			FROM (
				SELECT `+columns+` FROM closing_figures`+ofMonths+`
				UNION ALL
				SELECT `+columns+` FROM closing_moves`+ofMonths+`
			) counted GROUP BY month, state, service_id, city, regime HAVING sum(notes) <> 0) f
		ORDER BY f.month, f.amount_cents DESC, f.service_id, f.city, f.regime, f.state`,
		scope.OrganizationID, scope.Livemode, postgres.FirstDay(first), postgres.FirstDay(last))
	return figures, err
}

// MonthTotal is what a month's issued notes come to.
type MonthTotal struct {
	Month       nfse.Month `db:"month"`
	AmountCents int64      `db:"amount_cents"`
	ISSCents    int64      `db:"iss_cents"`
}

// MonthTotals are the months from first to last that have an issued note, in their order. Like MonthFigures it is
// exact, and reads a row for each service of a month, not for each note.
func (s *Store) MonthTotals(ctx context.Context, scope nfse.Scope, first, last nfse.Month) (totals []MonthTotal,
	err error) {
	const issued = ` WHERE organization_id = $1 AND livemode = $2 AND month BETWEEN $3::date AND $4::date
		AND state = 'issued'`
	err = s.db.SelectContext(ctx, &totals, `
		SELECT to_char(month, 'YYYY-MM') AS month, least(sum(amount_cents), 9223372036854775807)::bigint AS amount_cents,
			least(sum(iss_cents), 9223372036854775807)::bigint AS iss_cents
		FROM (
			SELECT month, notes, amount_cents, iss_cents FROM closing_figures`+issued+`
			UNION ALL
			SELECT month, notes, amount_cents, iss_cents FROM closing_moves`+issued+`
		) counted GROUP BY counted.month HAVING sum(notes) > 0 ORDER BY counted.month`,
		scope.OrganizationID, scope.Livemode, postgres.FirstDay(first), postgres.FirstDay(last))
	return totals, err
}

// Closings adds to the figures of months what was recorded since it was last done. A move is
// counted in the statement that deletes it: once.
var Closings = postgres.RowLoop{
	Name: `closings`, ID: `id`,
	Due:  `SELECT id AS key FROM closing_moves WHERE %s ORDER BY id LIMIT $1`,
	Lock: `FOR UPDATE`,
	Do: `
		WITH taken AS (
			DELETE FROM closing_moves WHERE id IN (SELECT key FROM (%s) due) RETURNING *
		), added AS (
			INSERT INTO closing_figures AS f (` + monthKeys + `, ` + strings.Join(monthSums, `, `) + `)
			SELECT ` + monthKeys + `, sum(` + strings.Join(monthSums, `), sum(`) + `) FROM taken
			GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
			ON CONFLICT (` + monthKeys + `) DO UPDATE SET ` + addedUp() + `
		)
		SELECT count(*), count(*) FROM taken`,
}

func addedUp() string {
	var set []string
	for _, column := range monthSums {
		set = append(set, column+` = f.`+column+` + excluded.`+column)
	}
	return strings.Join(set, `, `)
}

// RollUpClosings adds up what notes have done to their months since it was last done.
func (s *Store) RollUpClosings(ctx context.Context) error {
	for {
		looked, _, err := s.db.Counted(ctx, Closings, postgres.RollUpBatch)
		if err != nil || looked < postgres.RollUpBatch {
			return err
		}
	}
}

// OpenNote is a note of a month that is not at its end.
type OpenNote struct {
	ID          string      `db:"id"`
	Reference   string      `db:"reference"`
	Customer    string      `db:"customer"`
	Competence  nfse.Day    `db:"competence"`
	AmountCents int64       `db:"amount_cents"`
	Status      nfse.Status `db:"status"`
	Held        bool        `db:"held"`       // it waits for a person
	Cancelling  bool        `db:"cancelling"` // its cancellation is pending
}

// OpenNotes lists the notes of a month that are not at their end, by competence: at most limit.
func (s *Store) OpenNotes(ctx context.Context, scope nfse.Scope, month nfse.Month, limit int) ([]OpenNote, error) {
	notes := []OpenNote{}
	err := s.db.SelectContext(ctx, &notes, `
		SELECT id, reference, coalesce(customer ->> 'name', '') AS customer, competence, amount_cents, status,
			held_reason IS NOT NULL AS held, coalesce(cancellation_status = 'pending', false) AS cancelling
		FROM notes WHERE organization_id = $1 AND livemode = $2 AND competence >= $3::date
			AND competence < ($3::date + interval '1 month')::date
			AND (status IN ('queued', 'processing') OR cancellation_status = 'pending')
		ORDER BY organization_id, livemode, competence, id LIMIT $4`,
		scope.OrganizationID, scope.Livemode, postgres.FirstDay(month), limit)
	return notes, err
}

// MonthPlace is a place in the notes of a month; the zero value is before the first.
type MonthPlace struct {
	Day nfse.Day
	ID  string
}

// MonthNotes lists the notes of a month that have a document, by competence and id, after a
// place: at most limit.
func (s *Store) MonthNotes(ctx context.Context, scope nfse.Scope, month nfse.Month, after MonthPlace,
	limit int) (list []nfse.Note, next MonthPlace, err error) {
	var rows []notes.Row
	day := string(after.Day)
	if day == "" {
		day = postgres.FirstDay(month)
	}
	err = s.db.SelectContext(ctx, &rows, `
		SELECT `+notes.Columns+` FROM notes
		WHERE organization_id = $1 AND livemode = $2 AND competence < ($3::date + interval '1 month')::date
			AND (competence, id) > ($4::date, $5) AND issued_at IS NOT NULL
		ORDER BY organization_id, livemode, competence, id LIMIT $6`,
		scope.OrganizationID, scope.Livemode, postgres.FirstDay(month), day, after.ID, limit)
	next = after
	for _, row := range rows {
		note, err := row.Note()
		if err != nil {
			return nil, after, err
		}
		list, next = append(list, note), MonthPlace{note.Competence, note.ID}
	}
	return list, next, err
}

// LedgerLeftOut counts the notes with a document in a period that the ledger does not have,
// because their keys do not register there, or were issued where nothing does: at most limit.
func (s *Store) LedgerLeftOut(ctx context.Context, organizationID string, since, until time.Time,
	limit int) (notes int, err error) {
	err = s.db.GetContext(ctx, &notes, `
		SELECT count(*) FROM (
			SELECT FROM notes WHERE organization_id = $1 AND livemode AND issued_at >= $2 AND issued_at < $3
				AND NOT register_ledger LIMIT $4) counted`, organizationID, since, until, limit)
	return notes, err
}
