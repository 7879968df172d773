-- +goose Up
-- ONE COPY OF EACH DOCUMENT
-- The bytes of a document, a message or an event are stored packed (internal/packed), and as they are where a program
-- of before may read them; the first bytes say which.
SET LOCAL lock_timeout = '1s';

-- The dictionaries by which documents are packed: a version, which the program has, and the certificates of an issuer
-- and an authority. Rows are only added.
CREATE TABLE document_dictionaries (
    id           bigint GENERATED ALWAYS AS IDENTITY (START WITH 256) PRIMARY KEY, -- as frames name it
    version      smallint    NOT NULL,
    certificates bytea       NOT NULL,
    digest       bytea       NOT NULL UNIQUE, -- SHA-256 of the certificates, with the version before
    created_at   timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE note_documents ADD COLUMN digest bytea; -- SHA-256 of the plain bytes; null: stored by a program of before

-- The document of the note embeds the message, so that of the message only the digest is kept.
ALTER TABLE fiscal_messages ADD COLUMN embedded boolean NOT NULL DEFAULT false;

-- The digest of a body is kept when the body is not: it is then made anew from the note, and is the same bytes.
ALTER TABLE events ADD COLUMN payload_digest bytea; -- SHA-256; null: a body that is gone cannot be made anew

-- Nobody may change a document. This packs one that is still what it was, and leaves a row that somebody erases.
-- +goose StatementBegin
CREATE FUNCTION pack_document(note text, plain bytea, packed bytea, plain_digest bytea) RETURNS void LANGUAGE sql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.note_documents SET xml = packed, digest = plain_digest
    WHERE note_id = note COLLATE "C" AND xml = plain AND coalesce(digest = plain_digest, true)
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION pack_document(text, bytea, bytea, bytea) FROM PUBLIC;

COMMENT ON COLUMN fiscal_exchanges.xml IS 'empty: it is the document of the note, or no longer kept';
COMMENT ON COLUMN fiscal_messages.xml IS 'empty: the document of the note embeds it, or no longer kept';

-- THE NAMES OF NOTES
-- A reference is unique in its organization and environment for ever, whatever becomes of the note's own table: that
-- one is divided by time once the database has its new form, and a key of it has to contain the time. Until then the
-- notes of before are added in the background.
CREATE TABLE note_references (
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    reference       text COLLATE "C" NOT NULL,
    note_id         text COLLATE "C" NOT NULL, -- no foreign key: both rows are made by one statement, and never deleted
    payload_hash    bytea       NOT NULL,
    payload_version smallint    NOT NULL,
    PRIMARY KEY (organization_id, livemode, reference)
);
-- +goose StatementBegin
CREATE FUNCTION name_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO note_references VALUES (NEW.organization_id, NEW.livemode, NEW.reference, NEW.id, NEW.payload_hash,
        NEW.payload_version);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER note_named AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION name_note();
