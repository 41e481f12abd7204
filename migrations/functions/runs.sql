-- What follows from a change of a run, a schedule or a delivery, and what is forgotten of them.

-- Live updates are hints: {"radnik", "vrsta", "id", "seq"} on one channel; the screen then reads the truth.
create or replace function report_announce() returns trigger language plpgsql as $$
declare
    worker_id bigint;
    kind text := case tg_table_name when 'report_schedule' then 'zakazivanje' else 'izvestaj' end;
    thing text;
begin
    if tg_table_name = 'report_delivery' then
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

create or replace trigger report_run_announce after insert or update of status, stage, rows_done, cancel_requested_at, deleted_at, expires_at on report_run
    for each row execute function report_announce();

create or replace trigger report_schedule_announce after insert or update on report_schedule for each row execute function report_announce();

create or replace trigger report_delivery_announce after insert or update of status on report_delivery for each row execute function report_announce();

-- A cancelled run wakes the engine that holds it.
create or replace function report_run_cancel_wake() returns trigger language plpgsql as $$
begin
    perform pg_notify('regix_otkazi', new.id::text);
    return null;
end
$$;

create or replace trigger report_run_cancel_wake after update of cancel_requested_at on report_run for each row
    when (old.cancel_requested_at is null and new.cancel_requested_at is not null) execute function report_run_cancel_wake();

-- The owner of a schedule learns of a fire that made no report, whoever ended it: by a mail of the ordinary queue where her
-- account has an address, and by a mark until she has looked. Of several fires that one look found missed, the first is told.
create or replace function report_run_tell_owner() returns trigger language plpgsql as $$
begin
    insert into report_delivery (run_id, address, message_id)
    select new.id, btrim(w.email), '<' || replace(new.id::text, '-', '') || '.vlasnik@regix>'
      from worker w
     where w.id = new.radnik_id and w.aktivan and btrim(w.email) <> ''
       and (new.status = 'failed' or not exists (
               select from report_run o join report_delivery d on d.run_id = o.id
                where o.zakazivanje_id = new.zakazivanje_id and o.status = new.status and o.created_at = new.created_at and o.id <> new.id))
    on conflict (run_id, address) do nothing;
    return null;
end
$$;

create or replace trigger report_run_tell_owner after insert or update of status on report_run for each row
    when (new.zakazivanje_id is not null and new.status in ('failed', 'missed', 'skipped_overlap', 'skipped_unauthorised', 'skipped_paused'))
    execute function report_run_tell_owner();

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
    delete from report_run where id = any (old);
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
