-- +goose Up
-- What happened, and why something waits or failed, is a fact: a code with arguments, of
-- which texts are made where somebody reads it (package nfse/fact). What was written before
-- stays as somebody's words.
CREATE FUNCTION pg_temp.said(words text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE WHEN words IS NOT NULL
        THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', words)) END $$;
ALTER TABLE note_steps RENAME COLUMN what TO fact;
ALTER TABLE notes ALTER COLUMN held_reason TYPE jsonb USING pg_temp.said(held_reason);
ALTER TABLE fiscal_series ALTER COLUMN held_reason TYPE jsonb USING pg_temp.said(held_reason);
ALTER TABLE blocked_starts ALTER COLUMN reason TYPE jsonb USING pg_temp.said(reason);
ALTER TABLE fiscal_calls ALTER COLUMN reason TYPE jsonb USING pg_temp.said(reason);
ALTER TABLE municipal_parameters ALTER COLUMN failure TYPE jsonb USING pg_temp.said(failure);
ALTER TABLE municipal_service_parameters ALTER COLUMN failure TYPE jsonb USING pg_temp.said(failure);
ALTER TABLE distributions ALTER COLUMN problem TYPE jsonb USING pg_temp.said(problem);
ALTER TABLE deliveries ALTER COLUMN reason TYPE jsonb USING pg_temp.said(reason);
ALTER TABLE delivery_attempts ALTER COLUMN problem TYPE jsonb USING pg_temp.said(problem);
ALTER TABLE emails ALTER COLUMN reason TYPE jsonb USING pg_temp.said(reason),
    ALTER COLUMN last_problem TYPE jsonb USING pg_temp.said(last_problem);
ALTER TABLE webhook_endpoints ALTER COLUMN disabled_reason TYPE jsonb USING pg_temp.said(disabled_reason);
ALTER TABLE outside_events ALTER COLUMN title TYPE jsonb USING pg_temp.said(title),
    ALTER COLUMN problem TYPE jsonb USING pg_temp.said(problem),
    ALTER COLUMN outcome TYPE jsonb USING pg_temp.said(outcome);
ALTER TABLE outside_documents ALTER COLUMN problem TYPE jsonb USING pg_temp.said(problem);
ALTER TABLE note_steps ALTER COLUMN fact TYPE jsonb USING pg_temp.said(fact);
DROP FUNCTION pg_temp.said;
-- Nobody reads it since a backlog is blocked, and not each of its rows.
ALTER TABLE outbox DROP COLUMN blocked_reason;

-- +goose Down
ALTER TABLE outbox ADD COLUMN blocked_reason text;
CREATE FUNCTION pg_temp.words(fact jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT coalesce(fact #>> '{arguments,words}', fact ->> 'code') $$;
ALTER TABLE note_steps ALTER COLUMN fact TYPE text USING pg_temp.words(fact);
ALTER TABLE outside_documents ALTER COLUMN problem TYPE text USING pg_temp.words(problem);
ALTER TABLE outside_events ALTER COLUMN title TYPE text USING pg_temp.words(title),
    ALTER COLUMN problem TYPE text USING pg_temp.words(problem),
    ALTER COLUMN outcome TYPE text USING pg_temp.words(outcome);
ALTER TABLE webhook_endpoints ALTER COLUMN disabled_reason TYPE text USING pg_temp.words(disabled_reason);
ALTER TABLE emails ALTER COLUMN reason TYPE text USING pg_temp.words(reason),
    ALTER COLUMN last_problem TYPE text USING pg_temp.words(last_problem);
ALTER TABLE delivery_attempts ALTER COLUMN problem TYPE text USING pg_temp.words(problem);
ALTER TABLE deliveries ALTER COLUMN reason TYPE text USING pg_temp.words(reason);
ALTER TABLE distributions ALTER COLUMN problem TYPE text USING pg_temp.words(problem);
ALTER TABLE municipal_service_parameters ALTER COLUMN failure TYPE text USING pg_temp.words(failure);
ALTER TABLE municipal_parameters ALTER COLUMN failure TYPE text USING pg_temp.words(failure);
ALTER TABLE fiscal_calls ALTER COLUMN reason TYPE text USING pg_temp.words(reason);
ALTER TABLE blocked_starts ALTER COLUMN reason TYPE text USING pg_temp.words(reason);
ALTER TABLE fiscal_series ALTER COLUMN held_reason TYPE text USING pg_temp.words(held_reason);
ALTER TABLE notes ALTER COLUMN held_reason TYPE text USING pg_temp.words(held_reason);
ALTER TABLE note_steps RENAME COLUMN fact TO what;
DROP FUNCTION pg_temp.words;
