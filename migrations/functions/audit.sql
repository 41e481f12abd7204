-- The log of changes, versions of rows, names of an earlier time, and the months of the big tables.

-- The worker on whose behalf the transaction writes. A write without one is a defect, so it fails.
create or replace function acting_worker() returns bigint language plpgsql stable as $$
declare
    who text := current_setting('app.worker', true);
begin
    if who is null or who = '' then
        raise exception 'app.worker is not set: every write names its worker' using errcode = 'insufficient_privilege';
    end if;
    return who::bigint;
end
$$;

-- Generic audit of a row. Arguments: columns whose values must never be written to the log (secrets, pictures).
create or replace function audit_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create or replace function touch_row() returns trigger language plpgsql as $$
begin
    new.verzija := old.verzija + 1;
    new.vreme_poslednje_izmene := clock_timestamp();
    return new;
end
$$;

-- Gives a table its audit trigger, and its version trigger where it has a version. The names are columns whose values stay out of
-- the log.
create or replace procedure audited(tbl regclass, variadic secret text[] default '{}') language plpgsql as $$
begin
    execute format('create or replace trigger %I after insert or update or delete on %s for each row execute function audit_change(%s)',
                   tbl || '_audit', tbl, (select string_agg(quote_literal(s), ', ') from unnest(secret) s));
    if exists (select from pg_attribute where attrelid = tbl and attname = 'verzija') then
        execute format('create or replace trigger %I before update on %s for each row execute function touch_row()', tbl || '_touch', tbl);
    end if;
end
$$;

call audited('institution', 'password_hash');
call audited('worker', 'password_hash', 'password_ws_hash', 'jmbg', 'lbo');
call audited('role');
call audited('role_right');
call audited('worker_role');
call audited('worker_institution');
call audited('parameter');
call audited('sponsor', 'logo');
call audited('warning');
call audited('register');
call audited('form');
call audited('attribute_type');
call audited('enum_item');
call audited('form_field', 'background_image');
call audited('patient');
call audited('report_category');
call audited('report_type');
call audited('report');
call audited('report_parameter_type');
call audited('report_parameter');
call audited('report_format_link');
create or replace trigger report_schedule_touch before update on report_schedule for each row execute function touch_row();

-- Makes the monthly partitions from last month to `ahead` months from now; the scheduler calls it daily.
create or replace function ensure_partitions(ahead int default 12) returns void language plpgsql security definer
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

-- What an item or a field was called, and an item's number, until now.
create or replace function keep_name() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into name_history (klasa, red_id, naziv, num_vrednost)
    values (tg_table_name, old.id, old.naziv, (to_jsonb(old) ->> 'num_vrednost')::numeric);
    return null;
end
$$;

create or replace trigger enum_item_keep_name after update on enum_item for each row
    when ((old.naziv, old.num_vrednost) is distinct from (new.naziv, new.num_vrednost)) execute function keep_name();

create or replace trigger form_field_keep_name after update on form_field for each row
    when (old.naziv is distinct from new.naziv) execute function keep_name();

-- The name that it had at that moment; today's where it was never renamed since.
create or replace function name_at(class text, row_id bigint, moment timestamptz, today text) returns text language sql stable as $$
    select coalesce((select h.naziv from name_history h
                      where h.klasa = class and h.red_id = row_id and h.vreme_prestanka_vazenja > moment
                      order by h.vreme_prestanka_vazenja, h.id limit 1), today)
$$;

revoke execute on function audit_change, ensure_partitions, keep_name from public;
grant execute on function ensure_partitions to regix_app;
