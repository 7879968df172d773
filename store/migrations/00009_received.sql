-- +goose Up
-- NOTES RECEIVED

-- A document that another issuer's authority has distributed to a company: it is taker or
-- intermediary of it, or its provider where another party has issued it. One row for each
-- organization that may use the company's tax id.
CREATE TABLE received_notes (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id text        COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL CHECK (livemode),
    production      boolean     NOT NULL, -- of the authority's environment
    distribution_id text        COLLATE "C" NOT NULL REFERENCES distributions,
    position        bigint      NOT NULL, -- at which it came first (NSU)
    access_key      text        NOT NULL,
    role            text        NOT NULL CHECK (role IN ('taker', 'intermediary', 'provider', 'unknown')),
    status          text        NOT NULL DEFAULT 'issued' CHECK (status IN ('issued', 'cancelled', 'replaced')),
    issuer_tax_id   text        NOT NULL, -- as it is below: empty once the law does not ask for it
    issuer_name     text        NOT NULL,
    number          text        NOT NULL,
    competence      date        NOT NULL, -- the day of issue where the document says none
    issued_at       timestamptz NOT NULL,
    service_code    text        NOT NULL,
    description     text        NOT NULL,
    place_code      text        NOT NULL, -- of the municipality where the ISS is due; empty: not said
    totals          jsonb,                -- nfse.Totals as the document states them
    amount_cents    bigint,               -- null: not stated, or it cannot be read; as the two below
    iss_withheld_by smallint    NOT NULL CHECK (iss_withheld_by BETWEEN 0 AND 3), -- 2 taker, 3 intermediary
    iss_cents       bigint,               -- of it withheld
    federal_cents   bigint,               -- IRRF, CSRF and INSS withheld
    problem         jsonb,                -- a fact: of its signature
    xml             bytea       NOT NULL, -- as it was served; empty: no longer kept
    xml_hash        bytea       NOT NULL, -- SHA-256
    received_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (organization_id, access_key)
);
CREATE INDEX received_notes_listed ON received_notes (organization_id, competence DESC, id DESC);
CREATE INDEX received_notes_of_issuer ON received_notes (organization_id, issuer_tax_id, competence DESC, id DESC);
CREATE INDEX received_notes_numbered ON received_notes (organization_id, number, competence DESC, id DESC);
CREATE INDEX received_notes_ended ON received_notes (organization_id, status, competence DESC, id DESC)
    WHERE status <> 'issued';
CREATE INDEX received_notes_to_pay ON received_notes (organization_id, competence DESC, id DESC)
    WHERE status = 'issued' AND (iss_withheld_by > 1 OR federal_cents > 0);
CREATE INDEX received_notes_kept ON received_notes (received_at) WHERE octet_length(xml) > 0;

-- What happened to such a document. It may come before the document does. What could not be
-- read has no type, and its content is as it came.
CREATE TABLE received_events (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id text        COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL CHECK (livemode),
    production      boolean     NOT NULL,
    distribution_id text        COLLATE "C" NOT NULL REFERENCES distributions,
    position        bigint      NOT NULL,
    access_key      text        NOT NULL,
    type            text,
    sequence        integer     NOT NULL DEFAULT 0,
    title           jsonb       NOT NULL,
    effect          text        NOT NULL CHECK (effect IN ('none', 'cancels', 'blocks', 'unblocks', 'denies', 'replaces')),
    reason_text     text,
    replacement     text,                 -- the access key of the note that replaces it
    happened_at     timestamptz,
    problem         jsonb,                -- a fact: why it changes nothing
    content         bytea       NOT NULL, -- empty: no longer kept
    content_hash    bytea       NOT NULL, -- SHA-256
    received_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK (type IS NOT NULL OR problem IS NOT NULL),
    CHECK (type IS NULL OR happened_at IS NOT NULL)
);
CREATE UNIQUE INDEX received_events_once ON received_events (organization_id, access_key, type, sequence)
    WHERE type IS NOT NULL;
CREATE UNIQUE INDEX received_events_unread_once ON received_events (organization_id, content_hash)
    WHERE type IS NULL;
CREATE INDEX received_events_kept ON received_events (received_at) WHERE octet_length(content) > 0;
