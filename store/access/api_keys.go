package access

import (
	"context"
	"database/sql"
	"errors"
	"net/netip"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

const apiKeyColumns = `id, organization_id, livemode, label, email_customer, register_ledger,
	confirm_municipal_operation, allowed_networks, created_at, last_used_at, expires_at, revoked_at, last_four`

// CreateAPIKey puts a key on record: the hash of its text and its last four characters, never the
// text. Where there are as many as there may be, it is a LimitError.
func (c *Changes) CreateAPIKey(ctx context.Context, key nfse.APIKey, text string) (created nfse.APIKey, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		err := tx.GetContext(ctx, &created, `
			INSERT INTO api_keys (id, organization_id, livemode, label, hash,
				email_customer, register_ledger, confirm_municipal_operation, allowed_networks, expires_at, last_four)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::cidr[], $10, right($11::text, 4))
			RETURNING `+apiKeyColumns,
			nfse.NewID(nfse.PrefixAPIKey), key.OrganizationID, key.Livemode, key.Label, nfse.HashAPIKey(text),
			key.EmailCustomer, key.RegisterLedger, key.ConfirmMunicipalOperation, key.AllowedNetworks, key.ExpiresAt, text)
		if err == nil {
			err = c.store.db.Limits.KeepKeys(ctx, tx, created.Scope)
		}
		return audit.Record{Action: audit.KeyCreate, SubjectID: created.ID, After: auditKey(created)}.Of(created.Scope),
			err
	})
	return created, err
}

// APIKey finds the key with this text, for a caller with this address. The error for a
// key that may not be used is the one for an unknown key; the key is returned with it,
// for the log. Nothing is cached, so that revoking takes effect on the next request
// everywhere.
func (s *Store) APIKey(ctx context.Context, text string, from netip.Addr) (nfse.APIKey, error) {
	var key nfse.APIKey
	invalid := nfse.NewError(nfse.CodeInvalidAPIKey, "", "the API key is not valid")
	err := s.db.Get(ctx, &key, `SELECT `+apiKeyColumns+` FROM api_keys WHERE hash = $1`, nfse.HashAPIKey(text))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nfse.APIKey{}, invalid
	case err == nil && key.Refusal(from, time.Now()) != "":
		return key, invalid
	}
	return key, err
}

// APIKeysUsed records that keys are in use now. It is coarse: a key whose use was
// recorded in the last minute, or that somebody else is changing, is left alone.
func (s *Store) APIKeysUsed(ctx context.Context, ids []string) error {
	uses := keyUses
	uses.Args = []any{pq.Array(ids)}
	_, _, err := s.db.Counted(ctx, uses, len(ids))
	return err
}

var keyUses = postgres.RowLoop{
	Name: `key uses`, ID: `id`,
	Due: `SELECT id AS key FROM api_keys
		WHERE id = ANY($1) AND coalesce(last_used_at < now() - interval '1 minute', true) AND %s
		LIMIT $2`,
	Lock: `FOR NO KEY UPDATE`,
	Do: `WITH used AS (UPDATE api_keys SET last_used_at = now() WHERE id = ANY(ARRAY(%s)) RETURNING id)
		SELECT count(*), count(*) FROM used`,
}

// APIKeys lists the keys of an organization, oldest first, revoked ones too.
func (s *Store) APIKeys(ctx context.Context, organizationID string) ([]nfse.APIKey, error) {
	keys := []nfse.APIKey{}
	err := s.db.SelectContext(ctx, &keys, `SELECT `+apiKeyColumns+` FROM api_keys
		WHERE organization_id = $1 ORDER BY id`, organizationID)
	return keys, err
}

// APIKeysIn lists the keys of one environment, newest first, revoked ones too.
func (s *Store) APIKeysIn(ctx context.Context, scope nfse.Scope, page postgres.Page) (keys []nfse.APIKey, more bool,
	err error) {
	after, rows := page.Bounds()
	err = s.db.SelectContext(ctx, &keys, `SELECT `+apiKeyColumns+` FROM api_keys WHERE `+postgres.InPage,
		scope.OrganizationID, scope.Livemode, after, rows)
	keys, more = postgres.Cut(keys, page.Limit)
	return keys, more, err
}

// APIKeyIn reads a key of one environment by its id.
func (s *Store) APIKeyIn(ctx context.Context, scope nfse.Scope, id string) (key nfse.APIKey, err error) {
	err = s.db.GetContext(ctx, &key, `SELECT `+apiKeyColumns+` FROM api_keys
		WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	return key, keyFound(id, err)
}

func keyFound(id string, err error) error {
	return postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "key", "there is no key %q", id))
}

// SetAPIKey applies a change to a key's label, defaults, expiry and allowed
// networks. A revoked key stays as it is, and so does an expired one that would be one
// valid key too many (a LimitError).
func (c *Changes) SetAPIKey(
	ctx context.Context, id string, change func(*nfse.APIKey) error,
) (key nfse.APIKey, err error) {
	err = c.changeKey(ctx, audit.KeySet, id, &key, func(tx *sqlx.Tx) error {
		if key.RevokedAt != nil {
			return nfse.NewError(nfse.CodeInvalidRequest, "key", "the key %s was revoked at %s: create another", id,
				key.RevokedAt)
		}
		expired := key.ExpiresAt != nil && !time.Now().Before(key.ExpiresAt.Time)
		if err := change(&key); err != nil {
			return err
		}
		err := tx.GetContext(ctx, &key, `
			UPDATE api_keys SET label = $2, email_customer = $3, register_ledger = $4,
				confirm_municipal_operation = $5, allowed_networks = $6::cidr[], expires_at = $7
			WHERE id = $1 RETURNING `+apiKeyColumns,
			id, key.Label, key.EmailCustomer, key.RegisterLedger, key.ConfirmMunicipalOperation,
			key.AllowedNetworks, key.ExpiresAt)
		if err == nil && expired {
			err = c.store.db.Limits.KeepKeys(ctx, tx, key.Scope)
		}
		return err
	})
	return key, err
}

// RevokeAPIKey ends a key; revoking it again changes nothing.
func (c *Changes) RevokeAPIKey(ctx context.Context, id string) (key nfse.APIKey, err error) {
	err = c.changeKey(ctx, audit.KeyRevoke, id, &key, func(tx *sqlx.Tx) error {
		return tx.GetContext(ctx, &key, `
			UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1
			RETURNING `+apiKeyColumns, id)
	})
	return key, err
}

// changeKey reads a key under a lock, and lets change change it.
func (c *Changes) changeKey(
	ctx context.Context, action audit.Action, id string, key *nfse.APIKey, change func(*sqlx.Tx) error,
) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		err = tx.GetContext(ctx, key, `SELECT `+apiKeyColumns+` FROM api_keys WHERE id = $1 FOR NO KEY UPDATE`, id)
		if err != nil {
			return record, keyFound(id, err)
		}
		record = audit.Record{Action: action, SubjectID: id, Before: auditKey(*key)}.Of(key.Scope)
		if err := change(tx); err != nil {
			return record, err
		}
		record.After = auditKey(*key)
		return record, nil
	})
}

// What the audit log records of each kind of record. Nothing of it is secret: of a
// receiver's URL, which may be, it has the host. Nothing is personal: of a CPF it has
// the last two digits.

type auditedKey struct {
	Label string `json:"label"`
	nfse.Defaults
	AllowedNetworks nfse.Networks   `json:"allowed_networks"`
	ExpiresAt       *nfse.Timestamp `json:"expires_at"`
	RevokedAt       *nfse.Timestamp `json:"revoked_at"`
}

func auditKey(k nfse.APIKey) auditedKey {
	return auditedKey{k.Label, k.Defaults, k.AllowedNetworks, k.ExpiresAt, k.RevokedAt}
}
