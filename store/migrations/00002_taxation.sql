-- +goose Up

-- What is set beside the API for a note: how services and customers are taxed, the registers of
-- works and events, and what a person gives in the form. And what the authority's document states.

CREATE TABLE service_taxations (
    service_id      text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    taxation        jsonb       NOT NULL, -- nfse.ServiceTaxation
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id)
);

CREATE TABLE customer_taxations (
    customer_id     text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    taxation        jsonb       NOT NULL, -- nfse.CustomerTaxation
    FOREIGN KEY (organization_id, livemode, customer_id) REFERENCES customers (organization_id, livemode, id)
);

CREATE TABLE works (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    work            jsonb       NOT NULL, -- nfse.Work, without its id
    closed_at       timestamptz,          -- null: notes may refer to it
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, livemode, id)
);

CREATE TABLE cultural_events (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode        boolean     NOT NULL,
    event           jsonb       NOT NULL, -- nfse.CulturalEvent, without its id
    closed_at       timestamptz,          -- null: notes may refer to it
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, livemode, id)
);

ALTER TABLE notes
    ADD COLUMN taxation         jsonb, -- nfse.Taxation, a snapshot; null: nothing was set
    ADD COLUMN details          jsonb, -- nfse.NoteDetails; null: the form gave nothing beside what the API has
    ADD COLUMN authority_totals jsonb; -- nfse.Totals; null: the document has none

ALTER TABLE fiscal_exchanges
    ADD COLUMN authority_totals jsonb; -- nfse.Totals of the accepted document, until its note is settled by it

-- What the authority refuses for the company's settings or registers: the note waits, and is not
-- rejected.

ALTER TABLE notes
    ADD COLUMN refused_at timestamptz; -- when it was first refused so; null: never

ALTER TABLE fiscal_exchanges
    ADD COLUMN mends jsonb NOT NULL DEFAULT '[]', -- fiscal.Mends: made without a person after refusals
    DROP CONSTRAINT fiscal_exchanges_state_check,
    ADD CONSTRAINT fiscal_exchanges_state_check CHECK (state IN ('unsigned', 'signed', 'in_doubt', 'accepted',
        'rejected', 'number_conflict', 'unused', 'spent'));
DROP INDEX fiscal_exchanges_current;
CREATE UNIQUE INDEX fiscal_exchanges_current ON fiscal_exchanges (note_id)
    WHERE kind = 'issue' AND state NOT IN ('number_conflict', 'unused', 'spent');

-- The note of a company that is refused, behind which the others that would be wait.
CREATE TABLE refusal_brakes (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    authority       text        NOT NULL,
    production      boolean     NOT NULL,
    tax_id          text        NOT NULL, -- of the issuer
    service_id      text COLLATE "C" NOT NULL, -- whose notes wait; empty: all of the company
    note_id         text COLLATE "C" NOT NULL REFERENCES notes,
    code            text        NOT NULL, -- by which it is refused
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, authority, production, tax_id, service_id)
);
CREATE INDEX refusal_brakes_of ON refusal_brakes (note_id);

-- Whether the municipal registration is sent, where the authority has refused what the profile
-- says and issued the contrary. It counts until a person changes the profile's word.
CREATE TABLE learned_registrations (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    authority       text        NOT NULL,
    production      boolean     NOT NULL,
    tax_id          text        NOT NULL,
    sent            boolean     NOT NULL,
    code            text        NOT NULL, -- by which the other was refused
    learned_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, authority, production, tax_id)
);

-- Cancelling to the end: a city that does not let its issuers cancel a note is asked to decide by
-- an analysis.

ALTER TABLE notes
    -- Of the last cancellation: asked: the request is to be sent. pending: the city has it. denied:
    -- it is answered, and no other is taken, ever.
    ADD COLUMN analysis       text CHECK (analysis IN ('asked', 'pending', 'denied')),
    ADD COLUMN analysis_since timestamptz, -- since when it is so
    ADD CHECK ((analysis IS NULL) = (analysis_since IS NULL)),
    ADD CHECK (coalesce(analysis, 'denied') = 'denied' OR cancellation_status IS NOT DISTINCT FROM 'pending');
CREATE INDEX notes_analysed ON notes (analysis_since) WHERE analysis = 'pending';

-- The kind analysis asks for an analysis. Its exchange ends when the city has the request.
ALTER TABLE fiscal_exchanges
    DROP CONSTRAINT fiscal_exchanges_kind_check,
    ADD CONSTRAINT fiscal_exchanges_kind_check CHECK (kind IN ('issue', 'cancel', 'analysis')),
    DROP CONSTRAINT fiscal_exchanges_check,
    ADD CONSTRAINT fiscal_exchanges_check CHECK ((kind <> 'issue') = (request_id IS NOT NULL));
COMMENT ON COLUMN fiscal_exchanges.poll_standing_at IS 'of an analysis: when its answer is asked for next; of a note that has replaced another: when the event of that is';
-- A note has one request of analysis; another only where nothing came of the first.
CREATE UNIQUE INDEX fiscal_exchanges_analysis ON fiscal_exchanges (note_id)
    WHERE kind = 'analysis' AND state NOT IN ('rejected', 'unused');
ALTER TABLE fiscal_calls
    DROP CONSTRAINT fiscal_calls_what_check,
    ADD CONSTRAINT fiscal_calls_what_check CHECK (what IN ('issue', 'find', 'cancel', 'find_cancellation',
        'find_numbers', 'analysis', 'find_analysis', 'find_answer', 'find_bar'));
ALTER TABLE external_events
    DROP CONSTRAINT external_events_effect_check,
    ADD CONSTRAINT external_events_effect_check CHECK (effect IN ('none', 'cancels', 'blocks', 'unblocks', 'denies',
        'replaces')),
    ADD COLUMN replacement text; -- of one that replaces its document: the access key of the other
-- Of one note several events may be found by asking, each once.
DROP INDEX external_events_found_once;
CREATE UNIQUE INDEX external_events_found_once ON external_events (note_id, type, sequence)
    WHERE distribution_id IS NULL;

-- What is known of a city's term for cancelling: after so many days it refused, or sooner.
CREATE TABLE city_cancellation_terms (
    authority         text        NOT NULL,
    production        boolean     NOT NULL,
    municipality_code text COLLATE "C" NOT NULL,
    refused_days      integer     NOT NULL, -- whole days from issue to the earliest refusal
    refused_at        timestamptz NOT NULL,
    PRIMARY KEY (authority, production, municipality_code)
);

-- A note that replaces another. While it is on its way the other waits for its end, and counts as
-- one whose cancellation is pending; what became of an earlier request to cancel stays meanwhile.
ALTER TABLE notes
    ADD COLUMN replaces         text COLLATE "C", -- the note that this one replaces, or would have
    ADD COLUMN replaced_by      text COLLATE "C", -- the note that replaces this one, or is to; null again where it ends otherwise
    ADD COLUMN replacement_text text,             -- the reason in words
    ADD COLUMN replacement_at   timestamptz,      -- when it was asked for
    ADD FOREIGN KEY (organization_id, livemode, replaces) REFERENCES notes (organization_id, livemode, id),
    ADD FOREIGN KEY (organization_id, livemode, replaced_by) REFERENCES notes (organization_id, livemode, id),
    ADD CHECK (livemode OR replaces IS NULL),
    ADD CHECK ((replaced_by IS NULL) = (replacement_at IS NULL)),
    ADD CHECK (replaced_by IS NULL OR status IN ('issued', 'cancelled')),
    -- A command replaces a note too: the audit log says who ran it.
    DROP CONSTRAINT notes_asked_for,
    ADD CONSTRAINT notes_asked_for CHECK (api_key_id IS NOT NULL OR user_id IS NOT NULL OR replaces IS NOT NULL);
