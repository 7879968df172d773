-- +goose Up
-- The form in which this database stores what grows. A database with notes stays as programs of before know it until
-- `emissor storage contract` has brought it into the new form; one without begins in it. One row; it never goes back.
SET LOCAL lock_timeout = '1s';
CREATE TABLE storage_form (
    contracted_at timestamptz -- null: programs of before may still run, and everything is stored as they read it
);
CREATE UNIQUE INDEX storage_form_one ON storage_form ((true));
INSERT INTO storage_form SELECT CASE WHEN NOT EXISTS (SELECT FROM notes) THEN now() END;
