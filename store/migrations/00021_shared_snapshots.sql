-- +goose Up
-- What many notes have alike is stored once: the service as it was when they were accepted, but for its description,
-- and the profile with which they were issued. Programs of before read neither, so that both stay with each note until
-- the database has its new form.
SET lock_timeout = '1s';

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

-- As before, but for where city and regime are read.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION add_to_closing(n notes, counted integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF n.issued_at IS NULL OR n.status NOT IN ('issued', 'cancelled') THEN
        RETURN;
    END IF;
    INSERT INTO closing_moves VALUES (n.organization_id, n.livemode, date_trunc('month', n.competence)::date,
        CASE WHEN n.status = 'issued' THEN 'issued' WHEN n.replaced_by IS NULL THEN 'cancelled' ELSE 'replaced' END,
        n.service_id, coalesce(n.service ->> 'municipality_code', (SELECT s.service ->> 'municipality_code'
            FROM service_snapshots s WHERE s.id = n.service_snapshot_id), ''),
        coalesce((SELECT concat(p.profile ->> 'simples', ':', p.profile ->> 'simples_regime') FROM fiscal_exchanges f,
            LATERAL (SELECT coalesce(f.profile, (SELECT shared.profile FROM exchange_profiles shared
                WHERE shared.id = f.profile_id)) AS profile) p
            WHERE f.note_id = n.id AND f.kind = 'issue' AND f.state = 'accepted'), ''),
        counted, CASE WHEN n.authority_totals IS NULL THEN counted ELSE 0 END, counted * n.amount_cents,
        counted * coalesce((n.authority_totals ->> 'total_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'net_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'iss_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'iss_withheld_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'irrf_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'csrf_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'inss_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'ibs_cents')::numeric, 0),
        counted * coalesce((n.authority_totals ->> 'cbs_cents')::numeric, 0));
END $$;
-- +goose StatementEnd
