-- +goose Up
-- What each role may do is said by the program (nfse/permission.go).
ALTER TABLE memberships DROP CONSTRAINT memberships_role_check,
    ADD CONSTRAINT memberships_role_check CHECK (role IN ('viewer', 'editor', 'accountant', 'developer', 'owner'));
ALTER TABLE links DROP CONSTRAINT links_role_check,
    ADD CONSTRAINT links_role_check CHECK (role IN ('viewer', 'editor', 'accountant', 'developer', 'owner'));
