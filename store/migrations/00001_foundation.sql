-- +goose Up

-- The whole schema. Later migrations are added beside this file; it stays as it is.
--
-- Ids are compared byte by byte (COLLATE "C"), because their order is the order of lists.
-- Every tenant table carries organization and environment, and refers to others by
-- (organization_id, livemode, id): a reference across tenants or environments cannot be
-- written. A fact is a code with arguments; its texts are made where it is shown (package
-- nfse/fact). An issuer and a series have the same columns in every table
-- (store/series_columns.go). Nothing here names an authority.

-- ORGANIZATIONS AND THEIR KEYS

-- An organization of the installation, to which everything below belongs.
CREATE TABLE organizations (
    id         text COLLATE "C" PRIMARY KEY,
    name       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- A key of the API, valid in one environment. Only the hash of its text is stored. It may
-- expire, and be valid only for callers of some networks.
CREATE TABLE api_keys (
    id                          text COLLATE "C" PRIMARY KEY,
    organization_id             text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                    boolean     NOT NULL,
    label                       text        NOT NULL,
    hash                        bytea       NOT NULL UNIQUE, -- SHA-256 of the key text
    email_customer              boolean     NOT NULL,
    register_ledger             boolean     NOT NULL,
    confirm_municipal_operation boolean     NOT NULL,
    allowed_networks            cidr[]      NOT NULL DEFAULT '{}', -- empty: any
    created_at                  timestamptz NOT NULL DEFAULT now(),
    expires_at                  timestamptz,
    last_used_at                timestamptz, -- coarse: a key that is in use is written every few minutes
    revoked_at                  timestamptz,
    UNIQUE (organization_id, livemode, id)
);

-- THE CATALOGUE

-- A service that an organization provides. Notes keep a snapshot of it, so that changing it
-- changes no note.
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
    retired_at           timestamptz, -- when maintenance marked it after it had expired
    UNIQUE (organization_id, livemode, id),
    CHECK (livemode = (expires_at IS NULL))
);
-- For lists, which so do not read past services that expired over the years.
CREATE INDEX services_listed ON services (organization_id, livemode, id) WHERE retired_at IS NULL;
CREATE INDEX services_to_retire ON services (expires_at) WHERE retired_at IS NULL AND expires_at IS NOT NULL;

-- How a service is classified for IBS and CBS. It is a table of its own as the API may only
-- read it, but may change services.
CREATE TABLE service_classifications (
    service_id      text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    classification  jsonb       NOT NULL,
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id)
);

-- An edition of a table by which services are classified, as it was imported. Editions are
-- only added: of two of a table from the same day the later import counts.
CREATE TABLE classification_editions (
    id            text COLLATE "C" PRIMARY KEY,
    table_name    text        NOT NULL CHECK (table_name <> ''),
    edition       text        NOT NULL CHECK (edition <> ''),
    valid_from    date        NOT NULL,
    source_name   text        NOT NULL, -- of the file
    source_sha256 text        NOT NULL CHECK (source_sha256 ~ '^[0-9a-f]{64}$'),
    content       jsonb       NOT NULL CHECK (jsonb_typeof(content) = 'array'), -- rows of text, by column
    imported_at   timestamptz NOT NULL DEFAULT now()
);

-- A taker of an organization's services, of whom there is one for each tax id.
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
CREATE INDEX customers_by_name ON customers (organization_id, livemode, (lower(name) COLLATE "C"));

-- NOTES

-- A note that was accepted. It is promised that it ends, and that at most one fiscal document
-- exists for it; the reference is unique in its organization and environment. sent_at is the
-- fence: while it is null nothing was sent, and the note is cancelled without asking the
-- authority; after it a document may exist. The competence is the day of acceptance in
-- Brasília, or the one that a person set.
CREATE TABLE notes (
    id                          text COLLATE "C" PRIMARY KEY,
    organization_id             text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                    boolean     NOT NULL,
    reference                   text COLLATE "C" NOT NULL,
    payload_hash                bytea       NOT NULL,
    payload_version             smallint    NOT NULL,
    api_key_id                  text COLLATE "C", -- who issued it: a key,
    user_id                     text COLLATE "C", -- or a person (no foreign key, as in the audit log)
    request_id                  text        NOT NULL, -- of the request that created the note
    email_customer              boolean     NOT NULL,
    register_ledger             boolean     NOT NULL,
    confirm_municipal_operation boolean     NOT NULL,
    status                      text        NOT NULL DEFAULT 'queued'
        CHECK (status IN ('queued', 'processing', 'issued', 'rejected', 'cancelled')),
    scenario                    text        CHECK (scenario IN ('authorized', 'rejected', 'slow')),
    customer_id                 text COLLATE "C" NOT NULL,
    service_id                  text COLLATE "C" NOT NULL,
    competence                  date        NOT NULL DEFAULT (now() AT TIME ZONE INTERVAL '-3 hours')::date,
    amount_cents                bigint      NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999999),
    iss_withheld                boolean     NOT NULL,
    service                     jsonb       NOT NULL, -- snapshot
    classification              jsonb,                -- snapshot; null: the service had none
    customer                    jsonb       NOT NULL, -- snapshot
    municipality_code           text        NOT NULL,
    municipality_source         text        NOT NULL
        CHECK (municipality_source IN ('zip_code', 'declared', 'customer')),
    municipality_verified       boolean     NOT NULL,
    municipality_check_pending  boolean     NOT NULL, -- the look-up failed: it is repeated before anything is sent
    sent_at                     timestamptz, -- the fence; null: nothing was sent
    authority_number            text,
    verification_code           text,
    access_key                  text,
    authority_issued_at         timestamptz,
    rejection                   jsonb,
    cancellation_origin         text        NOT NULL DEFAULT 'caller'
        CHECK (cancellation_origin IN ('caller', 'authority')),
    cancellation_status         text CHECK (cancellation_status IN ('pending', 'accepted', 'refused', 'not_needed')),
    cancellation_reason_code    text CHECK (cancellation_reason_code IN ('1', '2', '9')),
    cancellation_reason_text    text,
    cancellation_requested_at   timestamptz,
    cancellation_resolved_at    timestamptz,
    cancellation_refusal        jsonb,
    cancellation_request_id     text,
    cancellation_api_key_id     text COLLATE "C",
    held_reason                 jsonb, -- a fact: what a live note waits for that only a person can give
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
    FOREIGN KEY (organization_id, livemode, cancellation_api_key_id)
        REFERENCES api_keys (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, customer_id) REFERENCES customers (organization_id, livemode, id),
    CONSTRAINT notes_asked_for CHECK (api_key_id IS NOT NULL OR user_id IS NOT NULL),
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
-- Notes under way are counted for one organization at a time, those that wait for a person
-- apart from those that should move, the oldest first.
CREATE INDEX notes_under_way ON notes (organization_id, livemode, status, (held_reason IS NULL), id)
    WHERE status IN ('queued', 'processing');
-- For lists of rejected and cancelled notes; of the other states there are either few or most.
CREATE INDEX notes_ended_badly ON notes (organization_id, livemode, status, id)
    WHERE status IN ('rejected', 'cancelled');
-- External events name a note by its access key.
CREATE INDEX notes_by_access_key ON notes (access_key) WHERE livemode AND access_key IS NOT NULL;
CREATE INDEX notes_by_number ON notes (organization_id, livemode, authority_number) WHERE authority_number IS NOT NULL;
CREATE INDEX notes_by_customer ON notes (organization_id, livemode, customer_id, id);

-- The document of an issued note: the authority's exact bytes, or in test the XML that says
-- it is a simulation. It is a table of its own so that lists do not read it.
CREATE TABLE note_documents (
    note_id    text COLLATE "C" PRIMARY KEY REFERENCES notes,
    xml        bytea       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- What happened to a note that its own row does not have: every request to cancel it and its
-- refusal, and what operators did. Rows are only added.
CREATE TABLE note_steps (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id    text COLLATE "C" NOT NULL REFERENCES notes,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    fact       jsonb       NOT NULL,
    api_key_id text COLLATE "C" REFERENCES api_keys, -- who asked: a key,
    user_id    text COLLATE "C",                     -- or a person; neither for the operator and for workflows
    request_id text
);
CREATE INDEX note_steps_of ON note_steps (note_id, id);
CREATE INDEX note_steps_by_request ON note_steps (request_id) WHERE request_id IS NOT NULL;

-- A move of a note from state to state, until it is rolled up into the figures. Each is a row
-- of its own, as issuances would wait for each other if all changed the same counter.
CREATE TABLE note_moves (
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    day             date        NOT NULL, -- when the note was accepted, in Brasília
    was             text,                 -- null: accepted now
    became          text        NOT NULL,
    amount_cents    bigint      NOT NULL,
    rejection_code  text,
    milliseconds    bigint,               -- from acceptance to issue
    id              bigint GENERATED ALWAYS AS IDENTITY -- names a move that cannot be rolled up
);

-- How many notes that were accepted on a day are in a state now, were rejected by a code, or
-- took so long to be issued. The name of a time is an exponent n: issuing took at most 1.2^n
-- milliseconds.
CREATE TABLE note_figures (
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean NOT NULL,
    day             date    NOT NULL,
    kind            text    NOT NULL CHECK (kind IN ('state', 'rejection', 'time')),
    name            text COLLATE "C" NOT NULL,
    notes           bigint  NOT NULL,
    amount_cents    numeric NOT NULL, -- a sum may be more than a bigint holds
    PRIMARY KEY (organization_id, livemode, day, kind, name)
);

-- +goose StatementBegin
CREATE FUNCTION record_note_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO note_moves VALUES (NEW.organization_id, NEW.livemode,
        (NEW.created_at AT TIME ZONE 'America/Sao_Paulo')::date,
        CASE WHEN TG_OP = 'UPDATE' THEN OLD.status END, NEW.status, NEW.amount_cents,
        CASE WHEN NEW.status = 'rejected' THEN NEW.rejection ->> 'code' END,
        CASE WHEN NEW.status = 'issued' THEN extract(epoch FROM NEW.issued_at - NEW.created_at) * 1000 END);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER note_accepted AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION record_note_move();
CREATE TRIGGER note_moved AFTER UPDATE OF status ON notes FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION record_note_move();

-- WEBHOOKS, E-MAILS AND THE LEDGER

-- A terminal state that a note reached; a note has one event of a type at most. The payload
-- is the body of its webhooks, the same bytes on every attempt.
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
COMMENT ON COLUMN events.payload IS 'empty: no longer kept';

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
    disabled_reason         jsonb,                -- a fact
    deleted_at              timestamptz,
    gone_since              timestamptz,          -- since when it has answered nothing but 410
    UNIQUE (organization_id, livemode, id),
    CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
    CHECK ((previous_secret IS NULL) = (previous_secret_ends_at IS NULL))
);
CREATE INDEX webhook_endpoints_of ON webhook_endpoints (organization_id, livemode) WHERE deleted_at IS NULL;

-- One event on its way to one endpoint. It is delivered, given up after its window, or
-- skipped, and can be retried.
CREATE TABLE deliveries (
    id                text COLLATE "C" PRIMARY KEY,
    organization_id   text COLLATE "C" NOT NULL,
    livemode          boolean     NOT NULL,
    event_id          text COLLATE "C" NOT NULL,
    endpoint_id       text COLLATE "C" NOT NULL,
    status            text        NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
    reason            jsonb,                              -- a fact: why it failed or was skipped
    failures          integer     NOT NULL DEFAULT 0,     -- attempts of this window that failed
    created_at        timestamptz NOT NULL DEFAULT now(),
    window_started_at timestamptz NOT NULL DEFAULT now(), -- a retry begins a fresh one
    next_attempt_at   timestamptz,                        -- as far as it is planned
    resolved_at       timestamptz,
    failed_run_id     text,                               -- of the workflow run that gave up
    handed_over       boolean     NOT NULL DEFAULT false, -- its first attempt failed, and it has no run yet
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
-- For lists of one organization's or endpoint's undelivered deliveries, which so do not read
-- past those of others, however many there are.
CREATE INDEX deliveries_of_scope_by_status ON deliveries (organization_id, livemode, status, id)
    WHERE status <> 'delivered';
CREATE INDEX deliveries_of_endpoint_by_status ON deliveries (endpoint_id, status, id) WHERE status <> 'delivered';

-- What happened at one attempt of a delivery. Rows are only added.
CREATE TABLE delivery_attempts (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id text COLLATE "C" NOT NULL REFERENCES deliveries,
    started_at  timestamptz NOT NULL,
    duration_ms integer     NOT NULL,
    status      integer,              -- of the answer; null when there was none
    answer      text        NOT NULL, -- its first KiB
    problem     jsonb                 -- a fact: what went wrong; null on success
);
CREATE INDEX delivery_attempts_of ON delivery_attempts (delivery_id, id);

-- The note as an e-mail to the customer, one of a live note whose key asks for it.
CREATE TABLE emails (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL CHECK (livemode),
    note_id         text COLLATE "C" NOT NULL UNIQUE,
    status          text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed', 'skipped')),
    reason          jsonb,      -- a fact: why it failed or was skipped
    attempts        integer     NOT NULL DEFAULT 0,
    last_problem    jsonb,      -- a fact
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
CREATE INDEX emails_of_organization ON emails (organization_id, status, id);

-- An entry of the ledger: that a live note whose key asks for it was issued, or cancelled
-- (reversed). Rows are only added.
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
CREATE INDEX ledger_entries_by_time ON ledger_entries (organization_id, created_at, id) INCLUDE (kind, amount_cents);

-- The sums of a day of the ledger that is over, in America/Sao_Paulo. They stay true, as
-- entries are only added. A day without entries has no row.
CREATE TABLE ledger_days (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    day             date   NOT NULL,
    issued          bigint NOT NULL, -- entries
    issued_cents    bigint NOT NULL,
    reversed        bigint NOT NULL,
    reversed_cents  bigint NOT NULL,
    PRIMARY KEY (organization_id, day)
);

-- HOW AN ORGANIZATION ISSUES

-- How an organization issues live notes at an authority. Without it they are held.
CREATE TABLE fiscal_profiles (
    organization_id        text COLLATE "C" PRIMARY KEY REFERENCES organizations,
    authority              text        NOT NULL,
    profile                jsonb       NOT NULL, -- nfse.FiscalProfile
    created_at             timestamptz NOT NULL DEFAULT now(),
    environment_changed_at timestamptz -- the last time between production and restricted production; null: never
);

-- A certificate of an organization. Key and chain are sealed under a keyset that is not in the
-- database, bound to organization and id. Whether an authority refuses questions is recorded
-- for each certificate, so that it affects no other.
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
    chain_verified  boolean     NOT NULL DEFAULT false, -- when it was added; only then it can claim a tax id
    sealed          bytea       NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    removed_at      timestamptz,
    warned_days     integer,              -- the last expiry warning that was given
    refused_at      timestamptz,          -- when the authority refused it
    refused_reason  text,
    worked_at       timestamptz,          -- the last time an authority answered a question asked with it
    shut_out_at     timestamptz,          -- the last time one refused such a question (401, 403)
    UNIQUE (organization_id, fingerprint)
);
CREATE INDEX certificates_usable ON certificates (organization_id, not_after) WHERE removed_at IS NULL;

-- That an organization may use an issuer's tax id in an environment of an authority, either
-- as its owner, the first that showed a certificate of it, or as allowed by the operator.
-- There is one owner at most. A branch has a CNPJ, and so a claim, of its own.
CREATE TABLE tax_id_claims (
    authority       text        NOT NULL,
    production      boolean     NOT NULL,
    tax_id          text        NOT NULL,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    owner           boolean     NOT NULL,
    source          text        NOT NULL CHECK (source IN ('certificate', 'operator')),
    claimed_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (authority, production, tax_id, organization_id)
);
CREATE UNIQUE INDEX tax_id_claims_owner ON tax_id_claims (authority, production, tax_id) WHERE owner;
CREATE INDEX tax_id_claims_of ON tax_id_claims (organization_id);

-- NUMBERS, AND WHAT IS EXCHANGED WITH AUTHORITIES

-- The last number taken of a series. A number is taken once, and none is skipped.
CREATE TABLE fiscal_sequences (
    authority         text    NOT NULL,
    production        boolean NOT NULL,
    tax_id            text    NOT NULL, -- of the issuer
    municipality_code text    NOT NULL,
    series            integer NOT NULL,
    last_number       bigint  NOT NULL CHECK (last_number >= 0),
    PRIMARY KEY (authority, production, tax_id, municipality_code, series)
);

-- A series at an authority where sending a number a second time destroys the document of the
-- first: who has the turn to send, which numbers the authority said are free, and why nothing
-- may be sent before a person has looked. Only the holder of the turn sends.
CREATE TABLE fiscal_series (
    authority         text        NOT NULL,
    production        boolean     NOT NULL,
    tax_id            text        NOT NULL, -- of the issuer
    municipality_code text        NOT NULL,
    series            integer     NOT NULL,
    registration      text        NOT NULL, -- of the issuer with the city, without zeros before it
    turn_token        uuid,                 -- of the holder; null: there is none
    turn_until        timestamptz,
    turn_ms           integer     NOT NULL DEFAULT 0, -- a moving average of how long turns take
    asked_from        bigint,               -- the numbers that the authority was last asked about
    asked_through     bigint,
    used_numbers      bigint[]    NOT NULL DEFAULT '{}', -- of them; the others are free
    asked_at          timestamptz,
    checked_in        text,                 -- series_database() when last asked; null: new
    held_reason       jsonb,                -- a fact: why nothing may be sent before a person has looked
    held_at           timestamptz,
    PRIMARY KEY (authority, production, tax_id, municipality_code, series, registration)
);

-- A name of this database. A copy of it that was restored anywhere has another name, and so
-- has one whose server took over from its primary, as it may lack the last commits. The name
-- also changes when the server is restarted, which a copy of all its files cannot be told
-- from, and when the table is rewritten: that costs one check. Where the server does not give
-- its identifier, as a managed one may not, the other parts make the name.
-- +goose StatementBegin
CREATE FUNCTION series_database() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    server text;
BEGIN
    BEGIN
        SELECT system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) INTO server
            FROM pg_control_system();
    EXCEPTION WHEN OTHERS THEN
        server := 'unknown';
    END;
    RETURN concat_ws('/', server, extract(epoch FROM pg_postmaster_start_time()),
        (SELECT oid FROM pg_database WHERE datname = current_database()),
        'fiscal_series'::regclass::oid, pg_relation_filenode('fiscal_series'));
END $$;
-- +goose StatementEnd

-- An exchange with an authority and what became of it: to issue under a number that was taken
-- (issue), or to cancel an issued document (cancel). unsigned: to be signed. signed: nothing
-- of it can exist at the authority, and it may be sent. in_doubt: something may exist, and the
-- authority is asked first. The other states are final: number_conflict is a number with a
-- document that is not ours, unused a number under which nothing was sent. A number belongs to
-- one exchange, and a note has one document under way or issued at a time.
CREATE TABLE fiscal_exchanges (
    id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id            text COLLATE "C" NOT NULL REFERENCES notes,
    kind               text        NOT NULL CHECK (kind IN ('issue', 'cancel')),
    state              text        NOT NULL DEFAULT 'unsigned'
        CHECK (state IN ('unsigned', 'signed', 'in_doubt', 'accepted', 'rejected', 'number_conflict', 'unused')),
    authority          text        NOT NULL,
    production         boolean     NOT NULL,
    tax_id             text        NOT NULL, -- of the issuer
    municipality_code  text        NOT NULL,
    series             integer     NOT NULL,
    number             bigint      NOT NULL,
    takes_turns        boolean     NOT NULL DEFAULT false, -- it is sent only in the turn of its series
    profile            jsonb       NOT NULL, -- of the organization when the number was taken
    request_id         text,                 -- of the request of the API to cancel
    message_id         text,                 -- of the last message: unique at the authority
    layout             text        NOT NULL DEFAULT '',    -- which an answer asked for
    ambiguous          boolean     NOT NULL DEFAULT false, -- an outcome was unknown: rejections count after asking
    ambiguous_since    timestamptz,
    last_sent_at       timestamptz,
    not_found          integer     NOT NULL DEFAULT 0,     -- questions since it was sent that found nothing, and count
    not_found_at       timestamptz,                        -- the last of them
    uncatalogued_since timestamptz,                       -- since when the authority answers by codes of no catalogue
    lease_token        uuid,
    lease_until        timestamptz,
    rejection          jsonb,                -- the last: nfse.Rejection
    disposition        text,                 -- of the rejection: fiscal.Disposition
    access_key         text,                 -- of the document of an issuance, as soon as it is known
    authority_number   text,
    verification_code  text,
    issued_at          timestamptz,
    poll_standing_at   timestamptz,          -- when its standing is asked for next; null: not, or not any more
    xml                bytea,                -- the authority's exact bytes: of the document, or of the event
    created_at         timestamptz NOT NULL DEFAULT now(),
    updated_at         timestamptz NOT NULL DEFAULT now(),
    CHECK ((kind = 'cancel') = (request_id IS NOT NULL)),
    CHECK (kind <> 'issue' OR state <> 'accepted'
        OR (access_key IS NOT NULL AND xml IS NOT NULL AND issued_at IS NOT NULL)),
    CHECK (state <> 'rejected' OR rejection IS NOT NULL)
);
COMMENT ON COLUMN fiscal_exchanges.xml IS 'empty: no longer kept';
CREATE UNIQUE INDEX fiscal_exchanges_number
    ON fiscal_exchanges (authority, production, tax_id, municipality_code, series, number) WHERE kind = 'issue';
CREATE UNIQUE INDEX fiscal_exchanges_message ON fiscal_exchanges (authority, production, message_id)
    WHERE kind = 'issue';
CREATE UNIQUE INDEX fiscal_exchanges_current ON fiscal_exchanges (note_id)
    WHERE kind = 'issue' AND state NOT IN ('number_conflict', 'unused');
CREATE UNIQUE INDEX fiscal_exchanges_cancellation ON fiscal_exchanges (note_id, request_id) WHERE kind = 'cancel';
CREATE INDEX fiscal_exchanges_of ON fiscal_exchanges (note_id, id);
CREATE INDEX fiscal_exchanges_ambiguous ON fiscal_exchanges (ambiguous_since)
    WHERE ambiguous AND state IN ('unsigned', 'signed', 'in_doubt');
-- For the exchanges that wait for a turn.
CREATE INDEX fiscal_exchanges_to_send ON fiscal_exchanges (tax_id, series, number)
    WHERE kind = 'issue' AND state IN ('unsigned', 'signed') AND takes_turns;
CREATE INDEX fiscal_exchanges_to_poll ON fiscal_exchanges (authority, poll_standing_at)
    WHERE poll_standing_at IS NOT NULL;

-- A message that was signed for an exchange. The last is the one that is sent.
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
COMMENT ON COLUMN fiscal_messages.xml IS 'empty: no longer kept';
CREATE INDEX fiscal_messages_of ON fiscal_messages (exchange_id, id);

-- A call to an authority and what came of it. A call without an outcome is under way or was
-- cut off.
CREATE TABLE fiscal_calls (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id    text COLLATE "C" NOT NULL REFERENCES notes,
    what       text        NOT NULL CHECK (what IN ('issue', 'find', 'cancel', 'find_cancellation', 'find_numbers')),
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at   timestamptz,
    outcome    text,
    status     integer,   -- of HTTP; null when no answer came
    reason     jsonb,     -- a fact: the code of a rejection, or why nothing is known
    body       bytea      -- of an answer that was not understood or not expected
);
CREATE INDEX fiscal_calls_of ON fiscal_calls (note_id, id);

-- How many calls to an authority may be made now, by all workers together. Tokens are added
-- over time, at the rate that the workers are configured with; calls from the authority's
-- queue may make their number negative.
CREATE TABLE authority_budgets (
    authority   text             PRIMARY KEY,
    tokens      double precision NOT NULL DEFAULT 0,
    granted     integer          NOT NULL DEFAULT 0, -- by the last request
    refilled_at timestamptz      NOT NULL DEFAULT clock_timestamp()
);

-- WHAT CITIES HAVE SET

-- What a city has agreed with an authority, as it last answered. A row is made when a note or
-- a profile first depends on the city.
CREATE TABLE municipal_parameters (
    authority         text    NOT NULL,
    production        boolean NOT NULL,
    municipality_code text COLLATE "C" NOT NULL,
    city              jsonb, -- fiscal.City; null: never fetched
    fetched_at        timestamptz,
    next_fetch_at     timestamptz NOT NULL DEFAULT now(),
    fetching_until    timestamptz,  -- one worker asks until then
    asked_by          text COLLATE "C" REFERENCES organizations, -- with whose certificate it was last asked
    failure           jsonb,        -- a fact: why it could not be fetched the last time
    failed_at         timestamptz,
    doubted_by        text,         -- the rejection since which it does not count
    doubted_at        timestamptz,
    confirmed_at      timestamptz,  -- when it was last doubted, fetched again, and found unchanged
    used_at           timestamptz NOT NULL DEFAULT now(), -- by a note or a profile, to within half a day
    PRIMARY KEY (authority, production, municipality_code),
    CHECK ((city IS NULL) = (fetched_at IS NULL)),
    CHECK ((doubted_by IS NULL) = (doubted_at IS NULL)),
    CHECK ((failure IS NULL) = (failed_at IS NULL))
);
CREATE INDEX municipal_parameters_failed ON municipal_parameters (failed_at) WHERE failure IS NOT NULL;

-- The same for a service that notes used there, for people to see.
CREATE TABLE municipal_service_parameters (
    authority         text    NOT NULL,
    production        boolean NOT NULL,
    municipality_code text COLLATE "C" NOT NULL,
    service_code      text COLLATE "C" NOT NULL, -- in the authority's form: 01.07.01.000
    service           jsonb, -- fiscal.ServiceParameters; null: never fetched
    fetched_at        timestamptz,
    next_fetch_at     timestamptz NOT NULL DEFAULT now(),
    failure           jsonb, -- a fact
    failed_at         timestamptz,
    used_at           timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (authority, production, municipality_code, service_code),
    CHECK ((service IS NULL) = (fetched_at IS NULL)),
    CHECK ((failure IS NULL) = (failed_at IS NULL))
);

-- WHAT HAPPENS OUTSIDE

-- How far an authority's distribution to an issuer has been read. There is one for each
-- environment and tax id, whichever organizations issue by it.
CREATE TABLE distributions (
    id            text COLLATE "C" PRIMARY KEY, -- also of its workflow
    authority     text        NOT NULL,
    production    boolean     NOT NULL,
    tax_id        text        NOT NULL,
    tells_of_all  boolean     NOT NULL DEFAULT false, -- also of documents that another authority issued
    position      bigint      NOT NULL DEFAULT 0 CHECK (position >= 0), -- of the last that is stored (NSU)
    taken         bigint      NOT NULL DEFAULT 0, -- documents and events of other issuers' notes, since the start
    other         bigint      NOT NULL DEFAULT 0, -- documents of the issuer's own, of series that are not numbered here
    start_after   timestamptz NOT NULL DEFAULT now(), -- when its run is started, if it is not open
    asked_at      timestamptz,
    succeeded_at  timestamptz,
    failures      integer     NOT NULL DEFAULT 0, -- since it succeeded last
    problem       jsonb,                          -- a fact: why it does not succeed
    problem_since timestamptz,
    over_at       timestamptz,                    -- since when no fiscal profile names it
    created_at    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (authority, production, tax_id),
    CHECK ((problem IS NULL) = (problem_since IS NULL))
);
CREATE INDEX distributions_in_trouble ON distributions (problem_since) WHERE problem IS NOT NULL AND over_at IS NULL;

-- Who may ask an authority for distributions. It counts requests by client address, and all
-- workers are assumed to share one.
CREATE TABLE distribution_leases (
    authority    text    NOT NULL,
    production   boolean NOT NULL,
    token        uuid,
    lease_until  timestamptz,
    throttled    integer NOT NULL DEFAULT 0, -- answers in a row that asked for a pause
    paused_until timestamptz,
    PRIMARY KEY (authority, production)
);

-- What happened to an issuer's document at the authority, whoever did it. An event that could
-- not be read has no type, and its content is as it came. Each is stored once, and applied to
-- its note once.
CREATE TABLE external_events (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- in the authority's order
    distribution_id text COLLATE "C" REFERENCES distributions, -- null: it was found by asking about the note
    position        bigint      NOT NULL, -- at which it came first (NSU)
    access_key      text        NOT NULL, -- empty where it is not known
    type            text,
    sequence        integer     NOT NULL DEFAULT 0,
    title           jsonb       NOT NULL,
    effect          text        NOT NULL CHECK (effect IN ('none', 'cancels', 'blocks', 'unblocks')),
    reason_code     text        CHECK (reason_code IN ('1', '2', '9')),
    reason_text     text,
    digest          text        NOT NULL DEFAULT '', -- of the signed request that asked for it
    happened_at     timestamptz,                     -- as the event says
    content         bytea       NOT NULL,            -- empty: no longer kept
    content_hash    bytea       NOT NULL,
    problem         jsonb,                           -- a fact: why it is not applied; a person should look
    received_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    note_id         text COLLATE "C" REFERENCES notes, -- once a note has its access key
    applied_at      timestamptz,
    outcome         jsonb,                           -- a fact: what it did to the note
    CONSTRAINT external_events_source CHECK (distribution_id IS NOT NULL OR note_id IS NOT NULL),
    CHECK (type IS NOT NULL OR problem IS NOT NULL),
    CHECK (type IS NULL OR happened_at IS NOT NULL),
    CHECK ((applied_at IS NULL) = (outcome IS NULL))
);
CREATE UNIQUE INDEX external_events_once ON external_events (distribution_id, access_key, type, sequence)
    WHERE type IS NOT NULL;
CREATE UNIQUE INDEX external_events_unread_once ON external_events (distribution_id, content_hash) WHERE type IS NULL;
CREATE UNIQUE INDEX external_events_found_once ON external_events (note_id) WHERE distribution_id IS NULL;
CREATE INDEX external_events_of ON external_events (note_id, id) WHERE note_id IS NOT NULL;
CREATE INDEX external_events_to_apply ON external_events (note_id)
    WHERE note_id IS NOT NULL AND applied_at IS NULL AND problem IS NULL;
CREATE INDEX external_events_to_link ON external_events (distribution_id, received_at)
    WHERE note_id IS NULL AND type IS NOT NULL;

-- A document of a series that is numbered here which is not on record, as after the restore of
-- an old backup.
CREATE TABLE external_documents (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    distribution_id text COLLATE "C" NOT NULL REFERENCES distributions,
    position        bigint      NOT NULL,
    access_key      text        NOT NULL,
    message_id      text        NOT NULL, -- of the declaration that it embeds
    series          integer     NOT NULL,
    number          bigint      NOT NULL,
    digest          text        NOT NULL,
    correlation_id  text        NOT NULL,
    note_id         text COLLATE "C" REFERENCES notes, -- where digest or correlation id prove it
    linked_by       text        CHECK (linked_by IN ('digest', 'correlation_id')),
    xml             bytea       NOT NULL, -- empty: no longer kept
    problem         jsonb,                -- a fact: of its signature
    received_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (distribution_id, access_key),
    CHECK ((note_id IS NULL) = (linked_by IS NULL))
);
CREATE INDEX external_documents_of ON external_documents (note_id) WHERE note_id IS NOT NULL;

-- ZIP CODES

-- An answer of an on-line zip code service.
CREATE TABLE zip_codes (
    zip_code          text        PRIMARY KEY,
    municipality_code text        NOT NULL,
    fetched_at        timestamptz NOT NULL DEFAULT now()
);

-- A range that the operator imported. Ranges never overlap.
CREATE TABLE zip_code_ranges (
    zip_start         text PRIMARY KEY,
    zip_end           text NOT NULL CHECK (zip_end >= zip_start),
    municipality_code text NOT NULL
);

-- PEOPLE

-- A person of the dashboard. One who was removed stays on record, because the audit log names
-- them; the address is then free for another account. An address is proved by a link that was
-- sent only to it, or by a company's sign-on that has verified it; before that somebody else
-- who proves it can get it. Lower case is that of ASCII, as in the program, whatever the
-- locale of the database: in others the Kelvin sign becomes a k, and one address another's.
CREATE TABLE users (
    id           text COLLATE "C" PRIMARY KEY,
    email        text        NOT NULL CHECK (email = lower(email COLLATE "C") AND email <> ''),
    operator     boolean     NOT NULL DEFAULT false, -- of the whole installation
    created_at   timestamptz NOT NULL DEFAULT now(),
    signed_in_at timestamptz,
    proved_at    timestamptz, -- when the address was last shown to be the user's
    removed_at   timestamptz
);
CREATE UNIQUE INDEX users_email ON users (email) WHERE removed_at IS NULL;

-- What a person may do in an organization.
CREATE TABLE memberships (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    user_id         text COLLATE "C" NOT NULL REFERENCES users,
    role            text        NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_of_user ON memberships (user_id);

-- A one-time link, of whose text only the hash is stored: an invitation, or for somebody with
-- an account a recovery or one sign-in.
CREATE TABLE links (
    id              text COLLATE "C" PRIMARY KEY,
    kind            text        NOT NULL CHECK (kind IN ('invitation', 'recovery', 'sign_in')),
    hash            bytea       NOT NULL UNIQUE,
    user_id         text COLLATE "C" NOT NULL REFERENCES users,
    organization_id text COLLATE "C" REFERENCES organizations, -- of an invitation, with the role
    role            text        CHECK (role IN ('viewer', 'editor', 'owner')),
    operator        boolean     NOT NULL DEFAULT false,        -- or as an operator
    created_at      timestamptz NOT NULL DEFAULT now(),
    expires_at      timestamptz NOT NULL,
    used_at         timestamptz,
    mailed_at       timestamptz, -- null: its text was shown to who made it, so using it proves no address
    CHECK ((organization_id IS NULL) = (role IS NULL)),
    CHECK ((kind = 'invitation') = (organization_id IS NOT NULL OR operator))
);
CREATE INDEX links_of_user ON links (user_id);
CREATE INDEX links_of_organization ON links (organization_id) WHERE used_at IS NULL;

-- A passkey of a person.
CREATE TABLE passkeys (
    id            text COLLATE "C" PRIMARY KEY,
    user_id       text COLLATE "C" NOT NULL REFERENCES users,
    credential_id bytea       NOT NULL UNIQUE,
    credential    jsonb       NOT NULL, -- public: the authenticator keeps what is secret
    label         text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    used_at       timestamptz
);
CREATE INDEX passkeys_of_user ON passkeys (user_id);

-- An account of a company's own sign-on (OIDC) by which a person signs in: by the provider's
-- permanent id of the person, and not the address, which may become another's.
CREATE TABLE identities (
    issuer  text NOT NULL,
    subject text NOT NULL,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX identities_of_user ON identities (user_id, issuer);

-- A session in a browser, found by the hash of its cookie. One that was ended stays until it
-- expires, so that a request that is under way cannot write it again.
CREATE TABLE sessions (
    token_hash text COLLATE "C" PRIMARY KEY,
    id         text COLLATE "C" NOT NULL UNIQUE,
    data       jsonb       NOT NULL,
    user_id    text COLLATE "C" GENERATED ALWAYS AS (data -> 'values' ->> 'user_id') STORED REFERENCES users,
    seen_at    timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at   timestamptz
);
CREATE INDEX sessions_of_user ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_expired ON sessions (expires_at);

-- Who changed what, when and from where, written in the transaction of the change. It holds
-- neither secrets nor personal data, so that nothing ever has to be erased from it. It has no
-- foreign keys, as what it is about may be deleted before it.
CREATE TABLE audit_log (
    id              text COLLATE "C" PRIMARY KEY,
    at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    organization_id text COLLATE "C", -- null: of the whole installation
    livemode        boolean,          -- null: of no environment
    actor_kind      text        NOT NULL CHECK (actor_kind IN ('user', 'key', 'command')),
    actor_id        text        NOT NULL CHECK (actor_id <> ''), -- user, key, or operating-system user of a command
    actor_from      text        NOT NULL CHECK (actor_from <> ''), -- client address, or host of a command
    request_id      text        NOT NULL,                        -- empty of a command
    action          text        NOT NULL CHECK (action <> ''),
    subject_id      text COLLATE "C" NOT NULL,                   -- what was changed
    before          jsonb,                                       -- null: it is new, or nothing is recorded of it
    after           jsonb
);
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, id);
CREATE INDEX audit_log_of_subject ON audit_log (subject_id, id);
CREATE INDEX audit_log_of_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_of_action ON audit_log (organization_id, action, id);
-- For operators, who look through all organizations.
CREATE INDEX audit_log_by_action ON audit_log (action, id);
CREATE INDEX audit_log_by_time ON audit_log (at);

-- Entries are only added. They are deleted only by age, and only by the table's owner, which
-- is the role that migrates.
-- +goose StatementBegin
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        RAISE EXCEPTION 'the audit log is only added to: % is refused', lower(TG_OP)
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RAISE EXCEPTION 'entries of the audit log are deleted by its owner alone, the role that migrates'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF OLD.at > now() - interval '1 year' THEN
        RAISE EXCEPTION 'entries of the audit log are kept for a year at least' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_rows BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();
CREATE TRIGGER audit_log_whole BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

-- WORK THAT WAITS

-- A workflow that is to be started or woken up, written in the transaction that makes it
-- necessary and deleted when the engine has it. There is at most one row of a kind and
-- subject: asking again while one waits makes it due at once. A resume wakes up the workflow of
-- a note that may go on, or starts it; a restart replaces a run that is open.
CREATE TABLE outbox (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind            text        NOT NULL
        CHECK (kind IN ('note', 'cancellation', 'delivery', 'resume', 'email', 'distribution')),
    subject_id      text COLLATE "C" NOT NULL,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    reference       text,
    restart         boolean     NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz NOT NULL DEFAULT now(), -- a claim moves it past the lease
    attempts        integer     NOT NULL DEFAULT 0,     -- all tries
    failures        integer     NOT NULL DEFAULT 0,     -- of them, by the row itself: its pause grows with these
    token           uuid,                               -- of the claim: only its holder may finish the row
    failure         text        CHECK (failure IN ('engine_away', 'refused', 'timed_out', 'internal')),
    last_error      text,                               -- what the engine said, for operators
    UNIQUE (kind, subject_id),
    CHECK (kind IN ('delivery', 'email', 'distribution') OR reference IS NOT NULL)
);
-- Its columns never change, so that claiming a row touches no index.
CREATE INDEX outbox_backlogs ON outbox (livemode, kind, organization_id, id);

-- Why the rows of a backlog of the outbox cannot be started for now, or have to wait for their
-- rate: one row for all of them, written again and again by a process as long as it is so.
CREATE TABLE paused_backlogs (
    livemode        boolean          NOT NULL,
    kind            text             NOT NULL,
    organization_id text COLLATE "C" NOT NULL, -- '': of all organizations
    reason          jsonb            NOT NULL, -- a fact
    paused_until    timestamptz      NOT NULL, -- unless it is written again
    PRIMARY KEY (livemode, kind, organization_id)
);

-- A row that a loop could not handle, or that something still needed: the loop continues
-- without it, and tries it alone after retry_after. There are few, for a short time.
CREATE TABLE row_failures (
    loop        text        NOT NULL, -- by its name in docs/architecture.md
    row_id      text COLLATE "C" NOT NULL,
    failures    integer     NOT NULL, -- in a row; 0: something still needed it
    retry_after timestamptz NOT NULL,
    PRIMARY KEY (loop, row_id)
);

-- How far the removal of old copies has come: of a kind, everything up to this row has been
-- looked at. Ids are in the order of time, so that old rows are found without another index,
-- which every insert would cost.
CREATE TABLE retention_progress (
    what  text PRIMARY KEY,
    up_to text COLLATE "C" NOT NULL
);

-- Which keys of the keyset a running process holds: a key seals once all processes have it,
-- and is removed once nothing needs it. A process that ends deletes its row; one that was
-- killed stops reporting.
CREATE TABLE keyset_reports (
    process_id     uuid        PRIMARY KEY, -- of one run
    process        text        NOT NULL,    -- machine and process number, for people
    key_ids        bigint[]    NOT NULL,
    primary_key_id bigint      NOT NULL,
    reported_at    timestamptz NOT NULL DEFAULT now()
);
