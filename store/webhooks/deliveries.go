package webhooks

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// firstAttempt is how long a new delivery is left to the run that settled its note,
// which makes the first attempt at once. After that it gets a run of its own.
const firstAttempt = 20 * time.Second

// A command that listens takes its deliveries itself: the process that it is connected to is told of them.
const insertDeliveries = `
	WITH delivery AS (
		INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id, requeue_after)
		SELECT id, $1, $2, $3, endpoint_id,
			now() + CASE WHEN listens THEN ` + listenersTime + ` ELSE ` + outbox.RequeuePause + ` END
		FROM unnest($4::text[], $5::text[], $6::boolean[]) AS one (id, endpoint_id, listens)
		RETURNING id, organization_id, livemode
	), start AS (
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, next_attempt_at, traceparent)
		SELECT 'delivery', id, organization_id, livemode, now() + make_interval(secs => $7), $8 FROM delivery
		WHERE id = ANY($9)
	)
	SELECT count(pg_notify('` + listeningChannel + `', 'delivery ' || endpoint_id))
	FROM unnest($5::text[], $6::boolean[]) AS one (endpoint_id, listens) WHERE listens`

// Enqueue makes a delivery of an event to each endpoint, and returns the ids of those that are to be
// sent. The delivery to a disabled endpoint ends as skipped, and can be retried once the endpoint is
// enabled.
func (s *Store) Enqueue(ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, eventID string,
	targets []EventTarget) (toSend []string, err error) {
	n := len(targets)
	ids, endpoints, listen := make([]string, n), make([]string, n), make([]bool, n)
	for i, target := range targets {
		ids[i], endpoints[i], listen[i] = nfse.NewID(nfse.PrefixDelivery), target.ID, target.Listens
		if !target.Listens {
			toSend = append(toSend, ids[i])
		}
	}
	_, err = s.db.Within(ctx, tx, insertDeliveries).ExecContext(ctx,
		scope.OrganizationID, scope.Livemode, eventID, pq.Array(ids), pq.Array(endpoints), pq.Array(listen),
		firstAttempt.Seconds(), trace.Parent(ctx), pq.Array(toSend))
	return toSend, err
}

// DeliveryStatus is where a delivery stands.
type DeliveryStatus string

// The states of a delivery.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
	DeliverySkipped   DeliveryStatus = "skipped"
)

// DeliveryToSend is what sending a delivery needs, as it is at this moment: the
// endpoint's present URL and secrets.
type DeliveryToSend struct {
	ID string `db:"id"`
	nfse.Scope
	Status         DeliveryStatus `db:"status"`
	Failures       int            `db:"failures"`
	Elapsed        time.Duration  `db:"elapsed"`       // since the window's first attempt
	Waited         time.Duration  `db:"waited"`        // since its event, where nobody has started it again
	HandedOver     bool           `db:"handed_over"`   // the first attempt failed in the run that settled the note
	Reason         fact.Fact      `db:"reason"`        // why it failed
	FailedRunID    string         `db:"failed_run_id"` // of the run that gave up
	EndpointID     string         `db:"endpoint_id"`
	EndpointState  fact.Fact      `db:"endpoint_state"` // why nothing may be sent to it; none when it may
	URL            string         `db:"url"`
	Secret         []byte         `db:"secret"`
	PreviousSecret []byte         `db:"previous_secret"`
	Payload        []byte         `db:"-"` // the body of the event; empty where EndpointState says that it is gone

	Body StoredBody `db:"body"`
}

// endpointState is why nothing may be sent to an endpoint w, or of an event e any more; NULL
// when it may. To a command that listens nothing is sent: a worker comes to what it has not taken in time.
var endpointState = `CASE
	WHEN w.deleted_at IS NOT NULL OR w.listener_key_id IS NOT NULL THEN ` +
	postgres.FactSQL(fact.DeliveryEndpointDeleted) + `
	WHEN w.disabled_at IS NOT NULL THEN ` + postgres.FactSQL(fact.DeliveryEndpointDisabled, "why", "w.disabled_reason") +
	`
	WHEN NOT ` + BodyKept + ` THEN ` + postgres.FactSQL(fact.DeliveryContentGone) + ` END`

// DeliveryToSend reads a delivery for its next attempt.
func (s *Store) DeliveryToSend(ctx context.Context, id string) (DeliveryToSend, error) {
	var delivery DeliveryToSend
	lowest, highest := postgres.IDBounds(id, nfse.PrefixDelivery, nfse.PrefixEvent)
	err := s.db.Get(ctx, &delivery, `
		SELECT d.id, d.organization_id, d.livemode, d.status, d.failures, d.handed_over,
			d.reason,
			coalesce(d.failed_run_id, '') AS failed_run_id,
			CASE WHEN d.failures = 0 THEN 0
				ELSE (extract(epoch FROM now() - d.window_started_at) * 1000000000)::bigint END AS elapsed,
			CASE WHEN d.window_started_at = d.created_at
				THEN (extract(epoch FROM now() - d.created_at) * 1000000000)::bigint ELSE 0 END AS waited,
			w.id AS endpoint_id, w.url, w.secret,
			CASE WHEN w.previous_secret_ends_at > now() THEN w.previous_secret END AS previous_secret,
			`+endpointState+` AS endpoint_state,
			e.id AS "body.event_id", e.payload AS "body.payload", e.payload_digest AS "body.payload_digest"
		FROM deliveries d
		JOIN webhook_endpoints w ON w.id = d.endpoint_id
		JOIN events e ON e.id = d.event_id AND e.id >= $2 AND e.id < $3
		WHERE d.id = $1`, id, lowest, highest)
	if err != nil || !delivery.EndpointState.None() {
		return delivery, err
	}
	delivery.Payload, err = s.EventBody(ctx, delivery.Body)
	if err == nil && len(delivery.Payload) == 0 {
		delivery.EndpointState = fact.DeliveryContentGone.Fact()
	}
	return delivery, err
}

// DeliveryOutcome is what an attempt makes of its delivery.
type DeliveryOutcome struct {
	Status DeliveryStatus
	Reason fact.Fact     // why it failed
	Wait   time.Duration // until the next attempt, while pending
	RunID  string        // of the delivery's own run; empty for a first attempt in that of the note
}

// RecordAttempt adds an attempt to the log and moves its delivery. Repeated, it adds
// another line, as the attempt was made again too.
//
// After a first attempt by the run that settled the note the delivery's outbox row is still
// there: it is deleted where the event was delivered, else it starts the delivery's own run.
func (s *Store) RecordAttempt(ctx context.Context, id string, attempt nfse.DeliveryAttempt,
	outcome DeliveryOutcome) error {
	_, err := s.db.Exec(ctx, `
		WITH attempt AS (
			INSERT INTO delivery_attempts (delivery_id, started_at, duration_ms, status, answer, problem)
			VALUES ($1, $2, $3, $4, $5, $6)
		), delivered AS (
			DELETE FROM outbox WHERE `+unclaimedDelivery+` AND $7 = 'delivered'
		), own_run AS (
			UPDATE outbox SET next_attempt_at = now() WHERE `+unclaimedDelivery+` AND $7 <> 'delivered'
		)
		UPDATE deliveries SET status = $7,
			reason = $8,
			window_started_at = CASE WHEN failures = 0 THEN $2 ELSE window_started_at END,
			failures = CASE WHEN $7 = 'delivered' THEN failures ELSE failures + 1 END,
			next_attempt_at = CASE WHEN $7 = 'pending' THEN now() + make_interval(secs => $9) END,
			requeue_after = now() + make_interval(secs => $9) + `+outbox.RequeuePause+`,
			requeues = 0,
			resolved_at = CASE WHEN $7 <> 'pending' THEN now() END,
			failed_run_id = CASE WHEN $7 = 'failed' THEN nullif($10, '') END,
			handed_over = $7 <> 'delivered' AND $10 = ''
		WHERE id = $1 AND status <> 'delivered'`,
		id, attempt.StartedAt, attempt.DurationMS, attempt.Status, attempt.Answer, attempt.Problem,
		outcome.Status, outcome.Reason, outcome.Wait.Seconds(), outcome.RunID)
	return err
}

// unclaimedDelivery is the outbox row of delivery $1 while no process has claimed it. The
// row of a restart that an operator asked for is left out.
const unclaimedDelivery = `kind = 'delivery' AND subject_id = $1 AND token IS NULL AND NOT restart`

// StartDelivery starts the own run of a new delivery now, as the run that settled its note
// makes no first attempt.
func (s *Store) StartDelivery(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE outbox SET next_attempt_at = now() WHERE `+unclaimedDelivery, id)
	return err
}

// TakeOverDelivery makes a run the own one of a delivery whose first attempt was made by
// the run that settled the note. It returns how long the next attempt has to wait. Where
// that first attempt was the only one, this run is recorded as the one that gave up.
func (s *Store) TakeOverDelivery(ctx context.Context, id, runID string) (wait time.Duration, err error) {
	err = s.db.GetContext(ctx, &wait, `
		UPDATE deliveries SET handed_over = false, failed_run_id = CASE WHEN status = 'failed' THEN $2 END
		WHERE id = $1 AND handed_over
		RETURNING greatest(0, coalesce(extract(epoch FROM next_attempt_at - now()) * 1000000000, 0))::bigint`,
		id, runID)
	return wait, postgres.NoRow(err, nil) // another run was faster, or it was sent again
}

// DelayDelivery records why a delivery could not even be tried, and when it is tried next.
func (s *Store) DelayDelivery(ctx context.Context, id string, reason fact.Fact, wait time.Duration) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE deliveries SET reason = $2, next_attempt_at = now() + make_interval(secs => $3),
			requeue_after = now() + make_interval(secs => $3) + `+outbox.RequeuePause+`
		WHERE id = $1 AND status = 'pending'`, id, reason, wait.Seconds())
	return err
}

// SkipDelivery ends a delivery whose endpoint is disabled or deleted, or whose event is no
// longer kept.
func (s *Store) SkipDelivery(ctx context.Context, id string, reason fact.Fact) error {
	_, err := s.db.ExecContext(ctx, `
		WITH skipped AS (DELETE FROM outbox WHERE `+unclaimedDelivery+`)
		UPDATE deliveries SET status = 'skipped', reason = $2, resolved_at = now(), next_attempt_at = NULL
		WHERE id = $1 AND status NOT IN ('delivered', 'skipped')`, id, reason)
	return err
}

const freshWindow = `status = 'pending', reason = NULL, failures = 0, window_started_at = now(), next_attempt_at = NULL,
	resolved_at = NULL, failed_run_id = NULL, handed_over = false,
	` + outbox.RequeueLater

// ReopenDelivery gives a delivery that had ended a fresh window: an operator
// started its workflow again.
func (s *Store) ReopenDelivery(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE deliveries SET `+freshWindow+`
		WHERE id = $1 AND status IN ('failed', 'skipped')`, id)
	return err
}

// DeliveryFilter chooses deliveries. Zero fields choose all.
type DeliveryFilter struct {
	ID         string
	Status     DeliveryStatus
	EndpointID string
	Since      time.Time // of the event
	Limit      int
}

const (
	deliveryFilter = `($1 = '' OR d.id = $1) AND ($2 = '' OR d.status = $2) AND ($3 = '' OR d.endpoint_id = $3)
		AND ($4::timestamptz IS NULL OR d.created_at >= $4)`
)

func (f DeliveryFilter) args() []any {
	var since *time.Time
	if !f.Since.IsZero() {
		since = &f.Since
	}
	return []any{f.ID, string(f.Status), f.EndpointID, since}
}

// RetryDeliveries starts the chosen deliveries again with a fresh window, and returns
// their ids. A run that is still open is replaced.
func (c *Changes) RetryDeliveries(ctx context.Context, filter DeliveryFilter) (ids []string, err error) {
	ids = []string{}
	err = c.Change(ctx, func(tx *sqlx.Tx) (records []audit.Record, err error) {
		retried, err := c.retryDeliveries(ctx, tx, filter)
		ids = ids[:0]
		for _, delivery := range retried {
			ids = append(ids, delivery.ID)
			records = append(records, audit.Record{Action: audit.DeliveryRetry, SubjectID: delivery.ID,
				Before: map[string]any{"status": delivery.Before, "endpoint_id": delivery.EndpointID},
				After:  map[string]any{"status": DeliveryPending, "endpoint_id": delivery.EndpointID},
			}.Of(delivery.Scope))
		}
		return records, err
	})
	return ids, err
}

// retriedDelivery is a delivery that was started again.
type retriedDelivery struct {
	ID string `db:"id"`
	nfse.Scope
	EndpointID string         `db:"endpoint_id"`
	Before     DeliveryStatus `db:"before"`
	Listens    bool           `db:"listens"` // its endpoint is a command that takes it itself
}

func (c *Changes) retryDeliveries(ctx context.Context, tx *sqlx.Tx, filter DeliveryFilter) (
	retried []retriedDelivery, err error) {
	err = tx.SelectContext(ctx, &retried, `
		WITH chosen AS (
			SELECT d.id, d.status FROM deliveries d WHERE `+deliveryFilter+` AND d.status <> 'delivered'
				AND EXISTS (SELECT FROM events e WHERE e.id = d.event_id AND `+BodyKept+`)
			ORDER BY d.id LIMIT $5 FOR UPDATE
		), retried AS (
			UPDATE deliveries SET `+freshWindow+` WHERE id IN (SELECT id FROM chosen)
			RETURNING id, organization_id, livemode, endpoint_id, endpoint_id IN (SELECT w.id FROM webhook_endpoints w
				WHERE w.listener_key_id IS NOT NULL AND w.deleted_at IS NULL) AS listens
		), start AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, restart, traceparent)
			SELECT 'delivery', id, organization_id, livemode, true, $7 FROM retried WHERE NOT listens
			`+outbox.AskAgain+`
		), step AS (
			INSERT INTO note_steps (note_id, fact, user_id)
			SELECT e.note_id, `+postgres.FactSQL(fact.DeliverySentAgain, "delivery", `retried.id`)+`, $6 FROM retried
			JOIN deliveries d ON d.id = retried.id JOIN events e ON e.id = d.event_id
		)
		SELECT id, organization_id, livemode, endpoint_id, chosen.status AS before, listens
		FROM retried JOIN chosen USING (id) ORDER BY id`, append(filter.args(), filter.Limit, c.UserID(),
		trace.Parent(ctx))...)
	if err == nil {
		err = tellListeners(ctx, tx, retried)
	}
	return retried, err
}

// tellListeners leaves deliveries that were started again to the commands that take them.
func tellListeners(ctx context.Context, tx *sqlx.Tx, retried []retriedDelivery) error {
	var ids []string
	for _, delivery := range retried {
		if delivery.Listens {
			ids = append(ids, delivery.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		WITH waiting AS (
			UPDATE deliveries SET requeue_after = now() + `+listenersTime+` WHERE id = ANY($1) RETURNING endpoint_id
		)
		SELECT count(pg_notify('`+listeningChannel+`', 'delivery ' || endpoint_id)) FROM waiting`, pq.Array(ids))
	return err
}

// Delivery is a delivery as an operator sees it.
type Delivery struct {
	ID string `db:"id" json:"id"`
	nfse.Scope
	EventID       string          `db:"event_id" json:"event_id"`
	EventType     nfse.EventType  `db:"event_type" json:"event_type"`
	NoteID        string          `db:"note_id" json:"note_id"`
	EndpointID    string          `db:"endpoint_id" json:"endpoint_id"`
	Listens       bool            `db:"listens" json:"listens"` // the endpoint is a command that takes it itself
	URL           string          `db:"url" json:"url"`
	Status        DeliveryStatus  `db:"status" json:"status"`
	Reason        fact.Fact       `db:"reason" json:"reason"`
	Attempts      int             `db:"attempts" json:"attempts"` // in all, of every window
	LastProblem   fact.Fact       `db:"last_problem" json:"last_problem"`
	ContentKept   bool            `db:"content_kept" json:"content_kept"` // without it nothing can be sent again
	CreatedAt     nfse.Timestamp  `db:"created_at" json:"created_at"`
	NextAttemptAt *nfse.Timestamp `db:"next_attempt_at" json:"next_attempt_at"`
	ResolvedAt    *nfse.Timestamp `db:"resolved_at" json:"resolved_at"`
}

// deliveryColumns and deliveryJoins are what is read of deliveries d.
const deliveryColumns = `
	SELECT d.id, d.organization_id, d.livemode, d.event_id, e.type AS event_type, e.note_id, d.endpoint_id, w.url,
		w.listener_key_id IS NOT NULL AS listens,
		d.status,
		d.reason, ` + BodyKept + ` AS content_kept, d.created_at, d.next_attempt_at, d.resolved_at,
		made.attempts, made.last_problem`

const deliveryJoins = ` JOIN events e ON e.id = d.event_id
	JOIN webhook_endpoints w ON w.id = d.endpoint_id` + madeAttempts

// madeAttempts counts the attempts of each delivery d; its table is read once, as each of its parts costs time.
const (
	madeAttempts = `
	CROSS JOIN LATERAL (` + attemptsOf + `) made`
	attemptsOf = `SELECT count(*) AS attempts, (array_agg(problem ORDER BY id DESC))[1] AS last_problem
		FROM delivery_attempts WHERE delivery_id = d.id`
)

const deliveryView = deliveryColumns + ` FROM deliveries d` + deliveryJoins

// Deliveries lists the chosen deliveries, newest first.
func (s *Store) Deliveries(ctx context.Context, filter DeliveryFilter) ([]Delivery, error) {
	deliveries := []Delivery{}
	err := s.db.SelectContext(ctx, &deliveries, deliveryColumns+`
		FROM (SELECT * FROM deliveries d WHERE `+deliveryFilter+` ORDER BY id DESC LIMIT $5) d`+deliveryJoins+`
		ORDER BY d.id DESC`,
		append(filter.args(), filter.Limit)...)
	return deliveries, err
}

// Retrying reports whether the delivery has failed and will be tried again.
func (d Delivery) Retrying() bool { return d.Status == DeliveryPending && d.Attempts > 0 }

// DeliveryPayload is the body of a delivery of one environment; empty once it is no longer kept.
func (s *Store) DeliveryPayload(ctx context.Context, scope nfse.Scope, id string) (payload []byte, err error) {
	var stored StoredBody
	lowest, highest := postgres.IDBounds(id, nfse.PrefixDelivery, nfse.PrefixEvent)
	err = s.db.GetContext(ctx, &stored, `SELECT e.id AS event_id, e.payload, e.payload_digest
		FROM deliveries d JOIN events e ON e.id = d.event_id AND e.id >= $4 AND e.id < $5
		WHERE d.id = $1 AND d.organization_id = $2 AND d.livemode = $3`, id, scope.OrganizationID, scope.Livemode,
		lowest, highest)
	if err != nil {
		return nil, postgres.NoRow(err, nil)
	}
	return s.EventBody(ctx, stored)
}

// Delivery reads one delivery and the log of its attempts.
func (s *Store) Delivery(ctx context.Context, id string) (Delivery, []nfse.DeliveryAttempt, error) {
	var delivery Delivery
	lowest, highest := postgres.IDBounds(id, nfse.PrefixDelivery, nfse.PrefixEvent)
	err := s.db.Get(ctx, &delivery, deliveryView+` WHERE d.id = $1 AND e.id >= $2 AND e.id < $3`, id, lowest, highest)
	if err != nil {
		return delivery, nil, postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "delivery", "there is no delivery %q",
			id))
	}
	attempts := []nfse.DeliveryAttempt{}
	err = s.db.All(ctx, &attempts, `SELECT started_at, duration_ms, status, answer, problem
		FROM delivery_attempts WHERE delivery_id = $1 ORDER BY id`, id)
	return delivery, attempts, err
}

// DeliveriesOf lists the deliveries of a note's events, oldest first.
func (s *Store) DeliveriesOf(ctx context.Context, noteID string) ([]Delivery, error) {
	deliveries := []Delivery{}
	err := s.db.All(ctx, &deliveries, deliveryView+` WHERE e.note_id = $1 ORDER BY d.id`, noteID)
	return deliveries, err
}

// EventTarget is an endpoint that wants an event.
type EventTarget struct {
	ID      string `db:"id"`
	Listens bool   `db:"listens"`
}

const FailedLately = 30 * 24 * time.Hour // older failures are not listed
