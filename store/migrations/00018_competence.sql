-- +goose NO TRANSACTION
-- +goose Up

-- The day of competence of a note: the one of its acceptance in Brasília, or the one that a
-- person set. By default too, so that the version before goes on accepting notes.
ALTER TABLE notes ADD COLUMN IF NOT EXISTS competence date;
ALTER TABLE notes ALTER COLUMN competence SET DEFAULT (now() AT TIME ZONE INTERVAL '-3 hours')::date;

-- Rows of before, few at a time: notes are accepted and issued meanwhile. What was interrupted
-- may be run again.
-- +goose StatementBegin
DO $$
DECLARE
    done text := '';
    upto text;
BEGIN
    LOOP
        SELECT max(id) INTO upto FROM (SELECT id FROM notes WHERE id > done ORDER BY id LIMIT 10000) batch;
        EXIT WHEN upto IS NULL;
        UPDATE notes SET competence = (created_at AT TIME ZONE INTERVAL '-3 hours')::date
            WHERE id > done AND id <= upto AND competence IS NULL;
        COMMIT;
        done := upto;
    END LOOP;
END $$;
-- +goose StatementEnd

-- A constraint that is validated without keeping anybody from writing spares NOT NULL its scan.
ALTER TABLE notes DROP CONSTRAINT IF EXISTS notes_competence;
ALTER TABLE notes ADD CONSTRAINT notes_competence CHECK (competence IS NOT NULL) NOT VALID;
ALTER TABLE notes VALIDATE CONSTRAINT notes_competence;
ALTER TABLE notes ALTER COLUMN competence SET NOT NULL;
ALTER TABLE notes DROP CONSTRAINT notes_competence;

-- +goose Down
ALTER TABLE notes DROP COLUMN competence;
