-- +goose Up
-- An endpoint may be a command that listens, `emissor listen`: its deliveries wait until the command takes them, and no
-- worker sends them. It is of one test key, and ends with the command.
SET LOCAL lock_timeout = '1s';

ALTER TABLE webhook_endpoints
    ADD COLUMN listener_key_id text COLLATE "C",  -- the API key of the command; null: events are sent to the URL
    ADD COLUMN listens_until   timestamptz,       -- renewed while the command is connected
    ADD CONSTRAINT webhook_endpoints_listener CHECK ((listener_key_id IS NULL) = (listens_until IS NULL)) NOT VALID,
    ADD CONSTRAINT webhook_endpoints_listener_in_test CHECK (listener_key_id IS NULL OR NOT livemode) NOT VALID;
CREATE INDEX webhook_endpoints_listening ON webhook_endpoints (listens_until)
    WHERE listens_until IS NOT NULL AND deleted_at IS NULL;

-- A process that has listeners of a key hears at once that the key may be used no more, whichever program says so.
-- +goose StatementBegin
CREATE FUNCTION tell_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('emissor_listening', 'key ' || NEW.id);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tell_key_change AFTER UPDATE OF revoked_at, expires_at, allowed_networks ON api_keys
    FOR EACH ROW EXECUTE FUNCTION tell_key_change();

-- The same of an endpoint that listens and has ended.
-- +goose StatementBegin
CREATE FUNCTION tell_listener_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('emissor_listening', 'end ' || NEW.id);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tell_listener_end AFTER UPDATE OF deleted_at ON webhook_endpoints
    FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL AND NEW.listens_until IS NOT NULL)
    EXECUTE FUNCTION tell_listener_end();
