-- +goose Up

-- A table of the cities that issue by servers of their own, as it was imported. Tables are only added:
-- the one that was imported last counts, and without one that of the program.
CREATE TABLE city_tables (
    id            text COLLATE "C" PRIMARY KEY,
    source_name   text        NOT NULL, -- of the file
    source_sha256 text        NOT NULL CHECK (source_sha256 ~ '^[0-9a-f]{64}$'),
    content       text        NOT NULL CHECK (content <> ''), -- of the file, as package cities reads it
    imported_at   timestamptz NOT NULL DEFAULT now()
);
