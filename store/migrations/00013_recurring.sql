-- +goose Up
-- The day of a month (its first day) on which something of that day falls: 31 is the last day.
CREATE FUNCTION day_in_month(month date, day integer) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN month + least(day, extract(day FROM month + interval '1 month - 1 day')::integer) - 1;

-- A note that is issued every month. Its months are rows of recurring_months from their day on.
CREATE TABLE recurrences (
    id                          text COLLATE "C" PRIMARY KEY,
    organization_id             text COLLATE "C" NOT NULL REFERENCES organizations,
    livemode                    boolean     NOT NULL,
    customer_id                 text COLLATE "C" NOT NULL,
    service_id                  text COLLATE "C" NOT NULL,
    amount_cents                bigint      NOT NULL CHECK (amount_cents > 0),
    description                 text,       -- NULL: that of the service
    iss_withheld                boolean     NOT NULL,
    email_customer              boolean     NOT NULL,
    register_ledger             boolean     NOT NULL,
    confirm_municipal_operation boolean     NOT NULL,
    day                         integer     NOT NULL CHECK (day BETWEEN 1 AND 31),
    until                       date,       -- the last day on which a note may be issued; NULL: no end
    status                      text        NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'ended')),
    next_month                  date        NOT NULL CHECK (extract(day FROM next_month) = 1),
    next_day                    date        NOT NULL GENERATED ALWAYS AS (day_in_month(next_month, day)) STORED,
    wanted_by                   text COLLATE "C" NOT NULL, -- the user who last said what is issued
    wanted_from                 text        NOT NULL, -- their address, for the audit log
    request_id                  text        NOT NULL,
    created_at                  timestamptz NOT NULL DEFAULT now(),
    ended_at                    timestamptz,
    UNIQUE (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, customer_id) REFERENCES customers (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id),
    CHECK ((status = 'ended') = (ended_at IS NOT NULL))
);
CREATE INDEX recurrences_due ON recurrences (next_day) WHERE status <> 'ended';
CREATE INDEX recurrences_of_customer ON recurrences (organization_id, livemode, customer_id);

-- A month of a recurrence, with what its note is issued with: it does not change with the
-- recurrence while the note is on its way, so that the same reference is the same request.
CREATE TABLE recurring_months (
    id                          text COLLATE "C" PRIMARY KEY, -- the recurrence's id, and the month as 2026-11
    organization_id             text COLLATE "C" NOT NULL,
    livemode                    boolean     NOT NULL,
    recurrence_id               text COLLATE "C" NOT NULL,
    month                       date        NOT NULL, -- its first day
    day                         date        NOT NULL, -- on which the note is issued, or would have been
    status                      text        NOT NULL CHECK (status IN ('due', 'issued', 'missed', 'skipped', 'left')),
    reason                      text,       -- why it was missed
    service_id                  text COLLATE "C" NOT NULL,
    amount_cents                bigint      NOT NULL,
    description                 text,
    iss_withheld                boolean     NOT NULL,
    email_customer              boolean     NOT NULL,
    register_ledger             boolean     NOT NULL,
    confirm_municipal_operation boolean     NOT NULL,
    wanted_by                   text COLLATE "C" NOT NULL,
    wanted_from                 text        NOT NULL,
    request_id                  text        NOT NULL,
    note_id                     text COLLATE "C",
    created_at                  timestamptz NOT NULL DEFAULT now(),
    requeue_after               timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    requeues                    integer     NOT NULL DEFAULT 0,
    UNIQUE (recurrence_id, month),
    FOREIGN KEY (organization_id, livemode, recurrence_id) REFERENCES recurrences (organization_id, livemode, id),
    FOREIGN KEY (organization_id, livemode, note_id) REFERENCES notes (organization_id, livemode, id),
    CHECK ((status = 'issued') = (note_id IS NOT NULL)),
    CHECK (status <> 'missed' OR reason IS NOT NULL)
);
CREATE INDEX recurring_months_due ON recurring_months (requeue_after) WHERE status = 'due';
CREATE INDEX recurring_months_missed ON recurring_months (organization_id, livemode) WHERE status = 'missed';
CREATE INDEX recurring_months_of_note ON recurring_months (note_id) WHERE note_id IS NOT NULL;

ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('note', 'cancellation', 'delivery', 'resume', 'email',
        'distribution', 'batch', 'export', 'recurrence')),
    DROP CONSTRAINT outbox_check,
    ADD CONSTRAINT outbox_check CHECK (kind IN ('delivery', 'email', 'distribution', 'batch', 'export', 'recurrence')
        OR reference IS NOT NULL);
