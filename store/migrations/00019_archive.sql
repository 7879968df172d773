-- +goose Up
-- THE ARCHIVE
-- Documents of closed months are moved into files outside the database (internal/archive), of which each is a segment.
SET LOCAL lock_timeout = '1s';

CREATE TABLE archive_segments (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key        text        NOT NULL UNIQUE, -- of the object; another one for every content
    month      date        NOT NULL,        -- of the ids of the notes, in Brasília
    -- writing: an object may be there, and no document is in it yet; leaving: the object is to be deleted
    state      text        NOT NULL CHECK (state IN ('writing', 'stored', 'leaving')),
    first_note text COLLATE "C" NOT NULL,
    last_note  text COLLATE "C" NOT NULL,
    documents  integer     NOT NULL,
    size       bigint      NOT NULL,
    digest     bytea       NOT NULL,        -- SHA-256 of the object
    created_at timestamptz NOT NULL DEFAULT now(),
    stored_at  timestamptz
);
CREATE INDEX archive_segments_month ON archive_segments (month, id);

-- Documents that were erased here and are to be erased in a segment.
CREATE TABLE archive_erasures (
    note_id    text COLLATE "C" PRIMARY KEY,
    segment_id bigint      NOT NULL,
    asked_at   timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX archive_erasures_asked ON archive_erasures (asked_at);
CREATE INDEX archive_erasures_segment ON archive_erasures (segment_id);

-- How the archive is getting on, and who works on it. One row.
CREATE TABLE archive_state (
    token         text,                           -- of who works on it
    lease_until   timestamptz,
    up_to         text COLLATE "C" NOT NULL DEFAULT '', -- documents of notes after it were not looked at
    succeeded_at  timestamptz,                    -- the end of the last round in which everything worked
    failing_since timestamptz,                    -- the first of the rounds in a row in which something did not
    problem       text CHECK (problem IN ('away', 'refused', 'broken', 'missing', 'other')) -- of the last one
);
CREATE UNIQUE INDEX archive_state_one ON archive_state ((true));
INSERT INTO archive_state DEFAULT VALUES;

-- A document is here, or it has a place in a segment.
ALTER TABLE note_documents
    ALTER COLUMN xml DROP NOT NULL,
    ADD COLUMN segment_id   bigint,
    ADD COLUMN frame_from   bigint,
    ADD COLUMN frame_length integer,
    ADD COLUMN plain_length integer,
    ADD CONSTRAINT note_documents_place CHECK (
        (xml IS NULL) = (segment_id IS NOT NULL AND frame_from IS NOT NULL AND frame_length IS NOT NULL
            AND plain_length IS NOT NULL AND digest IS NOT NULL)) NOT VALID;

-- Nobody may change a document. These two move it, and leave its digest, by which whoever reads it checks it.
-- Documents without a segment, or in the segment of before, get their places in a segment; it says how many.
-- +goose StatementBegin
CREATE FUNCTION documents_into_segment(segment bigint, before bigint, notes text[], froms bigint[], lengths integer[],
        plains integer[], digests bytea[]) RETURNS bigint LANGUAGE sql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    WITH moved AS (
        UPDATE public.note_documents d SET xml = NULL, digest = p.digest, segment_id = segment,
            frame_from = p.begin, frame_length = p.length, plain_length = p.plain
        FROM unnest(notes, froms, lengths, plains, digests) AS p (note, begin, length, plain, digest)
        WHERE d.note_id = p.note COLLATE "C" AND d.segment_id IS NOT DISTINCT FROM before
            AND coalesce(d.digest = p.digest, true)
            AND EXISTS (SELECT FROM public.archive_segments s WHERE s.id = segment AND s.state = 'stored')
        RETURNING d.note_id
    )
    SELECT count(*) FROM moved
$$;
-- +goose StatementEnd
-- Documents in a segment get their bytes back; it says how many.
-- +goose StatementBegin
CREATE FUNCTION documents_out_of_segment(segment bigint, notes text[], contents bytea[]) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH moved AS (
        UPDATE public.note_documents d SET xml = p.content, segment_id = NULL, frame_from = NULL, frame_length = NULL,
            plain_length = NULL
        FROM unnest(notes, contents) AS p (note, content)
        WHERE d.note_id = p.note COLLATE "C" AND d.segment_id = segment
        RETURNING d.note_id
    )
    SELECT count(*) FROM moved
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION documents_into_segment(bigint, bigint, text[], bigint[], integer[], integer[], bytea[]),
    documents_out_of_segment(bigint, text[], bytea[]) FROM PUBLIC;
