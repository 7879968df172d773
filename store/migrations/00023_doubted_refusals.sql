-- +goose Up
-- A refusal that may be false is doubted for a time before it counts (fiscal.Exchange.Doubting).
SET LOCAL lock_timeout = '1s';

ALTER TABLE fiscal_exchanges
    ADD COLUMN doubted_code  text,        -- of the last refusal that was doubted
    ADD COLUMN doubted_until timestamptz; -- from when on it counts
