-- +goose Up

-- Who cancelled: a caller of the API, or somebody outside, as the city. Where
-- nobody did it says nothing.
ALTER TABLE notes ADD COLUMN cancellation_origin text NOT NULL DEFAULT 'caller'
    CHECK (cancellation_origin IN ('caller', 'authority'));
-- What happens outside names a note by this.
CREATE INDEX notes_by_access_key ON notes (access_key) WHERE livemode AND access_key IS NOT NULL;

-- How far what an authority distributes to an issuer has been read: one for each
-- environment and tax id, whatever organizations issue by it.
CREATE TABLE distributions (
    id            text COLLATE "C" PRIMARY KEY, -- and of the workflow
    authority     text        NOT NULL,
    production    boolean     NOT NULL,
    tax_id        text        NOT NULL,
    position      bigint      NOT NULL DEFAULT 0 CHECK (position >= 0), -- of the last that is stored (NSU)
    taken         bigint      NOT NULL DEFAULT 0, -- documents and events of other issuers' notes, since the start
    other         bigint      NOT NULL DEFAULT 0, -- documents of the issuer's own, of series that are not numbered here
    start_after   timestamptz NOT NULL DEFAULT now(), -- when its run is started, if it is not open
    asked_at      timestamptz,
    succeeded_at  timestamptz,
    failures      integer     NOT NULL DEFAULT 0, -- since it succeeded last
    problem       text,                           -- why it does not succeed
    problem_since timestamptz,
    over_at       timestamptz,                    -- since when no fiscal profile names it
    created_at    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (authority, production, tax_id),
    CHECK ((problem IS NULL) = (problem_since IS NULL))
);

-- Whose turn it is to ask for a distribution: an authority counts requests by
-- client address, which all workers are taken to share.
CREATE TABLE distribution_turns (
    authority    text    NOT NULL,
    production   boolean NOT NULL,
    token        uuid,
    lease_until  timestamptz,
    throttled    integer NOT NULL DEFAULT 0, -- answers in a row that asked for a pause
    paused_until timestamptz,
    PRIMARY KEY (authority, production)
);

-- What happened to an issuer's documents at the authority, whoever did it. What
-- could not be read has no type, and its content is as it came.
CREATE TABLE outside_events (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- in the authority's order
    distribution_id text COLLATE "C" NOT NULL REFERENCES distributions,
    position        bigint      NOT NULL, -- when it came first (NSU)
    access_key      text        NOT NULL, -- empty where it is not known
    type            text,
    sequence        integer     NOT NULL DEFAULT 0,
    title           text        NOT NULL,
    effect          text        NOT NULL CHECK (effect IN ('none', 'cancels', 'bars_cancellation', 'lifts_bars')),
    reason_code     text        CHECK (reason_code IN ('1', '2', '9')),
    reason_text     text,
    digest          text        NOT NULL DEFAULT '', -- of the signed request that asked for it
    happened_at     timestamptz,                     -- as it says itself
    content         bytea       NOT NULL,            -- empty: no longer kept
    content_hash    bytea       NOT NULL,
    problem         text,                            -- why it is not applied: a person should look
    received_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    note_id         text COLLATE "C" REFERENCES notes, -- once a note has its access key
    applied_at      timestamptz,
    outcome         text,                            -- what it did to the note
    CHECK (type IS NOT NULL OR problem IS NOT NULL),
    CHECK (type IS NULL OR happened_at IS NOT NULL),
    CHECK ((applied_at IS NULL) = (outcome IS NULL))
);
CREATE UNIQUE INDEX outside_events_once ON outside_events (distribution_id, access_key, type, sequence)
    WHERE type IS NOT NULL;
CREATE UNIQUE INDEX outside_events_unread_once ON outside_events (distribution_id, content_hash) WHERE type IS NULL;
CREATE INDEX outside_events_of ON outside_events (note_id, id) WHERE note_id IS NOT NULL;
CREATE INDEX outside_events_to_apply ON outside_events (note_id)
    WHERE note_id IS NOT NULL AND applied_at IS NULL AND problem IS NULL;
CREATE INDEX outside_events_to_link ON outside_events (distribution_id, received_at)
    WHERE note_id IS NULL AND type IS NOT NULL;

-- Documents of a series that is numbered here which are not on record, as after
-- the restore of an old backup.
CREATE TABLE outside_documents (
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
    problem         text,                 -- of its signature
    received_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (distribution_id, access_key),
    CHECK ((note_id IS NULL) = (linked_by IS NULL))
);
CREATE INDEX outside_documents_of ON outside_documents (note_id) WHERE note_id IS NOT NULL;

ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check, DROP CONSTRAINT outbox_check;
ALTER TABLE outbox
    ADD CONSTRAINT outbox_kind_check
        CHECK (kind IN ('note', 'cancellation', 'delivery', 'resume', 'email', 'distribution')),
    ADD CONSTRAINT outbox_check CHECK (kind IN ('delivery', 'email', 'distribution') OR reference IS NOT NULL);

-- +goose Down
DELETE FROM outbox WHERE kind = 'distribution';
ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check, DROP CONSTRAINT outbox_check;
ALTER TABLE outbox
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('note', 'cancellation', 'delivery', 'resume', 'email')),
    ADD CONSTRAINT outbox_check CHECK (kind IN ('delivery', 'email') OR reference IS NOT NULL);
DROP TABLE outside_documents, outside_events, distribution_turns, distributions;
DROP INDEX notes_by_access_key;
ALTER TABLE notes DROP COLUMN cancellation_origin;
