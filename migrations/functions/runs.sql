-- What follows from a change of a run, a schedule or a delivery, and what is forgotten of them.

-- Live updates are hints: {"radnik", "vrsta", "id", "seq"} on one channel; the screen then reads the truth.
create or replace function report_announce() returns trigger language plpgsql as $$
declare
    worker_id bigint;
    kind text := case tg_table_name when 'report_schedule' then 'zakazivanje' else 'izvestaj' end;
    thing text;
begin
    if tg_table_name in ('report_delivery', 'report_recipient') then
        -- A weekly letter is nobody's report.
        if new.run_id is null then return null; end if;
        select radnik_id into worker_id from report_run where id = new.run_id;
        thing := new.run_id::text;
    else
        worker_id := new.radnik_id;
        thing := new.id::text;
    end if;
    perform pg_notify('regix_izvestaji', json_build_object('radnik', worker_id, 'vrsta', kind, 'id', thing, 'seq', nextval('report_event_seq'))::text);
    return null;
end
$$;

create or replace trigger report_run_announce after insert or update of status, stage, rows_done, ekran_pocetak, cancel_requested_at, deleted_at, expires_at on report_run
    for each row execute function report_announce();

-- A run that is read on the screen is left by an engine that does not know of it, whoever inserts it.
create or replace function report_run_needs() returns trigger language plpgsql as $$
begin
    new.needs := greatest(new.needs, 7);
    return new;
end
$$;

create or replace trigger report_run_needs before insert on report_run for each row
    when ('EKRAN' = any (new.formati)) execute function report_run_needs();

-- A run of a board is of engines that know boards: those before would make of it what its report is without its tiles.
create or replace function report_run_needs_boards() returns trigger language plpgsql as $$
begin
    if exists (select from report where id = new.izvestaj_id and tabla is not null) then
        new.needs := greatest(new.needs, 8);
    end if;
    return new;
end
$$;

create or replace trigger report_run_needs_boards before insert on report_run for each row
    when (new.izvestaj_id is not null) execute function report_run_needs_boards();

-- The first lines of a run are there while it is under way; afterwards its file has them, or nothing has.
create or replace function report_run_drop_start() returns trigger language plpgsql as $$
begin
    new.ekran_pocetak := null;
    return new;
end
$$;

create or replace trigger report_run_drop_start before update of status on report_run for each row
    when (new.status <> 'running' and new.ekran_pocetak is not null) execute function report_run_drop_start();

create or replace trigger report_schedule_announce after insert or update on report_schedule for each row execute function report_announce();

create or replace trigger report_delivery_announce after insert or update of status on report_delivery for each row execute function report_announce();

create or replace trigger report_recipient_announce after update of otvaranja on report_recipient for each row execute function report_announce();

-- The workers who belong to an institution with this one.
create or replace function colleagues_of(radnik bigint) returns table (radnik_id bigint) language sql stable set search_path = public, pg_temp as $$
    select distinct m.radnik_id from institution u cross join lateral members_of(u.id) m where works_at(radnik, u.id)
$$;

-- Whom a report of this worker reaches now: what was typed, the chosen workers who are still there, and the members of the chosen
-- groups, each address once. Who is not active, has no address or has left is not among them.
create or replace function recipients_of(narucilac bigint, emails text[], radnici bigint[], grupe bigint[])
    returns table (adresa text, radnik_id bigint) language sql stable set search_path = public, pg_temp as $$
    with chosen as (
        select g.*, c.n * 10000 as place from unnest(grupe) with ordinality c (id, n) join recipient_group g on g.id = c.id
         where g.aktivan and (g.ustanova_id is null or works_at(narucilac, g.ustanova_id))),
    named as (
        select 1 as kind, e.n as place, btrim(e.adresa) as adresa, null::bigint as radnik from unnest(emails) with ordinality e (adresa, n)
        union all
        select 2, array_position(radnici, w.id), btrim(w.email), w.id from worker w
         where w.id = any (radnici) and w.id in (select c.radnik_id from colleagues_of(narucilac) c)
        union all
        select 3, g.place + e.n, btrim(e.adresa), null from chosen g, unnest(g.emails) with ordinality e (adresa, n)
        union all
        select 4, g.place + array_position(g.radnici, w.id), btrim(w.email), w.id from chosen g join worker w on w.id = any (g.radnici)
         where w.aktivan and (g.ustanova_id is null or works_at(w.id, g.ustanova_id))),
    numbered as (
        select n.adresa, n.radnik, row_number() over (order by n.kind, n.place) as place from named n where n.adresa <> '')
    select (array_agg(n.adresa order by n.place))[1], (array_agg(n.radnik order by n.place) filter (where n.radnik is not null))[1]
      from numbered n group by lower(n.adresa) order by min(n.place)
$$;

revoke execute on function colleagues_of, recipients_of from public;
grant execute on function colleagues_of, recipients_of to regix_app;

-- A cancelled run wakes the engine that holds it.
create or replace function report_run_cancel_wake() returns trigger language plpgsql as $$
begin
    perform pg_notify('regix_otkazi', new.id::text);
    return null;
end
$$;

create or replace trigger report_run_cancel_wake after update of cancel_requested_at on report_run for each row
    when (old.cancel_requested_at is null and new.cancel_requested_at is not null) execute function report_run_cancel_wake();

-- Of several fires that one look ended alike, the first is told.
create or replace function is_first_told(run report_run, suffix text) returns boolean language sql stable as $$
    select run.status = 'failed' or not exists (
        select from report_run o join report_delivery d on d.run_id = o.id and d.message_id like '%' || suffix
         where o.zakazivanje_id = run.zakazivanje_id and o.status = run.status and o.created_at = run.created_at and o.id <> run.id)
$$;

-- The owner of a schedule learns of a fire that made no report, whoever ended it: by a mail of the ordinary queue where her
-- account has an address, and by a mark until she has looked. Those whom the report would have reached learn that it does not come.
-- Each once, though an operator may have let it begin again.
create or replace function report_run_tell_owner() returns trigger language plpgsql as $$
declare
    owner text := (select btrim(w.email) from worker w where w.id = new.radnik_id and w.aktivan and btrim(w.email) <> '');
    number text := replace(new.id::text, '-', '');
begin
    if owner is not null and is_first_told(new, '.vlasnik@regix>')
        and not exists (select from report_delivery d where d.run_id = new.id and d.message_id like '%.vlasnik@regix>') then
        insert into report_delivery (run_id, address, message_id) values (new.id, owner, '<' || number || '.vlasnik@regix>')
        on conflict (run_id, address, redni_broj) do nothing;
    end if;
    if is_first_told(new, '.primalac@regix>')
        and not exists (select from report_delivery d where d.run_id = new.id and d.message_id like '%.primalac@regix>') then
        insert into report_delivery (run_id, address, message_id)
        select new.id, e.adresa, '<' || number || '.' || left(encode(sha256(convert_to(lower(e.adresa), 'UTF8')), 'hex'), 16) || '.primalac@regix>'
          from unnest(new.emails) e (adresa) where lower(e.adresa) is distinct from lower(owner)
        on conflict (run_id, address, redni_broj) do nothing;
    end if;
    return null;
end
$$;

create or replace trigger report_run_tell_owner after insert or update of status on report_run for each row
    when (new.zakazivanje_id is not null and new.status in ('failed', 'missed', 'skipped_overlap', 'skipped_unauthorised', 'skipped_paused', 'skipped_ended'))
    execute function report_run_tell_owner();

-- Whether a process that has fallen silent is missed by nobody: another of its kind began on its machine since.
create or replace function is_replaced(process_id text) returns boolean language sql stable as $$
    select exists (select from process p join process later on later.kind = p.kind and later.host = p.host and later.started_at > p.seen_at
                    where p.id = process_id and p.seen_at < clock_timestamp() - interval '30 seconds')
$$;

revoke execute on function is_first_told, is_replaced from public;
grant execute on function is_first_told, is_replaced to regix_app;

-- What the maintenance area asks for reaches every process at once.
create or replace function maintenance_wake() returns trigger language plpgsql as $$
begin
    perform pg_notify('regix_odrzavanje', json_build_object('vrsta', new.vrsta, 'cilj', new.cilj)::text);
    return null;
end
$$;

create or replace trigger maintenance_wake after insert on maintenance_request for each row execute function maintenance_wake();

-- Forgets runs older than 400 days whose files are gone, and schedules that ended then, at most `batch` of each. The
-- application itself may delete neither.
create or replace function purge_runs(batch int) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
    old uuid[];
begin
    select array_agg(id) into old from (
        select r.id from report_run r
         where r.created_at < now() - interval '400 days' and r.status not in ('queued', 'running')
           and not exists (select from report_artifact a where a.run_id = r.id)
         order by r.created_at limit batch for update skip locked) oldest;
    delete from report_delivery where run_id = any (old);
    delete from report_recipient where run_id = any (old);
    with gone as (delete from report_run where id = any (old) returning izvoz_id)
    delete from data_export where id in (select izvoz_id from gone where izvoz_id is not null);
    delete from report_schedule s
     where s.id in (select e.id from report_schedule e
                     where not e.aktivan and e.vreme_poslednje_izmene < now() - interval '400 days'
                       and not exists (select from report_run r where r.zakazivanje_id = e.id)
                     limit batch for update skip locked);
    return coalesce(cardinality(old), 0);
end
$$;

revoke execute on function purge_runs from public;
grant execute on function purge_runs to regix_app;
