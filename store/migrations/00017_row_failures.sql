-- +goose Up

-- Rows that a loop could not handle, or that something still needed: the loop goes on
-- without them, and tries each by itself when its time has come. Few, for a short time.
CREATE TABLE row_failures (
    loop        text        NOT NULL, -- by its name in docs/architecture.md
    row_id      text COLLATE "C" NOT NULL,
    failures    integer     NOT NULL, -- one after the other; 0: something still needed it
    retry_after timestamptz NOT NULL,
    PRIMARY KEY (loop, row_id)
);

-- A move that cannot be rolled up has to have a name. Without an index, which every note would
-- pay for: single moves are looked for only where a batch of them failed.
ALTER TABLE note_moves ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY;

-- +goose Down
ALTER TABLE note_moves DROP COLUMN id;
DROP TABLE row_failures;
