-- +goose Up

-- A series of an issuer at an authority where a second sending of a number destroys
-- what the first one made: whose turn it is to send, which numbers the authority
-- said are free, and why nothing may be sent before a person has looked.
CREATE TABLE fiscal_series (
    authority     text        NOT NULL,
    production    boolean     NOT NULL,
    issuer        text        NOT NULL, -- its tax id
    registration  text        NOT NULL, -- its municipal registration, without leading zeros
    series        integer     NOT NULL,
    turn_token    uuid,                 -- who may send; null: nobody does
    turn_until    timestamptz,
    turn_ms       integer     NOT NULL DEFAULT 0, -- how long turns take, the last ones most
    asked_from    bigint,               -- numbers that the authority was asked about, the last time
    asked_through bigint,
    used_numbers  bigint[]    NOT NULL DEFAULT '{}', -- of them; the others are free
    asked_at      timestamptz,
    checked_in    text,                 -- the database that knows what was sent: another one may be a copy. Null: new
    held_reason   text,
    held_at       timestamptz,
    PRIMARY KEY (authority, production, issuer, registration, series)
);

-- What names this database: a copy of it, restored anywhere, has another name, and so has
-- one whose server took over from its primary, as it may lack the last commits. A server
-- that was started again has one too, because a copy of all its files looks like it, and a
-- table that was rewritten: that costs a question. A server that does not say who it is, as
-- one that somebody else manages may, is told apart by the rest.
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
    RETURN concat_ws('/', server, extract(epoch FROM pg_postmaster_start_time()), (SELECT oid FROM pg_database WHERE datname = current_database()),
        'fiscal_series'::regclass::oid, pg_relation_filenode('fiscal_series'));
END $$;
-- +goose StatementEnd

-- Who waits for a turn. The national system has none.
CREATE INDEX fiscal_exchanges_to_send ON fiscal_exchanges (issuer, series, number)
    WHERE kind = 'issue' AND state IN ('unsigned', 'signed') AND authority <> 'national';

ALTER TABLE fiscal_calls DROP CONSTRAINT fiscal_calls_what_check;
ALTER TABLE fiscal_calls ADD CONSTRAINT fiscal_calls_what_check
    CHECK (what IN ('issue', 'find', 'cancel', 'find_cancellation', 'find_numbers')) NOT VALID;

-- When an issued document is asked about next, at an authority that does not tell what
-- happens outside. Null: it is not, or no longer.
ALTER TABLE fiscal_exchanges ADD COLUMN ask_standing_at timestamptz;
CREATE INDEX fiscal_exchanges_to_ask ON fiscal_exchanges (authority, ask_standing_at)
    WHERE ask_standing_at IS NOT NULL;

-- What was found so was distributed by nobody.
ALTER TABLE outside_events ALTER COLUMN distribution_id DROP NOT NULL,
    ADD CONSTRAINT outside_events_source CHECK (distribution_id IS NOT NULL OR note_id IS NOT NULL);
CREATE UNIQUE INDEX outside_events_found_once ON outside_events (note_id) WHERE distribution_id IS NULL;

-- +goose Down
DELETE FROM outside_events WHERE distribution_id IS NULL;
DROP INDEX outside_events_found_once, fiscal_exchanges_to_ask, fiscal_exchanges_to_send;
ALTER TABLE outside_events DROP CONSTRAINT outside_events_source, ALTER COLUMN distribution_id SET NOT NULL;
ALTER TABLE fiscal_exchanges DROP COLUMN ask_standing_at;
ALTER TABLE fiscal_calls DROP CONSTRAINT fiscal_calls_what_check;
ALTER TABLE fiscal_calls ADD CONSTRAINT fiscal_calls_what_check
    CHECK (what IN ('issue', 'find', 'cancel', 'find_cancellation')) NOT VALID;
DROP FUNCTION series_database;
DROP TABLE fiscal_series;
