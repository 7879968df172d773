-- +goose Up

-- Notes under way are counted for one organization at a time, those that wait for a person
-- apart from those that should move, the oldest first.
CREATE INDEX notes_under_way ON notes (organization_id, livemode, status, (held_reason IS NULL), id)
    WHERE status IN ('queued', 'processing');
DROP INDEX notes_at_authority; -- organizations' live notes in processing, which the new one has

-- Why the rows of a backlog of the outbox cannot be started for now, or have to wait for
-- their turn: said once for all of them, by a process that repeats it for as long as it is so.
CREATE TABLE blocked_starts (
    livemode        boolean          NOT NULL,
    kind            text             NOT NULL,
    organization_id text COLLATE "C" NOT NULL, -- '': of all organizations
    reason          text             NOT NULL,
    blocked_until   timestamptz      NOT NULL, -- unless it is said again
    PRIMARY KEY (livemode, kind, organization_id)
);
COMMENT ON COLUMN outbox.blocked_reason IS 'of the version before, which marked every row; nobody reads it';

-- +goose Down
COMMENT ON COLUMN outbox.blocked_reason IS NULL;
DROP TABLE blocked_starts;
CREATE INDEX notes_at_authority ON notes (organization_id) WHERE livemode AND status = 'processing';
DROP INDEX notes_under_way;
