-- +goose Up
-- NUMBERS AFTER A RESTORE

-- A name of this database for the sequences of numbers. A copy that was restored from an archive has another one, and
-- so has a server that took over from its primary: either may lack the last commits. Other than series_database() it
-- stays when a server is only started again. Where the server does not give its identifier, the other parts make the
-- name.
-- +goose StatementBegin
CREATE FUNCTION sequence_database() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    server text;
BEGIN
    BEGIN
        SELECT system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) INTO server
            FROM pg_control_system();
    EXCEPTION WHEN OTHERS THEN
        server := 'unknown';
    END;
    RETURN concat_ws('/', server, (SELECT oid FROM pg_database WHERE datname = current_database()),
        'fiscal_sequences'::regclass::oid);
END $$;
-- +goose StatementEnd

-- The database in which every sequence was checked: in another one a sequence that is new here may be one of which
-- the records were lost.
CREATE TABLE checked_database (
    name text NOT NULL
);
CREATE UNIQUE INDEX checked_database_one ON checked_database ((true));
INSERT INTO checked_database SELECT sequence_database();

ALTER TABLE fiscal_sequences
    ADD COLUMN checked_in     text,        -- the database in which its numbers are those that were taken; null: any
    ADD COLUMN noticed_in     text,        -- the database in which it was noticed that it is another one
    ADD COLUMN noticed_at     timestamptz,
    ADD COLUMN wanted_at      timestamptz, -- when a note last waited for the check
    ADD COLUMN checking_until timestamptz, -- one process asks until then
    ADD COLUMN check_problem  jsonb;       -- a fact: why the last check came to no end
UPDATE fiscal_sequences SET checked_in = sequence_database();

-- A document that an authority has under a number of which the database knew nothing when it was checked.
CREATE TABLE recovered_documents (
    authority         text        NOT NULL,
    production        boolean     NOT NULL,
    tax_id            text        NOT NULL, -- of the issuer
    municipality_code text        NOT NULL,
    series            integer     NOT NULL,
    number            bigint      NOT NULL,
    registration      text        NOT NULL, -- of the issuer with the city, where numbers are counted by it; else empty
    state             text        NOT NULL CHECK (state IN ('taken_over', 'missing', 'unclear', 'left')),
    note_id           text COLLATE "C" REFERENCES notes, -- whose it is, as far as known
    correlation_id    text        NOT NULL, -- of its note, as the document says it; empty: it says none
    access_key        text        NOT NULL, -- empty where the authority gives none
    authority_number  text        NOT NULL, -- of the document; empty where it is not known
    taker             text        NOT NULL, -- name and tax id, until somebody has decided; empty then, or where they
    taker_tax_id      text        NOT NULL, -- are not known
    amount_cents      bigint,
    competence        date,
    found_at          timestamptz NOT NULL DEFAULT now(),
    decided_at        timestamptz,
    PRIMARY KEY (authority, production, tax_id, municipality_code, series, number)
);
CREATE INDEX recovered_documents_undecided ON recovered_documents (found_at) WHERE state IN ('missing', 'unclear');
