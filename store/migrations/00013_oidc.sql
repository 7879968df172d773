-- +goose Up

-- Accounts of a company's own sign-on (OIDC) by which users come in: what the provider
-- calls somebody for ever, and not the address, which may become another's.
CREATE TABLE identities (
    issuer     text NOT NULL,
    subject    text NOT NULL,
    user_id    text COLLATE "C" NOT NULL REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at    timestamptz,
    PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX identities_of_user ON identities (user_id, issuer);

-- The sums of the ledger's days that are over, days of America/Sao_Paulo: an entry is
-- only added, so that they hold. A day without entries has no row.
CREATE TABLE ledger_days (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    day             date   NOT NULL,
    issued          bigint NOT NULL, -- entries
    issued_cents    bigint NOT NULL,
    reversed        bigint NOT NULL,
    reversed_cents  bigint NOT NULL,
    PRIMARY KEY (organization_id, day)
);

-- For lists that people filter.
CREATE INDEX ledger_entries_by_time ON ledger_entries (organization_id, created_at, id) INCLUDE (kind, amount_cents);
CREATE INDEX emails_of_organization ON emails (organization_id, status, id);
CREATE INDEX audit_log_of_action ON audit_log (organization_id, action, id);
CREATE INDEX distributions_in_trouble ON distributions (problem_since)
    WHERE problem IS NOT NULL AND over_at IS NULL;
CREATE INDEX municipal_parameters_failed ON municipal_parameters (failed_at) WHERE failure IS NOT NULL;

-- +goose Down
DROP INDEX municipal_parameters_failed, distributions_in_trouble, audit_log_of_action,
    emails_of_organization, ledger_entries_by_time;
DROP TABLE ledger_days, identities;
