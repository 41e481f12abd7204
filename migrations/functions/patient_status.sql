-- The statuses of patients: which rows hold, what is refused of a new one, and what follows from it.

-- Rows that hold: neither corrected nor taken back.
create or replace view status_in_force as
    select s.* from patient_status s
     where not s.ponisten and not exists (select from patient_status later where later.ispravlja_id = s.id);

-- The day on which the patient died; none: no death is recorded, or it was taken back. Of two (two records that were merged) the last one told.
create or replace function death_day(pacijent bigint) returns date language sql stable set search_path = public, pg_temp as $$
    select s.dan from status_in_force s where s.pacijent_id = pacijent and s.status = 'preminuo' order by s.id desc limit 1
$$;

-- What holds of a patient in a register: a death before anything else, then what was recorded for the latest day.
create or replace function status_at(pacijent bigint, registar bigint) returns table (status text, dan date)
    language sql stable set search_path = public, pg_temp as $$
    select s.status, s.dan from status_in_force s
     where s.pacijent_id = pacijent and (s.registar_id is null or s.registar_id = registar)
     order by s.status = 'preminuo' desc, s.dan desc, s.id desc limit 1
$$;

-- The day lies between birth and today, a patient dies once, and a correction stands for a row of the same kind. The patient's row is held: an
-- entry that is being written at this moment waits, and so does another status.
create or replace function patient_status_fits() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    birth date;
    before patient_status;
begin
    select datum_rodjenja into birth from patient where id = new.pacijent_id for update;
    if new.dan > today() then
        raise exception 'the status lies in the future' using errcode = 'check_violation', constraint = 'patient_status_dan_to_today';
    end if;
    if new.dan < birth then
        raise exception 'the status lies before the birth' using errcode = 'check_violation', constraint = 'patient_status_dan_from_birth';
    end if;
    if new.ispravlja_id is not null then
        select * into before from patient_status where id = new.ispravlja_id;
        if (before.pacijent_id, before.status) is distinct from (new.pacijent_id, new.status)
           or before.registar_id is distinct from new.registar_id or before.ponisten then
            raise exception 'a correction stands for a row of its kind' using errcode = 'check_violation', constraint = 'patient_status_corrects_its_kind';
        end if;
    end if;
    if new.status = 'preminuo' and not new.ponisten
       and exists (select from status_in_force s where s.pacijent_id = new.pacijent_id and s.status = 'preminuo'
                                                   and s.id is distinct from new.ispravlja_id) then
        raise exception 'the death is recorded already' using errcode = 'unique_violation', constraint = 'patient_status_one_death';
    end if;
    return new;
end
$$;

create or replace trigger patient_status_fits before insert on patient_status for each row execute function patient_status_fits();

-- What the search reads beside the order of a register.
create or replace function refresh_status(patient bigint, reg bigint default null) returns void language sql security definer
    set search_path = public, pg_temp as $$
    update patient_register r set status = coalesce(a.status, 'aktivan'), status_dan = a.dan
      from (select x.registar_id, s.status, s.dan from patient_register x left join lateral status_at(x.pacijent_id, x.registar_id) s on true
             where x.pacijent_id = patient and (reg is null or x.registar_id = reg)) a
     where r.pacijent_id = patient and r.registar_id = a.registar_id
       and (r.status, r.status_dan) is distinct from (coalesce(a.status, 'aktivan'), a.dan)
$$;

create or replace function patient_status_follows() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform refresh_status(new.pacijent_id, new.registar_id);
    -- One that was moved to another record of the same person.
    if tg_op = 'UPDATE' and old.pacijent_id <> new.pacijent_id then
        perform refresh_status(old.pacijent_id, old.registar_id);
    end if;
    return null;
end
$$;

create or replace trigger patient_status_follows after insert or update on patient_status for each row execute function patient_status_follows();

-- No entry is written of a day after the death, whatever the route; one that was brought back is written too. The statement that asks comes after
-- the patient's row is held, so that a death that is being recorded is seen.
create or replace function entry_to_death() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from patient where id = new.pacijent_id for share;
    if new.datum_unosa > death_day(new.pacijent_id) then
        raise exception 'the examination lies after the death' using errcode = 'check_violation', constraint = 'entry_datum_unosa_to_death';
    end if;
    return new;
end
$$;

create or replace trigger entry_to_death before insert on entry for each row execute function entry_to_death();
create or replace trigger entry_to_death_moved before update on entry for each row
    when (old.datum_unosa is distinct from new.datum_unosa or not old.aktivan and new.aktivan) execute function entry_to_death();

-- A birth date is not moved behind a day on which something became of the patient.
create or replace function patient_birth_to_status() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if exists (select from status_in_force s where s.pacijent_id = new.id and s.dan < new.datum_rodjenja) then
        raise exception 'a status lies before the birth' using errcode = 'check_violation', constraint = 'patient_datum_rodjenja_to_status';
    end if;
    return new;
end
$$;

create or replace trigger patient_birth_to_status before update on patient for each row when (new.datum_rodjenja > old.datum_rodjenja)
    execute function patient_birth_to_status();

revoke execute on function death_day, status_at, patient_status_fits, refresh_status, patient_status_follows, entry_to_death, patient_birth_to_status
    from public;
grant execute on function death_day, status_at to regix_app;
