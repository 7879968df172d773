-- +goose Up
-- Customers are found by words of their names, wherever these stand, without case and accents. The
-- scope stands before each word, so that the words of an organization and environment are found apart
-- from those of all others. wordsAsked (store/customers_find.go) folds what is asked for alike.
-- +goose StatementBegin
CREATE FUNCTION customer_words(organization_id text, livemode boolean, name text, nickname text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(array_agg(DISTINCT
        organization_id || CASE WHEN livemode THEN '/live/' ELSE '/test/' END || word))
    FROM regexp_split_to_table(lower(translate(name || ' ' || coalesce(nickname, ''),
        'áàâãäåçéèêëíìîïñóòôõöúùûüýÁÀÂÃÄÅÇÉÈÊËÍÌÎÏÑÓÒÔÕÖÚÙÛÜÝ',
        'aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuy')), '[^a-z0-9]+') AS word WHERE word <> ''
$$;
-- +goose StatementEnd
CREATE INDEX customers_by_words ON customers USING gin (customer_words(organization_id, livemode, name, nickname));
