-- +goose Up
-- A note that a person was waited for says so until it ends, though it is held no more: its time to the end is not that
-- of the service. So held_since stays where held_reason goes.
SET LOCAL lock_timeout = '1s';

ALTER TABLE notes
    DROP CONSTRAINT notes_check8,
    ADD CONSTRAINT notes_held CHECK (held_reason IS NULL OR held_since IS NOT NULL) NOT VALID;
