-- +goose Up

-- Databases of versions before this foundation are not migrated.
-- +goose StatementBegin
DO $$
BEGIN
    IF to_regclass('organizations') IS NOT NULL THEN
        RAISE EXCEPTION 'this database was made by a version before the foundation (schema 4), from which nothing is taken over: '
            'run "make clean" (or use an empty database), then start again';
    END IF;
END $$;
-- +goose StatementEnd

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
    tax_id                text        NOT NULL, -- CPF or CNPJ: the API's field document
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
    UNIQUE (organization_id, livemode, tax_id)
);

-- sent_at is the fence between "never left" and "may exist": a note is
-- cancelled without asking the authority only while it is null.
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
    sent_at                     timestamptz,
    authority_number            text,
    verification_code           text,
    access_key                  text,
    authority_issued_at         timestamptz,
    rejection                   jsonb,
    cancellation_status         text CHECK (cancellation_status IN ('pending', 'accepted', 'refused', 'not_needed')),
    cancellation_reason_code    text CHECK (cancellation_reason_code IN ('1', '2', '9')),
    cancellation_reason_text    text,
    cancellation_requested_at   timestamptz,
    cancellation_resolved_at    timestamptz,
    cancellation_refusal        jsonb,
    cancellation_request_id     text,
    cancellation_api_key_id     text COLLATE "C",
    held_reason                 text, -- what a live note waits for that only a person can give
    held_since                  timestamptz,
    created_at                  timestamptz NOT NULL DEFAULT now(),
    updated_at                  timestamptz NOT NULL DEFAULT now(),
    processing_at               timestamptz,
    issued_at                   timestamptz,
    rejected_at                 timestamptz,
    cancelled_at                timestamptz,
    requeue_after               timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    requeues                    integer     NOT NULL DEFAULT 0,
    UNIQUE (organization_id, livemode, id),
    UNIQUE (organization_id, livemode, reference),
    FOREIGN KEY (organization_id, livemode, api_key_id) REFERENCES api_keys (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, cancellation_api_key_id) REFERENCES api_keys (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, customer_id) REFERENCES customers (organization_id, livemode, id),
    CHECK (livemode = (scenario IS NULL)),
    CHECK ((status = 'rejected') = (rejection IS NOT NULL)),
    CHECK (status <> 'issued' OR (issued_at IS NOT NULL AND authority_issued_at IS NOT NULL)),
    CHECK ((cancellation_status IS NULL) = (cancellation_requested_at IS NULL)),
    CHECK ((coalesce(cancellation_status, 'pending') <> 'pending') = (cancellation_resolved_at IS NOT NULL)),
    CHECK ((cancellation_status IS NOT DISTINCT FROM 'refused') = (cancellation_refusal IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancellation_status IS NOT DISTINCT FROM 'accepted')),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK ((held_reason IS NULL) = (held_since IS NULL))
);
CREATE INDEX notes_unfinished ON notes (requeue_after)
    WHERE status IN ('queued', 'processing') OR cancellation_status = 'pending';
CREATE INDEX notes_by_request ON notes (request_id);
CREATE INDEX notes_held ON notes (organization_id) WHERE held_reason IS NOT NULL;
CREATE INDEX notes_at_authority ON notes (organization_id) WHERE livemode AND status = 'processing';

-- The document of an issued note: the authority's exact bytes, or in test the
-- XML that says it is a simulation. Beside the note, so that lists stay light.
CREATE TABLE note_documents (
    note_id    text COLLATE "C" PRIMARY KEY REFERENCES notes,
    xml        bytea       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- What happened in a note's life that its own row does not keep: every request to
-- cancel it and its refusal, and what operators did. Only added to.
CREATE TABLE note_steps (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id    text COLLATE "C" NOT NULL REFERENCES notes,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    what       text        NOT NULL,
    api_key_id text COLLATE "C" REFERENCES api_keys, -- of who asked; null for the operator and for workflows
    request_id text
);
CREATE INDEX note_steps_of ON note_steps (note_id, id);
CREATE INDEX note_steps_by_request ON note_steps (request_id) WHERE request_id IS NOT NULL;

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

-- Where an organization wants its events sent, in one environment.
CREATE TABLE webhook_endpoints (
    id                      text COLLATE "C" PRIMARY KEY,
    organization_id         text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                boolean     NOT NULL,
    url                     text        NOT NULL,
    secret                  bytea       NOT NULL, -- sealed
    previous_secret         bytea,                -- sealed; signs as well while a rotation lasts
    previous_secret_ends_at timestamptz,
    created_at              timestamptz NOT NULL DEFAULT now(),
    disabled_at             timestamptz,
    disabled_reason         text,
    deleted_at              timestamptz,
    gone_since              timestamptz,          -- since when it has answered nothing but 410
    UNIQUE (organization_id, livemode, id),
    CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
    CHECK ((previous_secret IS NULL) = (previous_secret_ends_at IS NULL))
);
CREATE INDEX webhook_endpoints_of ON webhook_endpoints (organization_id, livemode) WHERE deleted_at IS NULL;

-- One event on its way to one endpoint.
CREATE TABLE deliveries (
    id                text COLLATE "C" PRIMARY KEY,
    organization_id   text COLLATE "C" NOT NULL,
    livemode          boolean     NOT NULL,
    event_id          text COLLATE "C" NOT NULL,
    endpoint_id       text COLLATE "C" NOT NULL,
    status            text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
    reason            text,                               -- why it failed or was skipped
    failures          integer     NOT NULL DEFAULT 0,     -- attempts of this window that failed
    created_at        timestamptz NOT NULL DEFAULT now(),
    window_started_at timestamptz NOT NULL DEFAULT now(), -- a retry begins a fresh one
    next_attempt_at   timestamptz,                        -- as far as it is planned
    resolved_at       timestamptz,
    failed_run_id     text,                               -- of the workflow run that gave up
    handed_over       boolean     NOT NULL DEFAULT false, -- the first attempt failed in the note's run: its own waits from there
    requeue_after     timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    requeues          integer     NOT NULL DEFAULT 0,
    UNIQUE (organization_id, livemode, id),
    UNIQUE (event_id, endpoint_id),
    FOREIGN KEY (organization_id, livemode, event_id) REFERENCES events (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, endpoint_id) REFERENCES webhook_endpoints (organization_id, livemode, id),
    CHECK ((status = 'pending') = (resolved_at IS NULL))
);
CREATE INDEX deliveries_unfinished ON deliveries (requeue_after) WHERE status = 'pending';
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, id);
CREATE INDEX deliveries_by_status ON deliveries (status, id) WHERE status <> 'delivered';

-- What happened at each attempt. Only added to.
CREATE TABLE delivery_attempts (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id text COLLATE "C" NOT NULL REFERENCES deliveries,
    started_at  timestamptz NOT NULL,
    duration_ms integer     NOT NULL,
    status      integer,              -- of the answer; null when there was none
    answer      text        NOT NULL, -- its first KiB
    problem     text                  -- what went wrong, in words; null on success
);
CREATE INDEX delivery_attempts_of ON delivery_attempts (delivery_id, id);

-- What an authority must know of an organization that issues live notes.
CREATE TABLE fiscal_profiles (
    organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations,
    authority       text        NOT NULL,
    profile         jsonb       NOT NULL, -- nfse.FiscalProfile
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now()
);

-- Certificates of organizations. Key and chain are sealed under a keyset that
-- is not in the database, bound to organization and id.
CREATE TABLE certificates (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    tax_id          text        NOT NULL, -- CNPJ or CPF that the certificate names
    subject         text        NOT NULL, -- common name, for people
    issuer          text        NOT NULL,
    serial          text        NOT NULL,
    fingerprint     bytea       NOT NULL, -- SHA-256 of the certificate
    not_before      timestamptz NOT NULL,
    not_after       timestamptz NOT NULL,
    sealed          bytea       NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    removed_at      timestamptz,
    warned_days     integer,              -- the last expiry warning that was given
    refused_at      timestamptz,          -- when the authority refused it
    refused_reason  text,
    UNIQUE (organization_id, fingerprint)
);
CREATE INDEX certificates_usable ON certificates (organization_id, not_after) WHERE removed_at IS NULL;

-- The last number taken of each sequence.
CREATE TABLE fiscal_sequences (
    authority         text    NOT NULL,
    production        boolean NOT NULL,
    issuer            text    NOT NULL, -- its tax id
    municipality_code text    NOT NULL,
    series            integer NOT NULL,
    last_number       bigint  NOT NULL CHECK (last_number >= 0),
    PRIMARY KEY (authority, production, issuer, municipality_code, series)
);

-- Every exchange with an authority and what became of it: each number ever taken
-- for a document (issue), and each request to cancel an issued one (cancel).
-- unsigned: to be signed. signed: nothing of it can exist at the authority, and
-- it may be sent. in_doubt: something may exist, ask first. The others are ends;
-- a number_conflict is the number of a document that is not ours.
CREATE TABLE fiscal_exchanges (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id           text COLLATE "C" NOT NULL REFERENCES notes,
    kind              text        NOT NULL CHECK (kind IN ('issue', 'cancel')),
    state             text        NOT NULL DEFAULT 'unsigned'
        CHECK (state IN ('unsigned', 'signed', 'in_doubt', 'accepted', 'rejected', 'number_conflict', 'unused')),
    authority         text        NOT NULL,
    production        boolean     NOT NULL,
    issuer            text        NOT NULL, -- its tax id
    municipality_code text        NOT NULL,
    series            integer     NOT NULL,
    number            bigint      NOT NULL,
    profile           jsonb       NOT NULL, -- of the organization when the number was taken
    request_id        text,                 -- of the request of the API to cancel
    message_id        text,                 -- of the last message: unique at the authority
    layout            text        NOT NULL DEFAULT '',    -- that an answer asked for
    ambiguous         boolean     NOT NULL DEFAULT false, -- an outcome was unknown once: no rejection counts without asking
    ambiguous_since   timestamptz,
    last_sent_at      timestamptz,
    not_found         integer     NOT NULL DEFAULT 0,     -- questions since the last sending that found nothing, and count
    not_found_at      timestamptz,                        -- the last of them
    lease_token       uuid,
    lease_until       timestamptz,
    rejection         jsonb,                -- the last: nfse.Rejection
    disposition       text,                 -- of the rejection: fiscal.Disposition
    access_key        text,                 -- of what an issuance made, as soon as it is known
    authority_number  text,
    verification_code text,
    issued_at         timestamptz,
    xml               bytea,                -- the authority's exact bytes: of the document, or of the event
    created_at        timestamptz NOT NULL DEFAULT now(),
    updated_at        timestamptz NOT NULL DEFAULT now(),
    CHECK ((kind = 'cancel') = (request_id IS NOT NULL)),
    CHECK (kind <> 'issue' OR state <> 'accepted' OR (access_key IS NOT NULL AND xml IS NOT NULL AND issued_at IS NOT NULL)),
    CHECK (state <> 'rejected' OR rejection IS NOT NULL)
);
CREATE UNIQUE INDEX fiscal_exchanges_number ON fiscal_exchanges (authority, production, issuer, municipality_code, series, number)
    WHERE kind = 'issue';
CREATE UNIQUE INDEX fiscal_exchanges_message ON fiscal_exchanges (authority, production, message_id) WHERE kind = 'issue';
-- A note has one document under way or issued at a time.
CREATE UNIQUE INDEX fiscal_exchanges_current ON fiscal_exchanges (note_id) WHERE kind = 'issue' AND state <> 'number_conflict';
CREATE UNIQUE INDEX fiscal_exchanges_cancellation ON fiscal_exchanges (note_id, request_id) WHERE kind = 'cancel';
CREATE INDEX fiscal_exchanges_of ON fiscal_exchanges (note_id, id);
CREATE INDEX fiscal_exchanges_ambiguous ON fiscal_exchanges (ambiguous_since)
    WHERE ambiguous AND state IN ('unsigned', 'signed', 'in_doubt');

-- How many calls to an authority may be made now, by all workers together. Tokens
-- come back with time, at the rate that the workers are configured with; calls from
-- the authority's queue may take what is not there yet.
CREATE TABLE authority_budgets (
    authority   text             PRIMARY KEY,
    tokens      double precision NOT NULL DEFAULT 0,
    granted     integer          NOT NULL DEFAULT 0, -- by the last request
    refilled_at timestamptz      NOT NULL DEFAULT clock_timestamp()
);

-- Every message that was signed for an exchange. The last is the one that is sent.
CREATE TABLE fiscal_messages (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    exchange_id    bigint      NOT NULL REFERENCES fiscal_exchanges,
    message_id     text        NOT NULL,
    layout         text        NOT NULL,
    digest         text        NOT NULL,
    xml            bytea       NOT NULL, -- as signed and sent
    certificate_id text COLLATE "C" NOT NULL REFERENCES certificates,
    created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX fiscal_messages_of ON fiscal_messages (exchange_id, id);

-- Every call to an authority and what came of it. Only added to; one that has no
-- outcome was cut off.
CREATE TABLE fiscal_calls (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id    text COLLATE "C" NOT NULL REFERENCES notes,
    what       text        NOT NULL CHECK (what IN ('issue', 'find', 'cancel', 'find_cancellation')),
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at   timestamptz,
    outcome    text,
    status     integer,   -- of HTTP; null when no answer came
    reason     text,      -- code of a rejection, or why nothing is known
    body       bytea      -- of an answer that was not understood or not expected
);
CREATE INDEX fiscal_calls_of ON fiscal_calls (note_id, id);

-- The note as an e-mail to the customer, of live notes whose key asks for it.
CREATE TABLE emails (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL CHECK (livemode),
    note_id         text COLLATE "C" NOT NULL UNIQUE,
    status          text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed', 'skipped')),
    reason          text,       -- why it failed or was skipped
    attempts        integer     NOT NULL DEFAULT 0,
    last_problem    text,
    created_at      timestamptz NOT NULL DEFAULT now(),
    resolved_at     timestamptz,
    requeue_after   timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    requeues        integer     NOT NULL DEFAULT 0,
    UNIQUE (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, note_id) REFERENCES notes (organization_id, livemode, id),
    CHECK ((status = 'pending') = (resolved_at IS NULL))
);
CREATE INDEX emails_unfinished ON emails (requeue_after) WHERE status = 'pending';
CREATE INDEX emails_by_status ON emails (status, id) WHERE status <> 'sent';

-- The ledger: what was issued and what was taken back, of live notes whose key
-- asks for it. Only added to.
CREATE TABLE ledger_entries (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL CHECK (livemode),
    note_id         text COLLATE "C" NOT NULL,
    kind            text        NOT NULL CHECK (kind IN ('issued', 'reversed')),
    amount_cents    bigint      NOT NULL, -- negative when reversed
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (note_id, kind),
    UNIQUE (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, note_id) REFERENCES notes (organization_id, livemode, id),
    CHECK ((kind = 'reversed') = (amount_cents < 0))
);

-- What the workflow engine is to be told, written in the transaction that makes
-- it necessary and deleted when the engine has it. At most one row per kind and
-- subject: asking again while one waits makes it due at once. A resume wakes up
-- the workflow of a note that may go on, or starts it; a restart replaces a run
-- that is open.
CREATE TABLE outbox (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind            text        NOT NULL CHECK (kind IN ('note', 'cancellation', 'delivery', 'resume', 'email')),
    subject_id      text COLLATE "C" NOT NULL,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    reference       text,
    restart         boolean     NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz NOT NULL DEFAULT now(), -- a claim moves it past the lease
    attempts        integer     NOT NULL DEFAULT 0,
    token           uuid,                               -- of the claim: only its holder may finish the row
    last_error      text,
    blocked_reason  text,                               -- why it cannot be started at all, for the operator
    UNIQUE (kind, subject_id),
    CHECK (kind IN ('delivery', 'email') OR reference IS NOT NULL)
);
-- Its columns never change, so that claiming a row touches no index.
CREATE INDEX outbox_backlogs ON outbox (livemode, kind, organization_id, id);

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
DROP TABLE zip_code_ranges, zip_codes, outbox, ledger_entries, emails, fiscal_calls, fiscal_messages, fiscal_exchanges,
    authority_budgets,
    fiscal_sequences, certificates, fiscal_profiles, delivery_attempts, deliveries, webhook_endpoints, events, note_steps,
    note_documents, notes, customers, services, api_keys, organizations;
