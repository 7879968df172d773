-- +goose Up
-- What grows lies in parts by time: by months, and notes by years. A row's place is told by its id, whose first bits
-- are the time, so that keys and references stay as they are. This makes what parts need, and changes nothing that the
-- version before reads or writes. The parts are made by the program (store/storage_swap.go): at once in a database
-- without notes, by `emissor storage contract` in others.
SET LOCAL lock_timeout = '1s';

-- Parts are tables of this schema. No role needs it: what is read and written are the tables that they are parts of.
CREATE SCHEMA months;

-- The tables that have parts: the column of the id, the letters that it begins with (null: it is a number), how long a
-- part is, and for how long after its end it is kept at least (null: it is never dropped). The fiscal time is five
-- years, counted from the year after.
-- +goose StatementBegin
CREATE FUNCTION grown_tables() RETURNS TABLE (name text, key text, prefix text, months integer, floor interval)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
VALUES
    ('notes', 'id', 'nfse_', 12, NULL::interval),
    ('note_documents', 'note_id', 'nfse_', 1, NULL),
    ('ledger_entries', 'id', 'led_', 1, NULL),
    ('audit_log', 'id', 'aud_', 1, NULL),
    ('note_steps', 'id', NULL, 1, interval '5 years'),
    ('fiscal_calls', 'id', NULL, 1, interval '5 years'),
    ('emails', 'id', 'eml_', 1, interval '5 years'),
    ('events', 'id', 'evt_', 1, interval '7 days'),
    ('deliveries', 'id', 'dlv_', 1, interval '7 days'),
    ('delivery_attempts', 'id', NULL, 1, interval '7 days'),
    ('note_moves', 'id', NULL, 1, interval '7 days'),
    ('closing_moves', 'id', NULL, 1, interval '7 days')
$$;
-- +goose StatementEnd

-- A number as an id: milliseconds since 1970, then twenty bits that tell those of a millisecond apart, in their order.
-- Ids of before are small, and so are before all of these. It is the owner's, so that nobody needs the sequence.
CREATE SEQUENCE row_ids;
-- +goose StatementBegin
CREATE FUNCTION next_row_id() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN ((extract(epoch FROM clock_timestamp()) * 1000)::bigint << 20)
        | (nextval('public.row_ids') & 1048575);
END $$;
-- +goose StatementEnd
ALTER TABLE note_steps ALTER id DROP IDENTITY, ALTER id SET DEFAULT next_row_id();
ALTER TABLE fiscal_calls ALTER id DROP IDENTITY, ALTER id SET DEFAULT next_row_id();
ALTER TABLE delivery_attempts ALTER id DROP IDENTITY, ALTER id SET DEFAULT next_row_id();
ALTER TABLE note_moves ALTER id DROP IDENTITY, ALTER id SET DEFAULT next_row_id();
ALTER TABLE closing_moves ALTER id DROP IDENTITY, ALTER id SET DEFAULT next_row_id();

-- The least id of a moment: below every id that is made from then on, and above those of before.
-- +goose StatementBegin
CREATE FUNCTION first_id(prefix text, moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN prefix IS NULL THEN (ms << 20)::text
        ELSE prefix || (SELECT string_agg(
            substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (45 - 5 * i)) & 31)::integer + 1, 1), '' ORDER BY i)
            FROM generate_series(0, 9) i) || repeat('0', 16) END
    FROM (SELECT (extract(epoch FROM moment) * 1000)::bigint AS ms) _
$$;
-- +goose StatementEnd

-- The moment at which a part ends, by its name: events_202611, events_before_202611.
-- +goose StatementBegin
CREATE FUNCTION part_end(part text, months integer) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (to_date(right(part, 6), 'YYYYMM') +
        CASE WHEN part LIKE '%\_before\_%' THEN interval '0' ELSE make_interval(months => months) END)::date
$$;
-- +goose StatementEnd

-- The parts that there are.
CREATE VIEW parts AS
    SELECT g.name, g.key, g.prefix, g.months, g.floor, parent.oid AS parent, part.oid AS part,
        part.relname::text AS part_name, part_end(part.relname, g.months) AS ends
    FROM grown_tables() g
    JOIN pg_class parent ON parent.oid = to_regclass('public.' || g.name) AND parent.relkind = 'p'
    JOIN pg_inherits ON inhparent = parent.oid
    JOIN pg_class part ON part.oid = inhrelid;

-- The worker's role may not make or drop tables: it may call these, which make parts that are near and drop those whose
-- time is over, and nothing else, as the owner of the tables. A new part is made beside the table, with what the parts
-- before have of their own (a table in parts has no unique index without its id, and no reference to itself), and then
-- attached, which reads and writes of the table do not wait for. They wait for a moment only, so that nobody waits
-- behind them for long, and say false where somebody uses a table for longer, as a backup does: they are called again
-- later.
-- +goose StatementBegin
CREATE FUNCTION add_part(of_table text, starts date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
    g       record;
    part    text := of_table || to_char(starts, '"_"YYYYMM');
    today   date := (now() AT TIME ZONE 'UTC')::date;
    pattern regclass;
    named   text;
    own     text;
BEGIN
    SELECT * INTO g FROM public.grown_tables() WHERE name = of_table;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the table % has no parts', of_table;
    END IF;
    IF starts <> date_trunc((CASE g.months WHEN 12 THEN 'year' ELSE 'month' END), starts::timestamp)::date
        OR starts < today - make_interval(months => 2 * g.months)
        OR starts > today + make_interval(months => 12 + 2 * g.months) THEN
        RAISE EXCEPTION 'no part of % begins on %, near today', of_table, starts;
    END IF;
    IF to_regclass(format('months.%I', part)) IS NOT NULL THEN
        RETURN true;
    END IF;
    SELECT parts.part INTO pattern FROM public.parts WHERE name = of_table ORDER BY ends DESC LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the table % is not in parts yet', of_table;
    END IF;
    EXECUTE format('CREATE TABLE months.%I (LIKE public.%I INCLUDING ALL EXCLUDING INDEXES)', part, of_table);
    FOR named, own IN SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = ('public.' || of_table)::regclass AND contype IN ('p', 'u') LOOP
        EXECUTE format('ALTER TABLE months.%I ADD CONSTRAINT %I %s', part, named || to_char(starts, '"_"YYYYMM'), own);
    END LOOP;
    FOR named, own IN SELECT indexrelid::regclass, pg_get_indexdef(indexrelid) FROM pg_index
        WHERE indrelid = ('public.' || of_table)::regclass
            AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
            OR indrelid = pattern AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid) LOOP
        named := regexp_replace(named, '^.*\.|_[0-9]{6}$', '', 'g') || to_char(starts, '"_"YYYYMM');
        EXECUTE format('CREATE %s INDEX %I ON months.%I %s', CASE WHEN own LIKE 'CREATE UNIQUE %' THEN 'UNIQUE' END,
            named, part, substring(own FROM ' (USING .*)$'));
    END LOOP;
    FOR own IN SELECT pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = pattern AND contype = 'f' AND conparentid = 0 LOOP
        EXECUTE format('ALTER TABLE months.%I ADD %s', part, replace(own, ' NOT VALID', ''));
    END LOOP;
    FOR own IN SELECT pg_get_triggerdef(oid) FROM pg_trigger
        WHERE tgrelid = pattern AND NOT tgisinternal AND tgparentid = 0 LOOP
        EXECUTE replace(own, format(' ON %s ', pattern), format(' ON months.%I ', part));
    END LOOP;
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION months.%I FOR VALUES FROM (%L) TO (%L)', of_table, part,
        public.first_id(g.prefix, starts::timestamp AT TIME ZONE 'UTC'),
        public.first_id(g.prefix, (starts + make_interval(months => g.months))::timestamp AT TIME ZONE 'UTC'));
    RETURN true;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN false;
END $$;
-- +goose StatementEnd

-- drop_part says false too where something of the part is still needed.
-- +goose StatementBegin
CREATE FUNCTION drop_part(of_part text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
    p       record;
    since   text;
    through text;
    used    boolean;
BEGIN
    SELECT * INTO p FROM public.parts WHERE part_name = of_part;
    IF NOT FOUND THEN
        RETURN true;
    END IF;
    IF p.floor IS NULL OR p.ends > (CASE WHEN p.floor >= interval '1 year'
        THEN date_trunc('year', now() AT TIME ZONE 'America/Sao_Paulo') - p.floor
        ELSE (now() AT TIME ZONE 'UTC') - p.floor END) THEN
        RAISE EXCEPTION 'the part % is still kept', of_part;
    END IF;
    EXECUTE format('LOCK TABLE months.%I IN ACCESS EXCLUSIVE MODE', of_part);
    through := public.first_id(p.prefix, p.ends::timestamp AT TIME ZONE 'UTC');
    since := CASE WHEN of_part NOT LIKE '%\_before\_%' THEN
        public.first_id(p.prefix, (p.ends - make_interval(months => p.months))::timestamp AT TIME ZONE 'UTC') END;
    EXECUTE format('SELECT EXISTS (' || CASE p.name
        WHEN 'events' THEN 'SELECT FROM public.deliveries WHERE event_id >= %2$L AND event_id < %3$L'
        WHEN 'deliveries' THEN 'SELECT FROM months.%1$I WHERE status = ''pending''
            UNION ALL SELECT FROM public.delivery_attempts WHERE delivery_id >= %2$L AND delivery_id < %3$L'
        WHEN 'delivery_attempts' THEN 'SELECT FROM public.deliveries d WHERE d.status = ''pending''
            AND EXISTS (SELECT FROM months.%1$I WHERE delivery_id = d.id)'
        WHEN 'emails' THEN 'SELECT FROM months.%1$I WHERE status = ''pending'''
        WHEN 'note_moves' THEN 'SELECT FROM months.%1$I' -- a move is there until it is counted
        WHEN 'closing_moves' THEN 'SELECT FROM months.%1$I'
        ELSE 'SELECT WHERE false' END || ')', of_part, coalesce(since, ''), through) INTO used;
    IF NOT used THEN
        EXECUTE format('DROP TABLE months.%I', of_part);
    END IF;
    RETURN NOT used;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN false;
END $$;
-- +goose StatementEnd

-- loosen_storage lets go of the bound of a table that was to be brought into parts and was not, before the bound is
-- reached: what is new would be refused.
-- +goose StatementBegin
CREATE FUNCTION loosen_storage(of_table text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
    bound text;
BEGIN
    FOR bound IN SELECT conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid JOIN public.grown_tables() g
        ON conrelid = to_regclass('public.' || g.name)
        WHERE g.name = of_table AND relkind = 'r' AND contype = 'c' AND conname ~ '^before_[0-9]{6}$' LOOP
        EXECUTE format('ALTER TABLE public.%I DROP CONSTRAINT %I', of_table, bound);
    END LOOP;
    RETURN true;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN false;
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION add_part(text, date), drop_part(text), loosen_storage(text) FROM PUBLIC;

-- The move of a note, whatever part it lies in: a part has a row type of its own.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION record_note_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO note_moves (organization_id, livemode, day, was, became, amount_cents, rejection_code, milliseconds)
    VALUES (NEW.organization_id, NEW.livemode,
        (NEW.created_at AT TIME ZONE 'America/Sao_Paulo')::date,
        CASE WHEN TG_OP = 'UPDATE' THEN OLD.status END, NEW.status, NEW.amount_cents,
        CASE WHEN NEW.status = 'rejected' THEN NEW.rejection ->> 'code' END,
        CASE WHEN NEW.status = 'issued' THEN extract(epoch FROM NEW.issued_at - NEW.created_at) * 1000 END);
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION note_regime(id text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(f.profile ->> 'simples', ':', f.profile ->> 'simples_regime') FROM fiscal_exchanges f
    WHERE f.note_id = note_regime.id AND f.kind = 'issue' AND f.state = 'accepted'
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION add_closing_move(note_id text, organization_id text, livemode boolean, status text,
    issued_at timestamptz, replaced_by text, competence date, service_id text, service jsonb, amount_cents bigint,
    totals jsonb, counted integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF issued_at IS NULL OR status NOT IN ('issued', 'cancelled') THEN
        RETURN;
    END IF;
    INSERT INTO closing_moves VALUES (organization_id, livemode, date_trunc('month', competence)::date,
        CASE WHEN status = 'issued' THEN 'issued' WHEN replaced_by IS NULL THEN 'cancelled' ELSE 'replaced' END,
        service_id, coalesce(service ->> 'municipality_code', ''),
        coalesce(note_regime(note_id), ''),
        counted, CASE WHEN totals IS NULL THEN counted ELSE 0 END, counted * amount_cents,
        counted * coalesce((totals ->> 'total_cents')::numeric, 0),
        counted * coalesce((totals ->> 'net_cents')::numeric, 0),
        counted * coalesce((totals ->> 'iss_cents')::numeric, 0),
        counted * coalesce((totals ->> 'iss_withheld_cents')::numeric, 0),
        counted * coalesce((totals ->> 'irrf_cents')::numeric, 0),
        counted * coalesce((totals ->> 'csrf_cents')::numeric, 0),
        counted * coalesce((totals ->> 'inss_cents')::numeric, 0),
        counted * coalesce((totals ->> 'ibs_cents')::numeric, 0),
        counted * coalesce((totals ->> 'cbs_cents')::numeric, 0));
END $$;
CREATE OR REPLACE FUNCTION record_closing_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        PERFORM add_closing_move(OLD.id, OLD.organization_id, OLD.livemode, OLD.status, OLD.issued_at, OLD.replaced_by,
            OLD.competence, OLD.service_id, OLD.service, OLD.amount_cents, OLD.authority_totals, -1);
    END IF;
    PERFORM add_closing_move(NEW.id, NEW.organization_id, NEW.livemode, NEW.status, NEW.issued_at, NEW.replaced_by,
        NEW.competence, NEW.service_id, NEW.service, NEW.amount_cents, NEW.authority_totals, 1);
    RETURN NULL;
END $$;
-- +goose StatementEnd
DROP FUNCTION add_to_closing(notes, integer);

-- Which processes run, and of which version. One that ends deletes its row; one that was killed stops reporting.
CREATE TABLE process_reports (
    process_id  uuid        PRIMARY KEY, -- of one run, as in keyset_reports
    process     text        NOT NULL,    -- machine and process number, for people
    kind        text        NOT NULL,    -- as it is called by: api
    version     text        NOT NULL,
    reported_at timestamptz NOT NULL DEFAULT now()
);
