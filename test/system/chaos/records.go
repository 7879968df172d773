package main

import (
	"context"
	"time"

	"emissor/internal/packed"
)

// noteRow is a note as the database has it.
type noteRow struct {
	ID             string     `db:"id"`
	OrganizationID string     `db:"organization_id"`
	Livemode       bool       `db:"livemode"`
	Reference      string     `db:"reference"`
	Status         string     `db:"status"`
	Scenario       string     `db:"scenario"`
	Amount         int        `db:"amount_cents"`
	AccessKey      string     `db:"access_key"`
	Pending        bool       `db:"municipality_check_pending"`
	CreatedAt      time.Time  `db:"created_at"`
	SentAt         *time.Time `db:"sent_at"`
	IssuedAt       *time.Time `db:"issued_at"`
	RejectedAt     *time.Time `db:"rejected_at"`
	CancelledAt    *time.Time `db:"cancelled_at"`
	Cancellation   string     `db:"cancellation_status"`
	RequestedAt    *time.Time `db:"cancellation_requested_at"`
	DPS            string     `db:"dps"`    // id of the message that was accepted
	Number         string     `db:"number"` // that it has of its series
	Held           string     `db:"held"`   // the code of why it waits for a person
	Exchanges      string     `db:"exchanges"`
}

func (n noteRow) final() bool {
	return n.Status == "issued" || n.Status == "rejected" || n.Status == "cancelled"
}

// endedAt is when the note first ended.
func (n noteRow) endedAt() *time.Time {
	for _, at := range []*time.Time{n.IssuedAt, n.RejectedAt, n.CancelledAt} {
		if at != nil {
			return at
		}
	}
	return nil
}

// eventRow is an event as the database has it.
type eventRow struct {
	ID             string `db:"id"`
	OrganizationID string `db:"organization_id"`
	Livemode       bool   `db:"livemode"`
	NoteID         string `db:"note_id"`
	Type           string `db:"type"`
	Payload        []byte `db:"payload"`
}

func (s *system) notes(ctx context.Context) (map[string]noteRow, error) {
	var rows []noteRow
	err := s.database.SQL.SelectContext(ctx, &rows, `SELECT n.id, n.organization_id, n.livemode, n.reference, n.status,
			coalesce(n.scenario, '') AS scenario, n.amount_cents, coalesce(n.access_key, '') AS access_key,
			n.municipality_check_pending, n.created_at, n.sent_at, n.issued_at, n.rejected_at, n.cancelled_at,
			coalesce(n.cancellation_status, '') AS cancellation_status, n.cancellation_requested_at,
			coalesce(e.message_id, '') AS dps, coalesce(e.number::text, '') AS number,
			coalesce(n.held_reason ->> 'code', '') AS held,
			coalesce((SELECT string_agg(concat_ws(' ', x.kind, x.state, x.disposition), ', ' ORDER BY x.created_at)
				FROM fiscal_exchanges x WHERE x.note_id = n.id), '') AS exchanges
		FROM notes n
		LEFT JOIN fiscal_exchanges e ON e.note_id = n.id AND e.kind = 'issue' AND e.state = 'accepted'`)
	notes := make(map[string]noteRow, len(rows))
	for _, row := range rows {
		notes[row.ID] = row
	}
	return notes, err
}

func (s *system) events(ctx context.Context) (events []eventRow, err error) {
	err = s.database.SQL.SelectContext(ctx, &events,
		`SELECT id, organization_id, livemode, note_id, type, payload FROM events`)
	for i := range events {
		if err == nil {
			events[i].Payload, err = packed.Unpack(events[i].Payload)
		}
	}
	return events, err
}

// count reads one number.
func (s *system) count(ctx context.Context, query string) (n int, err error) {
	err = s.database.SQL.GetContext(ctx, &n, query)
	return n, err
}
