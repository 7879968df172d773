-- +goose Up

-- The people of the dashboard. One who was removed stays on record, because the
-- audit log names them; the address is then free for another account.
CREATE TABLE users (
    id           text COLLATE "C" PRIMARY KEY,
    email        text        NOT NULL CHECK (email = lower(email) AND email <> ''),
    operator     boolean     NOT NULL DEFAULT false, -- of the whole installation
    created_at   timestamptz NOT NULL DEFAULT now(),
    signed_in_at timestamptz,
    removed_at   timestamptz
);
CREATE UNIQUE INDEX users_email ON users (email) WHERE removed_at IS NULL;

CREATE TABLE memberships (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    user_id         text COLLATE "C" NOT NULL REFERENCES users,
    role            text        NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_of_user ON memberships (user_id);

-- A text that works once, of which only the hash is here: an invitation, or the
-- way back of somebody without a passkey.
CREATE TABLE links (
    id              text COLLATE "C" PRIMARY KEY,
    kind            text        NOT NULL CHECK (kind IN ('invitation', 'recovery', 'sign_in')),
    hash            bytea       NOT NULL UNIQUE,
    user_id         text COLLATE "C" NOT NULL REFERENCES users,
    organization_id text COLLATE "C" REFERENCES organizations, -- of an invitation: where to, and as what
    role            text        CHECK (role IN ('viewer', 'editor', 'owner')),
    operator        boolean     NOT NULL DEFAULT false,        -- or as an operator
    created_at      timestamptz NOT NULL DEFAULT now(),
    expires_at      timestamptz NOT NULL,
    used_at         timestamptz,
    CHECK ((organization_id IS NULL) = (role IS NULL)),
    CHECK ((kind = 'invitation') = (organization_id IS NOT NULL OR operator))
);
CREATE INDEX links_of_user ON links (user_id);
CREATE INDEX links_of_organization ON links (organization_id) WHERE used_at IS NULL;

CREATE TABLE passkeys (
    id            text COLLATE "C" PRIMARY KEY,
    user_id       text COLLATE "C" NOT NULL REFERENCES users,
    credential_id bytea       NOT NULL UNIQUE,
    credential    jsonb       NOT NULL, -- public: the authenticator keeps what is secret
    label         text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    used_at       timestamptz
);
CREATE INDEX passkeys_of_user ON passkeys (user_id);

-- A session is known by the hash of its cookie. One that was ended stays until
-- its time is over, so that a request that was under way cannot bring it back.
CREATE TABLE sessions (
    token_hash text COLLATE "C" PRIMARY KEY,
    id         text COLLATE "C" NOT NULL UNIQUE,
    data       jsonb       NOT NULL,
    user_id    text COLLATE "C" GENERATED ALWAYS AS (data -> 'values' ->> 'user_id') STORED REFERENCES users,
    seen_at    timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at   timestamptz
);
CREATE INDEX sessions_of_user ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_expired ON sessions (expires_at);

-- For lists of what needs a look; notes of other states are either few or most.
CREATE INDEX notes_ended_badly ON notes (organization_id, livemode, status, id)
    WHERE status IN ('rejected', 'cancelled');

-- +goose Down
DROP INDEX notes_ended_badly;
DROP TABLE sessions;
DROP TABLE passkeys;
DROP TABLE links;
DROP TABLE memberships;
DROP TABLE users;
