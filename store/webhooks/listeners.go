package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/postgres"
)

const (
	// ListenerLease is how long an endpoint that listens stays when nobody renews it: its command, or the process that
	// it was connected to, is gone without a word.
	ListenerLease = 15 * time.Minute

	// RenewEach is how often an endpoint is renewed whose command is connected.
	RenewEach = 5 * time.Minute

	// listenersTime is how long a delivery waits for a command that listens. Then a worker skips it.
	listenersTime = `interval '1 hour'`

	// MostListeners is how many endpoints of one key may listen at once.
	MostListeners = 5
)

// Listener is a webhook endpoint that a command is: it takes its deliveries itself.
type Listener struct {
	ID    string `db:"id"`
	KeyID string `db:"listener_key_id"`
	nfse.Scope
}

// Listen puts an endpoint on record that listens for a key, with a secret that is sealed for it. The key's endpoints
// that were not renewed when they should have been end. One too many is a LimitError.
func (c *Changes) Listen(ctx context.Context, key nfse.APIKey, endpoint Endpoint) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(endListeners, `organization_id = $2 AND livemode = $3
			AND listener_key_id = $4 AND listens_until < now() + make_interval(secs => $5)`),
			fact.DeliveryEndpointDeleted.Fact(), key.OrganizationID, key.Livemode, key.ID,
			(ListenerLease - 2*RenewEach).Seconds())
		if err != nil {
			return audit.Record{}, err
		}
		var created Endpoint
		err = tx.GetContext(ctx, &created, `
			INSERT INTO webhook_endpoints (id, organization_id, livemode, url, secret, events, listener_key_id,
				listens_until)
			VALUES ($1, $2, $3, $4, $5, coalesce($6::text[], '{}'), $7, now() + make_interval(secs => $8))
			RETURNING `+endpointColumns,
			endpoint.ID, key.OrganizationID, key.Livemode, endpoint.URL, endpoint.Secret, endpoint.Events, key.ID,
			ListenerLease.Seconds())
		if err == nil {
			err = postgres.KeepWithin(ctx, tx, key.Scope, MostListeners, "commands that listen with this key", listenersOfKey,
				key.ID)
		}
		return audit.Record{Action: audit.WebhookListen, SubjectID: endpoint.ID, After: auditEndpoint(created)}.
			Of(key.Scope), err
	})
}

// listenersOfKey counts what a key has listen.
const listenersOfKey = postgres.PresentEndpoints + ` AND listener_key_id = $3`

// Listener reads an endpoint of a key that listens; ok is false where there is none, or none any more.
func (s *Store) Listener(ctx context.Context, key nfse.APIKey, id string) (listener Listener, ok bool, err error) {
	err = s.db.Get(ctx, &listener, `SELECT id, listener_key_id, organization_id, livemode FROM webhook_endpoints
		WHERE id = $1 AND listener_key_id = $2 AND organization_id = $3 AND livemode = $4 AND deleted_at IS NULL`,
		id, key.ID, key.OrganizationID, key.Livemode)
	return listener, err == nil, postgres.NoRow(err, nil)
}

// WaitingDelivery is a delivery that a listener is to take.
type WaitingDelivery struct {
	ID        string         `db:"id"`
	EventID   string         `db:"event_id"`
	EventType nfse.EventType `db:"event_type"`
	NoteID    string         `db:"note_id"`
	Payload   []byte         `db:"-"` // the body of the event

	Body StoredBody `db:"body"`
}

// WaitingDeliveries are the deliveries that wait for a listener, oldest first, at most limit of them. Those whose event
// cannot be read any more are skipped.
func (s *Store) WaitingDeliveries(ctx context.Context, listener Listener, limit int) ([]WaitingDelivery, error) {
	var found []WaitingDelivery
	err := s.db.All(ctx, &found, `
		SELECT d.id, e.id AS event_id, e.type AS event_type, e.note_id,
			e.id AS "body.event_id", e.payload AS "body.payload", e.payload_digest AS "body.payload_digest"
		FROM (SELECT id, event_id FROM deliveries WHERE endpoint_id = $1 AND status = 'pending'
			ORDER BY id LIMIT $2) d
		CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id LIMIT 1) e
		ORDER BY d.id`, listener.ID, limit)
	if err != nil {
		return nil, err
	}
	kept, err := s.readable(ctx, found)
	if err == nil && len(kept) == 0 && len(found) == limit { // behind those that were skipped there may be others
		return s.WaitingDeliveries(ctx, listener, limit)
	}
	return kept, err
}

// readable are the deliveries whose events can be read, with them; the others are skipped.
func (s *Store) readable(ctx context.Context, found []WaitingDelivery) (kept []WaitingDelivery, err error) {
	for _, delivery := range found {
		delivery.Payload, err = s.EventBody(ctx, delivery.Body)
		switch {
		case ctx.Err() != nil || postgres.IsUnavailable(err):
			return nil, err
		case err != nil || len(delivery.Payload) == 0:
			if err := s.skipUnreadable(ctx, delivery.ID); err != nil {
				return nil, err
			}
		default:
			kept = append(kept, delivery)
		}
	}
	return kept, nil
}

// skipUnreadable ends a delivery whose event cannot be read, so that those behind it are taken.
func (s *Store) skipUnreadable(ctx context.Context, id string) error {
	_, err := s.db.Exec(ctx, `UPDATE deliveries SET status = 'skipped', reason = $2, resolved_at = now()
		WHERE id = $1 AND status = 'pending'`, id, fact.DeliveryContentGone.Fact())
	return err
}

// RecordTaken adds what came of a delivery that a listener took to the log, and ends the delivery: a listener makes one
// attempt. Told again, or of a delivery that is not its own, nothing changes.
func (s *Store) RecordTaken(ctx context.Context, listener Listener, id string, attempt nfse.DeliveryAttempt) error {
	status, reason := DeliveryDelivered, fact.Fact{}
	if !attempt.Problem.None() {
		status, reason = DeliveryFailed, attempt.Problem
	}
	_, err := s.db.Exec(ctx, `
		WITH taken AS (
			UPDATE deliveries SET status = $8, reason = $9, resolved_at = now(),
				failures = failures + CASE WHEN $8 = 'failed' THEN 1 ELSE 0 END
			WHERE id = $1 AND endpoint_id = $2 AND status = 'pending'
			RETURNING id
		)
		INSERT INTO delivery_attempts (delivery_id, started_at, duration_ms, status, answer, problem)
		SELECT id, $3, $4, $5, $6, $7 FROM taken`,
		id, listener.ID, attempt.StartedAt, attempt.DurationMS, attempt.Status, attempt.Answer, attempt.Problem,
		status, reason)
	return err
}

// endListeners ends endpoints, and skips what still waits for them.
const endListeners = `
	WITH ended AS (
		UPDATE webhook_endpoints SET deleted_at = now()
		WHERE %s AND listens_until IS NOT NULL AND deleted_at IS NULL
		RETURNING id
	)
	UPDATE deliveries SET status = 'skipped', reason = $1, resolved_at = now()
	WHERE endpoint_id IN (SELECT id FROM ended) AND status = 'pending'`

// EndListener ends an endpoint that listens, as its command does.
func (s *Store) EndListener(ctx context.Context, listener Listener) error {
	_, err := s.db.Exec(ctx, fmt.Sprintf(endListeners, `id = $2`), fact.DeliveryEndpointDeleted.Fact(), listener.ID)
	return err
}

// EndLeftListeners ends the endpoints that nobody has renewed.
func (s *Store) EndLeftListeners(ctx context.Context) error {
	_, err := s.db.Exec(ctx, fmt.Sprintf(endListeners, `listens_until < now()`), fact.DeliveryEndpointDeleted.Fact())
	return err
}

// RenewListeners says that the commands of these endpoints are connected.
func (s *Store) RenewListeners(ctx context.Context, ids []string) error {
	_, err := s.db.Exec(ctx, `UPDATE webhook_endpoints SET listens_until = now() + make_interval(secs => $2)
		WHERE id = ANY($1) AND deleted_at IS NULL`, pq.Array(ids), ListenerLease.Seconds())
	return err
}
