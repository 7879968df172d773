-- +goose Up

-- Editions of the tables by which services are classified for IBS and CBS, as they
-- were imported. They are only added: of two of a table from the same day the later
-- import counts.
CREATE TABLE classification_editions (
    id            text COLLATE "C" PRIMARY KEY,
    table_name    text        NOT NULL CHECK (table_name <> ''),
    edition       text        NOT NULL CHECK (edition <> ''),
    valid_from    date        NOT NULL,
    source_name   text        NOT NULL, -- of the file
    source_sha256 text        NOT NULL CHECK (source_sha256 ~ '^[0-9a-f]{64}$'),
    content       jsonb       NOT NULL CHECK (jsonb_typeof(content) = 'array'), -- rows of text, by column
    imported_at   timestamptz NOT NULL DEFAULT now()
);

-- How a service is classified. Beside the services, whose rows the API reads and
-- changes: this it only reads.
CREATE TABLE service_classifications (
    service_id      text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    classification  jsonb       NOT NULL,
    updated_at      timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id)
);

-- A note keeps the classification that its service had.
ALTER TABLE notes ADD COLUMN classification jsonb; -- null: the service had none

-- +goose Down
ALTER TABLE notes DROP COLUMN classification;
DROP TABLE service_classifications;
DROP TABLE classification_editions;
