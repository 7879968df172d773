-- +goose Up

-- Why a row was not started: a code, of which texts for people are made. last_error is
-- what the engine said, for operators.
ALTER TABLE outbox ADD COLUMN failure text
    CHECK (failure IN ('engine_away', 'refused', 'timed_out', 'internal'));
-- How often the reason was the row's own. Its pause grows with it; the engine being away is
-- no row's fault.
ALTER TABLE outbox ADD COLUMN failures integer NOT NULL DEFAULT 0;
-- What waits today waits for nothing that is known: it is tried at once.
UPDATE outbox SET next_attempt_at = least(next_attempt_at, now()) WHERE last_error IS NOT NULL;

-- +goose Down
ALTER TABLE outbox DROP COLUMN failures, DROP COLUMN failure;
