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
    if tg_op = 'UPDATE' and tg_table_name = 'patient' and before -> 'spojen_u_id' is distinct from after -> 'spojen_u_id' then
        deed := case when after ->> 'spojen_u_id' is null then 'razdvajanje' else 'spajanje' end;
    end if;
    select coalesce(jsonb_agg(jsonb_build_object(
               'naziv', k,
               'stara', case when k = any (tg_argv) then to_jsonb('•••'::text) else before -> k end,
               'nova', case when k = any (tg_argv) then to_jsonb('•••'::text) else after -> k end) order by k), '[]')
      into changes
      from (select jsonb_object_keys(before || after) as k) keys
     where before -> k is distinct from after -> k
       and k not in ('verzija', 'vreme_poslednje_izmene', 'ime_f', 'prezime_f', 'formula_za_prikaz_ast', 'formula_za_racunanje_ast', 'obavezan_ako_ast');
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
call audited('institution_logo', 'slika');
call audited('worker', 'password_hash', 'password_ws_hash', 'jmbg', 'lbo');
call audited('role');
call audited('role_right');
call audited('worker_role');
call audited('worker_institution');
call audited('external_account', 'subjekat');
call audited('parameter');
call audited('sponsor', 'logo');
call audited('warning');
call audited('register');
call audited('form');
call audited('attribute_type');
call audited('enum_item');
call audited('form_field', 'background_image');
call audited('form_block', 'tekst');
-- That a draft is made and ends is logged; what it holds is saved with every few keys, and logged where it is published.
create or replace trigger form_draft_audit after insert or delete on form_draft for each row execute function audit_change('dokument', 'osnova');
create or replace trigger form_draft_touch before update on form_draft for each row execute function touch_row();
-- That one is made and ended is logged; that it was looked at stands in its row.
create or replace trigger wall_display_audit after insert or delete or update of naziv, opozvan_at on wall_display
    for each row execute function audit_change('token_hash');
call audited('patient');
call audited('patient_taking');
call audited('patient_status');
call audited('patient_consent');
call audited('question');
call audited('quality_rule');
call audited('consent_text', 'tekst');
call audited('patient_merge_proposal');
call audited('patient_transfer');
call audited('period_lock');
call audited('report_category');
call audited('report_type');
call audited('report');
-- The texts are in the version itself, which stays.
call audited('report_definition', 'upit', 'sablon');
call audited('report_parameter_type');
call audited('report_parameter');
call audited('report_format_link');
call audited('recipient_group');
call audited('cohort');
call audited('analysis');
call audited('upgrade_note');
create or replace trigger report_schedule_touch before update on report_schedule for each row execute function touch_row();

-- Makes the monthly partitions from last month to `ahead` months from now, and those of months that rows came for before they had one: such
-- rows lie in the default partition, and would keep their month's from being made. The scheduler calls it daily, `migrate` and `restore`
-- each time. The months are those of UTC, whoever calls.
create or replace function ensure_partitions(ahead int default 12) returns void language plpgsql security definer
    set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
    parent text;
    moment text;
    part text;
    month date;
    strays date[];
begin
    perform pg_advisory_xact_lock(7231840002);
    foreach parent in array array['audit_log', 'audit_log_patient', 'value_history'] loop
        moment := case parent when 'value_history' then 'vreme_prestanka_vazenja' else 'vreme_pristupa' end;
        execute format('select coalesce(array_agg(distinct date_trunc(''month'', %I)::date), ''{}'') from %I where %1$I < $1',
                       moment, parent || '_default')
           into strays using date_trunc('month', now()) + make_interval(months => ahead + 1);
        for month in select generate_series(date_trunc('month', now()) - interval '1 month',
                                            date_trunc('month', now()) + make_interval(months => ahead), interval '1 month')::date
                      union select unnest(strays) order by 1 loop
            part := parent || to_char(month, '_YYYY_MM');
            continue when to_regclass(format('%I', part)) is not null;
            if month = any (strays) then
                -- Nobody adds a row of this month, or sees half of them, until they are where they belong.
                execute format('lock table %I in access exclusive mode', parent || '_default');
                execute format('create table %I (like %I including defaults including constraints including storage)', part, parent);
                execute format('with moved as (delete from %1$I where %2$I >= $1 and %2$I < $2 returning *) insert into %3$I select * from moved',
                               parent || '_default', moment, part) using month::timestamptz, (month + interval '1 month')::timestamptz;
                execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, month, (month + interval '1 month')::date);
            else
                execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent, month, (month + interval '1 month')::date);
            end if;
            -- The application reaches partitions through their parent only, whose grants are narrower.
            execute format('revoke all on %I from regix_app', part);
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

-- In what way a row of the log is a look at patients; none: it is a change, or about no patient. By the deed, so that the rows of
-- earlier years tell it too.
create or replace function look_kind(klasa text, akcija text) returns text language sql immutable parallel safe as $$
    select case
        when akcija in ('pregled za štampu', 'preuzimanje štampe') then 'stampa'
        when akcija = 'pretraga' then 'pretraga'
        when akcija like 'pregled spiska%' then 'spisak'
        when klasa = 'access_log' then 'log'
        when akcija like 'pregled%' then 'otvaranje'
        when akcija like 'provera%' then 'provera'
        when akcija in ('izvoz rezultata', 'zahtev za izvoz', 'izrada izvoza') then 'izvoz'
        when akcija = 'preuzimanje' and klasa in ('report_run', 'data_export') then 'preuzimanje'
        when klasa = 'report_run' and akcija in ('izrada izveštaja', 'kreiranje') then 'izvestaj'
        when klasa = 'report_delivery' and akcija = 'slanje' then 'slanje'
        when akcija = 'izbor vrednosti' then 'izbor'
        when akcija in ('odbijanje', 'odbijanje izvoza') then 'odbijanje'
    end
$$;

-- Whether a time of day lies in a part of the day; a part that ends before it begins goes over midnight. The end's minute is in it.
create or replace function within_day(moment time, since time, until time) returns boolean language sql immutable parallel safe as $$
    select case
        when since is null and until is null then true
        when coalesce(since, '00:00') <= coalesce(until, '24:00')
            then moment >= coalesce(since, '00:00') and (until is null or until >= '23:59' or moment < until + interval '1 minute')
        else moment >= since or moment < until + interval '1 minute'
    end
$$;

-- All rows about a patient, those among whose several patients she is too, and those of her records that were merged into this one. The planner
-- sees through it.
create or replace function log_of_patient(pacijent bigint) returns setof audit_log language sql stable as $$
    select l.* from audit_log l where l.pacijent_id = pacijent
    union all
    select l.* from audit_log_patient p join audit_log l on l.vreme_pristupa = p.vreme_pristupa and l.id = p.log_id
     where p.pacijent_id = pacijent
    union all
    select l.* from patient s join audit_log l on l.pacijent_id = s.id where s.spojen_u_id = pacijent
    union all
    select l.* from patient s join audit_log_patient p on p.pacijent_id = s.id
      join audit_log l on l.vreme_pristupa = p.vreme_pristupa and l.id = p.log_id
     where s.spojen_u_id = pacijent
$$;

-- The patients whom a row shows.
create or replace function patients_of_log(moment timestamptz, row_id bigint, one bigint) returns setof bigint language sql stable as $$
    select one where one is not null
    union all
    select p.pacijent_id from audit_log_patient p where p.vreme_pristupa = moment and p.log_id = row_id
$$;

-- Gives a row of the log the patients whom a run has shown: who fetches its file or gets it by mail sees what stands in it.
create or replace function log_patients_of_run(moment timestamptz, row_id bigint, run uuid) returns bigint language sql volatile as $$
    with shown as (
        insert into audit_log_patient (vreme_pristupa, log_id, pacijent_id)
        select distinct moment, row_id, p.pacijent_id
          from audit_log l join audit_log_patient p on p.vreme_pristupa = l.vreme_pristupa and p.log_id = l.id
         where l.klasa in ('report_run', 'data_export') and l.red_id = run::text and l.akcija in ('izrada izveštaja', 'izrada izvoza')
        on conflict do nothing
        returning 1)
    select count(*) from shown
$$;


-- What a row of the log is about, by its name. A patient's is told apart, to whom it may be told. Rows that only tie two others have no
-- id: what they tie stands in their fields.
create or replace function record_name(klasa text, red_id text, polja jsonb default '[]') returns text language plpgsql stable as $$
declare
    number bigint := case when red_id ~ '^[0-9]{1,18}$' then red_id::bigint end;
    run uuid := case when red_id ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then red_id::uuid end;
    name text;
begin
    if klasa in ('report_run', 'data_export', 'report_delivery') then
        return (select coalesce(t.naziv, g.naziv || coalesce(', ' || f.naziv, ''), e.naziv)
                  from report_run r left join report t on t.id = r.izvestaj_id
                  left join data_export d on d.id = r.izvoz_id left join register g on g.id = d.registar_id left join form f on f.id = d.tsa_id
                  left join entry u on u.id = r.unos_id left join form e on e.id = u.tsa_id
                 where r.id = run);
    end if;
    case klasa
        when 'worker_role' then return tied_names(polja, 'radnik_id', 'worker', 'uloga_id', 'role');
        when 'worker_institution' then return tied_names(polja, 'radnik_id', 'worker', 'ustanova_id', 'institution');
        when 'role_right' then return tied_names(polja, 'uloga_id', 'role', 'aplikativno_pravo_id', 'application_right');
        when 'report_format_link' then return tied_names(polja, 'izvestaj_id', 'report', 'format_id', 'report_format');
        when 'external_account' then return tied_names(polja, 'radnik_id', 'worker', 'izdavalac', null);
        else null;
    end case;
    if number is null then return null; end if;
    case klasa
        when 'worker', 'session', 'second_factor' then
            select w.prezime || ' ' || w.ime into name from worker w where w.id = number;
        when 'entry', 'entry_print' then
            select f.naziv || ', ' || to_char(e.datum_unosa, 'DD.MM.YYYY.') into name from entry e join form f on f.id = e.tsa_id where e.id = number;
        when 'patient', 'patient_merge' then name := null;
        when 'patient_taking' then
            select u.naziv into name from patient_taking p join institution u on u.id = p.ustanova_id where p.id = number;
        when 'patient_status' then
            select 'dan ' || to_char(p.dan, 'DD.MM.YYYY.') || coalesce(', ' || g.naziv, '') into name
              from patient_status p left join register g on g.id = p.registar_id where p.id = number;
        when 'patient_consent' then
            select c.svrha || ', ' || g.naziv into name from patient_consent c join register g on g.id = c.registar_id where c.id = number;
        when 'consent_text' then
            select c.svrha || ', verzija ' || c.broj || ', ' || g.naziv into name from consent_text c join register g on g.id = c.registar_id where c.id = number;
        when 'question' then
            select f.naziv || ', ' || to_char(e.datum_unosa, 'DD.MM.YYYY.') || coalesce(', ' || p.naziv, '') into name
              from question q join entry e on e.id = q.unos_id join form f on f.id = e.tsa_id left join form_field p on p.id = q.polje_id where q.id = number;
        when 'quality_finding' then
            select r.naziv || ', ' || f.naziv || ', ' || to_char(e.datum_unosa, 'DD.MM.YYYY.') into name
              from quality_finding n join quality_rule r on r.id = n.pravilo_id join entry e on e.id = n.unos_id join form f on f.id = e.tsa_id where n.id = number;
        when 'quality_run' then select g.naziv into name from quality_run q join register g on g.id = q.registar_id where q.id = number;
        when 'patient_transfer' then
            select u.naziv into name from patient_transfer p join institution u on u.id = p.za_ustanovu_id where p.id = number;
        when 'patient_merge_proposal' then
            select u.naziv into name from patient_merge_proposal p join institution u on u.id = p.za_ustanovu_id where p.id = number;
        when 'visit_plan_version' then
            select p.naziv || ', verzija ' || v.broj into name from visit_plan_version v join visit_plan p on p.id = v.plan_id where v.id = number;
        when 'patient_plan' then select p.naziv into name from patient_plan o join visit_plan p on p.id = o.plan_id where o.id = number;
        when 'planned_visit' then
            select i.naziv || ', ' || to_char(v.cilj, 'DD.MM.YYYY.') into name
              from planned_visit v join visit_plan_item i on i.id = v.stavka_id where v.id = number;
        when 'question_letter' then select u.naziv into name from question_letter l join institution u on u.id = l.ustanova_id where l.id = number;
        when 'visit_digest' then select u.naziv into name from visit_digest d join institution u on u.id = d.ustanova_id where d.id = number;
        when 'period_lock' then
            select g.naziv || ', do ' || to_char(p.do_dana, 'DD.MM.YYYY.') into name
              from period_lock p join register g on g.id = p.registar_id where p.id = number;
        when 'role' then select r.ime into name from role r where r.id = number;
        when 'sponsor' then select s.name into name from sponsor s where s.id = number;
        when 'warning' then select left(w.message, 100) into name from warning w where w.id = number;
        when 'upgrade_note' then
            select record_name(case n.vrsta when 'demo' then 'worker' when 'zakazivanje' then 'report_schedule' else 'role' end, n.red_id::text)
              into name from upgrade_note n where n.id = number;
        when 'report_schedule' then
            select t.naziv into name from report_schedule s join report t on t.id = s.izvestaj_id where s.id = number;
        when 'report_definition' then
            select t.naziv || ', verzija ' || d.broj into name from report_definition d join report t on t.id = d.izvestaj_id where d.id = number;
        when 'form_draft' then
            -- A draft is gone once it is published or thrown away: the form that it was of stands in the fields.
            select f.naziv into name from form f
             where f.id = coalesce((select d.form_id from form_draft d where d.id = number), tied_id(polja, 'form_id')::bigint);
        when 'recomputation' then select f.naziv into name from recomputation r join form f on f.id = r.form_id where r.id = number;
        when 'data_import' then select r.naziv into name from data_import d join register r on r.id = d.registar_id where d.id = number;
        when 'archive_file' then select a.naziv into name from archive_file a where a.id = number;
        when 'institution_logo' then select u.naziv into name from institution u where u.id = number;
        when 'patient_search' then select r.naziv into name from register r where r.id = number;
        when 'value_type', 'report_parameter_kind' then
            execute format('select t.naziv from %I t where t.num_vrednost = $1', klasa) into name using number;
        when 'institution', 'register', 'visit_plan', 'quality_rule', 'form', 'attribute_type', 'enum_item', 'form_field', 'form_block', 'parameter', 'report_category', 'report_type',
             'report', 'report_parameter_type', 'report_parameter', 'recipient_group', 'cohort', 'analysis', 'wall_display', 'application_right', 'report_format' then
            execute format('select t.naziv from %I t where t.id = $1', klasa) into name using number;
        else name := null;
    end case;
    return name;
end
$$;

-- What a field of a row of the log says: now, or before where the row is gone.
create or replace function tied_id(polja jsonb, field text) returns text language sql immutable as $$
    select coalesce(e ->> 'nova', e ->> 'stara') from jsonb_array_elements(polja) e where e ->> 'naziv' = field limit 1
$$;

-- The names of the two that a row ties, the second one as it is where it names no row.
create or replace function tied_names(polja jsonb, one text, one_class text, other text, other_class text) returns text language sql stable as $$
    select nullif(concat_ws(' – ', record_name(one_class, tied_id(polja, one)),
                            case when other_class is null then tied_id(polja, other) else record_name(other_class, tied_id(polja, other)) end), '')
$$;

-- A value of a field of the log as people read it: rows of others by their names, moments by the clock of the installation.
create or replace function log_value(value jsonb, names text, is_moment boolean) returns jsonb language sql stable as $$
    select case
        when is_moment and value #>> '{}' ~ '^\d{4}-\d\d-\d\d[T ]\d\d:\d\d'
            then to_jsonb(to_char((value #>> '{}')::timestamptz at time zone 'Europe/Belgrade', 'YYYY-MM-DD HH24:MI'))
        when names is null then value
        when jsonb_typeof(value) = 'number' then coalesce(to_jsonb(record_name(names, value #>> '{}')), value)
        when jsonb_typeof(value) = 'array'
            then (select to_jsonb(string_agg(coalesce(record_name(names, one), one), ', ')) from jsonb_array_elements_text(value) one)
        else value
    end
$$;

-- The fields of a row of the log as people read them. What a column names is asked of its foreign key; the few without one are told here.
-- Patients stand beside the row, to whom they may be named, and never among its fields.
create or replace function log_fields(klasa text, polja jsonb) returns jsonb language sql stable as $$
    -- The columns of the table are read once, not for each field.
    with known as materialized (
        select a.attname, a.atttypid = 'timestamptz'::regtype as is_moment,
               coalesce(k.confrelid::regclass::text,
                        case a.attrelid::regclass::text || '.' || a.attname
                            when 'recipient_group.radnici' then 'worker'
                            when 'report.definicija_id' then 'report_definition' end) as names
          from pg_attribute a left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'f' and k.conkey = array[a.attnum]
         where a.attrelid = to_regclass(quote_ident(klasa)) and a.attnum > 0 and polja <> '[]')
    select coalesce(jsonb_agg(
               case when e.field ? 'polje' or c.names is null and c.is_moment is not true then e.field
                    else e.field || jsonb_build_object('stara', log_value(e.field -> 'stara', c.names, c.is_moment),
                                                       'nova', log_value(e.field -> 'nova', c.names, c.is_moment)) end
               order by e.place), '[]')
      from jsonb_array_elements(polja) with ordinality e (field, place)
      left join known c on c.attname = e.field ->> 'naziv'
     where c.names is distinct from 'patient' or e.field ? 'polje'
$$;

revoke execute on function audit_change, ensure_partitions, keep_name, look_kind, within_day, log_of_patient, patients_of_log, log_patients_of_run, record_name, tied_id, tied_names, log_value, log_fields from public;
grant execute on function look_kind, within_day, log_of_patient, patients_of_log, log_patients_of_run, record_name, tied_id, tied_names, log_value, log_fields to regix_app;
grant execute on function ensure_partitions to regix_app;
