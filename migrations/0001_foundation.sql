-- Roles, folding of Serbian text, and the audit machinery that everything else stands on.
--
-- Three database roles: the owner runs these migrations; regix_app is what the services sign in as; regix_report may
-- only read the views of schema "report". Passwords are set by `api migrate` from the environment, never here.

do $$
begin
    -- Roles belong to the cluster, not to a database: two databases may be migrated at the same moment.
    perform pg_advisory_xact_lock(7231840001);
    if not exists (select from pg_roles where rolname = 'regix_app') then create role regix_app nologin; end if;
    if not exists (select from pg_roles where rolname = 'regix_report') then create role regix_report nologin; end if;
end
$$;

create extension if not exists pg_trgm;

revoke all on schema public from public;
grant usage on schema public to regix_app;
create schema report;
grant usage on schema report to regix_report, regix_app;

alter default privileges in schema public grant select, insert, update, delete on tables to regix_app;
alter default privileges in schema public grant usage, select on sequences to regix_app;
-- The migrator's own table is older than the line above; the health report reads which migration is the newest.
do $$ begin
    if to_regclass('_sqlx_migrations') is not null then grant select on _sqlx_migrations to regix_app; end if;
end $$;

-- š=s, č=ć=c, ž=z, đ=dj (also Ð, a common mistyping), Cyrillic and digraphs as Latin. The same table stands in
-- domain/src/fold.rs; tests/fold-cases.csv is read by both.
create function fold(t text) returns text language sql immutable parallel safe strict as $$
    select replace(replace(replace(replace(replace(replace(replace(replace(replace(
        translate(lower(normalize(t, nfc)),
            'čćšžáàâäãéèêëíìîïóòôöõúùûüýñабвгдежзијклмнопрстћуфхцчш',
            'ccszaaaaaeeeeiiiiooooouuuuynabvgdezzijklmnoprstcufhccs'),
        'đ', 'dj'), 'ð', 'dj'), 'ђ', 'dj'), 'љ', 'lj'), 'њ', 'nj'), 'џ', 'dz'), 'ǆ', 'dz'), 'ǉ', 'lj'), 'ǌ', 'nj')
$$;

-- The worker on whose behalf the transaction writes. A write without one is a defect, so it fails.
create function acting_worker() returns bigint language plpgsql stable as $$
declare
    who text := current_setting('app.worker', true);
begin
    if who is null or who = '' then
        raise exception 'app.worker is not set: every write names its worker' using errcode = 'insufficient_privilege';
    end if;
    return who::bigint;
end
$$;

-- Who did what, when. Append-only for the application. Partitioned by month so that old months can be moved away.
create table audit_log (
    id bigint generated always as identity,
    vreme_pristupa timestamptz not null default clock_timestamp(),
    radnik_id bigint,
    klasa text not null,
    akcija text not null,
    red_id text,
    pacijent_id bigint,
    opis text,
    polja jsonb not null default '[]',
    primary key (vreme_pristupa, id)
) partition by range (vreme_pristupa);
create index audit_log_radnik on audit_log (radnik_id, vreme_pristupa);
create index audit_log_red on audit_log (klasa, red_id, vreme_pristupa);
create index audit_log_pacijent on audit_log (pacijent_id, vreme_pristupa) where pacijent_id is not null;
create table audit_log_default partition of audit_log default;

-- Makes the monthly partitions from last month to `ahead` months from now; the scheduler calls it daily.
create function ensure_partitions(ahead int default 12) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
declare
    parent text;
    month date;
begin
    perform pg_advisory_xact_lock(7231840002);
    foreach parent in array array['audit_log', 'value_history'] loop
        for month in select generate_series(date_trunc('month', now()) - interval '1 month',
                                            date_trunc('month', now()) + make_interval(months => ahead), interval '1 month')::date loop
            if to_regclass(format('%I', parent || to_char(month, '_YYYY_MM'))) is null then
                execute format('create table %I partition of %I for values from (%L) to (%L)',
                               parent || to_char(month, '_YYYY_MM'), parent, month, (month + interval '1 month')::date);
                -- The application reaches partitions through their parent only, whose grants are narrower.
                execute format('revoke all on %I from regix_app', parent || to_char(month, '_YYYY_MM'));
            end if;
        end loop;
    end loop;
end
$$;

-- Generic audit of a row. Arguments: columns whose values must never be written to the log (secrets, pictures).
create function audit_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    who bigint := acting_worker();
    before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) else '{}' end;
    after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) else '{}' end;
    changes jsonb;
    deed text := case tg_op when 'INSERT' then 'kreiranje' when 'DELETE' then 'brisanje' else 'izmena' end;
begin
    if tg_op = 'UPDATE' and (before -> 'aktivan') = 'true' and (after -> 'aktivan') = 'false' then deed := 'brisanje'; end if;
    select coalesce(jsonb_agg(jsonb_build_object(
               'naziv', k,
               'stara', case when k = any (tg_argv) then to_jsonb('•••'::text) else before -> k end,
               'nova', case when k = any (tg_argv) then to_jsonb('•••'::text) else after -> k end) order by k), '[]')
      into changes
      from (select jsonb_object_keys(before || after) as k) keys
     where before -> k is distinct from after -> k
       and k not in ('verzija', 'vreme_poslednje_izmene', 'ime_f', 'prezime_f', 'formula_za_prikaz_ast', 'formula_za_racunanje_ast');
    if tg_op = 'UPDATE' and changes = '[]' then return null; end if;
    insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id, polja)
    values (who, tg_table_name, deed, coalesce(after ->> 'id', before ->> 'id'),
            case when tg_table_name = 'patient' then (coalesce(after ->> 'id', before ->> 'id'))::bigint
                 else (coalesce(after ->> 'pacijent_id', before ->> 'pacijent_id'))::bigint end, changes);
    return null;
end
$$;

-- Bumps the version that an edit must carry, and the time of the last change.
create function touch_row() returns trigger language plpgsql as $$
begin
    new.verzija := old.verzija + 1;
    new.vreme_poslednje_izmene := clock_timestamp();
    return new;
end
$$;

-- Gives a table its audit trigger, and its version trigger where it has a version.
create procedure audited(tbl regclass, variadic secret text[] default '{}') language plpgsql as $$
begin
    execute format('create trigger %I after insert or update or delete on %s for each row execute function audit_change(%s)',
                   tbl || '_audit', tbl, (select string_agg(quote_literal(s), ', ') from unnest(secret) s));
    if exists (select from pg_attribute where attrelid = tbl and attname = 'verzija') then
        execute format('create trigger %I before update on %s for each row execute function touch_row()', tbl || '_touch', tbl);
    end if;
end
$$;
