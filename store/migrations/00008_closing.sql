-- +goose Up

-- A month's closing by competence: what each change of a note with a document adds to its month and
-- takes away from it, until it is rolled up. The first columns are those of closing_figures.
CREATE TABLE closing_moves (
    organization_id    text COLLATE "C" NOT NULL,
    livemode           boolean NOT NULL,
    month              date    NOT NULL, -- its first day
    state              text    NOT NULL CHECK (state IN ('issued', 'cancelled', 'replaced')),
    service_id         text COLLATE "C" NOT NULL,
    city               text    NOT NULL, -- where the service is rendered
    regime             text    NOT NULL, -- of the profile that it was issued by: option and assessment in Simples
    notes              integer NOT NULL, -- 1, or -1: taken away
    unstated           integer NOT NULL, -- of them without totals
    amount_cents       numeric NOT NULL,
    total_cents        numeric NOT NULL,
    net_cents          numeric NOT NULL,
    iss_cents          numeric NOT NULL,
    iss_withheld_cents numeric NOT NULL,
    irrf_cents         numeric NOT NULL,
    csrf_cents         numeric NOT NULL,
    inss_cents         numeric NOT NULL,
    ibs_cents          numeric NOT NULL,
    cbs_cents          numeric NOT NULL,
    id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY -- names a move that cannot be rolled up
);
CREATE INDEX closing_moves_of ON closing_moves (organization_id, livemode, month);

CREATE TABLE closing_figures (
    organization_id    text COLLATE "C" NOT NULL,
    livemode           boolean NOT NULL,
    month              date    NOT NULL,
    state              text    NOT NULL,
    service_id         text COLLATE "C" NOT NULL,
    city               text    NOT NULL,
    regime             text    NOT NULL,
    notes              bigint  NOT NULL,
    unstated           bigint  NOT NULL,
    amount_cents       numeric NOT NULL, -- a sum may be more than a bigint holds
    total_cents        numeric NOT NULL,
    net_cents          numeric NOT NULL,
    iss_cents          numeric NOT NULL,
    iss_withheld_cents numeric NOT NULL,
    irrf_cents         numeric NOT NULL,
    csrf_cents         numeric NOT NULL,
    inss_cents         numeric NOT NULL,
    ibs_cents          numeric NOT NULL,
    cbs_cents          numeric NOT NULL,
    PRIMARY KEY (organization_id, livemode, month, state, service_id, city, regime)
);

-- +goose StatementBegin
CREATE FUNCTION add_to_closing(n notes, counted integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF n.issued_at IS NULL OR n.status NOT IN ('issued', 'cancelled') THEN
        RETURN;
    END IF;
    INSERT INTO closing_moves VALUES (n.organization_id, n.livemode, date_trunc('month', n.competence)::date,
        CASE WHEN n.status = 'issued' THEN 'issued' WHEN n.replaced_by IS NULL THEN 'cancelled' ELSE 'replaced' END,
        n.service_id, coalesce(n.service ->> 'municipality_code', ''),
        coalesce((SELECT concat(f.profile ->> 'simples', ':', f.profile ->> 'simples_regime') FROM fiscal_exchanges f
            WHERE f.note_id = n.id AND f.kind = 'issue' AND f.state = 'accepted'), ''),
        counted, CASE WHEN n.authority_totals IS NULL THEN counted ELSE 0 END, counted * n.amount_cents,
        counted * coalesce((n.authority_totals ->> 'total_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'net_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'iss_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'iss_withheld_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'irrf_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'csrf_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'inss_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'ibs_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'cbs_cents')::numeric, 0));
END $$;
CREATE FUNCTION record_closing_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        PERFORM add_to_closing(OLD, -1);
    END IF;
    PERFORM add_to_closing(NEW, 1);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER note_closed_new AFTER INSERT ON notes FOR EACH ROW WHEN (NEW.issued_at IS NOT NULL)
    EXECUTE FUNCTION record_closing_move();
CREATE TRIGGER note_closed AFTER UPDATE OF status, competence, authority_totals, replaced_by ON notes FOR EACH ROW
    WHEN (NEW.issued_at IS NOT NULL AND (OLD.status, OLD.competence, OLD.authority_totals, OLD.replaced_by)
        IS DISTINCT FROM (NEW.status, NEW.competence, NEW.authority_totals, NEW.replaced_by))
    EXECUTE FUNCTION record_closing_move();
SELECT count(add_to_closing(n, 1)) FROM notes n WHERE n.issued_at IS NOT NULL;

-- The notes of a month that are not at their end.
CREATE INDEX notes_open_of_month ON notes (organization_id, livemode, competence, id)
    WHERE status IN ('queued', 'processing') OR cancellation_status = 'pending';
-- What the ledger does not have, because the key does not register there.
CREATE INDEX notes_outside_ledger ON notes (organization_id, issued_at)
    WHERE livemode AND NOT register_ledger AND issued_at IS NOT NULL;

-- What was distributed and is not on record.
CREATE INDEX external_documents_unknown ON external_documents (distribution_id) WHERE note_id IS NULL;

-- A month in one ZIP, which a run of the engine makes part by part. It is removed after a time.
CREATE TABLE month_archives (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    month           date        NOT NULL, -- its first day
    status          text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'removed')),
    up_to_day       date,                           -- of the last note that is in it: its competence
    up_to           text COLLATE "C" NOT NULL DEFAULT '', -- and its id
    parts           integer     NOT NULL DEFAULT 0,
    notes           integer     NOT NULL DEFAULT 0, -- in it so far
    problems        integer     NOT NULL DEFAULT 0, -- files that could not be made; the index names them
    files           bigint      NOT NULL DEFAULT 0,
    size            bigint      NOT NULL DEFAULT 0, -- in bytes
    digest          text        NOT NULL DEFAULT '', -- SHA-256 of those of its parts, in their order
    created_at      timestamptz NOT NULL DEFAULT now(),
    ready_at        timestamptz,
    cleared         boolean     NOT NULL DEFAULT false, -- removed, and its parts are gone
    requeue_after   timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    requeues        integer     NOT NULL DEFAULT 0,
    UNIQUE (organization_id, livemode, id)
);
CREATE UNIQUE INDEX month_archives_of ON month_archives (organization_id, livemode, month)
    WHERE status <> 'removed';
CREATE INDEX month_archives_unfinished ON month_archives (requeue_after) WHERE status = 'pending';
CREATE INDEX month_archives_to_clear ON month_archives (id) WHERE status = 'removed' AND NOT cleared;
CREATE INDEX month_archives_kept ON month_archives (created_at) WHERE status <> 'removed';

CREATE TABLE month_archive_parts (
    archive_id text COLLATE "C" NOT NULL REFERENCES month_archives,
    number     integer NOT NULL,
    position   bigint  NOT NULL, -- of its first byte in the ZIP
    content    bytea   NOT NULL,
    directory  bytea   NOT NULL DEFAULT '', -- what the ZIP's directory says of the files in it
    lines      bytea   NOT NULL DEFAULT '', -- what the index says of them
    PRIMARY KEY (archive_id, number)
);
CREATE INDEX month_archive_parts_at ON month_archive_parts (archive_id, position);
-- What is in a ZIP is compressed already, or is to be the same bytes with every version.
ALTER TABLE month_archive_parts ALTER COLUMN content SET STORAGE EXTERNAL;

-- Which of our notes the distribution has told of, since when that is recorded.
CREATE TABLE distributed_notes (
    note_id         text COLLATE "C" PRIMARY KEY REFERENCES notes,
    distribution_id text COLLATE "C" NOT NULL REFERENCES distributions,
    position        bigint      NOT NULL,
    received_at     timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE distributions ADD COLUMN notes_since timestamptz NOT NULL DEFAULT now();

ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('note', 'cancellation', 'delivery', 'resume', 'email',
        'distribution', 'batch', 'export')),
    DROP CONSTRAINT outbox_check,
    ADD CONSTRAINT outbox_check CHECK (kind IN ('delivery', 'email', 'distribution', 'batch', 'export')
        OR reference IS NOT NULL);
