-- +goose Up
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

ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check, DROP CONSTRAINT outbox_check,
    ADD CONSTRAINT outbox_kind_check
        CHECK (kind IN ('note', 'cancellation', 'delivery', 'resume', 'email', 'distribution', 'batch')),
    ADD CONSTRAINT outbox_check
        CHECK (kind IN ('delivery', 'email', 'distribution', 'batch') OR reference IS NOT NULL);
