-- +goose Up

-- Whose an issuer's tax id is, in an environment of an authority: its owner's, the first that
-- showed a certificate of it, and theirs whom the operator allowed it to beside the owner. A
-- branch has a CNPJ, and so a claim, of its own.
CREATE TABLE tax_id_claims (
    authority       text        NOT NULL,
    production      boolean     NOT NULL,
    tax_id          text        NOT NULL,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    owner           boolean     NOT NULL,
    source          text        NOT NULL CHECK (source IN ('certificate', 'operator', 'upgrade')),
    claimed_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (authority, production, tax_id, organization_id)
);
CREATE UNIQUE INDEX tax_id_claims_owner ON tax_id_claims (authority, production, tax_id) WHERE owner;
CREATE INDEX tax_id_claims_of ON tax_id_claims (organization_id);

-- Only what was verified when it was added claims: of those from before that is not known.
-- An authority's answers to questions are told apart by certificate: one that it does not let
-- in counts against nobody else.
ALTER TABLE certificates
    ADD COLUMN chain_verified boolean NOT NULL DEFAULT false,
    ADD COLUMN worked_at      timestamptz, -- the last time an authority answered a question asked with it
    ADD COLUMN shut_out_at    timestamptz; -- the last time one refused such a question (401, 403)

-- Nothing that works is stopped: of several that issue as the same company today the oldest
-- organization owns the tax id, and the others are allowed it, as conflicts for the operator.
INSERT INTO tax_id_claims (authority, production, tax_id, organization_id, owner, source)
SELECT authority, production, tax_id, organization_id,
    row_number() OVER (PARTITION BY authority, production, tax_id ORDER BY created_at, organization_id) = 1, 'upgrade'
FROM (
    SELECT p.authority, coalesce(p.profile -> 'production' = 'true', false) AS production,
        p.profile ->> 'tax_id' AS tax_id, p.organization_id, o.created_at
    FROM fiscal_profiles p JOIN organizations o ON o.id = p.organization_id
    WHERE EXISTS (
        SELECT FROM certificates c
        WHERE c.organization_id = p.organization_id AND c.removed_at IS NULL AND c.refused_at IS NULL
            AND c.not_before <= now() AND c.not_after > now()
            AND CASE length(c.tax_id) WHEN 14 THEN left(c.tax_id, 8) ELSE c.tax_id END
                = CASE length(p.profile ->> 'tax_id') WHEN 14 THEN left(p.profile ->> 'tax_id', 8)
                    ELSE p.profile ->> 'tax_id' END)
) issuing;

-- +goose Down
ALTER TABLE certificates DROP COLUMN shut_out_at, DROP COLUMN worked_at, DROP COLUMN chain_verified;
DROP TABLE tax_id_claims;
