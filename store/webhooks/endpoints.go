package webhooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/postgres"
)

type auditedEndpoint struct {
	Host           string          `json:"host"`
	URLDigest      string          `json:"url_sha256"` // its beginning: that the rest of the URL changed
	Events         []string        `json:"events"`     // that it wants; empty: all
	RotatingUntil  *nfse.Timestamp `json:"previous_secret_ends_at"`
	DisabledAt     *nfse.Timestamp `json:"disabled_at"`
	DisabledReason fact.Fact       `json:"disabled_reason"`
	RemovedAt      *nfse.Timestamp `json:"removed_at"`
}

func auditEndpoint(e Endpoint) auditedEndpoint {
	host := ""
	if parsed, err := url.Parse(e.URL); err == nil {
		host = parsed.Host
	}
	sum := sha256.Sum256([]byte(e.URL))
	return auditedEndpoint{host, hex.EncodeToString(sum[:4]), e.Events,
		e.PreviousSecretEndsAt, e.DisabledAt, e.DisabledReason, e.DeletedAt}
}

// Endpoint is where an organization wants its events sent.
type Endpoint struct {
	ID string `db:"id"`
	nfse.Scope
	URL                  string          `db:"url"`
	Events               pq.StringArray  `db:"events"`          // that it wants; empty: all
	Secret               []byte          `db:"secret"`          // sealed
	PreviousSecret       []byte          `db:"previous_secret"` // sealed; nil outside a rotation
	PreviousSecretEndsAt *nfse.Timestamp `db:"previous_secret_ends_at"`
	CreatedAt            nfse.Timestamp  `db:"created_at"`
	DisabledAt           *nfse.Timestamp `db:"disabled_at"`
	DisabledReason       fact.Fact       `db:"disabled_reason"`
	DeletedAt            *nfse.Timestamp `db:"deleted_at"`
	Listens              bool            `db:"listens"` // it is a command that takes its deliveries itself
}

// The previous secret of a rotation that is over is left out.
const endpointColumns = `id, organization_id, livemode, url, events, secret,
	CASE WHEN previous_secret_ends_at > now() THEN previous_secret END AS previous_secret,
	CASE WHEN previous_secret_ends_at > now() THEN previous_secret_ends_at END AS previous_secret_ends_at,
	created_at, disabled_at, disabled_reason, deleted_at, listener_key_id IS NOT NULL AS listens`

// CreateEndpoint puts an endpoint on record. Its id is made before, because the
// secret is sealed for it. Where there are as many as there may be, it is a LimitError.
func (c *Changes) CreateEndpoint(ctx context.Context, endpoint Endpoint) (created Endpoint, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		err := tx.GetContext(ctx, &created, `
			INSERT INTO webhook_endpoints (id, organization_id, livemode, url, secret, events)
			VALUES ($1, $2, $3, $4, $5, coalesce($6::text[], '{}'))
			RETURNING `+endpointColumns,
			endpoint.ID, endpoint.OrganizationID, endpoint.Livemode, endpoint.URL, endpoint.Secret, endpoint.Events)
		if err == nil {
			err = c.store.db.Limits.KeepEndpoints(ctx, tx, created.Scope)
		}
		return audit.Record{Action: audit.WebhookAdd, SubjectID: created.ID, After: auditEndpoint(created)}.
			Of(created.Scope), err
	})
	return created, err
}

// Endpoint reads one endpoint, deleted ones too.
func (s *Store) Endpoint(ctx context.Context, id string) (Endpoint, error) {
	var endpoint Endpoint
	err := s.db.GetContext(ctx, &endpoint, `SELECT `+endpointColumns+` FROM webhook_endpoints WHERE id = $1`, id)
	return endpoint, endpointFound(id, err)
}

// Endpoints lists an organization's endpoints, oldest first, without deleted
// ones and commands that listen; with an empty organization those of all.
func (s *Store) Endpoints(ctx context.Context, organizationID string) ([]Endpoint, error) {
	endpoints := []Endpoint{}
	err := s.db.SelectContext(ctx, &endpoints, `SELECT `+endpointColumns+` FROM webhook_endpoints
		WHERE deleted_at IS NULL AND listener_key_id IS NULL AND ($1 = '' OR organization_id = $1)
		ORDER BY id`, organizationID)
	return endpoints, err
}

// EndpointsIn lists the endpoints of one environment, oldest first, without deleted
// ones and commands that listen.
func (s *Store) EndpointsIn(ctx context.Context, scope nfse.Scope) ([]Endpoint, error) {
	endpoints := []Endpoint{}
	err := s.db.SelectContext(ctx, &endpoints, `SELECT `+endpointColumns+` FROM webhook_endpoints
		WHERE organization_id = $1 AND livemode = $2 AND deleted_at IS NULL AND listener_key_id IS NULL ORDER BY id`,
		scope.OrganizationID, scope.Livemode)
	return endpoints, err
}

// EndpointIn reads an endpoint of one environment, deleted ones too.
func (s *Store) EndpointIn(ctx context.Context, scope nfse.Scope, id string) (endpoint Endpoint, err error) {
	err = s.db.GetContext(ctx, &endpoint, `SELECT `+endpointColumns+` FROM webhook_endpoints
		WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	return endpoint, endpointFound(id, err)
}

// DisableEndpoint stops deliveries to an endpoint: what is on its way is
// skipped. The first reason stays.
func (c *Changes) DisableEndpoint(ctx context.Context, id string, reason fact.Fact) (Endpoint, error) {
	return c.changeEndpoint(ctx, audit.WebhookDisable, id, nil, `disabled_at = coalesce(disabled_at, now()),
		disabled_reason = coalesce(disabled_reason, $2)`, reason)
}

// EnableEndpoint lets deliveries go to an endpoint again, from the next event on.
func (c *Changes) EnableEndpoint(ctx context.Context, id string) (Endpoint, error) {
	return c.changeEndpoint(ctx, audit.WebhookEnable, id, nil,
		`disabled_at = NULL, disabled_reason = NULL, gone_since = NULL`)
}

// DeleteEndpoint removes an endpoint. Its row stays because deliveries refer to it.
func (c *Changes) DeleteEndpoint(ctx context.Context, id string) (Endpoint, error) {
	return c.changeEndpoint(ctx, audit.WebhookRemove, id, nil, `deleted_at = now()`)
}

// SetEndpoint changes the URL of an endpoint and the events that it wants, unless check, with the
// endpoint as it is now, returns an error. Its secret stays. What is on its way goes to the new URL.
func (c *Changes) SetEndpoint(
	ctx context.Context, id, url string, events []string, check func(Endpoint) error,
) (Endpoint, error) {
	return c.changeEndpoint(ctx, audit.WebhookSet, id, check,
		`gone_since = CASE WHEN url = $2 THEN gone_since END, url = $2, events = coalesce($3::text[], '{}')`,
		url, pq.StringArray(events))
}

// RotateSecret gives an endpoint a new secret; the previous one signs as well for 24 hours.
// Within that time another rotation must be forced, as a receiver that still has the first
// secret could verify nothing any more.
func (c *Changes) RotateSecret(ctx context.Context, id string, secret []byte, force bool) (Endpoint, error) {
	check := func(endpoint Endpoint) error {
		if endpoint.PreviousSecretEndsAt == nil || force {
			return nil
		}
		return nfse.NewError(nfse.CodeInvalidRequest, "endpoint",
			"the secret was rotated less than 24 hours ago and the one before still signs, until %s; "+
				"rotating again ends that", endpoint.PreviousSecretEndsAt)
	}
	return c.changeEndpoint(ctx, audit.WebhookRotate, id, check, `previous_secret = secret,
		previous_secret_ends_at = now() + interval '24 hours', secret = $2`, secret)
}

// changeEndpoint changes an endpoint that was not deleted and is no command that listens, unless
// check returns an error; check may be nil.
func (c *Changes) changeEndpoint(ctx context.Context, action audit.Action, id string, check func(Endpoint) error,
	set string, args ...any) (endpoint Endpoint, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		err = tx.GetContext(ctx, &endpoint, `SELECT `+endpointColumns+` FROM webhook_endpoints
			WHERE id = $1 AND deleted_at IS NULL AND listener_key_id IS NULL FOR NO KEY UPDATE`, id)
		if err == nil && check != nil {
			err = check(endpoint)
		}
		if err != nil {
			return record, endpointFound(id, err)
		}
		before := auditEndpoint(endpoint)
		err = tx.GetContext(ctx, &endpoint, `UPDATE webhook_endpoints SET `+set+`
			WHERE id = $1 RETURNING `+endpointColumns, append([]any{id}, args...)...)
		return audit.Record{Action: action, SubjectID: id, Before: before, After: auditEndpoint(endpoint)}.
			Of(endpoint.Scope), err
	})
	return endpoint, err
}

func endpointFound(id string, err error) error {
	return postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "endpoint", "there is no webhook endpoint %q", id))
}

// EndpointAnswered records whether an endpoint answered 410 (gone). One that has answered
// nothing else for 24 hours is disabled; disabled says whether this answer did so.
func (s *Store) EndpointAnswered(ctx context.Context, id string, gone bool) (disabled bool, err error) {
	if !gone {
		_, err = s.db.ExecContext(ctx, `UPDATE webhook_endpoints SET gone_since = NULL WHERE id = $1
			AND gone_since IS NOT NULL`, id)
		return false, err
	}
	err = s.db.GetContext(ctx, &disabled, `
		UPDATE webhook_endpoints SET gone_since = coalesce(gone_since, now()),
			disabled_at = CASE WHEN gone_since < now() - interval '24 hours' THEN now() ELSE disabled_at END,
			disabled_reason = CASE WHEN gone_since < now() - interval '24 hours'
			THEN `+postgres.FactSQL(fact.EndpointGone)+` ELSE disabled_reason END
		WHERE id = $1 AND disabled_at IS NULL
		RETURNING disabled_at IS NOT NULL`, id)
	return disabled, postgres.NoRow(err, nil) // none: disabled before
}

// ForgetPreviousSecrets erases the secrets of rotations that are over, at most limit
// of them: nothing signs by them any more.
func (s *Store) ForgetPreviousSecrets(ctx context.Context, limit int) (looked, forgotten int, err error) {
	return s.db.Counted(ctx, previousSecrets, limit)
}

var previousSecrets = postgres.RowLoop{
	Name: `webhook secrets`, ID: `id`,
	Due: `SELECT id AS key FROM webhook_endpoints WHERE previous_secret_ends_at <= now() AND %s
		LIMIT $1`,
	Lock: `FOR NO KEY UPDATE`,
	Do: `WITH forgotten AS (
			UPDATE webhook_endpoints SET previous_secret = NULL, previous_secret_ends_at = NULL
			WHERE id = ANY(ARRAY(%s)) RETURNING id)
		SELECT count(*), count(*) FROM forgotten`,
}
