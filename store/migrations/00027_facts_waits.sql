-- Why notes, series and rows of the outbox wait: facts (package nfse/fact), which were
-- sentences before.

-- +goose Up
ALTER TABLE notes ALTER COLUMN held_reason TYPE jsonb USING CASE WHEN held_reason IS NOT NULL
	THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', held_reason)) END;
ALTER TABLE fiscal_series ALTER COLUMN held_reason TYPE jsonb USING CASE WHEN held_reason IS NOT NULL
	THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', held_reason)) END;
ALTER TABLE blocked_starts ALTER COLUMN reason TYPE jsonb
	USING jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', reason));
ALTER TABLE outbox DROP COLUMN blocked_reason;

-- +goose Down
ALTER TABLE outbox ADD COLUMN blocked_reason text;
COMMENT ON COLUMN outbox.blocked_reason IS 'of the version before, which marked every row; nobody reads it';
ALTER TABLE blocked_starts ALTER COLUMN reason TYPE text
	USING coalesce(reason #>> '{arguments,words}', reason ->> 'code');
ALTER TABLE fiscal_series ALTER COLUMN held_reason TYPE text
	USING coalesce(held_reason #>> '{arguments,words}', held_reason ->> 'code');
ALTER TABLE notes ALTER COLUMN held_reason TYPE text
	USING coalesce(held_reason #>> '{arguments,words}', held_reason ->> 'code');
