-- +goose Up
-- E-mails with alerts that ended long ago are removed, and those that failed are shown to operators.
CREATE INDEX alert_mails_ended ON alert_mails (resolved_at) WHERE status <> 'pending';
CREATE INDEX alert_mails_failed ON alert_mails (resolved_at) WHERE status = 'failed';

-- Filters of the list of notes that a person has kept under a name.
CREATE TABLE saved_filters (
    id              text COLLATE "C" PRIMARY KEY,
    user_id         text COLLATE "C" NOT NULL REFERENCES users,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    name            text        NOT NULL,
    query           jsonb       NOT NULL, -- the fields of the filter with their values
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, organization_id, livemode, name)
);
CREATE INDEX saved_filters_of_organization ON saved_filters (organization_id);

-- A company's own words and logo in the e-mails to its customers. Without a row they are ours.
CREATE TABLE email_templates (
    organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations,
    portuguese      text        NOT NULL, -- with placeholders; '': ours
    english         text        NOT NULL,
    logo            bytea,      -- a PNG of our own making; null: without
    updated_at      timestamptz NOT NULL DEFAULT now()
);

-- Alarms can also be posted to one URL of the installation, which stands where a person does: user_id ''.
ALTER TABLE alerts DROP CONSTRAINT alerts_user_id_fkey;
ALTER TABLE alert_mails DROP CONSTRAINT alert_mails_user_id_fkey;
