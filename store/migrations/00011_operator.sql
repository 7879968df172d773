-- +goose Up
-- What operators see first, of all organizations.
CREATE INDEX certificates_ending ON certificates (not_after) WHERE removed_at IS NULL AND refused_at IS NULL;
CREATE INDEX fiscal_series_held ON fiscal_series (held_at) WHERE held_reason IS NOT NULL;
CREATE INDEX webhook_endpoints_disabled ON webhook_endpoints (disabled_at)
    WHERE disabled_at IS NOT NULL AND deleted_at IS NULL;

-- How the authorities do, by hours, from the calls to them: of no company, and kept when notes are not.
CREATE TABLE authority_hours (
    authority         text        NOT NULL,
    production        boolean     NOT NULL,
    municipality_code text        NOT NULL, -- of the issuers; '': of all cities
    hour              timestamptz NOT NULL,
    outcome           text        NOT NULL CHECK (outcome IN ('answered', 'not_delivered', 'unknown')),
    power             integer     NOT NULL, -- calls that took up to 1.2 to this power of milliseconds
    calls             bigint      NOT NULL,
    PRIMARY KEY (municipality_code, hour, authority, production, outcome, power)
);
CREATE INDEX authority_hours_by_time ON authority_hours (hour);
-- The five minutes, by their number since 1970, whose calls are in authority_hours.
CREATE TABLE authority_periods (
    period bigint PRIMARY KEY
);
CREATE INDEX fiscal_calls_by_time ON fiscal_calls (started_at);
