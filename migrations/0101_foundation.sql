-- What tables stand on: the roles of the services, extensions and schemas, and the two functions that tables and their indexes name.
-- Tables follow by subject; what changes with the programs (functions, triggers, views, what roles may) stands in functions/ and is applied
-- at every `api migrate`. A migration that has landed never changes: the next one has the next number.

do $$
declare
    service text;
begin
    -- Roles belong to the cluster, not to a database: two databases may be migrated at the same moment.
    perform pg_advisory_xact_lock(7231840001);
    foreach service in array array['regix_app', 'regix_report', 'regix_report_anonymous', 'regix_report_unnamed', 'regix_report_words'] loop
        if not exists (select from pg_roles where rolname = service) then execute format('create role %I nologin', service); end if;
    end loop;
end
$$;

create extension if not exists pg_trgm;

revoke all on schema public from public;
create schema report;
-- What the views of reports are made of, granted to nobody.
create schema report_inside;

alter default privileges in schema public grant select, insert, update, delete on tables to regix_app;
alter default privileges in schema public grant usage, select on sequences to regix_app;
-- The migrator's own table is older than the line above; the health report reads which migration is the newest.
do $$ begin
    if to_regclass('_sqlx_migrations') is not null then grant select on _sqlx_migrations to regix_app; end if;
end $$;

-- As in functions/text.sql, which is applied later.
create function fold(t text) returns text language sql immutable parallel safe strict as $$
    select replace(replace(replace(replace(replace(replace(replace(replace(replace(
        translate(lower(normalize(t, nfc)),
            'čćšžáàâäãéèêëíìîïóòôöõúùûüýñабвгдежзијклмнопрстћуфхцчш',
            'ccszaaaaaeeeeiiiiooooouuuuynabvgdezzijklmnoprstcufhccs'),
        'đ', 'dj'), 'ð', 'dj'), 'ђ', 'dj'), 'љ', 'lj'), 'њ', 'nj'), 'џ', 'dz'), 'ǆ', 'dz'), 'ǉ', 'lj'), 'ǌ', 'nj')
$$;
-- As in functions/audit.sql.
create function acting_worker() returns bigint language sql stable as $$ select nullif(current_setting('app.worker', true), '')::bigint $$;
