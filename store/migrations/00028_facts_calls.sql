-- +goose Up

-- What a call to an authority came to, and why a city or a page of a distribution could not
-- be had, is a fact: a code with arguments.
ALTER TABLE fiscal_calls ALTER COLUMN reason TYPE jsonb USING CASE WHEN reason IS NOT NULL
    THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', reason)) END;
ALTER TABLE municipal_parameters ALTER COLUMN failure TYPE jsonb USING CASE WHEN failure IS NOT NULL
    THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', failure)) END;
ALTER TABLE municipal_service_parameters ALTER COLUMN failure TYPE jsonb USING CASE WHEN failure IS NOT NULL
    THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', failure)) END;
ALTER TABLE distributions ALTER COLUMN problem TYPE jsonb USING CASE WHEN problem IS NOT NULL
    THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', problem)) END;

-- +goose Down
ALTER TABLE distributions ALTER COLUMN problem TYPE text
    USING coalesce(problem #>> '{arguments,words}', problem ->> 'code');
ALTER TABLE municipal_service_parameters ALTER COLUMN failure TYPE text
    USING coalesce(failure #>> '{arguments,words}', failure ->> 'code');
ALTER TABLE municipal_parameters ALTER COLUMN failure TYPE text
    USING coalesce(failure #>> '{arguments,words}', failure ->> 'code');
ALTER TABLE fiscal_calls ALTER COLUMN reason TYPE text
    USING coalesce(reason #>> '{arguments,words}', reason ->> 'code');
