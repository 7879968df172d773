-- +goose Up
-- Customers are found by words of their names, wherever these stand, without case and accents. The
-- scope is a word of its own, so that what is found is of one organization and environment. The
-- expression is customerWords (store/customers_find.go), letter by letter.
CREATE INDEX customers_by_words ON customers USING gin ((
    array_to_tsvector(ARRAY[organization_id || CASE WHEN livemode THEN '/live' ELSE '/test' END])
    || to_tsvector('simple'::regconfig, regexp_replace(lower(translate(name || ' ' || coalesce(nickname, ''),
        'áàâãäåçéèêëíìîïñóòôõöúùûüýÁÀÂÃÄÅÇÉÈÊËÍÌÎÏÑÓÒÔÕÖÚÙÛÜÝ', 'aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuy')),
        '[^a-z0-9]+', ' ', 'g'))));
