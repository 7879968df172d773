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

-- Alerts by e-mail for what needs a person.

-- How a person wants to be told of a kind in an organization, where it is not as the default says.
CREATE TABLE alert_settings (
    user_id         text COLLATE "C" NOT NULL REFERENCES users,
    organization_id text COLLATE "C" NOT NULL, -- '': of the installation, for its operators
    kind            text        NOT NULL CHECK (kind IN ('certificate', 'held', 'endpoint', 'rejection', 'alarm')),
    how             text        NOT NULL CHECK (how IN ('off', 'now', 'daily')),
    PRIMARY KEY (user_id, organization_id, kind)
);
-- An e-mail with a person's alerts of an organization. One is under way at a time: what comes meanwhile is
-- in the next one.
CREATE TABLE alert_mails (
    id              text COLLATE "C" PRIMARY KEY,
    user_id         text COLLATE "C" NOT NULL REFERENCES users,
    organization_id text COLLATE "C" NOT NULL, -- '': of the installation
    status          text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed')),
    attempts        integer     NOT NULL DEFAULT 0,
    last_problem    jsonb,      -- a fact
    created_at      timestamptz NOT NULL DEFAULT now(),
    resolved_at     timestamptz,
    requeue_after   timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    requeues        integer     NOT NULL DEFAULT 0,
    CHECK ((status = 'pending') = (resolved_at IS NULL))
);
CREATE UNIQUE INDEX alert_mails_under_way ON alert_mails (user_id, organization_id) WHERE status = 'pending';
CREATE INDEX alert_mails_unfinished ON alert_mails (requeue_after) WHERE status = 'pending';
-- That a person is told of something, once.
CREATE TABLE alerts (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id         text COLLATE "C" NOT NULL REFERENCES users,
    alert_key       text        NOT NULL, -- names what happened, so that it is told once
    organization_id text COLLATE "C" NOT NULL, -- '': of the installation
    kind            text        NOT NULL CHECK (kind IN ('certificate', 'held', 'endpoint', 'rejection', 'alarm')),
    subject_id      text COLLATE "C" NOT NULL,
    raised_at       timestamptz NOT NULL DEFAULT now(),
    due_at          timestamptz NOT NULL,
    mail_id         text COLLATE "C" REFERENCES alert_mails, -- null: it waits for one
    UNIQUE (user_id, alert_key)
);
CREATE INDEX alerts_of_mail ON alerts (mail_id) WHERE mail_id IS NOT NULL;
CREATE INDEX alerts_due ON alerts (due_at) WHERE mail_id IS NULL;
CREATE INDEX alerts_by_age ON alerts (raised_at);
