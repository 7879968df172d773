-- +goose Up

-- What happened to a note, here and outside, is a code with arguments.
ALTER TABLE note_steps RENAME COLUMN what TO fact;
ALTER TABLE note_steps
    ALTER COLUMN fact TYPE jsonb
        USING jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', fact));
ALTER TABLE outside_events
    ALTER COLUMN title TYPE jsonb
        USING jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', title)),
    ALTER COLUMN problem TYPE jsonb USING CASE WHEN problem IS NOT NULL
        THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', problem)) END,
    ALTER COLUMN outcome TYPE jsonb USING CASE WHEN outcome IS NOT NULL
        THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', outcome)) END;
ALTER TABLE outside_documents
    ALTER COLUMN problem TYPE jsonb USING CASE WHEN problem IS NOT NULL
        THEN jsonb_build_object('code', 'said', 'arguments', jsonb_build_object('words', problem)) END;

-- +goose Down
ALTER TABLE outside_documents
    ALTER COLUMN problem TYPE text USING coalesce(problem #>> '{arguments,words}', problem ->> 'code');
ALTER TABLE outside_events
    ALTER COLUMN title TYPE text USING coalesce(title #>> '{arguments,words}', title ->> 'code'),
    ALTER COLUMN problem TYPE text USING coalesce(problem #>> '{arguments,words}', problem ->> 'code'),
    ALTER COLUMN outcome TYPE text USING coalesce(outcome #>> '{arguments,words}', outcome ->> 'code');
ALTER TABLE note_steps ALTER COLUMN fact TYPE text USING coalesce(fact #>> '{arguments,words}', fact ->> 'code');
ALTER TABLE note_steps RENAME COLUMN fact TO what;
