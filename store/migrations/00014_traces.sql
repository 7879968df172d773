-- +goose Up
-- The trace (W3C traceparent) of what asked for the start, which goes on with it; none where traces are off.
ALTER TABLE outbox ADD COLUMN traceparent text
    CHECK (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');
