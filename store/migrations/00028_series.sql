-- +goose Up

-- An issuer and a series have the same columns in every table: see store/series_columns.go.
ALTER TABLE fiscal_sequences RENAME COLUMN issuer TO tax_id;
ALTER TABLE fiscal_exchanges RENAME COLUMN issuer TO tax_id;
ALTER TABLE fiscal_series RENAME COLUMN issuer TO tax_id;
ALTER TABLE fiscal_series ADD COLUMN municipality_code text;
UPDATE fiscal_series SET municipality_code = '3550308';
ALTER TABLE fiscal_series ALTER COLUMN municipality_code SET NOT NULL, DROP CONSTRAINT fiscal_series_pkey,
    ADD PRIMARY KEY (authority, production, tax_id, municipality_code, series, registration);

-- What is sent one at a time, and what an authority distributes of all, is in the rows, so
-- that no statement names an authority.
ALTER TABLE fiscal_exchanges ADD COLUMN takes_turns boolean NOT NULL DEFAULT false;
UPDATE fiscal_exchanges SET takes_turns = authority <> 'national';
DROP INDEX fiscal_exchanges_to_send;
CREATE INDEX fiscal_exchanges_to_send ON fiscal_exchanges (tax_id, series, number)
    WHERE kind = 'issue' AND state IN ('unsigned', 'signed') AND takes_turns;
ALTER TABLE distributions ADD COLUMN tells_of_all boolean NOT NULL DEFAULT false;
UPDATE distributions SET tells_of_all = authority = 'national';

-- +goose Down
ALTER TABLE distributions DROP COLUMN tells_of_all;
DROP INDEX fiscal_exchanges_to_send;
ALTER TABLE fiscal_exchanges DROP COLUMN takes_turns;
ALTER TABLE fiscal_series DROP CONSTRAINT fiscal_series_pkey, DROP COLUMN municipality_code;
ALTER TABLE fiscal_series RENAME COLUMN tax_id TO issuer;
ALTER TABLE fiscal_series ADD PRIMARY KEY (authority, production, issuer, registration, series);
ALTER TABLE fiscal_exchanges RENAME COLUMN tax_id TO issuer;
ALTER TABLE fiscal_sequences RENAME COLUMN tax_id TO issuer;
CREATE INDEX fiscal_exchanges_to_send ON fiscal_exchanges (issuer, series, number)
    WHERE kind = 'issue' AND state IN ('unsigned', 'signed') AND authority <> 'national';
