-- +goose Up

-- A key may end by itself, and may be good for callers of some networks only.
-- last_used_at is coarse: a key that is in use is written every few minutes.
ALTER TABLE api_keys
    ADD COLUMN allowed_networks cidr[] NOT NULL DEFAULT '{}', -- empty: any
    ADD COLUMN expires_at       timestamptz,
    ADD COLUMN last_used_at     timestamptz;

-- Who changed what, when and from where: written in the transaction of the
-- change. Neither secrets nor personal data are in it, so that nothing ever has
-- to be taken out. It refers to nothing: what it tells of may go before it.
CREATE TABLE audit_log (
    id              text COLLATE "C" PRIMARY KEY,
    at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    organization_id text COLLATE "C", -- null: of the whole installation
    livemode        boolean,          -- null: of no environment
    actor_kind      text        NOT NULL CHECK (actor_kind IN ('user', 'key', 'command')),
    actor_id        text        NOT NULL CHECK (actor_id <> ''), -- user, key, or operating-system user of a command
    actor_from      text        NOT NULL CHECK (actor_from <> ''), -- client address, or host of a command
    request_id      text        NOT NULL,                        -- empty of a command
    action          text        NOT NULL CHECK (action <> ''),
    subject_id      text COLLATE "C" NOT NULL,                   -- what was changed
    before          jsonb,                                       -- null: it is new, or nothing is to be said
    after           jsonb
);
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, id);
CREATE INDEX audit_log_of_subject ON audit_log (subject_id, id);
CREATE INDEX audit_log_of_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_by_time ON audit_log (at);

-- Entries are only added. They go by age alone, and by the hand of the table's
-- owner, that is the role that migrates.
-- +goose StatementBegin
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        RAISE EXCEPTION 'the audit log is only added to: % is refused', lower(TG_OP)
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RAISE EXCEPTION 'entries of the audit log are deleted by its owner alone, the role that migrates'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF OLD.at > now() - interval '1 year' THEN
        RAISE EXCEPTION 'entries of the audit log are kept for a year at least' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_rows BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();
CREATE TRIGGER audit_log_whole BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

-- +goose Down
DROP TABLE audit_log;
DROP FUNCTION audit_log_is_append_only();
ALTER TABLE api_keys
    DROP COLUMN allowed_networks,
    DROP COLUMN expires_at,
    DROP COLUMN last_used_at;
