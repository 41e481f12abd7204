-- The day of an examination lies between the patient's birth and today, by the clock of Belgrade; and "poslednji" is the newest entry up
-- to today.

create function today() returns date language sql stable parallel safe as $$
    select (now() at time zone 'Europe/Belgrade')::date
$$;

-- The same for report SQL, whose role knows one schema only.
create function report.danas() returns date language sql stable parallel safe return public.today();
grant execute on function report.danas() to regix_report, regix_app;

-- The patient's row is held until the entry is written: a birth date that is being changed is waited for.
create function entry_dates() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    birth date;
begin
    if new.datum_unosa > today() then
        raise exception 'the examination lies in the future' using errcode = 'check_violation', constraint = 'entry_datum_unosa_to_today';
    end if;
    select datum_rodjenja into birth from patient where id = new.pacijent_id for share;
    if new.datum_unosa < birth then
        raise exception 'the examination lies before the birth' using errcode = 'check_violation', constraint = 'entry_datum_unosa_from_birth';
    end if;
    return new;
end
$$;
create trigger entry_dates before insert on entry for each row execute function entry_dates();
-- An entry from before this rule may be corrected without its day.
create trigger entry_dates_moved before update on entry for each row when (old.datum_unosa is distinct from new.datum_unosa)
    execute function entry_dates();

create function patient_birth() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if exists (select from entry e where e.pacijent_id = new.id and e.aktivan and e.datum_unosa < new.datum_rodjenja) then
        raise exception 'an examination lies before the birth' using errcode = 'check_violation', constraint = 'patient_datum_rodjenja_to_entries';
    end if;
    return new;
end
$$;
create trigger patient_birth before update on patient for each row when (new.datum_rodjenja > old.datum_rodjenja) execute function patient_birth();
revoke execute on function entry_dates, patient_birth from public;

-- An entry of a day to come, written before the rule, is the last one only when its day has come.
create or replace function refresh_patient_register(patient bigint, reg bigint) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
begin
    perform from patient_register where pacijent_id = patient and registar_id = reg for update;
    if not found then
        perform register_patient(patient, reg);
        perform from patient_register where pacijent_id = patient and registar_id = reg for update;
    end if;
    update patient_register pr
       set prvi_unos_id = f.id, prvi_unos_datum = f.datum_unosa, prvi_unos_tsa_id = f.tsa_id,
           poslednji_unos_id = l.id, poslednji_unos_datum = l.datum_unosa, poslednji_unos_tsa_id = l.tsa_id,
           broj_unosa = (select count(*) from entry where pacijent_id = patient and registar_id = reg and aktivan)
      from (select 1) one
      left join lateral (select id, datum_unosa, tsa_id from entry where pacijent_id = patient and registar_id = reg and aktivan
                          order by datum_unosa, id limit 1) f on true
      left join lateral (select id, datum_unosa, tsa_id from entry
                          where pacijent_id = patient and registar_id = reg and aktivan and datum_unosa <= today()
                          order by datum_unosa desc, id desc limit 1) l on true
     where pr.pacijent_id = patient and pr.registar_id = reg;
end
$$;

create or replace function count_entry(e entry) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
    is_first boolean;
    is_last boolean;
begin
    for turn in 1..2 loop
        select r.prvi_unos_id is null or (e.datum_unosa, e.id) < (r.prvi_unos_datum, r.prvi_unos_id),
               e.datum_unosa <= today() and (r.poslednji_unos_id is null or (e.datum_unosa, e.id) > (r.poslednji_unos_datum, r.poslednji_unos_id))
          into is_first, is_last
          from patient_register r where r.pacijent_id = e.pacijent_id and r.registar_id = e.registar_id for update;
        exit when found;
        perform register_patient(e.pacijent_id, e.registar_id);
    end loop;
    update patient_register r
       set broj_unosa = r.broj_unosa + 1,
           prvi_unos_id = case when is_first then e.id else r.prvi_unos_id end,
           prvi_unos_datum = case when is_first then e.datum_unosa else r.prvi_unos_datum end,
           prvi_unos_tsa_id = case when is_first then e.tsa_id else r.prvi_unos_tsa_id end,
           poslednji_unos_id = case when is_last then e.id else r.poslednji_unos_id end,
           poslednji_unos_datum = case when is_last then e.datum_unosa else r.poslednji_unos_datum end,
           poslednji_unos_tsa_id = case when is_last then e.tsa_id else r.poslednji_unos_tsa_id end
     where r.pacijent_id = e.pacijent_id and r.registar_id = e.registar_id and e.aktivan;
end
$$;

-- Entries that were written for a day to come: few, all from before the rule.
create index entry_ahead on entry (datum_unosa) where aktivan and datum_unosa > (datum_kreiranja at time zone 'Europe/Belgrade')::date;

-- Those whose day has come become the last ones of their registers; the scheduler calls it.
create function refresh_arrived_entries() returns bigint language sql security definer set search_path = public, pg_temp as $$
    select count(*) from (
        select refresh_patient_register(a.pacijent_id, a.registar_id)
          from (select distinct e.pacijent_id, e.registar_id
                  from entry e join patient_register r on r.pacijent_id = e.pacijent_id and r.registar_id = e.registar_id
                 where e.aktivan and e.datum_unosa > (e.datum_kreiranja at time zone 'Europe/Belgrade')::date and e.datum_unosa <= today()
                   and (r.poslednji_unos_id is null or (e.datum_unosa, e.id) > (r.poslednji_unos_datum, r.poslednji_unos_id))) a
         offset 0) refreshed
$$;
revoke execute on function refresh_arrived_entries from public;
grant execute on function refresh_arrived_entries to regix_app;

do $$
declare
    ahead bigint;
    before_birth bigint;
begin
    perform refresh_patient_register(a.pacijent_id, a.registar_id)
       from (select distinct pacijent_id, registar_id from entry where aktivan and datum_unosa > today()) a;
    select count(*) into ahead from entry where aktivan and datum_unosa > today();
    select count(*) into before_birth from entry e join patient p on p.id = e.pacijent_id where e.aktivan and e.datum_unosa < p.datum_rodjenja;
    if ahead + before_birth > 0 then
        raise notice 'entries dated after today: %, before the patient''s birth: %; they stay as they are and are nobody''s last entry before their day',
            ahead, before_birth;
    end if;
end
$$;
