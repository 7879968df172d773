-- +goose Up

-- The last request to cancel a note. sent_at is the fence between "never left"
-- and "may exist": a note is cancelled without asking the authority only while
-- it is null.
ALTER TABLE notes
    ADD COLUMN sent_at                   timestamptz,
    ADD COLUMN cancellation_status       text CHECK (cancellation_status IN ('pending', 'accepted', 'refused', 'not_needed')),
    ADD COLUMN cancellation_reason_code  text CHECK (cancellation_reason_code IN ('1', '2', '9')),
    ADD COLUMN cancellation_reason_text  text,
    ADD COLUMN cancellation_requested_at timestamptz,
    ADD COLUMN cancellation_resolved_at  timestamptz,
    ADD COLUMN cancellation_refusal      jsonb,
    ADD COLUMN cancellation_request_id   text,
    ADD COLUMN cancellation_api_key_id   text COLLATE "C",
    ADD FOREIGN KEY (organization_id, livemode, cancellation_api_key_id) REFERENCES api_keys (organization_id, livemode, id),
    ADD CHECK ((cancellation_status IS NULL) = (cancellation_requested_at IS NULL)),
    ADD CHECK ((coalesce(cancellation_status, 'pending') <> 'pending') = (cancellation_resolved_at IS NOT NULL)),
    ADD CHECK ((cancellation_status IS NOT DISTINCT FROM 'refused') = (cancellation_refusal IS NOT NULL)),
    ADD CHECK ((status = 'cancelled') = (cancellation_status IS NOT DISTINCT FROM 'accepted')),
    ADD CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL));

DROP INDEX notes_unfinished;
CREATE INDEX notes_unfinished ON notes (heal_after)
    WHERE status IN ('queued', 'processing') OR cancellation_status = 'pending';

-- What happened in a note's life that its own row does not keep: every request to
-- cancel it and its refusal, and what operators did. Only added to.
CREATE TABLE note_steps (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    note_id    text COLLATE "C" NOT NULL REFERENCES notes,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    what       text        NOT NULL,
    api_key_id text COLLATE "C" REFERENCES api_keys, -- of who asked; null for the operator and for workflows
    request_id text
);
CREATE INDEX note_steps_of ON note_steps (note_id, id);
CREATE INDEX note_steps_by_request ON note_steps (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX notes_by_request ON notes (request_id);

-- Where an organization wants its events sent, in one environment.
CREATE TABLE webhook_endpoints (
    id                      text COLLATE "C" PRIMARY KEY,
    organization_id         text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                boolean     NOT NULL,
    url                     text        NOT NULL,
    secret                  bytea       NOT NULL, -- sealed
    previous_secret         bytea,                -- sealed; signs as well while a rotation lasts
    previous_secret_ends_at timestamptz,
    created_at              timestamptz NOT NULL DEFAULT now(),
    disabled_at             timestamptz,
    disabled_reason         text,
    deleted_at              timestamptz,
    gone_since              timestamptz,          -- since when it has answered nothing but 410
    UNIQUE (organization_id, livemode, id),
    CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
    CHECK ((previous_secret IS NULL) = (previous_secret_ends_at IS NULL))
);
CREATE INDEX webhook_endpoints_of ON webhook_endpoints (organization_id, livemode) WHERE deleted_at IS NULL;

-- One event on its way to one endpoint.
CREATE TABLE deliveries (
    id                text COLLATE "C" PRIMARY KEY,
    organization_id   text COLLATE "C" NOT NULL,
    livemode          boolean     NOT NULL,
    event_id          text COLLATE "C" NOT NULL,
    endpoint_id       text COLLATE "C" NOT NULL,
    status            text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
    reason            text,                               -- why it failed or was skipped
    failures          integer     NOT NULL DEFAULT 0,     -- attempts of this window that failed
    created_at        timestamptz NOT NULL DEFAULT now(),
    window_started_at timestamptz NOT NULL DEFAULT now(), -- a retry begins a fresh one
    next_attempt_at   timestamptz,                        -- as far as it is planned
    resolved_at       timestamptz,
    failed_run_id     text,                               -- of the workflow run that gave up
    heal_after        timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    healings          integer     NOT NULL DEFAULT 0,
    UNIQUE (organization_id, livemode, id),
    UNIQUE (event_id, endpoint_id),
    FOREIGN KEY (organization_id, livemode, event_id) REFERENCES events (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, endpoint_id) REFERENCES webhook_endpoints (organization_id, livemode, id),
    CHECK ((status = 'pending') = (resolved_at IS NULL))
);
CREATE INDEX deliveries_unfinished ON deliveries (heal_after) WHERE status = 'pending';
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, id);
CREATE INDEX deliveries_by_status ON deliveries (status, id) WHERE status <> 'delivered';

-- What happened at each attempt. Only added to.
CREATE TABLE delivery_attempts (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id text COLLATE "C" NOT NULL REFERENCES deliveries,
    started_at  timestamptz NOT NULL,
    duration_ms integer     NOT NULL,
    status      integer,          -- of the answer; null when there was none
    answer      text        NOT NULL, -- its first KiB
    problem     text              -- what went wrong, in words; null on success
);
CREATE INDEX delivery_attempts_of ON delivery_attempts (delivery_id, id);

-- The engine is also told of cancellations and deliveries. A restart replaces a
-- run that is open.
ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CHECK (kind IN ('note', 'cancellation', 'delivery')),
    ADD COLUMN restart boolean NOT NULL DEFAULT false,
    ALTER COLUMN reference DROP NOT NULL,
    ADD CHECK (kind = 'delivery' OR reference IS NOT NULL);

-- +goose Down
ALTER TABLE outbox DROP CONSTRAINT outbox_check, DROP CONSTRAINT outbox_kind_check, DROP COLUMN restart;
DELETE FROM outbox WHERE kind <> 'note';
ALTER TABLE outbox ALTER COLUMN reference SET NOT NULL, ADD CHECK (kind IN ('note'));
DROP TABLE delivery_attempts, deliveries, webhook_endpoints, note_steps;
DROP INDEX notes_by_request;
DROP INDEX notes_unfinished;
CREATE INDEX notes_unfinished ON notes (heal_after) WHERE status IN ('queued', 'processing');
ALTER TABLE notes
    DROP COLUMN sent_at, DROP COLUMN cancellation_status, DROP COLUMN cancellation_reason_code,
    DROP COLUMN cancellation_reason_text, DROP COLUMN cancellation_requested_at, DROP COLUMN cancellation_resolved_at,
    DROP COLUMN cancellation_refusal, DROP COLUMN cancellation_request_id, DROP COLUMN cancellation_api_key_id;
