-- +goose Up

-- Since when the authority answers the message by codes that no catalogue has.
ALTER TABLE fiscal_exchanges ADD COLUMN uncatalogued_since timestamptz;
-- A number that nothing could be sent under is unused: its note may take another.
DROP INDEX fiscal_exchanges_current;
CREATE UNIQUE INDEX fiscal_exchanges_current ON fiscal_exchanges (note_id)
    WHERE kind = 'issue' AND state NOT IN ('number_conflict', 'unused');

-- +goose Down
UPDATE fiscal_exchanges SET state = 'number_conflict' WHERE kind = 'issue' AND state = 'unused';
DROP INDEX fiscal_exchanges_current;
CREATE UNIQUE INDEX fiscal_exchanges_current ON fiscal_exchanges (note_id)
    WHERE kind = 'issue' AND state <> 'number_conflict';
ALTER TABLE fiscal_exchanges DROP COLUMN uncatalogued_since;
