-- +goose Up

-- What was asked of the API with a valid key, for a week: no body, no value, no query. It refers to
-- nothing, so that writing it waits for nothing. Each day (UTC) is a table of its own: all of it is
-- dropped at once.
CREATE TABLE api_requests (
    id              text COLLATE "C" NOT NULL, -- of the request, req_
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    at              timestamptz NOT NULL,      -- when it came
    api_key_id      text COLLATE "C" NOT NULL,
    method          text        NOT NULL,
    route           text        NOT NULL,      -- of the contract, as /v1/nfse/{id}
    path_id         text COLLATE "C",          -- the id in its path, where it is one of ours
    status          integer     NOT NULL,      -- 0: the caller had left
    microseconds    bigint      NOT NULL,
    error_code      text,
    error_field     text,                      -- a name of the contract
    note_id         text COLLATE "C",          -- the note that it is about
    body_bytes      integer     NOT NULL,
    fields          jsonb       NOT NULL,      -- names of the contract that were sent, and bytes of each
    other_fields    integer     NOT NULL,      -- how many other names were sent: they are the caller's words
    PRIMARY KEY (organization_id, livemode, id, at)
) PARTITION BY RANGE (at);
CREATE INDEX api_requests_failed ON api_requests (organization_id, livemode, id) WHERE status >= 400;
CREATE INDEX api_requests_of_key ON api_requests (api_key_id, id);
CREATE INDEX api_requests_of_note ON api_requests (note_id, id) WHERE note_id IS NOT NULL;

-- How often a key on record was refused, on a day (UTC).
CREATE TABLE refused_keys (
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean NOT NULL,
    api_key_id      text COLLATE "C" NOT NULL,
    day             date    NOT NULL,
    refusals        bigint  NOT NULL,
    PRIMARY KEY (organization_id, livemode, api_key_id, day)
);
CREATE INDEX refused_keys_by_day ON refused_keys (day);

CREATE SCHEMA request_days;

-- The worker's role may not make or drop tables: it may call these two, which make and drop days of
-- the request log and nothing else, as the owner of the tables.
-- +goose StatementBegin
CREATE FUNCTION add_request_day(day date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
    IF abs(day - (now() AT TIME ZONE 'UTC')::date) > 8 THEN
        RAISE EXCEPTION 'the day % is not one that is near', day;
    END IF;
    EXECUTE format('CREATE TABLE IF NOT EXISTS request_days.%I PARTITION OF public.api_requests
        FOR VALUES FROM (%L) TO (%L)', to_char(day, '"day_"YYYYMMDD'),
        day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION drop_request_day(day date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
    IF day >= (now() AT TIME ZONE 'UTC')::date - 7 THEN
        RAISE EXCEPTION 'the day % is still kept', day;
    END IF;
    EXECUTE format('DROP TABLE IF EXISTS request_days.%I', to_char(day, '"day_"YYYYMMDD'));
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION add_request_day(date), drop_request_day(date) FROM PUBLIC;
SELECT add_request_day(day::date)
    FROM generate_series((now() AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date + 7, interval '1 day') day;

-- The last characters of a key's text, to tell keys apart. Keys that were made before have none.
ALTER TABLE api_keys ADD COLUMN last_four text CHECK (length(last_four) = 4);

-- Which events an endpoint wants; empty: all.
ALTER TABLE webhook_endpoints ADD COLUMN events text[] NOT NULL DEFAULT '{}'
    CHECK (events <@ ARRAY['nfse.issued', 'nfse.rejected', 'nfse.cancelled']);
