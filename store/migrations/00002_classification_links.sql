-- +goose Up
-- One-time links by which somebody without an account, as a company's accountant, classifies one service.
SET LOCAL lock_timeout = '1s';

-- Of a link's text only the hash is stored. One that was revoked, or ended unused, is deleted; one that was used stays,
-- because the audit log names who was asked by its id.
CREATE TABLE classification_links (
    id              text COLLATE "C" PRIMARY KEY,
    hash            bytea       NOT NULL UNIQUE,
    organization_id text COLLATE "C" NOT NULL,
    livemode        boolean     NOT NULL,
    service_id      text COLLATE "C" NOT NULL,
    email           text        NOT NULL, -- who was asked
    made_by         text COLLATE "C" NOT NULL REFERENCES users, -- and by whom
    created_at      timestamptz NOT NULL DEFAULT now(),
    expires_at      timestamptz NOT NULL,
    used_at         timestamptz,
    FOREIGN KEY (organization_id, livemode, service_id) REFERENCES services (organization_id, livemode, id)
);
CREATE INDEX classification_links_open ON classification_links (organization_id, livemode, service_id)
    WHERE used_at IS NULL;
CREATE INDEX classification_links_ended ON classification_links (expires_at) WHERE used_at IS NULL;
