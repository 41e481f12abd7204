-- What follows from a change of a patient: the history, the words of names, and what stands beside the order of registers.

-- The record as it was, whole, until now.
create or replace function patient_keep_history() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if to_jsonb(old) - '{verzija,vreme_poslednje_izmene}'::text[] is distinct from to_jsonb(new) - '{verzija,vreme_poslednje_izmene}'::text[] then
        insert into patient_history (pacijent_id, radnik_id, slog)
        values (old.id, acting_worker(), to_jsonb(old) - '{ime_f,prezime_f}'::text[]);
    end if;
    return null;
end
$$;

create or replace trigger patient_history after update on patient for each row execute function patient_keep_history();

-- A birth date is not moved behind an examination.
create or replace function patient_birth() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if exists (select from entry e where e.pacijent_id = new.id and e.aktivan and e.datum_unosa < new.datum_rodjenja) then
        raise exception 'an examination lies before the birth' using errcode = 'check_violation', constraint = 'patient_datum_rodjenja_to_entries';
    end if;
    return new;
end
$$;

create or replace trigger patient_birth before update on patient for each row when (new.datum_rodjenja > old.datum_rodjenja) execute function patient_birth();

-- Registers a patient, before any entry. A name that is being changed is waited for: its trigger does not see the row that is made here.
create or replace function register_patient(patient bigint, reg bigint) returns void language sql security definer
    set search_path = public, pg_temp as $$
    insert into patient_register (pacijent_id, registar_id, ime_f, prezime_f, datum_rodjenja, pol_trenutni, status, status_dan, za_istrazivanje)
    select p.id, reg, p.ime_f, p.prezime_f, p.datum_rodjenja, p.pol_trenutni, coalesce(s.status, 'aktivan'), s.dan,
           coalesce(consents(p.id, reg, 'istrazivanje'), true)
      from patient p left join lateral status_at(p.id, reg) s on true
     where p.id = patient and not exists (select from patient_register r where r.pacijent_id = patient and r.registar_id = reg)
       for share of p
        on conflict do nothing
$$;

-- Whether two may be one person whom somebody wrote twice: names that differ by a letter or stand the other way round, and a birth date
-- that is the same, a day off, or has day and month swapped. Names are folded.
create or replace function names_alike(ime_a text, prezime_a text, ime_b text, prezime_b text) returns boolean
    language sql immutable parallel safe as $$
    select greatest(similarity(prezime_a || ' ' || ime_a, prezime_b || ' ' || ime_b),
                    similarity(ime_a || ' ' || prezime_a, prezime_b || ' ' || ime_b)) > 0.55
$$;

create or replace function near_dates(born date) returns date[] language sql immutable parallel safe as $$
    select array[born, born - 1, born + 1,
                 case when extract(day from born) <= 12
                      then make_date(extract(year from born)::int, extract(day from born)::int, extract(month from born)::int) end]
$$;

-- A window of the search is read from patient_register alone.
create or replace function patient_refresh_registers() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update patient_register set ime_f = new.ime_f, prezime_f = new.prezime_f, datum_rodjenja = new.datum_rodjenja, pol_trenutni = new.pol_trenutni
     where pacijent_id = new.id;
    return null;
end
$$;

create or replace trigger patient_refresh_registers after update on patient for each row
    when ((old.ime_f, old.prezime_f, old.datum_rodjenja, old.pol_trenutni)
          is distinct from (new.ime_f, new.prezime_f, new.datum_rodjenja, new.pol_trenutni))
    execute function patient_refresh_registers();

-- A word stays when nobody has it any more: nobody waits for another's name.
create or replace function patient_name_words() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into name_word (rec)
    select word from name_words(new.ime_f, new.prezime_f) word where not exists (select from name_word k where k.rec = word);
    return null;
end
$$;

create or replace trigger patient_name_words after insert on patient for each row execute function patient_name_words();

create or replace trigger patient_name_words_changed after update on patient for each row
    when ((old.ime_f, old.prezime_f) is distinct from (new.ime_f, new.prezime_f)) execute function patient_name_words();

revoke execute on function patient_keep_history, patient_birth, register_patient, patient_refresh_registers, patient_name_words from public;
grant execute on function register_patient to regix_app;
