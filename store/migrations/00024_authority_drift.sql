-- +goose Up
-- Answers of authorities in forms that the product was not told of, each once, without anything personal: package drift.
SET LOCAL lock_timeout = '1s';

CREATE TABLE authority_drift (
    fingerprint text COLLATE "C" PRIMARY KEY CHECK (fingerprint ~ '^[0-9a-f]{16}$'), -- of authority, call and what is new
    authority   text        NOT NULL,
    call        text        NOT NULL,
    production  boolean     NOT NULL,
    status      integer     NOT NULL,
    media       text        NOT NULL,
    news        text        NOT NULL, -- what is new, a line each: no values
    copy        text        NOT NULL, -- of the answer, with every value replaced
    seen_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX authority_drift_listed ON authority_drift (authority, seen_at);
