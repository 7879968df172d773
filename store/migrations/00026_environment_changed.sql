-- +goose Up

-- When the environment of a profile was last changed between production and restricted
-- production: sums from before it may be of notes of both. Of profiles from before this
-- was kept it is when they were last changed at all, since when it holds. NULL is never.
ALTER TABLE fiscal_profiles ADD COLUMN environment_changed_at timestamptz;
UPDATE fiscal_profiles SET environment_changed_at = updated_at WHERE updated_at > created_at;

-- +goose Down
ALTER TABLE fiscal_profiles DROP COLUMN environment_changed_at;
