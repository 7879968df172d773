-- +goose Up
-- Users and passwords that companies have with the servers of their cities.
SET LOCAL lock_timeout = '1s';

CREATE TABLE city_logins (
    id                text COLLATE "C" PRIMARY KEY,
    organization_id   text COLLATE "C" NOT NULL UNIQUE REFERENCES organizations,
    municipality_code text        NOT NULL, -- whose server it is for: another city's never gets it
    sealed            bytea       NOT NULL, -- user and password
    created_at        timestamptz NOT NULL DEFAULT now()
);
