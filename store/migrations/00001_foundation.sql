-- +goose Up

-- The whole schema. Later migrations are added beside this file; it stays as it is.
--
-- Ids are compared byte by byte (COLLATE "C"), because their order is the order of lists.
-- Every tenant table carries organization and environment, and refers to others by
-- (organization_id, livemode, id): a reference across tenants or environments cannot be
-- written. A fact is a code with arguments; its texts are made where it is shown (package
-- nfse/fact). An issuer and a series have the same columns in every table
-- (store/series_columns.go). Nothing here names an authority.

-- IDS, AND TABLES THAT GROW
-- What grows lies in parts by time: by months, and notes by years. A row's part is told by its id, whose first bits are
-- the time, so that a key of a table in parts is the id that it has anyhow.

-- Parts are tables of this schema. No role needs it: what is read and written are the tables that they are parts of.
CREATE SCHEMA months;

-- The tables that have parts: the column of the id, the letters that it begins with (null: it is a number), how long a
-- part is, and for how long after its end it is kept at least (null: it is never dropped). The fiscal time is five
-- years, counted from the year after.
-- +goose StatementBegin
CREATE FUNCTION grown_tables() RETURNS TABLE (name text, key text, prefix text, months integer, floor interval)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
VALUES
    ('notes', 'id', 'nfse_', 12, NULL::interval),
    ('note_documents', 'note_id', 'nfse_', 1, NULL),
    ('ledger_entries', 'id', 'led_', 1, NULL),
    ('audit_log', 'id', 'aud_', 1, NULL),
    ('note_steps', 'id', NULL, 1, interval '5 years'),
    ('fiscal_calls', 'id', NULL, 1, interval '5 years'),
    ('emails', 'id', 'eml_', 1, interval '5 years'),
    ('events', 'id', 'evt_', 1, interval '7 days'),
    ('deliveries', 'id', 'dlv_', 1, interval '7 days'),
    ('delivery_attempts', 'id', NULL, 1, interval '7 days'),
    ('note_moves', 'id', NULL, 1, interval '7 days'),
    ('closing_moves', 'id', NULL, 1, interval '7 days')
$$;
-- +goose StatementEnd

-- A number as an id: milliseconds since 1970, then twenty bits that tell those of a millisecond apart, in their order.
-- It is the owner's, so that nobody needs the sequence.
CREATE SEQUENCE row_ids;
-- +goose StatementBegin
CREATE FUNCTION next_row_id() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN ((extract(epoch FROM clock_timestamp()) * 1000)::bigint << 20)
        | (nextval('public.row_ids') & 1048575);
END $$;
-- +goose StatementEnd

-- The least id of a moment: below every id that is made from then on, and above those that were made until then.
-- +goose StatementBegin
CREATE FUNCTION first_id(prefix text, moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN prefix IS NULL THEN (ms << 20)::text
        ELSE prefix || (SELECT string_agg(
            substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (45 - 5 * i)) & 31)::integer + 1, 1), '' ORDER BY i)
            FROM generate_series(0, 9) i) || repeat('0', 16) END
    FROM (SELECT (extract(epoch FROM moment) * 1000)::bigint AS ms) _
$$;
-- +goose StatementEnd

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
    last_four                   text        CHECK (length(last_four) = 4), -- its last characters, to tell keys apart
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

-- How a service is taxed, and its customers: set beside the API.
CREATE TABLE service_taxations (
    service_id      text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    taxation        jsonb       NOT NULL, -- nfse.ServiceTaxation
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

-- Customers are found by words of their names, wherever these stand, without case and accents. The
-- scope stands before each word, so that the words of an organization and environment are found apart
-- from those of all others. What separates words is of ASCII, so that other scripts have words too; a
-- name that has none, as "%", is one.
-- wordsAsked (store/customers_find.go) folds what is asked for alike.
-- +goose StatementBegin
CREATE FUNCTION customer_words(organization_id text, livemode boolean, name text, nickname text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(array_agg(DISTINCT
        organization_id || CASE WHEN livemode THEN '/live/' ELSE '/test/' END || word))
    FROM (
        SELECT btrim(name) AS word WHERE name !~ '[A-Za-z0-9\u0080-\U0010ffff]'
        UNION ALL
        SELECT regexp_split_to_table(translate(regexp_replace(name || ' ' || coalesce(nickname, ''),
            '[\u0300-\u036f]', '', 'g'),
        'ABCDEFGHIJKLMNOPQRSTUVWXYZáàâãäåçéèêëíìîïñóòôõöúùûüýÁÀÂÃÄÅÇÉÈÊËÍÌÎÏÑÓÒÔÕÖÚÙÛÜÝ',
        'abcdefghijklmnopqrstuvwxyzaaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuy'),
        '[\x01-\x2f\x3a-\x60\x7b-\x7f]+')
    ) AS words
    WHERE word <> ''
$$;
-- +goose StatementEnd
CREATE INDEX customers_by_words ON customers USING gin (customer_words(organization_id, livemode, name, nickname));

CREATE TABLE customer_taxations (
    customer_id     text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    taxation        jsonb       NOT NULL, -- nfse.CustomerTaxation
    FOREIGN KEY (organization_id, livemode, customer_id) REFERENCES customers (organization_id, livemode, id)
);

-- The registers of works and events to which notes refer.
CREATE TABLE works (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    work            jsonb       NOT NULL, -- nfse.Work, without its id
    closed_at       timestamptz,          -- null: notes may refer to it
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, livemode, id)
);

CREATE TABLE cultural_events (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    event           jsonb       NOT NULL, -- nfse.CulturalEvent, without its id
    closed_at       timestamptz,          -- null: notes may refer to it
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, livemode, id)
);

-- NOTES

-- A note that was accepted. It is promised that it ends, and that at most one fiscal document
-- exists for it; the reference is unique in its organization and environment (note_references).
-- sent_at is the fence: while it is null nothing was sent, and the note is cancelled without asking
-- the authority; after it a document may exist. The competence is the day of acceptance in
-- Brasília, or the one that a person set.
--
-- A city that does not let its issuers cancel a note is asked to decide by an analysis. While a note
-- that replaces another is on its way, the other waits for its end, and counts as one whose
-- cancellation is pending; what became of an earlier request to cancel stays meanwhile.
CREATE TABLE notes (
    id                          text COLLATE "C" PRIMARY KEY,
    organization_id             text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                    boolean     NOT NULL,
    reference                   text COLLATE "C" NOT NULL,
    payload_hash                bytea       NOT NULL, -- empty once it has ended: it is with its reference
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
    service                     jsonb,                -- snapshot; null: it is in the two below
    service_snapshot_id         bigint,               -- of service_snapshots; null: service has it all
    service_description         text,                 -- as printed on the note, where there is a snapshot
    classification              jsonb,                -- snapshot; null: the service had none
    customer                    jsonb       NOT NULL, -- snapshot
    taxation                    jsonb, -- nfse.Taxation, a snapshot; null: nothing was set
    details                     jsonb, -- nfse.NoteDetails; null: the form gave nothing beside what the API has
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
    authority_totals            jsonb, -- nfse.Totals; null: the document has none
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
    -- Of the last cancellation: asked: the request is to be sent. pending: the city has it. denied:
    -- it is answered, and no other is taken, ever.
    analysis                    text CHECK (analysis IN ('asked', 'pending', 'denied')),
    analysis_since              timestamptz, -- since when it is so
    replaces                    text COLLATE "C", -- the note that this one replaces, or would have
    replaced_by                 text COLLATE "C", -- the note that replaces this one, or is to
    replacement_text            text,             -- the reason in words
    replacement_at              timestamptz,      -- when it was asked for
    refused_at                  timestamptz, -- when it was first refused for the company's settings; null: never
    held_reason                 jsonb, -- a fact: what a live note waits for that only a person can give
    -- It stays when the note is held no more: its time to the end is not that of the service.
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
    FOREIGN KEY (organization_id, livemode, api_key_id) REFERENCES api_keys (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, cancellation_api_key_id)
        REFERENCES api_keys (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, customer_id) REFERENCES customers (organization_id, livemode, id),
    -- A command replaces a note too: the audit log says who ran it.
    CONSTRAINT notes_asked_for CHECK (api_key_id IS NOT NULL OR user_id IS NOT NULL OR replaces IS NOT NULL),
    CONSTRAINT notes_service CHECK (service IS NOT NULL
        OR service_snapshot_id IS NOT NULL AND service_description IS NOT NULL),
    CONSTRAINT notes_held CHECK (held_reason IS NULL OR held_since IS NOT NULL),
    CHECK (livemode = (scenario IS NULL)),
    CHECK ((status = 'rejected') = (rejection IS NOT NULL)),
    CHECK (status <> 'issued' OR (issued_at IS NOT NULL AND authority_issued_at IS NOT NULL)),
    CHECK ((cancellation_status IS NULL) = (cancellation_requested_at IS NULL)),
    CHECK ((coalesce(cancellation_status, 'pending') <> 'pending') = (cancellation_resolved_at IS NOT NULL)),
    CHECK ((cancellation_status IS NOT DISTINCT FROM 'refused') = (cancellation_refusal IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancellation_status IS NOT DISTINCT FROM 'accepted')),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK ((analysis IS NULL) = (analysis_since IS NULL)),
    CHECK (coalesce(analysis, 'denied') = 'denied' OR cancellation_status IS NOT DISTINCT FROM 'pending'),
    CHECK (livemode OR replaces IS NULL),
    CHECK ((replaced_by IS NULL) = (replacement_at IS NULL)),
    CHECK (replaced_by IS NULL OR status IN ('issued', 'cancelled'))
) PARTITION BY RANGE (id);
CREATE INDEX notes_unfinished ON notes (requeue_after)
    WHERE status IN ('queued', 'processing') OR cancellation_status = 'pending';
CREATE INDEX notes_by_request ON notes (request_id);
CREATE INDEX notes_held ON notes (organization_id) WHERE held_reason IS NOT NULL;
-- Notes under way are counted for one organization at a time, those that wait for a person
-- apart from those that should move, the oldest first.
CREATE INDEX notes_under_way ON notes (organization_id, livemode, status, (held_reason IS NULL), id)
    WHERE status IN ('queued', 'processing');
-- For lists of rejected and cancelled notes; of the other states there are either few or most. Those
-- of a month are far apart: they are found, and added up, without their rows.
CREATE INDEX notes_ended_badly ON notes (organization_id, livemode, status, id) INCLUDE (competence, amount_cents)
    WHERE status IN ('rejected', 'cancelled');
-- External events name a note by its access key.
CREATE INDEX notes_by_access_key ON notes (access_key) WHERE livemode AND access_key IS NOT NULL;
CREATE INDEX notes_by_number ON notes (organization_id, livemode, authority_number) WHERE authority_number IS NOT NULL;
CREATE INDEX notes_by_customer ON notes (organization_id, livemode, customer_id, id);
CREATE INDEX notes_analysed ON notes (analysis_since) WHERE analysis = 'pending';
-- Notes of a month, in the order of their competence.
CREATE INDEX notes_by_competence ON notes (organization_id, livemode, competence, id);
-- The notes of a month that are not at their end.
CREATE INDEX notes_open_of_month ON notes (organization_id, livemode, competence, id)
    WHERE status IN ('queued', 'processing') OR cancellation_status = 'pending';
-- What the ledger does not have, because the key does not register there.
CREATE INDEX notes_outside_ledger ON notes (organization_id, issued_at)
    WHERE livemode AND NOT register_ledger AND issued_at IS NOT NULL;

-- The names of notes. A reference is unique in its organization and environment for ever: the notes
-- lie in parts by time, so that a key of theirs has to contain the time. The hash of the request
-- tells a repetition from a conflict.
CREATE TABLE note_references (
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    reference       text COLLATE "C" NOT NULL,
    note_id         text COLLATE "C" NOT NULL, -- no foreign key: both rows are made by one statement, and never deleted
    payload_hash    bytea       NOT NULL,
    payload_version smallint    NOT NULL,
    PRIMARY KEY (organization_id, livemode, reference)
);
-- +goose StatementBegin
CREATE FUNCTION name_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO note_references VALUES (NEW.organization_id, NEW.livemode, NEW.reference, NEW.id, NEW.payload_hash,
        NEW.payload_version);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER note_named AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION name_note();

-- What many notes have alike is stored once: the service as it was when they were accepted, but for
-- its description. No foreign key refers to it: it loses no rows.
CREATE TABLE service_snapshots (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    digest          bytea       NOT NULL, -- SHA-256 of the snapshot, as the program writes it
    service         jsonb       NOT NULL, -- nfse.ServiceSnapshot without its description
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, digest)
);
-- +goose StatementBegin
CREATE FUNCTION note_service(service jsonb, snapshot_id bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(service, (SELECT s.service FROM service_snapshots s WHERE s.id = snapshot_id))
$$;
-- +goose StatementEnd

-- The document of an issued note: the authority's exact bytes, or in test the XML that says
-- it is a simulation. It is a table of its own so that lists do not read it. Its bytes, like those
-- of messages and events, are stored packed (internal/packed). A document is here, or it has a
-- place in a segment of the archive.
CREATE TABLE note_documents (
    note_id      text COLLATE "C" PRIMARY KEY REFERENCES notes,
    xml          bytea,
    created_at   timestamptz NOT NULL DEFAULT now(),
    digest       bytea, -- SHA-256 of the plain bytes
    segment_id   bigint,
    frame_from   bigint,
    frame_length integer,
    plain_length integer,
    CONSTRAINT note_documents_place CHECK (
        (xml IS NULL) = (segment_id IS NOT NULL AND frame_from IS NOT NULL AND frame_length IS NOT NULL
            AND plain_length IS NOT NULL AND digest IS NOT NULL))
) PARTITION BY RANGE (note_id);

-- The dictionaries by which documents are packed: a version, which the program has, and the certificates of an issuer
-- and an authority. Rows are only added.
CREATE TABLE document_dictionaries (
    id           bigint GENERATED ALWAYS AS IDENTITY (START WITH 256) PRIMARY KEY, -- as frames name it
    version      smallint    NOT NULL,
    certificates bytea       NOT NULL,
    digest       bytea       NOT NULL UNIQUE, -- SHA-256 of the certificates, with the version before
    created_at   timestamptz NOT NULL DEFAULT now()
);

-- What happened to a note that its own row does not have: every request to cancel it and its
-- refusal, and what operators did. Rows are only added.
CREATE TABLE note_steps (
    id         bigint      PRIMARY KEY DEFAULT next_row_id(),
    note_id    text COLLATE "C" NOT NULL REFERENCES notes,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    fact       jsonb       NOT NULL,
    api_key_id text COLLATE "C" REFERENCES api_keys, -- who asked: a key,
    user_id    text COLLATE "C",                     -- or a person; neither for the operator and for workflows
    request_id text
) PARTITION BY RANGE (id);
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
    id              bigint NOT NULL DEFAULT next_row_id() -- names a move that cannot be rolled up
) PARTITION BY RANGE (id);

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
    INSERT INTO note_moves (organization_id, livemode, day, was, became, amount_cents, rejection_code, milliseconds)
    VALUES (NEW.organization_id, NEW.livemode,
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

-- A terminal state that a note reached; a note has one event of a type at most, which each part
-- sees to. The payload is the body of its webhooks, the same bytes on every attempt. No foreign key
-- refers to events, deliveries and attempts, as it would keep their parts from being dropped:
-- the order of dropping stands in its place (drop_part).
CREATE TABLE events (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    note_id         text COLLATE "C" NOT NULL,
    type            text        NOT NULL CHECK (type IN ('nfse.issued', 'nfse.rejected', 'nfse.cancelled')),
    payload         bytea       NOT NULL,
    created_at      timestamptz NOT NULL,
    payload_digest  bytea, -- SHA-256 of the body: one that is not kept is made from the note again, the same bytes
    UNIQUE (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, note_id) REFERENCES notes (organization_id, livemode, id)
) PARTITION BY RANGE (id);
COMMENT ON COLUMN events.payload IS 'empty: no longer kept';

-- Where an organization wants its events sent, in one environment. It may be a command that listens,
-- `emissor listen`: its deliveries wait until the command takes them, and no worker sends them. Such
-- an endpoint is of one test key, and ends with the command.
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
    events                  text[]      NOT NULL DEFAULT '{}' -- that it wants; empty: all
        CHECK (events <@ ARRAY['nfse.issued', 'nfse.rejected', 'nfse.cancelled']),
    listener_key_id         text COLLATE "C",     -- the API key of the command; null: events are sent to the URL
    listens_until           timestamptz,          -- renewed while the command is connected
    UNIQUE (organization_id, livemode, id),
    CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
    CHECK ((previous_secret IS NULL) = (previous_secret_ends_at IS NULL)),
    CONSTRAINT webhook_endpoints_listener CHECK ((listener_key_id IS NULL) = (listens_until IS NULL)),
    CONSTRAINT webhook_endpoints_listener_in_test CHECK (listener_key_id IS NULL OR NOT livemode)
);
CREATE INDEX webhook_endpoints_of ON webhook_endpoints (organization_id, livemode) WHERE deleted_at IS NULL;
CREATE INDEX webhook_endpoints_disabled ON webhook_endpoints (disabled_at)
    WHERE disabled_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX webhook_endpoints_listening ON webhook_endpoints (listens_until)
    WHERE listens_until IS NOT NULL AND deleted_at IS NULL;

-- A process that has listeners of a key hears at once that the key may be used no more, whichever program says so.
-- +goose StatementBegin
CREATE FUNCTION tell_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('emissor_listening', 'key ' || NEW.id);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tell_key_change AFTER UPDATE OF revoked_at, expires_at, allowed_networks ON api_keys
    FOR EACH ROW EXECUTE FUNCTION tell_key_change();

-- The same of an endpoint that listens and has ended.
-- +goose StatementBegin
CREATE FUNCTION tell_listener_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('emissor_listening', 'end ' || NEW.id);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tell_listener_end AFTER UPDATE OF deleted_at ON webhook_endpoints
    FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL AND NEW.listens_until IS NOT NULL)
    EXECUTE FUNCTION tell_listener_end();

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
    FOREIGN KEY (organization_id, livemode, endpoint_id) REFERENCES webhook_endpoints (organization_id, livemode, id),
    CHECK ((status = 'pending') = (resolved_at IS NULL))
) PARTITION BY RANGE (id);
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
    id          bigint      PRIMARY KEY DEFAULT next_row_id(),
    delivery_id text COLLATE "C" NOT NULL,
    started_at  timestamptz NOT NULL,
    duration_ms integer     NOT NULL,
    status      integer,              -- of the answer; null when there was none
    answer      text        NOT NULL, -- its first KiB
    problem     jsonb                 -- a fact: what went wrong; null on success
) PARTITION BY RANGE (id);
CREATE INDEX delivery_attempts_of ON delivery_attempts (delivery_id, id);

-- The note as an e-mail to the customer, one of a live note whose key asks for it. One that a person
-- had sent again has a row of its own: copy_of is its note, and address where it goes to. The one
-- that follows an issue has a note_id instead, of which there is one.
CREATE TABLE emails (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL CHECK (livemode),
    note_id         text COLLATE "C",
    copy_of         text COLLATE "C",
    address         text,
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
    FOREIGN KEY (organization_id, livemode, copy_of) REFERENCES notes (organization_id, livemode, id),
    CHECK ((status = 'pending') = (resolved_at IS NULL)),
    CHECK ((note_id IS NULL) <> (copy_of IS NULL))
) PARTITION BY RANGE (id);
CREATE INDEX emails_unfinished ON emails (requeue_after) WHERE status = 'pending';
CREATE INDEX emails_by_status ON emails (status, id) WHERE status <> 'sent';
CREATE INDEX emails_of_organization ON emails (organization_id, status, id);
CREATE INDEX emails_copied ON emails (copy_of, id) WHERE copy_of IS NOT NULL;

-- A company's own words and logo in the e-mails to its customers. Without a row they are ours.
CREATE TABLE email_templates (
    organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations,
    portuguese      text        NOT NULL, -- with placeholders; '': ours
    english         text        NOT NULL,
    logo            bytea,      -- a PNG of our own making; null: without
    updated_at      timestamptz NOT NULL DEFAULT now()
);

-- An entry of the ledger: that a live note whose key asks for it was issued, or cancelled
-- (reversed). Rows are only added, one of a kind for a note, which each part sees to.
CREATE TABLE ledger_entries (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL CHECK (livemode),
    note_id         text COLLATE "C" NOT NULL,
    kind            text        NOT NULL CHECK (kind IN ('issued', 'reversed')),
    amount_cents    bigint      NOT NULL, -- negative when reversed
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, note_id) REFERENCES notes (organization_id, livemode, id),
    CHECK ((kind = 'reversed') = (amount_cents < 0))
) PARTITION BY RANGE (id);
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

-- NOTES OF SPREADSHEETS, AND OF EVERY MONTH

-- A spreadsheet of notes to issue. It is checked whole, then reviewed by a person, then accepted
-- line by line by a run of the engine.
CREATE TABLE batches (
    id                          text COLLATE "C" PRIMARY KEY,
    organization_id             text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                    boolean     NOT NULL,
    user_id                     text COLLATE "C" NOT NULL, -- who sent it
    digest                      text        NOT NULL, -- SHA-256 of what its lines ask for, in hex
    status                      text        NOT NULL DEFAULT 'checked' CHECK (status IN ('checked', 'accepting', 'done')),
    lines                       integer     NOT NULL,
    amount_cents                bigint      NOT NULL, -- of all lines
    email_customer              boolean     NOT NULL DEFAULT false,
    register_ledger             boolean     NOT NULL DEFAULT false,
    confirm_municipal_operation boolean     NOT NULL DEFAULT false,
    created_at                  timestamptz NOT NULL DEFAULT now(),
    accepted_by                 text COLLATE "C",
    accepted_from               text,       -- address, for the audit log
    request_id                  text,       -- of the request that accepted it
    accepted_at                 timestamptz,
    finished_at                 timestamptz,
    requeue_after               timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    requeues                    integer     NOT NULL DEFAULT 0,
    UNIQUE (organization_id, livemode, digest),
    CHECK ((status = 'checked') = (accepted_at IS NULL)),
    CHECK ((accepted_at IS NULL) = (accepted_by IS NULL)),
    CHECK ((status = 'done') = (finished_at IS NOT NULL))
);
CREATE INDEX batches_of_organization ON batches (organization_id, livemode, id);
CREATE INDEX batches_unfinished ON batches (requeue_after) WHERE status = 'accepting';

-- A line of a spreadsheet. What it asks for is kept only until the line has ended: then its note
-- has it, or nothing does.
CREATE TABLE batch_lines (
    batch_id    text COLLATE "C" NOT NULL REFERENCES batches,
    line        integer     NOT NULL, -- of the file
    status      text        NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'accepted', 'known', 'failed')),
    tax_id      text,                 -- of the customer, while it waits
    request     jsonb,                -- nfse.Issuance, while it waits
    note_id     text COLLATE "C" REFERENCES notes,
    code        text,                 -- why it failed: a code of package nfse
    field       text,                 -- the field that the code is about
    failures    integer     NOT NULL DEFAULT 0, -- attempts that failed on our side
    retry_after timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (batch_id, line),
    CHECK ((status = 'waiting') = (request IS NOT NULL)),
    CHECK ((status IN ('accepted', 'known')) = (note_id IS NOT NULL)),
    CHECK ((status = 'failed') = (code IS NOT NULL))
);
CREATE INDEX batch_lines_waiting ON batch_lines (batch_id, retry_after) WHERE status = 'waiting';
CREATE INDEX batch_lines_of_customer ON batch_lines (tax_id) WHERE tax_id IS NOT NULL;
CREATE INDEX batch_lines_of_note ON batch_lines (note_id) WHERE note_id IS NOT NULL;

-- The day of a month (its first day) on which something of that day falls: 31 is the last day.
CREATE FUNCTION day_in_month(month date, day integer) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN month + least(day, extract(day FROM month + interval '1 month - 1 day')::integer) - 1;

-- A note that is issued every month. Its months are rows of recurring_months from their day on.
CREATE TABLE recurrences (
    id                          text COLLATE "C" PRIMARY KEY,
    organization_id             text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                    boolean     NOT NULL,
    customer_id                 text COLLATE "C" NOT NULL,
    service_id                  text COLLATE "C" NOT NULL,
    amount_cents                bigint      NOT NULL CHECK (amount_cents > 0),
    description                 text,       -- NULL: that of the service
    iss_withheld                boolean     NOT NULL,
    email_customer              boolean     NOT NULL,
    register_ledger             boolean     NOT NULL,
    confirm_municipal_operation boolean     NOT NULL,
    day                         integer     NOT NULL CHECK (day BETWEEN 1 AND 31),
    until                       date,       -- the last day on which a note may be issued; NULL: no end
    status                      text        NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'ended')),
    next_month                  date        NOT NULL CHECK (extract(day FROM next_month) = 1),
    next_day                    date        NOT NULL GENERATED ALWAYS AS (day_in_month(next_month, day)) STORED,
    wanted_by                   text COLLATE "C" NOT NULL, -- the user who last said what is issued
    wanted_from                 text        NOT NULL, -- their address, for the audit log
    request_id                  text        NOT NULL,
    created_at                  timestamptz NOT NULL DEFAULT now(),
    ended_at                    timestamptz,
    UNIQUE (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, customer_id) REFERENCES customers (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id),
    CHECK ((status = 'ended') = (ended_at IS NOT NULL))
);
CREATE INDEX recurrences_due ON recurrences (next_day) WHERE status <> 'ended';
CREATE INDEX recurrences_of_customer ON recurrences (organization_id, livemode, customer_id);

-- A month of a recurrence, with what its note is issued with: it does not change with the
-- recurrence while the note is on its way, so that the same reference is the same request.
CREATE TABLE recurring_months (
    id                          text COLLATE "C" PRIMARY KEY, -- the recurrence's id, and the month as 2026-11
    organization_id             text COLLATE "C" NOT NULL,
    livemode                    boolean     NOT NULL,
    recurrence_id               text COLLATE "C" NOT NULL,
    month                       date        NOT NULL, -- its first day
    day                         date        NOT NULL, -- on which the note is issued, or would have been
    status                      text        NOT NULL CHECK (status IN ('due', 'issued', 'missed', 'skipped', 'left')),
    reason                      text,       -- why it was missed
    service_id                  text COLLATE "C" NOT NULL,
    amount_cents                bigint      NOT NULL,
    description                 text,
    iss_withheld                boolean     NOT NULL,
    email_customer              boolean     NOT NULL,
    register_ledger             boolean     NOT NULL,
    confirm_municipal_operation boolean     NOT NULL,
    wanted_by                   text COLLATE "C" NOT NULL,
    wanted_from                 text        NOT NULL,
    request_id                  text        NOT NULL,
    note_id                     text COLLATE "C",
    created_at                  timestamptz NOT NULL DEFAULT now(),
    requeue_after               timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    requeues                    integer     NOT NULL DEFAULT 0,
    UNIQUE (recurrence_id, month),
    FOREIGN KEY (organization_id, livemode, recurrence_id) REFERENCES recurrences (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, note_id) REFERENCES notes (organization_id, livemode, id),
    CHECK ((status = 'issued') = (note_id IS NOT NULL)),
    CHECK (status <> 'missed' OR reason IS NOT NULL)
);
CREATE INDEX recurring_months_due ON recurring_months (requeue_after) WHERE status = 'due';
CREATE INDEX recurring_months_missed ON recurring_months (organization_id, livemode) WHERE status = 'missed';
CREATE INDEX recurring_months_of_note ON recurring_months (note_id) WHERE note_id IS NOT NULL;

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
CREATE INDEX certificates_ending ON certificates (not_after) WHERE removed_at IS NULL AND refused_at IS NULL;

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

-- Whether the municipal registration is sent, where the authority has refused what the profile
-- says and issued the contrary. It counts until a person changes the profile's word.
CREATE TABLE learned_registrations (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    authority       text        NOT NULL,
    production      boolean     NOT NULL,
    tax_id          text        NOT NULL,
    sent            boolean     NOT NULL,
    code            text        NOT NULL, -- by which the other was refused
    learned_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, authority, production, tax_id)
);

-- NUMBERS, AND WHAT IS EXCHANGED WITH AUTHORITIES

-- The last number taken of a series. A number is taken once, and none is skipped.
CREATE TABLE fiscal_sequences (
    authority         text    NOT NULL,
    production        boolean NOT NULL,
    tax_id            text    NOT NULL, -- of the issuer
    municipality_code text    NOT NULL,
    series            integer NOT NULL,
    last_number       bigint  NOT NULL CHECK (last_number >= 0),
    checked_in        text,        -- the database in which its numbers are those that were taken; null: any
    noticed_in        text,        -- the database in which it was noticed that it is another one
    noticed_at        timestamptz,
    wanted_at         timestamptz, -- when a note last waited for the check
    checking_until    timestamptz, -- one process asks until then
    check_problem     jsonb,       -- a fact: why the last check came to no end
    PRIMARY KEY (authority, production, tax_id, municipality_code, series)
);

-- A name of this database for the sequences of numbers. A copy that was restored from an archive has another one, and
-- so has a server that took over from its primary: either may lack the last commits. Other than series_database() it
-- stays when a server is only started again. Where the server does not give its identifier, the other parts make the
-- name.
-- +goose StatementBegin
CREATE FUNCTION sequence_database() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    server text;
BEGIN
    BEGIN
        SELECT system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) INTO server
            FROM pg_control_system();
    EXCEPTION WHEN OTHERS THEN
        server := 'unknown';
    END;
    RETURN concat_ws('/', server, (SELECT oid FROM pg_database WHERE datname = current_database()),
        'fiscal_sequences'::regclass::oid);
END $$;
-- +goose StatementEnd

-- The database in which every sequence was checked: in another one a sequence that is new here may be one of which
-- the records were lost.
CREATE TABLE checked_database (
    name text NOT NULL
);
CREATE UNIQUE INDEX checked_database_one ON checked_database ((true));
INSERT INTO checked_database SELECT sequence_database();

-- A document that an authority has under a number of which the database knew nothing when it was checked.
CREATE TABLE recovered_documents (
    authority         text        NOT NULL,
    production        boolean     NOT NULL,
    tax_id            text        NOT NULL, -- of the issuer
    municipality_code text        NOT NULL,
    series            integer     NOT NULL,
    number            bigint      NOT NULL,
    registration      text        NOT NULL, -- of the issuer with the city, where numbers are counted by it; else empty
    state             text        NOT NULL CHECK (state IN ('taken_over', 'missing', 'unclear', 'left')),
    note_id           text COLLATE "C" REFERENCES notes, -- whose it is, as far as known
    correlation_id    text        NOT NULL, -- of its note, as the document says it; empty: it says none
    access_key        text        NOT NULL, -- empty where the authority gives none
    authority_number  text        NOT NULL, -- of the document; empty where it is not known
    taker             text        NOT NULL, -- name and tax id, until somebody has decided; empty then, or where they
    taker_tax_id      text        NOT NULL, -- are not known
    amount_cents      bigint,
    competence        date,
    found_at          timestamptz NOT NULL DEFAULT now(),
    decided_at        timestamptz,
    PRIMARY KEY (authority, production, tax_id, municipality_code, series, number)
);
CREATE INDEX recovered_documents_undecided ON recovered_documents (found_at) WHERE state IN ('missing', 'unclear');

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
CREATE INDEX fiscal_series_held ON fiscal_series (held_at) WHERE held_reason IS NOT NULL;

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

-- The profiles with which notes are issued, each once. No foreign key refers to it: it loses no rows.
CREATE TABLE exchange_profiles (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest     bytea       NOT NULL UNIQUE, -- SHA-256 of the profile, as the program writes it
    profile    jsonb       NOT NULL,        -- nfse.FiscalProfile
    created_at timestamptz NOT NULL DEFAULT now()
);

-- An exchange with an authority and what became of it: to issue under a number that was taken
-- (issue), to cancel an issued document (cancel), or to ask for an analysis (analysis), which ends
-- when the city has the request. unsigned: to be signed. signed: nothing of it can exist at the
-- authority, and it may be sent. in_doubt: something may exist, and the authority is asked first.
-- The other states are final: number_conflict is a number with a document that is not ours, unused
-- a number under which nothing was sent, spent one that was refused for the company's settings or
-- registers: its note waits, is not rejected, and goes on under another number. A number belongs to
-- one exchange, and a note has one document under way or issued at a time.
CREATE TABLE fiscal_exchanges (
    id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id            text COLLATE "C" NOT NULL REFERENCES notes,
    kind               text        NOT NULL CHECK (kind IN ('issue', 'cancel', 'analysis')),
    state              text        NOT NULL DEFAULT 'unsigned'
        CHECK (state IN ('unsigned', 'signed', 'in_doubt', 'accepted', 'rejected', 'number_conflict', 'unused',
            'spent')),
    authority          text        NOT NULL,
    production         boolean     NOT NULL,
    tax_id             text        NOT NULL, -- of the issuer
    municipality_code  text        NOT NULL,
    series             integer     NOT NULL,
    number             bigint      NOT NULL,
    takes_turns        boolean     NOT NULL DEFAULT false, -- it is sent only in the turn of its series
    profile            jsonb,                -- of the organization when the number was taken; null: it is profile_id
    profile_id         bigint,               -- of exchange_profiles; null: profile has it
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
    doubted_code       text,                 -- of the last refusal that may be false (fiscal.Exchange.Doubting)
    doubted_until      timestamptz,          -- from when on it counts
    mends              jsonb       NOT NULL DEFAULT '[]', -- fiscal.Mends: made without a person after refusals
    access_key         text,                 -- of the document of an issuance, as soon as it is known
    authority_number   text,
    verification_code  text,
    issued_at          timestamptz,
    authority_totals   jsonb,                -- nfse.Totals of the accepted document, until its note is settled by it
    poll_standing_at   timestamptz,          -- when its standing is asked for next; null: not, or not any more
    xml                bytea,                -- the authority's exact bytes: of the document, or of the event
    created_at         timestamptz NOT NULL DEFAULT now(),
    updated_at         timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT fiscal_exchanges_profile CHECK (profile IS NOT NULL OR profile_id IS NOT NULL),
    CHECK ((kind <> 'issue') = (request_id IS NOT NULL)),
    CHECK (kind <> 'issue' OR state <> 'accepted'
        OR (access_key IS NOT NULL AND xml IS NOT NULL AND issued_at IS NOT NULL)),
    CHECK (state <> 'rejected' OR rejection IS NOT NULL)
);
COMMENT ON COLUMN fiscal_exchanges.xml IS 'empty: it is the document of the note, or no longer kept';
COMMENT ON COLUMN fiscal_exchanges.poll_standing_at IS
    'of an analysis: when its answer is asked for next; of a note that has replaced another: when the event of that is';
CREATE UNIQUE INDEX fiscal_exchanges_number
    ON fiscal_exchanges (authority, production, tax_id, municipality_code, series, number) WHERE kind = 'issue';
CREATE UNIQUE INDEX fiscal_exchanges_message ON fiscal_exchanges (authority, production, message_id)
    WHERE kind = 'issue';
CREATE UNIQUE INDEX fiscal_exchanges_current ON fiscal_exchanges (note_id)
    WHERE kind = 'issue' AND state NOT IN ('number_conflict', 'unused', 'spent');
CREATE UNIQUE INDEX fiscal_exchanges_cancellation ON fiscal_exchanges (note_id, request_id) WHERE kind = 'cancel';
-- A note has one request of analysis; another only where nothing came of the first.
CREATE UNIQUE INDEX fiscal_exchanges_analysis ON fiscal_exchanges (note_id)
    WHERE kind = 'analysis' AND state NOT IN ('rejected', 'unused');
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
    created_at     timestamptz NOT NULL DEFAULT now(),
    embedded       boolean     NOT NULL DEFAULT false -- in the note's document: only the digest is kept
);
COMMENT ON COLUMN fiscal_messages.xml IS 'empty: the document of the note embeds it, or no longer kept';
CREATE INDEX fiscal_messages_of ON fiscal_messages (exchange_id, id);

-- A call to an authority and what came of it. A call without an outcome is under way or was
-- cut off.
CREATE TABLE fiscal_calls (
    id         bigint      PRIMARY KEY DEFAULT next_row_id(),
    note_id    text COLLATE "C" NOT NULL REFERENCES notes,
    what       text        NOT NULL CHECK (what IN ('issue', 'find', 'cancel', 'find_cancellation',
        'find_numbers', 'analysis', 'find_analysis', 'find_answer', 'find_bar')),
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at   timestamptz,
    outcome    text,
    status     integer,   -- of HTTP; null when no answer came
    reason     jsonb,     -- a fact: the code of a rejection, or why nothing is known
    body       bytea      -- of an answer that was not understood or not expected
) PARTITION BY RANGE (id);
CREATE INDEX fiscal_calls_of ON fiscal_calls (note_id, id);
CREATE INDEX fiscal_calls_by_time ON fiscal_calls (started_at);

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

-- Answers of authorities in forms that the product was not told of, each once, without anything personal: package drift.
CREATE TABLE authority_drift (
    -- of authority, call and what is new
    fingerprint text COLLATE "C" PRIMARY KEY CHECK (fingerprint ~ '^[0-9a-f]{16}$'),
    authority   text        NOT NULL,
    call        text        NOT NULL,
    production  boolean     NOT NULL,
    status      integer     NOT NULL,
    media       text        NOT NULL,
    news        text        NOT NULL, -- what is new, a line each: no values
    copy        text        NOT NULL, -- of the answer, with every value replaced
    seen_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX authority_drift_listed ON authority_drift (authority, seen_at);

-- The note of a company that is refused, behind which the others that would be wait.
CREATE TABLE refusal_brakes (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    authority       text        NOT NULL,
    production      boolean     NOT NULL,
    tax_id          text        NOT NULL, -- of the issuer
    service_id      text COLLATE "C" NOT NULL, -- whose notes wait; empty: all of the company
    note_id         text COLLATE "C" NOT NULL REFERENCES notes,
    code            text        NOT NULL, -- by which it is refused
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, authority, production, tax_id, service_id)
);
CREATE INDEX refusal_brakes_of ON refusal_brakes (note_id);

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

-- A table of the cities that issue by servers of their own, as it was imported. Tables are only added:
-- the one that was imported last counts, and without one that of the program.
CREATE TABLE city_tables (
    id            text COLLATE "C" PRIMARY KEY,
    source_name   text        NOT NULL, -- of the file
    source_sha256 text        NOT NULL CHECK (source_sha256 ~ '^[0-9a-f]{64}$'),
    content       text        NOT NULL CHECK (content <> ''), -- of the file, as package cities reads it
    imported_at   timestamptz NOT NULL DEFAULT now()
);

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

-- What is known of a city's term for cancelling: after so many days it refused, or sooner.
CREATE TABLE city_cancellation_terms (
    authority         text        NOT NULL,
    production        boolean     NOT NULL,
    municipality_code text COLLATE "C" NOT NULL,
    refused_days      integer     NOT NULL, -- whole days from issue to the earliest refusal
    refused_at        timestamptz NOT NULL,
    PRIMARY KEY (authority, production, municipality_code)
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
    notes_since   timestamptz NOT NULL DEFAULT now(), -- since when distributed_notes is kept
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
    effect          text        NOT NULL
        CHECK (effect IN ('none', 'cancels', 'blocks', 'unblocks', 'denies', 'replaces')),
    replacement     text,                 -- of one that replaces its document: the access key of the other
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
-- Of one note several events may be found by asking, each once.
CREATE UNIQUE INDEX external_events_found_once ON external_events (note_id, type, sequence)
    WHERE distribution_id IS NULL;
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
CREATE INDEX external_documents_unknown ON external_documents (distribution_id) WHERE note_id IS NULL;

-- Which of our notes the distribution has told of.
CREATE TABLE distributed_notes (
    note_id         text COLLATE "C" PRIMARY KEY REFERENCES notes,
    distribution_id text COLLATE "C" NOT NULL REFERENCES distributions,
    position        bigint      NOT NULL,
    received_at     timestamptz NOT NULL DEFAULT now()
);

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
    effect          text        NOT NULL
        CHECK (effect IN ('none', 'cancels', 'blocks', 'unblocks', 'denies', 'replaces')),
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

-- THE MONTH

-- A month's closing by competence: what each change of a note with a document adds to its month and
-- takes away from it, until it is rolled up. The first columns are those of closing_figures.
CREATE TABLE closing_moves (
    organization_id    text COLLATE "C" NOT NULL,
    livemode           boolean NOT NULL,
    month              date    NOT NULL, -- its first day
    state              text    NOT NULL CHECK (state IN ('issued', 'cancelled', 'replaced')),
    service_id         text COLLATE "C" NOT NULL,
    city               text    NOT NULL, -- where the service is rendered
    regime             text    NOT NULL, -- of the profile that it was issued by: option and assessment in Simples
    notes              integer NOT NULL, -- 1, or -1: taken away
    unstated           integer NOT NULL, -- of them without totals
    amount_cents       numeric NOT NULL,
    total_cents        numeric NOT NULL,
    net_cents          numeric NOT NULL,
    iss_cents          numeric NOT NULL,
    iss_withheld_cents numeric NOT NULL,
    irrf_cents         numeric NOT NULL,
    csrf_cents         numeric NOT NULL,
    inss_cents         numeric NOT NULL,
    ibs_cents          numeric NOT NULL,
    cbs_cents          numeric NOT NULL,
    id                 bigint  PRIMARY KEY DEFAULT next_row_id() -- names a move that cannot be rolled up
) PARTITION BY RANGE (id);
CREATE INDEX closing_moves_of ON closing_moves (organization_id, livemode, month);

CREATE TABLE closing_figures (
    organization_id    text COLLATE "C" NOT NULL,
    livemode           boolean NOT NULL,
    month              date    NOT NULL,
    state              text    NOT NULL,
    service_id         text COLLATE "C" NOT NULL,
    city               text    NOT NULL,
    regime             text    NOT NULL,
    notes              bigint  NOT NULL,
    unstated           bigint  NOT NULL,
    amount_cents       numeric NOT NULL, -- a sum may be more than a bigint holds
    total_cents        numeric NOT NULL,
    net_cents          numeric NOT NULL,
    iss_cents          numeric NOT NULL,
    iss_withheld_cents numeric NOT NULL,
    irrf_cents         numeric NOT NULL,
    csrf_cents         numeric NOT NULL,
    inss_cents         numeric NOT NULL,
    ibs_cents          numeric NOT NULL,
    cbs_cents          numeric NOT NULL,
    PRIMARY KEY (organization_id, livemode, month, state, service_id, city, regime)
);

-- +goose StatementBegin
CREATE FUNCTION note_regime(id text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(p.profile ->> 'simples', ':', p.profile ->> 'simples_regime')
    FROM fiscal_exchanges f, LATERAL (SELECT coalesce(f.profile, (SELECT shared.profile FROM exchange_profiles shared
        WHERE shared.id = f.profile_id)) AS profile) p
    WHERE f.note_id = note_regime.id AND f.kind = 'issue' AND f.state = 'accepted'
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION add_closing_move(note_id text, organization_id text, livemode boolean, status text,
    issued_at timestamptz, replaced_by text, competence date, service_id text, service jsonb, amount_cents bigint,
    totals jsonb, counted integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF issued_at IS NULL OR status NOT IN ('issued', 'cancelled') THEN
        RETURN;
    END IF;
    INSERT INTO closing_moves VALUES (organization_id, livemode, date_trunc('month', competence)::date,
        CASE WHEN status = 'issued' THEN 'issued' WHEN replaced_by IS NULL THEN 'cancelled' ELSE 'replaced' END,
        service_id, coalesce(service ->> 'municipality_code', ''),
        coalesce(note_regime(note_id), ''),
        counted, CASE WHEN totals IS NULL THEN counted ELSE 0 END, counted * amount_cents,
        counted * coalesce((totals ->> 'total_cents')::numeric, 0),
        counted * coalesce((totals ->> 'net_cents')::numeric, 0),
        counted * coalesce((totals ->> 'iss_cents')::numeric, 0),
        counted * coalesce((totals ->> 'iss_withheld_cents')::numeric, 0),
        counted * coalesce((totals ->> 'irrf_cents')::numeric, 0),
        counted * coalesce((totals ->> 'csrf_cents')::numeric, 0),
        counted * coalesce((totals ->> 'inss_cents')::numeric, 0),
        counted * coalesce((totals ->> 'ibs_cents')::numeric, 0),
        counted * coalesce((totals ->> 'cbs_cents')::numeric, 0));
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION record_closing_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        PERFORM add_closing_move(OLD.id, OLD.organization_id, OLD.livemode, OLD.status, OLD.issued_at, OLD.replaced_by,
            OLD.competence, OLD.service_id, note_service(OLD.service, OLD.service_snapshot_id), OLD.amount_cents,
            OLD.authority_totals, -1);
    END IF;
    PERFORM add_closing_move(NEW.id, NEW.organization_id, NEW.livemode, NEW.status, NEW.issued_at, NEW.replaced_by,
        NEW.competence, NEW.service_id, note_service(NEW.service, NEW.service_snapshot_id), NEW.amount_cents,
        NEW.authority_totals, 1);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER note_closed_new AFTER INSERT ON notes FOR EACH ROW WHEN (NEW.issued_at IS NOT NULL)
    EXECUTE FUNCTION record_closing_move();
CREATE TRIGGER note_closed AFTER UPDATE OF status, competence, authority_totals, replaced_by ON notes FOR EACH ROW
    WHEN (NEW.issued_at IS NOT NULL AND (OLD.status, OLD.competence, OLD.authority_totals, OLD.replaced_by)
        IS DISTINCT FROM (NEW.status, NEW.competence, NEW.authority_totals, NEW.replaced_by))
    EXECUTE FUNCTION record_closing_move();

-- A month in one ZIP, which a run of the engine makes part by part. It is removed after a time.
CREATE TABLE month_archives (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    month           date        NOT NULL, -- its first day
    status          text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'removed')),
    up_to_day       date,                           -- of the last note that is in it: its competence
    up_to           text COLLATE "C" NOT NULL DEFAULT '', -- and its id
    parts           integer     NOT NULL DEFAULT 0,
    notes           integer     NOT NULL DEFAULT 0, -- in it so far
    problems        integer     NOT NULL DEFAULT 0, -- files that could not be made; the index names them
    files           bigint      NOT NULL DEFAULT 0,
    size            bigint      NOT NULL DEFAULT 0, -- in bytes
    digest          text        NOT NULL DEFAULT '', -- SHA-256 of those of its parts, in their order
    created_at      timestamptz NOT NULL DEFAULT now(),
    ready_at        timestamptz,
    cleared         boolean     NOT NULL DEFAULT false, -- removed, and its parts are gone
    requeue_after   timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    requeues        integer     NOT NULL DEFAULT 0,
    UNIQUE (organization_id, livemode, id)
);
CREATE UNIQUE INDEX month_archives_of ON month_archives (organization_id, livemode, month)
    WHERE status <> 'removed';
CREATE INDEX month_archives_unfinished ON month_archives (requeue_after) WHERE status = 'pending';
CREATE INDEX month_archives_to_clear ON month_archives (id) WHERE status = 'removed' AND NOT cleared;
CREATE INDEX month_archives_kept ON month_archives (created_at) WHERE status <> 'removed';

CREATE TABLE month_archive_parts (
    archive_id text COLLATE "C" NOT NULL REFERENCES month_archives,
    number     integer NOT NULL,
    position   bigint  NOT NULL, -- of its first byte in the ZIP
    content    bytea   NOT NULL,
    directory  bytea   NOT NULL DEFAULT '', -- what the ZIP's directory says of the files in it
    lines      bytea   NOT NULL DEFAULT '', -- what the index says of them
    PRIMARY KEY (archive_id, number)
);
CREATE INDEX month_archive_parts_at ON month_archive_parts (archive_id, position);
-- What is in a ZIP is compressed already, or is to be the same bytes with every version.
ALTER TABLE month_archive_parts ALTER COLUMN content SET STORAGE EXTERNAL;

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

-- What a person may do in an organization: what each role may do is said by the program (nfse/permission.go).
CREATE TABLE memberships (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    user_id         text COLLATE "C" NOT NULL REFERENCES users,
    role            text        NOT NULL
        CHECK (role IN ('viewer', 'editor', 'accountant', 'developer', 'owner')),
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
    role            text        CHECK (role IN ('viewer', 'editor', 'accountant', 'developer', 'owner')),
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

-- Alerts by e-mail for what needs a person. Alarms can also be posted to one URL of the installation,
-- which stands where a person does: user_id is then empty.

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
    user_id         text COLLATE "C" NOT NULL,
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
CREATE INDEX alert_mails_ended ON alert_mails (resolved_at) WHERE status <> 'pending';
CREATE INDEX alert_mails_failed ON alert_mails (resolved_at) WHERE status = 'failed'; -- shown to operators
CREATE INDEX alert_mails_unfinished ON alert_mails (requeue_after) WHERE status = 'pending';
-- That a person is told of something, once.
CREATE TABLE alerts (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id         text COLLATE "C" NOT NULL,
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
) PARTITION BY RANGE (id);
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
        CHECK (kind IN ('note', 'cancellation', 'delivery', 'resume', 'email',
        'distribution', 'batch', 'export', 'recurrence')),
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
    -- The trace (W3C traceparent) of what asked for the start, which goes on with it; none where traces are off.
    traceparent     text        CHECK (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
    UNIQUE (kind, subject_id),
    CHECK (kind IN ('delivery', 'email', 'distribution', 'batch', 'export', 'recurrence')
        OR reference IS NOT NULL)
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
    loop        text        NOT NULL, -- by its name in docs/architecture/loops.md
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

-- THE REQUEST LOG

-- What was asked of the API with a valid key, for a week: no body, no value, no query. It refers to
-- nothing, so that writing it waits for nothing. Each day (UTC) is a table of its own: all of it is
-- dropped at once.
CREATE TABLE api_requests (
    id              text COLLATE "C" NOT NULL, -- of the request, req_
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    at              timestamptz NOT NULL,      -- when it came
    api_key_id      text COLLATE "C" NOT NULL,
    method          text        NOT NULL,
    route           text        NOT NULL,      -- of the contract, as /v1/nfse/{id}
    path_id         text COLLATE "C",          -- the id in its path, where it is one of ours
    status          integer     NOT NULL,      -- 0: the caller had left
    microseconds    bigint      NOT NULL,
    error_code      text,
    error_field     text,                      -- a name of the contract
    note_id         text COLLATE "C",          -- the note that it is about
    body_bytes      integer     NOT NULL,
    fields          jsonb       NOT NULL,      -- names of the contract that were sent, and bytes of each
    other_fields    integer     NOT NULL,      -- how many other names were sent: they are the caller's words
    PRIMARY KEY (organization_id, livemode, id, at)
) PARTITION BY RANGE (at);
CREATE INDEX api_requests_failed ON api_requests (organization_id, livemode, id) WHERE status >= 400;
CREATE INDEX api_requests_of_key ON api_requests (api_key_id, id);
CREATE INDEX api_requests_of_note ON api_requests (note_id, id) WHERE note_id IS NOT NULL;

-- How often a key on record was refused, on a day (UTC).
CREATE TABLE refused_keys (
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean NOT NULL,
    api_key_id      text COLLATE "C" NOT NULL,
    day             date    NOT NULL,
    refusals        bigint  NOT NULL,
    PRIMARY KEY (organization_id, livemode, api_key_id, day)
);
CREATE INDEX refused_keys_by_day ON refused_keys (day);

CREATE SCHEMA request_days;

-- The worker's role may not make or drop tables: it may call these two, which make and drop days of
-- the request log and nothing else, as the owner of the tables.
-- +goose StatementBegin
CREATE FUNCTION add_request_day(day date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
    IF abs(day - (now() AT TIME ZONE 'UTC')::date) > 8 THEN
        RAISE EXCEPTION 'the day % is not one that is near', day;
    END IF;
    EXECUTE format('CREATE TABLE IF NOT EXISTS request_days.%I PARTITION OF public.api_requests
        FOR VALUES FROM (%L) TO (%L)', to_char(day, '"day_"YYYYMMDD'),
        day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION drop_request_day(day date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
    IF day >= (now() AT TIME ZONE 'UTC')::date - 7 THEN
        RAISE EXCEPTION 'the day % is still kept', day;
    END IF;
    EXECUTE format('DROP TABLE IF EXISTS request_days.%I', to_char(day, '"day_"YYYYMMDD'));
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION add_request_day(date), drop_request_day(date) FROM PUBLIC;
SELECT add_request_day(day::date)
    FROM generate_series((now() AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date + 7, interval '1 day') day;

-- THE ARCHIVE
-- Documents of closed months are moved into files outside the database (internal/archive), of which each is a segment.

CREATE TABLE archive_segments (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key        text        NOT NULL UNIQUE, -- of the object; another one for every content
    month      date        NOT NULL,        -- of the ids of the notes, in Brasília
    -- writing: an object may be there, and no document is in it yet; leaving: the object is to be deleted
    state      text        NOT NULL CHECK (state IN ('writing', 'stored', 'leaving')),
    first_note text COLLATE "C" NOT NULL,
    last_note  text COLLATE "C" NOT NULL,
    documents  integer     NOT NULL,
    size       bigint      NOT NULL,
    digest     bytea       NOT NULL,        -- SHA-256 of the object
    created_at timestamptz NOT NULL DEFAULT now(),
    stored_at  timestamptz
);
CREATE INDEX archive_segments_month ON archive_segments (month, id);

-- Documents that were erased here and are to be erased in a segment.
CREATE TABLE archive_erasures (
    note_id    text COLLATE "C" PRIMARY KEY,
    segment_id bigint      NOT NULL,
    asked_at   timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX archive_erasures_asked ON archive_erasures (asked_at);
CREATE INDEX archive_erasures_segment ON archive_erasures (segment_id);

-- How the archive is getting on, and who works on it. One row.
CREATE TABLE archive_state (
    token         text,                           -- of who works on it
    lease_until   timestamptz,
    up_to         text COLLATE "C" NOT NULL DEFAULT '', -- documents of notes after it were not looked at
    succeeded_at  timestamptz,                    -- the end of the last round in which everything worked
    failing_since timestamptz,                    -- the first of the rounds in a row in which something did not
    problem       text CHECK (problem IN ('away', 'refused', 'broken', 'missing', 'other')) -- of the last one
);
CREATE UNIQUE INDEX archive_state_one ON archive_state ((true));
INSERT INTO archive_state DEFAULT VALUES;

-- Nobody may change a document. These two move it, and leave its digest, by which whoever reads it checks it.
-- Documents without a segment, or in another segment, get their places in a segment; it says how many.
-- +goose StatementBegin
CREATE FUNCTION documents_into_segment(segment bigint, before bigint, notes text[], froms bigint[], lengths integer[],
        plains integer[], digests bytea[]) RETURNS bigint LANGUAGE sql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    WITH moved AS (
        UPDATE public.note_documents d SET xml = NULL, digest = p.digest, segment_id = segment,
            frame_from = p.begin, frame_length = p.length, plain_length = p.plain
        FROM unnest(notes, froms, lengths, plains, digests) AS p (note, begin, length, plain, digest)
        WHERE d.note_id = p.note COLLATE "C" AND d.segment_id IS NOT DISTINCT FROM before
            AND coalesce(d.digest = p.digest, true)
            AND EXISTS (SELECT FROM public.archive_segments s WHERE s.id = segment AND s.state = 'stored')
        RETURNING d.note_id
    )
    SELECT count(*) FROM moved
$$;
-- +goose StatementEnd
-- Documents in a segment get their bytes back; it says how many.
-- +goose StatementBegin
CREATE FUNCTION documents_out_of_segment(segment bigint, notes text[], contents bytea[]) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH moved AS (
        UPDATE public.note_documents d SET xml = p.content, segment_id = NULL, frame_from = NULL, frame_length = NULL,
            plain_length = NULL
        FROM unnest(notes, contents) AS p (note, content)
        WHERE d.note_id = p.note COLLATE "C" AND d.segment_id = segment
        RETURNING d.note_id
    )
    SELECT count(*) FROM moved
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION documents_into_segment(bigint, bigint, text[], bigint[], integer[], integer[], bytea[]),
    documents_out_of_segment(bigint, text[], bytea[]) FROM PUBLIC;

-- THE PARTS OF WHAT GROWS

-- The moment at which a part ends, by its name: events_202611, events_before_202611.
-- +goose StatementBegin
CREATE FUNCTION part_end(part text, months integer) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (to_date(right(part, 6), 'YYYYMM') +
        CASE WHEN part LIKE '%\_before\_%' THEN interval '0' ELSE make_interval(months => months) END)::date
$$;
-- +goose StatementEnd

-- The parts that there are.
CREATE VIEW parts AS
    SELECT g.name, g.key, g.prefix, g.months, g.floor, parent.oid AS parent, part.oid AS part,
        part.relname::text AS part_name, part_end(part.relname, g.months) AS ends
    FROM grown_tables() g
    JOIN pg_class parent ON parent.oid = to_regclass('public.' || g.name) AND parent.relkind = 'p'
    JOIN pg_inherits ON inhparent = parent.oid
    JOIN pg_class part ON part.oid = inhrelid;

-- The worker's role may not make or drop tables: it may call these, which make parts that are near and drop those whose
-- time is over, and nothing else, as the owner of the tables. A new part is made beside the table, with what the parts
-- before have of their own (a table in parts has no unique index without its id, and no reference to itself), and then
-- attached, which reads and writes of the table do not wait for. They wait for a moment only, so that nobody waits
-- behind them for long, and say false where somebody uses a table for longer, as a backup does, or makes the same part:
-- they are called again later.
-- +goose StatementBegin
CREATE FUNCTION add_part(of_table text, starts date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
    g       record;
    part    text := of_table || to_char(starts, '"_"YYYYMM');
    today   date := (now() AT TIME ZONE 'UTC')::date;
    pattern regclass;
    named   text;
    own     text;
BEGIN
    SELECT * INTO g FROM public.grown_tables() WHERE name = of_table;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the table % has no parts', of_table;
    END IF;
    IF starts <> date_trunc((CASE g.months WHEN 12 THEN 'year' ELSE 'month' END), starts::timestamp)::date
        OR starts < today - make_interval(months => 2 * g.months)
        OR starts > today + make_interval(months => 12 + 2 * g.months) THEN
        RAISE EXCEPTION 'no part of % begins on %, near today', of_table, starts;
    END IF;
    IF to_regclass(format('months.%I', part)) IS NOT NULL THEN
        RETURN true;
    END IF;
    SELECT parts.part INTO pattern FROM public.parts WHERE name = of_table ORDER BY ends DESC LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the table % has no part to take after', of_table;
    END IF;
    EXECUTE format('CREATE TABLE months.%I (LIKE public.%I INCLUDING ALL EXCLUDING INDEXES)', part, of_table);
    FOR named, own IN SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = ('public.' || of_table)::regclass AND contype IN ('p', 'u') LOOP
        EXECUTE format('ALTER TABLE months.%I ADD CONSTRAINT %I %s', part, named || to_char(starts, '"_"YYYYMM'), own);
    END LOOP;
    FOR named, own IN SELECT indexrelid::regclass, pg_get_indexdef(indexrelid) FROM pg_index
        WHERE indrelid = ('public.' || of_table)::regclass
            AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
            OR indrelid = pattern AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid) LOOP
        named := regexp_replace(named, '^.*\.|_[0-9]{6}$', '', 'g') || to_char(starts, '"_"YYYYMM');
        EXECUTE format('CREATE %s INDEX %I ON months.%I %s', CASE WHEN own LIKE 'CREATE UNIQUE %' THEN 'UNIQUE' END,
            named, part, substring(own FROM ' (USING .*)$'));
    END LOOP;
    FOR own IN SELECT pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = pattern AND contype = 'f' AND conparentid = 0 LOOP
        EXECUTE format('ALTER TABLE months.%I ADD %s', part, own);
    END LOOP;
    FOR own IN SELECT pg_get_triggerdef(oid) FROM pg_trigger
        WHERE tgrelid = pattern AND NOT tgisinternal AND tgparentid = 0 LOOP
        EXECUTE replace(own, format(' ON %s ', pattern), format(' ON months.%I ', part));
    END LOOP;
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION months.%I FOR VALUES FROM (%L) TO (%L)', of_table, part,
        public.first_id(g.prefix, starts::timestamp AT TIME ZONE 'UTC'),
        public.first_id(g.prefix, (starts + make_interval(months => g.months))::timestamp AT TIME ZONE 'UTC'));
    RETURN true;
EXCEPTION WHEN lock_not_available OR deadlock_detected OR duplicate_table OR duplicate_object OR unique_violation THEN
    RETURN false;
END $$;
-- +goose StatementEnd

-- drop_part says false too where something of the part is still needed.
-- +goose StatementBegin
CREATE FUNCTION drop_part(of_part text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
    p       record;
    since   text;
    through text;
    used    boolean;
BEGIN
    SELECT * INTO p FROM public.parts WHERE part_name = of_part;
    IF NOT FOUND THEN
        RETURN true;
    END IF;
    IF p.floor IS NULL OR p.ends > (CASE WHEN p.floor >= interval '1 year'
        THEN date_trunc('year', now() AT TIME ZONE 'America/Sao_Paulo') - p.floor
        ELSE (now() AT TIME ZONE 'UTC') - p.floor END) THEN
        RAISE EXCEPTION 'the part % is still kept', of_part;
    END IF;
    EXECUTE format('LOCK TABLE months.%I IN ACCESS EXCLUSIVE MODE', of_part);
    through := public.first_id(p.prefix, p.ends::timestamp AT TIME ZONE 'UTC');
    since := CASE WHEN of_part NOT LIKE '%\_before\_%' THEN
        public.first_id(p.prefix, (p.ends - make_interval(months => p.months))::timestamp AT TIME ZONE 'UTC') END;
    EXECUTE format('SELECT EXISTS (' || CASE p.name
        WHEN 'events' THEN 'SELECT FROM public.deliveries WHERE event_id >= %2$L AND event_id < %3$L'
        WHEN 'deliveries' THEN 'SELECT FROM months.%1$I WHERE status = ''pending''
            UNION ALL SELECT FROM public.delivery_attempts WHERE delivery_id >= %2$L AND delivery_id < %3$L'
        WHEN 'delivery_attempts' THEN 'SELECT FROM public.deliveries d WHERE d.status = ''pending''
            AND EXISTS (SELECT FROM months.%1$I WHERE delivery_id = d.id)'
        WHEN 'emails' THEN 'SELECT FROM months.%1$I WHERE status = ''pending'''
        WHEN 'note_moves' THEN 'SELECT FROM months.%1$I' -- a move is there until it is counted
        WHEN 'closing_moves' THEN 'SELECT FROM months.%1$I'
        ELSE 'SELECT WHERE false' END || ')', of_part, coalesce(since, ''), through) INTO used;
    IF NOT used THEN
        EXECUTE format('DROP TABLE months.%I', of_part);
    END IF;
    RETURN NOT used;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN false;
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION add_part(text, date), drop_part(text) FROM PUBLIC;

-- The first part of each table is all that is before the month, or the year, in which the database is made. What each
-- part has of its own is given to it, and the others take after it.
-- +goose StatementBegin
DO $$
DECLARE
    g      record;
    starts date;
    part   text;
    own    text;
BEGIN
    FOR g IN SELECT * FROM grown_tables() LOOP
        starts := date_trunc(CASE g.months WHEN 12 THEN 'year' ELSE 'month' END, now() AT TIME ZONE 'UTC');
        part := g.name || to_char(starts, '"_before_"YYYYMM');
        EXECUTE format('CREATE TABLE months.%I PARTITION OF %I FOR VALUES FROM (MINVALUE) TO (%L)', part, g.name,
            first_id(g.prefix, starts::timestamp AT TIME ZONE 'UTC'));
        FOR own IN SELECT format('ALTER INDEX %s RENAME TO %I', inhrelid::regclass, -- as those of the other parts
                relname || to_char(starts, '"_before_"YYYYMM'))
            FROM pg_index JOIN pg_inherits ON inhrelid = indexrelid JOIN pg_class ON pg_class.oid = inhparent
            WHERE indrelid = format('months.%I', part)::regclass
        UNION ALL SELECT format(statement, part) FROM (VALUES
            ('notes', 'ALTER TABLE months.%I ADD CONSTRAINT notes_organization_id_livemode_replaces_fkey
                FOREIGN KEY (organization_id, livemode, replaces) REFERENCES notes (organization_id, livemode, id)'),
            ('notes', 'ALTER TABLE months.%I ADD CONSTRAINT notes_organization_id_livemode_replaced_by_fkey
                FOREIGN KEY (organization_id, livemode, replaced_by) REFERENCES notes (organization_id, livemode, id)'),
            ('events', 'ALTER TABLE months.%I ADD CONSTRAINT events_note_id_type_key UNIQUE (note_id, type)'),
            ('deliveries', 'ALTER TABLE months.%I ADD CONSTRAINT deliveries_event_id_endpoint_id_key
                UNIQUE (event_id, endpoint_id)'),
            ('emails', 'ALTER TABLE months.%I ADD CONSTRAINT emails_note_id_key UNIQUE (note_id)'),
            ('ledger_entries', 'ALTER TABLE months.%I ADD CONSTRAINT ledger_entries_note_id_kind_key
                UNIQUE (note_id, kind)'),
            ('audit_log', 'CREATE TRIGGER audit_log_whole BEFORE TRUNCATE ON months.%I
                FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only()')
        ) AS of_part (of_table, statement) WHERE of_table = g.name LOOP
            EXECUTE own;
        END LOOP;
    END LOOP;
END $$;
-- +goose StatementEnd
