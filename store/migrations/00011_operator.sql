-- +goose Up
-- What operators see first, of all organizations.
CREATE INDEX certificates_ending ON certificates (not_after) WHERE removed_at IS NULL AND refused_at IS NULL;
CREATE INDEX fiscal_series_held ON fiscal_series (held_at) WHERE held_reason IS NOT NULL;
CREATE INDEX webhook_endpoints_disabled ON webhook_endpoints (disabled_at)
    WHERE disabled_at IS NOT NULL AND deleted_at IS NULL;
