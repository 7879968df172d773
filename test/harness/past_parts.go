package harness

import "fmt"

// PastParts is the SQL that makes the parts of so many months before this one, and of the years that they are of, as a
// database has them that was there all the time: one that is new begins with a part for all before, which must be
// empty.
func PastParts(months int) string {
	return fmt.Sprintf(pastParts, months)
}

const pastParts = `DO $$
DECLARE
	first  record;
	starts date;
	part   text;
	own    text;
BEGIN
	FOR first IN SELECT * FROM parts WHERE part_name LIKE '%%\_before\_%%' LOOP
		EXECUTE format('ALTER TABLE public.%%I DETACH PARTITION months.%%I', first.name, first.part_name);
		starts := first.ends;
		FOR n IN 1..ceil(%d.0 / first.months) LOOP
			starts := starts - make_interval(months => first.months);
			part := first.name || to_char(starts, '"_"YYYYMM');
			EXECUTE format('CREATE TABLE months.%%I (LIKE public.%%I INCLUDING ALL)', part, first.name);
			FOR own IN SELECT pg_get_indexdef(indexrelid) FROM pg_index
				WHERE indrelid = first.part AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid) LOOP
				EXECUTE format('%%s INDEX ON months.%%I %%s', substring(own FROM '^CREATE(?: UNIQUE)?'), part,
					substring(own FROM ' (USING .*)$'));
			END LOOP;
			EXECUTE format('ALTER TABLE public.%%I ATTACH PARTITION months.%%I FOR VALUES FROM (%%L) TO (%%L)', first.name,
				part, first_id(first.prefix, starts::timestamp AT TIME ZONE 'UTC'),
				first_id(first.prefix, (starts + make_interval(months => first.months))::timestamp AT TIME ZONE 'UTC'));
		END LOOP;
		EXECUTE format('DROP TABLE months.%%I', first.part_name);
	END LOOP;
END $$`
