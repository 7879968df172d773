-- +goose Up

-- What cities have agreed with an authority, as it last answered. A row is made when
-- a note or a profile first depends on the city.
CREATE TABLE municipal_parameters (
    authority         text    NOT NULL,
    production        boolean NOT NULL,
    municipality_code text COLLATE "C" NOT NULL,
    city              jsonb, -- fiscal.City; null: never had
    fetched_at        timestamptz,
    next_fetch_at     timestamptz NOT NULL DEFAULT now(),
    fetching_until    timestamptz,  -- one worker asks until then
    asked_by          text COLLATE "C" REFERENCES organizations, -- with whose certificate it was last asked
    failure           text,         -- why it could not be had the last time
    failed_at         timestamptz,
    doubted_by        text,         -- the rejection since which it decides nothing
    doubted_at        timestamptz,
    confirmed_at      timestamptz,  -- when it was doubted, fetched, and the same as before
    used_at           timestamptz NOT NULL DEFAULT now(), -- by a note or a profile, to within half a day
    PRIMARY KEY (authority, production, municipality_code),
    CHECK ((city IS NULL) = (fetched_at IS NULL)),
    CHECK ((doubted_by IS NULL) = (doubted_at IS NULL)),
    CHECK ((failure IS NULL) = (failed_at IS NULL))
);

-- The same of the services that notes used, for people to see.
CREATE TABLE municipal_service_parameters (
    authority         text    NOT NULL,
    production        boolean NOT NULL,
    municipality_code text COLLATE "C" NOT NULL,
    service_code      text COLLATE "C" NOT NULL, -- in the authority's form: 01.07.01.000
    service           jsonb, -- fiscal.ServiceParameters; null: never had
    fetched_at        timestamptz,
    next_fetch_at     timestamptz NOT NULL DEFAULT now(),
    failure           text,
    failed_at         timestamptz,
    used_at           timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (authority, production, municipality_code, service_code),
    CHECK ((service IS NULL) = (fetched_at IS NULL)),
    CHECK ((failure IS NULL) = (failed_at IS NULL))
);

-- +goose Down
DROP TABLE municipal_service_parameters, municipal_parameters;
