-- +goose Up

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
    document        text        NOT NULL, -- CNPJ or CPF that the certificate names
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
    issuer            text    NOT NULL, -- document
    municipality_code text    NOT NULL,
    series            integer NOT NULL,
    last_number       bigint  NOT NULL CHECK (last_number >= 0),
    PRIMARY KEY (authority, production, issuer, municipality_code, series)
);

-- Every number ever taken, and what became of it.
CREATE TABLE fiscal_documents (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id           text COLLATE "C" NOT NULL REFERENCES notes,
    authority         text        NOT NULL,
    production        boolean     NOT NULL,
    issuer            text        NOT NULL,
    municipality_code text        NOT NULL,
    series            integer     NOT NULL,
    number            bigint      NOT NULL,
    profile           jsonb       NOT NULL, -- of the organization when the number was taken
    layout            text        NOT NULL DEFAULT '', -- that an answer asked for
    -- numbered: to be rendered and signed. ready: nothing of it can exist at the
    -- authority, and it may be sent. asking: something may exist, ask first.
    -- The others are ends: taken is the number of a document that is not ours.
    state             text        NOT NULL DEFAULT 'numbered'
        CHECK (state IN ('numbered', 'ready', 'asking', 'issued', 'rejected', 'taken', 'unused')),
    document_id       text,                  -- at the authority; set when first rendered
    doubtful          boolean     NOT NULL DEFAULT false, -- an outcome was unknown once: no rejection is believed without asking
    doubtful_since    timestamptz,
    last_sent_at      timestamptz,
    lease_token       uuid,
    lease_until       timestamptz,
    access_key        text,                  -- as soon as it is known
    authority_number  text,
    verification_code text,
    issued_at         timestamptz,
    xml               bytea,                 -- the authority's exact bytes
    refusal           jsonb,                 -- the last rejection: nfse.Rejection
    refusal_treatment text,
    created_at        timestamptz NOT NULL DEFAULT now(),
    updated_at        timestamptz NOT NULL DEFAULT now(),
    UNIQUE (authority, production, issuer, municipality_code, series, number),
    UNIQUE (authority, production, document_id),
    CHECK (state <> 'issued' OR (access_key IS NOT NULL AND xml IS NOT NULL AND issued_at IS NOT NULL)),
    CHECK (state <> 'rejected' OR refusal IS NOT NULL)
);
-- A note has one document under way or issued at a time.
CREATE UNIQUE INDEX fiscal_documents_current ON fiscal_documents (note_id) WHERE state <> 'taken';
CREATE INDEX fiscal_documents_doubtful ON fiscal_documents (doubtful_since) WHERE doubtful AND state IN ('numbered', 'ready', 'asking');

-- Every rendering of a document. The last is the one that is sent.
CREATE TABLE fiscal_renderings (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id    bigint      NOT NULL REFERENCES fiscal_documents,
    layout         text        NOT NULL,
    digest         text        NOT NULL,
    xml            bytea       NOT NULL,
    certificate_id text COLLATE "C" NOT NULL REFERENCES certificates,
    created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX fiscal_renderings_of ON fiscal_renderings (document_id, id);

-- Requests to cancel that went, or are to go, to the authority: one for each
-- request of the API.
CREATE TABLE fiscal_cancellations (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id        text COLLATE "C" NOT NULL REFERENCES notes,
    request_id     text        NOT NULL,
    state          text        NOT NULL DEFAULT 'ready' CHECK (state IN ('numbered', 'ready', 'asking', 'cancelled', 'refused')),
    event_id       text        NOT NULL,
    layout         text        NOT NULL,
    digest         text        NOT NULL,
    xml            bytea       NOT NULL, -- as signed and sent
    certificate_id text COLLATE "C" NOT NULL REFERENCES certificates,
    last_sent_at   timestamptz,
    lease_token    uuid,
    lease_until    timestamptz,
    doubtful       boolean     NOT NULL DEFAULT false, -- an outcome was unknown once
    doubtful_since timestamptz,
    refusal        jsonb,                -- the last: nfse.Refusal
    refusal_treatment text,
    event_xml      bytea,                -- of the authority
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    UNIQUE (note_id, request_id)
);
CREATE INDEX fiscal_cancellations_doubtful ON fiscal_cancellations (doubtful_since) WHERE doubtful AND state IN ('numbered', 'ready', 'asking');

-- Every question to an authority and what came of it. Only added to; one that
-- has no outcome was cut off.
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

-- What a live note waits for that only a person can give.
ALTER TABLE notes
    ADD COLUMN held_reason text,
    ADD COLUMN held_since  timestamptz,
    ADD CHECK ((held_reason IS NULL) = (held_since IS NULL));
CREATE INDEX notes_held ON notes (organization_id) WHERE held_reason IS NOT NULL;
CREATE INDEX notes_at_authority ON notes (organization_id) WHERE livemode AND status = 'processing';

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
    heal_after      timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    healings        integer     NOT NULL DEFAULT 0,
    UNIQUE (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, note_id) REFERENCES notes (organization_id, livemode, id),
    CHECK ((status = 'pending') = (resolved_at IS NULL))
);
CREATE INDEX emails_unfinished ON emails (heal_after) WHERE status = 'pending';
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

-- resume nudges the workflow of a note that may go on, or starts it.
ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CHECK (kind IN ('note', 'cancellation', 'delivery', 'resume', 'email')),
    DROP CONSTRAINT outbox_check,
    ADD CHECK (kind IN ('delivery', 'email') OR reference IS NOT NULL);

-- +goose Down
ALTER TABLE outbox DROP CONSTRAINT outbox_check, DROP CONSTRAINT outbox_kind_check;
DELETE FROM outbox WHERE kind IN ('resume', 'email');
ALTER TABLE outbox ADD CHECK (kind IN ('note', 'cancellation', 'delivery')),
    ADD CONSTRAINT outbox_check CHECK (kind = 'delivery' OR reference IS NOT NULL);
DROP TABLE ledger_entries, emails, fiscal_calls, fiscal_cancellations, fiscal_renderings, fiscal_documents, fiscal_sequences,
    certificates, fiscal_profiles;
DROP INDEX notes_held, notes_at_authority;
ALTER TABLE notes DROP COLUMN held_reason, DROP COLUMN held_since;
