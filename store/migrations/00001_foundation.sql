-- +goose Up

-- Ids are compared byte by byte (COLLATE "C"), because their order is the order
-- of lists. Every tenant table carries organization and environment, and refers
-- to others by (organization_id, livemode, id): a reference across tenants or
-- environments cannot be written.

CREATE TABLE organizations (
    id         text COLLATE "C" PRIMARY KEY,
    name       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
    id                          text COLLATE "C" PRIMARY KEY,
    organization_id             text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                    boolean     NOT NULL,
    label                       text        NOT NULL,
    hash                        bytea       NOT NULL UNIQUE, -- SHA-256 of the key text
    email_customer              boolean     NOT NULL,
    register_ledger             boolean     NOT NULL,
    confirm_municipal_operation boolean     NOT NULL,
    created_at                  timestamptz NOT NULL DEFAULT now(),
    revoked_at                  timestamptz,
    UNIQUE (organization_id, livemode, id)
);

CREATE TABLE services (
    id                   text COLLATE "C" PRIMARY KEY,
    organization_id      text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode             boolean     NOT NULL,
    name                 text        NOT NULL,
    description          text        NOT NULL,
    municipality_code    text        NOT NULL,
    default_amount_cents bigint      NOT NULL CHECK (default_amount_cents > 0),
    national_tax_code    text,
    municipal_tax_code   text,
    municipal_taxation   text        CHECK (municipal_taxation IN ('T', 'F')),
    iss_rate_hundredths  smallint    CHECK (iss_rate_hundredths BETWEEN 1 AND 500),
    active               boolean     NOT NULL,
    created_at           timestamptz NOT NULL DEFAULT now(),
    expires_at           timestamptz, -- test catalogue only
    retired_at           timestamptz, -- when housekeeping put an expired service away
    UNIQUE (organization_id, livemode, id),
    CHECK (livemode = (expires_at IS NULL))
);
-- Lists walk this one, and so never past what has expired over the years.
CREATE INDEX services_listed ON services (organization_id, livemode, id) WHERE retired_at IS NULL;
CREATE INDEX services_to_retire ON services (expires_at) WHERE retired_at IS NULL AND expires_at IS NOT NULL;

CREATE TABLE customers (
    id                    text COLLATE "C" PRIMARY KEY,
    organization_id       text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode              boolean     NOT NULL,
    document              text        NOT NULL,
    name                  text        NOT NULL,
    nickname              text,
    email                 text,
    municipality_code     text,
    municipality_declared boolean     NOT NULL, -- sent by the caller, not found from the zip code
    street_type           text,
    street                text,
    number                text,
    district              text,
    zip_code              text,
    complement            text,
    created_at            timestamptz NOT NULL DEFAULT now(),
    updated_at            timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, livemode, id),
    UNIQUE (organization_id, livemode, document)
);

CREATE TABLE notes (
    id                          text COLLATE "C" PRIMARY KEY,
    organization_id             text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                    boolean     NOT NULL,
    reference                   text COLLATE "C" NOT NULL,
    payload_hash                bytea       NOT NULL,
    payload_version             smallint    NOT NULL,
    api_key_id                  text COLLATE "C" NOT NULL,
    request_id                  text        NOT NULL, -- of the request that created the note
    email_customer              boolean     NOT NULL,
    register_ledger             boolean     NOT NULL,
    confirm_municipal_operation boolean     NOT NULL,
    status                      text        NOT NULL DEFAULT 'queued'
        CHECK (status IN ('queued', 'processing', 'issued', 'rejected', 'cancelled')),
    scenario                    text        CHECK (scenario IN ('authorized', 'rejected', 'slow')),
    customer_id                 text COLLATE "C" NOT NULL,
    service_id                  text COLLATE "C" NOT NULL,
    amount_cents                bigint      NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999999),
    iss_withheld                boolean     NOT NULL,
    service                     jsonb       NOT NULL, -- snapshot
    customer                    jsonb       NOT NULL, -- snapshot
    municipality_code           text        NOT NULL,
    municipality_source         text        NOT NULL CHECK (municipality_source IN ('zip_code', 'declared', 'customer')),
    municipality_verified       boolean     NOT NULL,
    municipality_check_pending  boolean     NOT NULL, -- the look-up was out: ask again before anything is transmitted
    authority_number            text,
    verification_code           text,
    access_key                  text,
    authority_issued_at         timestamptz,
    rejection                   jsonb,
    created_at                  timestamptz NOT NULL DEFAULT now(),
    updated_at                  timestamptz NOT NULL DEFAULT now(),
    processing_at               timestamptz,
    issued_at                   timestamptz,
    rejected_at                 timestamptz,
    cancelled_at                timestamptz,
    heal_after                  timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    healings                    integer     NOT NULL DEFAULT 0,
    UNIQUE (organization_id, livemode, id),
    UNIQUE (organization_id, livemode, reference),
    FOREIGN KEY (organization_id, livemode, api_key_id) REFERENCES api_keys (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, customer_id) REFERENCES customers (organization_id, livemode, id),
    CHECK (livemode = (scenario IS NULL)),
    CHECK ((status = 'rejected') = (rejection IS NOT NULL)),
    CHECK (status <> 'issued' OR (issued_at IS NOT NULL AND authority_issued_at IS NOT NULL))
);
CREATE INDEX notes_unfinished ON notes (heal_after) WHERE status IN ('queued', 'processing');

-- The document of an issued note: the authority's exact bytes, or in test the
-- XML that says it is a simulation. Beside the note, so that lists stay light.
CREATE TABLE note_documents (
    note_id    text COLLATE "C" PRIMARY KEY REFERENCES notes,
    xml        bytea       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- One event per terminal state that a note reaches. The payload is the body of
-- its webhooks, the same bytes on every attempt.
CREATE TABLE events (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    note_id         text COLLATE "C" NOT NULL,
    type            text        NOT NULL CHECK (type IN ('nfse.issued', 'nfse.rejected', 'nfse.cancelled')),
    payload         bytea       NOT NULL,
    created_at      timestamptz NOT NULL,
    UNIQUE (organization_id, livemode, id),
    UNIQUE (note_id, type),
    FOREIGN KEY (organization_id, livemode, note_id) REFERENCES notes (organization_id, livemode, id)
);

-- What is to be started in the workflow engine, written in the transaction that
-- makes it necessary and deleted when the engine has it. At most one row per
-- subject: asking again while one waits changes nothing.
CREATE TABLE outbox (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind            text        NOT NULL CHECK (kind IN ('note')),
    subject_id      text COLLATE "C" NOT NULL,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    reference       text        NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz NOT NULL DEFAULT now(), -- a claim moves it past the lease
    attempts        integer     NOT NULL DEFAULT 0,
    token           uuid,                               -- of the claim: only its holder may finish the row
    last_error      text,
    blocked_reason  text,                               -- why it cannot be started at all, for the operator
    UNIQUE (kind, subject_id)
);
CREATE INDEX outbox_due ON outbox (livemode, next_attempt_at);

-- Answers of the on-line zip code services.
CREATE TABLE zip_codes (
    zip_code          text        PRIMARY KEY,
    municipality_code text        NOT NULL,
    fetched_at        timestamptz NOT NULL DEFAULT now()
);

-- Ranges imported by the operator. They never overlap.
CREATE TABLE zip_code_ranges (
    zip_start         text PRIMARY KEY,
    zip_end           text NOT NULL CHECK (zip_end >= zip_start),
    municipality_code text NOT NULL
);

-- +goose Down
DROP TABLE zip_code_ranges, zip_codes, outbox, events, note_documents, notes, customers, services, api_keys, organizations;
