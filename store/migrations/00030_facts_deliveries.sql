-- +goose Up

-- Why a delivery, an attempt or an e-mail failed, and why an endpoint is disabled, are facts:
-- a code with arguments. What was recorded before is somebody's words.
ALTER TABLE deliveries ALTER COLUMN reason TYPE jsonb USING
    CASE WHEN reason IS NOT NULL THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', reason)) END;
ALTER TABLE delivery_attempts ALTER COLUMN problem TYPE jsonb USING
    CASE WHEN problem IS NOT NULL THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', problem)) END;
ALTER TABLE emails
    ALTER COLUMN reason TYPE jsonb USING
    CASE WHEN reason IS NOT NULL THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', reason)) END,
    ALTER COLUMN last_problem TYPE jsonb USING
    CASE WHEN last_problem IS NOT NULL THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', last_problem)) END;
ALTER TABLE webhook_endpoints ALTER COLUMN disabled_reason TYPE jsonb USING
    CASE WHEN disabled_reason IS NOT NULL THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', disabled_reason)) END;

-- +goose Down
ALTER TABLE deliveries ALTER COLUMN reason TYPE text USING coalesce(reason #>> '{arguments,words}', reason ->> 'code');
ALTER TABLE delivery_attempts ALTER COLUMN problem TYPE text USING coalesce(problem #>> '{arguments,words}', problem ->> 'code');
ALTER TABLE emails
    ALTER COLUMN reason TYPE text USING coalesce(reason #>> '{arguments,words}', reason ->> 'code'),
    ALTER COLUMN last_problem TYPE text USING coalesce(last_problem #>> '{arguments,words}', last_problem ->> 'code');
ALTER TABLE webhook_endpoints ALTER COLUMN disabled_reason TYPE text USING
    coalesce(disabled_reason #>> '{arguments,words}', disabled_reason ->> 'code');
