-- +goose Up

-- Notes of a month, in the order of their competence.
CREATE INDEX notes_by_competence ON notes (organization_id, livemode, competence, id);
-- Rejected and cancelled notes are far apart: those of a month are found, and added up, without their rows.
DROP INDEX notes_ended_badly;
CREATE INDEX notes_ended_badly ON notes (organization_id, livemode, status, id) INCLUDE (competence, amount_cents)
    WHERE status IN ('rejected', 'cancelled');

-- An e-mail that a person had sent again has a row of its own: copy_of is its note, and address
-- where it goes to. The e-mail that follows an issue has a note_id instead, of which there is one.
ALTER TABLE emails ALTER COLUMN note_id DROP NOT NULL,
    ADD COLUMN copy_of text COLLATE "C",
    ADD COLUMN address text,
    ADD FOREIGN KEY (organization_id, livemode, copy_of) REFERENCES notes (organization_id, livemode, id),
    ADD CHECK ((note_id IS NULL) <> (copy_of IS NULL));
CREATE INDEX emails_copied ON emails (copy_of, id) WHERE copy_of IS NOT NULL;
