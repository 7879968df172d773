-- +goose Up

-- How far the removal of old copies has come: of each kind, everything up to
-- this row has been looked at. Ids are in the order of time, so that old rows
-- are found without an index that every new row would have to pay for.
CREATE TABLE retention_progress (
    what  text PRIMARY KEY,
    up_to text COLLATE "C" NOT NULL
);

COMMENT ON COLUMN events.payload IS 'empty: no longer kept';
COMMENT ON COLUMN fiscal_exchanges.xml IS 'empty: no longer kept';
COMMENT ON COLUMN fiscal_messages.xml IS 'empty: no longer kept';

-- +goose Down
DROP TABLE retention_progress;
