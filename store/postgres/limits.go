package postgres

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
)

// Limits are how much an organization may have in one environment; 0 is no limit.
type Limits struct {
	Keys      int // that are valid: neither revoked nor expired
	Endpoints int // that were not removed
}

// LimitError says that an organization has as many of something as it may have.
type LimitError struct {
	What string
	Most int
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the organization has as many %s in this environment as it may have: %d", e.What, e.Most)
}

// What is counted of an organization $1 in an environment $2.
const (
	validKeys = `SELECT count(*) FROM api_keys WHERE organization_id = $1 AND livemode = $2 AND revoked_at IS NULL
		AND (expires_at IS NULL OR expires_at > now())`
	PresentEndpoints = `SELECT count(*) FROM webhook_endpoints WHERE organization_id = $1 AND livemode = $2
		AND deleted_at IS NULL`
	presentReceivers = PresentEndpoints + ` AND listener_key_id IS NULL`
)

// KeepKeys is a LimitError where a key that was just added is one too many.
func (l Limits) KeepKeys(ctx context.Context, tx *sqlx.Tx, scope nfse.Scope) error {
	return KeepWithin(ctx, tx, scope, l.Keys, "valid keys", validKeys)
}

// KeepEndpoints is a LimitError where an endpoint that was just added is one too many.
func (l Limits) KeepEndpoints(ctx context.Context, tx *sqlx.Tx, scope nfse.Scope) error {
	return KeepWithin(ctx, tx, scope, l.Endpoints, "webhook endpoints", presentReceivers)
}

// KeepWithin counts under a lock on the organization: of two that are added at the same
// time, one is counted with the other. More are parameters of count behind those of the scope.
func KeepWithin(
	ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, most int, what, count string, more ...any,
) error {
	if most == 0 {
		return nil
	}
	_, err := tx.ExecContext(ctx, `SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, scope.OrganizationID)
	if err != nil {
		return err
	}
	arguments := []any{scope.OrganizationID, scope.Livemode}
	var there int
	if err := tx.GetContext(ctx, &there, count, append(arguments, more...)...); err != nil {
		return err
	}
	if there > most {
		return &LimitError{What: what, Most: most}
	}
	return nil
}

// MostCounted is where counting ends: that many or more.
const MostCounted = 1000
