-- +goose Up

-- Which keys of the keyset each running process holds: a key seals once all have it,
-- and goes once none needs it. A process that ends takes its row with it; one that
-- was killed stops reporting.
CREATE TABLE keyset_reports (
    process_id     uuid        PRIMARY KEY, -- of one run
    process        text        NOT NULL,    -- machine and process number, for people
    key_ids        bigint[]    NOT NULL,
    primary_key_id bigint      NOT NULL,
    reported_at    timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE keyset_reports;
