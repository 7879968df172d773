-- +goose Up

-- Lower case is that of ASCII, as in the program, whatever the locale of the database:
-- to others the Kelvin sign is a k, and one address would become another's.
ALTER TABLE users DROP CONSTRAINT users_email_check,
    ADD CONSTRAINT users_email_check CHECK (email = lower(email COLLATE "C") AND email <> '');

-- When the address was last shown to be the user's: by a link that only it was sent, or
-- by a company's sign-on that has verified it. Until then it keeps nobody else out. A
-- link that was also shown to somebody proves nothing, so that those of before do not.
ALTER TABLE users ADD COLUMN proved_at timestamptz;
ALTER TABLE links ADD COLUMN mailed_at timestamptz;

-- +goose Down
ALTER TABLE links DROP COLUMN mailed_at;
ALTER TABLE users DROP COLUMN proved_at,
    DROP CONSTRAINT users_email_check,
    ADD CONSTRAINT users_email_check CHECK (email = lower(email) AND email <> '') NOT VALID;
