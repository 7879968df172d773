-- +goose Up
-- What many notes have alike is stored once: the service as it was when they were accepted, but for its description,
-- and the profile with which they were issued. Programs of before read neither, so that both stay with each note until
-- the database has its new form.
SET LOCAL lock_timeout = '1s';

CREATE TABLE service_snapshots (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    digest          bytea       NOT NULL, -- SHA-256 of the snapshot, as the program writes it
    service         jsonb       NOT NULL, -- nfse.ServiceSnapshot without its description
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, digest)
);
CREATE TABLE exchange_profiles (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest     bytea       NOT NULL UNIQUE, -- SHA-256 of the profile, as the program writes it
    profile    jsonb       NOT NULL,        -- nfse.FiscalProfile
    created_at timestamptz NOT NULL DEFAULT now()
);

-- No foreign keys: neither table loses rows, and a note is looked at for them thrice.
ALTER TABLE notes
    ADD COLUMN service_snapshot_id bigint, -- of service_snapshots; null: service has it all
    ADD COLUMN service_description text,   -- as printed on the note, where there is a snapshot
    ALTER COLUMN service DROP NOT NULL,
    ADD CONSTRAINT notes_service CHECK (service IS NOT NULL
        OR service_snapshot_id IS NOT NULL AND service_description IS NOT NULL) NOT VALID;
ALTER TABLE fiscal_exchanges
    ADD COLUMN profile_id bigint, -- of exchange_profiles; null: profile has it
    ALTER COLUMN profile DROP NOT NULL,
    ADD CONSTRAINT fiscal_exchanges_profile CHECK (profile IS NOT NULL OR profile_id IS NOT NULL) NOT VALID;

-- What is added to a month's closing, as before, but for where city and regime are read.
-- +goose StatementBegin
CREATE FUNCTION note_service(service jsonb, snapshot_id bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(service, (SELECT s.service FROM service_snapshots s WHERE s.id = snapshot_id))
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_regime(id text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(p.profile ->> 'simples', ':', p.profile ->> 'simples_regime')
    FROM fiscal_exchanges f, LATERAL (SELECT coalesce(f.profile, (SELECT shared.profile FROM exchange_profiles shared
        WHERE shared.id = f.profile_id)) AS profile) p
    WHERE f.note_id = note_regime.id AND f.kind = 'issue' AND f.state = 'accepted'
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION record_closing_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        PERFORM add_closing_move(OLD.id, OLD.organization_id, OLD.livemode, OLD.status, OLD.issued_at, OLD.replaced_by,
            OLD.competence, OLD.service_id, note_service(OLD.service, OLD.service_snapshot_id), OLD.amount_cents,
            OLD.authority_totals, -1);
    END IF;
    PERFORM add_closing_move(NEW.id, NEW.organization_id, NEW.livemode, NEW.status, NEW.issued_at, NEW.replaced_by,
        NEW.competence, NEW.service_id, note_service(NEW.service, NEW.service_snapshot_id), NEW.amount_cents,
        NEW.authority_totals, 1);
    RETURN NULL;
END $$;
-- +goose StatementEnd
