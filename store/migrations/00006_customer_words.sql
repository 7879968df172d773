-- +goose Up
-- Customers are found by words of their names, wherever these stand, without case and accents. The
-- scope stands before each word, so that the words of an organization and environment are found apart
-- from those of all others. What separates words is of ASCII, so that other scripts have words too; a
-- name that has none, as "%", is one.
-- wordsAsked (store/customers_find.go) folds what is asked for alike.
-- +goose StatementBegin
CREATE FUNCTION customer_words(organization_id text, livemode boolean, name text, nickname text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(array_agg(DISTINCT
        organization_id || CASE WHEN livemode THEN '/live/' ELSE '/test/' END || word))
    FROM (
        SELECT btrim(name) AS word WHERE name !~ '[A-Za-z0-9\u0080-\U0010ffff]'
        UNION ALL
        SELECT regexp_split_to_table(translate(regexp_replace(name || ' ' || coalesce(nickname, ''),
            '[\u0300-\u036f]', '', 'g'),
        'ABCDEFGHIJKLMNOPQRSTUVWXYZáàâãäåçéèêëíìîïñóòôõöúùûüýÁÀÂÃÄÅÇÉÈÊËÍÌÎÏÑÓÒÔÕÖÚÙÛÜÝ',
        'abcdefghijklmnopqrstuvwxyzaaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuy'),
        '[\x01-\x2f\x3a-\x60\x7b-\x7f]+')
    ) AS words
    WHERE word <> ''
$$;
-- +goose StatementEnd
CREATE INDEX customers_by_words ON customers USING gin (customer_words(organization_id, livemode, name, nickname));
DROP INDEX customers_by_name; -- which found names by their beginnings
