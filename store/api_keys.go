package store

import (
	"context"
	"database/sql"
	"errors"

	"emissor/nfse"
)

const apiKeyColumns = `id, organization_id, livemode, label, email_customer, register_ledger,
	confirm_municipal_operation, created_at, revoked_at`

// CreateAPIKey puts a key on record: the hash of its text, never the text.
func (s *Store) CreateAPIKey(ctx context.Context, key nfse.APIKey, text string) (nfse.APIKey, error) {
	err := s.db.GetContext(ctx, &key, `
		INSERT INTO api_keys (id, organization_id, livemode, label, hash,
			email_customer, register_ledger, confirm_municipal_operation)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		RETURNING `+apiKeyColumns,
		nfse.NewID(nfse.PrefixAPIKey), key.OrganizationID, key.Livemode, key.Label, nfse.HashAPIKey(text),
		key.EmailCustomer, key.RegisterLedger, key.ConfirmMunicipalOperation)
	return key, err
}

// APIKey finds the key with this text. Unknown and revoked keys are one answer.
// Nothing is cached, so that revoking takes effect on the next request
// everywhere.
func (s *Store) APIKey(ctx context.Context, text string) (nfse.APIKey, error) {
	var key nfse.APIKey
	err := s.get(ctx, &key, `SELECT `+apiKeyColumns+` FROM api_keys
		WHERE hash = $1 AND revoked_at IS NULL`, nfse.HashAPIKey(text))
	if errors.Is(err, sql.ErrNoRows) {
		return key, nfse.NewError(nfse.CodeInvalidAPIKey, "", "the API key is not valid")
	}
	return key, err
}

// APIKeys lists the keys of an organization, oldest first, revoked ones too.
func (s *Store) APIKeys(ctx context.Context, organizationID string) ([]nfse.APIKey, error) {
	keys := []nfse.APIKey{}
	err := s.db.SelectContext(ctx, &keys, `SELECT `+apiKeyColumns+` FROM api_keys
		WHERE organization_id = $1 ORDER BY id`, organizationID)
	return keys, err
}

// RevokeAPIKey ends a key; revoking it again changes nothing.
func (s *Store) RevokeAPIKey(ctx context.Context, id string) (nfse.APIKey, error) {
	var key nfse.APIKey
	err := s.db.GetContext(ctx, &key, `
		UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1
		RETURNING `+apiKeyColumns, id)
	if errors.Is(err, sql.ErrNoRows) {
		return key, nfse.NewError(nfse.CodeNotFound, "key", "there is no key %q", id)
	}
	return key, err
}
