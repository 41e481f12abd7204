-- Old months of the log and of histories: which rows may go into a file, and how they come back. Called by the owner (`api archive`).

-- The first moment of a month, by the clock of Belgrade.
create or replace function month_start(mesec date) returns timestamptz language sql stable parallel safe as $$
    select mesec::timestamp at time zone 'Europe/Belgrade'
$$;

-- Rows of the log that may go. Who registered a patient, who deleted what may be brought back, who was made anonymous, whom a file of a
-- report names while it is there, and what the archive itself did stay here.
create or replace function archivable_log(since timestamptz, until timestamptz) returns setof audit_log language sql stable as $$
    select l.* from audit_log l
     where l.vreme_pristupa >= since and l.vreme_pristupa < until
       and l.akcija not in ('brisanje', 'anonimizacija', 'arhiviranje', 'vraćanje iz arhive')
       and not (l.klasa = 'patient' and l.akcija = 'kreiranje')
       and not (l.klasa in ('report_run', 'data_export') and exists (select from report_artifact a where a.run_id::text = l.red_id))
$$;

-- Of them, looks alone where that is the kind that is moved.
create or replace function archivable_of_log(vrsta text, since timestamptz, until timestamptz) returns setof audit_log language sql stable as $$
    select l.* from archivable_log(since, until) l where vrsta = 'dnevnik' or vrsta = 'uvidi' and look_kind(l.klasa, l.akcija) is not null
$$;

-- The newest row of a value stays: it tells who wrote the value that holds now.
create or replace function archivable_values(since timestamptz, until timestamptz) returns setof value_history language sql stable as $$
    select h.* from value_history h
     where h.vreme_prestanka_vazenja >= since and h.vreme_prestanka_vazenja < until
       and exists (select from value_history n where n.unos_id = h.unos_id and n.polje_id = h.polje_id
                      and (n.vreme_prestanka_vazenja, n.id) > (h.vreme_prestanka_vazenja, h.id))
$$;

-- So does the newest earlier state of a patient.
create or replace function archivable_records(since timestamptz, until timestamptz) returns setof patient_history language sql stable as $$
    select h.* from patient_history h
     where h.vreme_prestanka_vazenja >= since and h.vreme_prestanka_vazenja < until
       and exists (select from patient_history n where n.pacijent_id = h.pacijent_id and n.istorija_id > h.istorija_id)
$$;

-- Months before a moment that have rows which may go, the oldest first.
create or replace function archivable_months(vrsta text, before timestamptz) returns setof date language sql stable as $$
    select distinct date_trunc('month', m.moment at time zone 'Europe/Belgrade')::date
      from (select l.vreme_pristupa from archivable_of_log(vrsta, '-infinity', before) l
            union all
            select h.vreme_prestanka_vazenja from archivable_values('-infinity', before) h where vrsta = 'istorija'
            union all
            select h.vreme_prestanka_vazenja from archivable_records('-infinity', before) h where vrsta = 'istorija') m (moment)
     order by 1
$$;

-- The rows of one month that may go, each as a document, with the table that it is of.
create or replace function archivable_rows(vrsta text, mesec date) returns table (tabela text, red text) language sql stable as $$
    with bounds as (select month_start(mesec) as since, month_start((mesec + interval '1 month')::date) as until)
    select 'audit_log', to_jsonb(l)::text from bounds b cross join lateral archivable_of_log(vrsta, b.since, b.until) l
    union all
    select 'audit_log_patient', to_jsonb(p)::text
      from bounds b cross join lateral archivable_of_log(vrsta, b.since, b.until) l
      join audit_log_patient p on p.vreme_pristupa = l.vreme_pristupa and p.log_id = l.id
    union all
    select 'value_history', to_jsonb(h)::text from bounds b cross join lateral archivable_values(b.since, b.until) h where vrsta = 'istorija'
    union all
    select 'patient_history', to_jsonb(h)::text from bounds b cross join lateral archivable_records(b.since, b.until) h where vrsta = 'istorija'
$$;

-- Removes those rows; gives how many. In the transaction that has written them into the file, and of the same snapshot.
create or replace function remove_archived(vrsta text, mesec date) returns bigint language plpgsql set search_path = public, pg_temp as $$
declare
    since timestamptz := month_start(mesec);
    until timestamptz := month_start((mesec + interval '1 month')::date);
    removed bigint := 0;
    n bigint;
begin
    if vrsta in ('dnevnik', 'uvidi') then
        delete from audit_log_patient p using archivable_of_log(vrsta, since, until) l where p.vreme_pristupa = l.vreme_pristupa and p.log_id = l.id;
        get diagnostics removed = row_count;
        delete from audit_log a using archivable_of_log(vrsta, since, until) l where a.vreme_pristupa = l.vreme_pristupa and a.id = l.id;
    else
        delete from patient_history p using archivable_records(since, until) h where p.istorija_id = h.istorija_id;
        get diagnostics removed = row_count;
        delete from value_history v using archivable_values(since, until) h
         where v.vreme_prestanka_vazenja = h.vreme_prestanka_vazenja and v.id = h.id;
    end if;
    get diagnostics n = row_count;
    return removed + n;
end
$$;

-- Rows of a file come back into their table; those that are here already stay as they are.
create or replace function read_back(tabela text, redovi jsonb) returns bigint language plpgsql set search_path = public, pg_temp as $$
declare
    n bigint;
begin
    if tabela not in ('audit_log', 'audit_log_patient', 'value_history', 'patient_history') then
        raise exception 'no file of the archive holds rows of %', tabela using errcode = 'invalid_parameter_value';
    end if;
    execute format('insert into %1$I overriding system value select r.* from jsonb_populate_recordset(null::%1$I, $1) r on conflict do nothing', tabela)
      using redovi;
    get diagnostics n = row_count;
    return n;
end
$$;

-- Drops the monthly partitions that end before a day and have nothing left, which gives their room back. One that somebody reads stays
-- until the next time.
create or replace function drop_empty_partitions(before date) returns int language plpgsql set search_path = public, pg_temp as $$
declare
    part regclass;
    is_empty boolean;
    dropped int := 0;
begin
    set local lock_timeout = '2s';
    for part in
        select i.inhrelid::regclass from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent in ('audit_log'::regclass, 'audit_log_patient'::regclass, 'value_history'::regclass)
           and c.relname ~ '_\d{4}_\d{2}$' and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= before
    loop
        execute format('select not exists (select from %s)', part) into is_empty;
        continue when not is_empty;
        begin
            execute format('drop table %s', part);
            dropped := dropped + 1;
        exception when lock_not_available then null;
        end;
    end loop;
    return dropped;
end
$$;

-- Before which day rows lie in files only; none: all are here. Where the log is asked about, looks are in it.
create or replace function archived_before(vrsta text) returns date language sql stable as $$
    select (max(f.mesec) + interval '1 month')::date from archive_file f
     where (f.vrsta = archived_before.vrsta or f.vrsta = 'uvidi' and archived_before.vrsta = 'dnevnik') and f.vraceno_at is null
$$;

revoke execute on function month_start, archivable_log, archivable_of_log, archivable_values, archivable_records, archivable_months, archivable_rows, remove_archived,
    read_back, drop_empty_partitions, archived_before from public;
grant execute on function archived_before to regix_app;
