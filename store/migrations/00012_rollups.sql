-- +goose Up

-- Every move of a note from state to state, until it is rolled up into the figures.
-- A row of its own, which nobody else waits for: a counter that every issuance
-- changes would make them wait for each other.
CREATE TABLE note_moves (
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    day             date        NOT NULL, -- when the note was accepted, in Brasília
    was             text,                 -- null: accepted now
    became          text        NOT NULL,
    amount_cents    bigint      NOT NULL,
    rejection_code  text,
    milliseconds    bigint                -- from acceptance to issue
);

-- How many notes that were accepted on a day are in a state now, were rejected by a
-- code, and took so long to be issued: the name of a time is the power of 1.2 up to
-- which it took so many milliseconds.
CREATE TABLE note_figures (
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean NOT NULL,
    day             date    NOT NULL,
    kind            text    NOT NULL CHECK (kind IN ('state', 'rejection', 'time')),
    name            text COLLATE "C" NOT NULL,
    notes           bigint  NOT NULL,
    amount_cents    numeric NOT NULL, -- a sum may be more than a bigint holds
    PRIMARY KEY (organization_id, livemode, day, kind, name)
);

-- +goose StatementBegin
CREATE FUNCTION record_note_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO note_moves VALUES (NEW.organization_id, NEW.livemode,
        (NEW.created_at AT TIME ZONE 'America/Sao_Paulo')::date,
        CASE WHEN TG_OP = 'UPDATE' THEN OLD.status END, NEW.status, NEW.amount_cents,
        CASE WHEN NEW.status = 'rejected' THEN NEW.rejection ->> 'code' END,
        CASE WHEN NEW.status = 'issued' THEN extract(epoch FROM NEW.issued_at - NEW.created_at) * 1000 END);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER note_accepted AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION record_note_move();
CREATE TRIGGER note_moved AFTER UPDATE OF status ON notes FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION record_note_move();

INSERT INTO note_figures
    SELECT organization_id, livemode, (created_at AT TIME ZONE 'America/Sao_Paulo')::date, 'state', status,
        count(*), sum(amount_cents)
    FROM notes GROUP BY 1, 2, 3, 5;
INSERT INTO note_figures
    SELECT organization_id, livemode, (created_at AT TIME ZONE 'America/Sao_Paulo')::date, 'rejection',
        coalesce(rejection ->> 'code', ''), count(*), 0
    FROM notes WHERE status = 'rejected' GROUP BY 1, 2, 3, 5;
INSERT INTO note_figures
    SELECT organization_id, livemode, (created_at AT TIME ZONE 'America/Sao_Paulo')::date, 'time',
        ceil(ln(greatest(1, extract(epoch FROM issued_at - created_at) * 1000)) / ln(1.2))::int::text, count(*), 0
    FROM notes WHERE issued_at IS NOT NULL GROUP BY 1, 2, 3, 5;

-- A note that a person issues in the dashboard is asked for by no key. Like the audit log it
-- only names who it was.
ALTER TABLE notes ALTER COLUMN api_key_id DROP NOT NULL;
ALTER TABLE notes ADD COLUMN user_id text COLLATE "C";
ALTER TABLE notes ADD CONSTRAINT notes_asked_for CHECK (api_key_id IS NOT NULL OR user_id IS NOT NULL) NOT VALID;
ALTER TABLE note_steps ADD COLUMN user_id text COLLATE "C";

-- What people look for.
CREATE INDEX notes_by_number ON notes (organization_id, livemode, authority_number) WHERE authority_number IS NOT NULL;
CREATE INDEX notes_by_customer ON notes (organization_id, livemode, customer_id, id);
CREATE INDEX customers_by_name ON customers (organization_id, livemode, (lower(name) COLLATE "C"));
CREATE INDEX deliveries_given_up ON deliveries (organization_id, livemode, id) WHERE status = 'failed';

-- +goose Down
DROP INDEX deliveries_given_up;
DROP INDEX customers_by_name;
DROP INDEX notes_by_customer;
DROP INDEX notes_by_number;
ALTER TABLE note_steps DROP COLUMN user_id;
ALTER TABLE notes DROP CONSTRAINT notes_asked_for, DROP COLUMN user_id;
ALTER TABLE notes ALTER COLUMN api_key_id SET NOT NULL;
DROP TRIGGER note_moved ON notes;
DROP TRIGGER note_accepted ON notes;
DROP FUNCTION record_note_move;
DROP TABLE note_figures;
DROP TABLE note_moves;
