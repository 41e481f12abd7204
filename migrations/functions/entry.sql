-- What follows from a change of an entry: its days, its projection for the search, the first and last of a register, the history.

-- By the clock of Belgrade.
create or replace function today() returns date language sql stable parallel safe as $$
    select (now() at time zone 'Europe/Belgrade')::date
$$;

-- The day of an examination lies between the patient's birth and today. The patient's row is held until the entry is written: a birth date that is being changed is waited for.
-- So is a merge: what is written of a record that is gone by then is written of the one that is left.
create or replace function entry_dates() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    birth date;
    other bigint;
begin
    if tg_op = 'INSERT' then
        loop
            select spojen_u_id into other from patient where id = new.pacijent_id for share;
            exit when other is null;
            new.pacijent_id := other;
        end loop;
    end if;
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

create or replace trigger entry_dates before insert on entry for each row execute function entry_dates();

-- An entry from before this rule may be corrected without its day.
create or replace trigger entry_dates_moved before update on entry for each row when (old.datum_unosa is distinct from new.datum_unosa)
    execute function entry_dates();

-- Whether a form has sections that repeat.
create or replace function has_sections(forma bigint) returns boolean language sql stable as $$
    select exists (select from form_field s where s.tip_skupa_atributa_id = forma and s.ponavlja_se)
$$;

-- What the rows of an entry's sections hold, cell by cell; `red` counts the rows of a section from 1.
create or replace function row_cells(forma bigint, vrednosti jsonb)
    returns table (sekcija_id bigint, red bigint, polje_id bigint, tip smallint, pretrazuje_se boolean, val jsonb) language sql stable as $$
    select s.id, r.red, f.id, t.tip_vrednosti_atributa, f.pretrazuje_se, r.slog -> 'v' -> f.id::text
      from form_field s
      cross join lateral jsonb_array_elements(case jsonb_typeof(vrednosti -> s.id::text) when 'array' then vrednosti -> s.id::text else '[]' end)
          with ordinality r (slog, red)
      join form_field f on f.nadredjeni_atribut_u_tipu_skupa_id = s.id and r.slog -> 'v' ? f.id::text
      join attribute_type t on t.id = f.tip_atributa_id
     where s.tip_skupa_atributa_id = forma and s.ponavlja_se
$$;

-- The names of the files that a value names; null where there are none.
create or replace function file_names(vrednost jsonb) returns text language sql immutable parallel safe as $$
    select string_agg(f.fajl ->> 'naziv', ', ' order by f.n)
      from jsonb_array_elements(case jsonb_typeof(vrednost) when 'array' then vrednost else '[]' end) with ordinality f (fajl, n)
$$;

-- The numbers by which a value is searched: a choice is 0 or 1, a set the ids of its items, a date its days since 1970-01-01, a time its
-- minutes since midnight, a moment its minutes since 1970-01-01 by the wall clock (domain/src/clock.rs).
create or replace function value_numbers(tip smallint, val jsonb) returns setof double precision language sql stable as $$
    select case when jsonb_typeof(val) = 'boolean' then val::boolean::int::float8 end where tip = type_number('izborni')
    union all
    select (val #>> '{}')::float8 where tip = type_number('brojni') and jsonb_typeof(val) = 'number'
    union all
    select item::float8 from jsonb_array_elements_text(case when jsonb_typeof(val) = 'array' then val else '[]' end) item
     where tip = type_number('skupovni')
    union all
    select ((val #>> '{}')::date - date '1970-01-01')::float8
     where tip = type_number('datumski') and jsonb_typeof(val) = 'string' and val <> '""'
    union all
    select extract(epoch from (val #>> '{}')::time)::float8 / 60
     where tip = type_number('vreme') and jsonb_typeof(val) = 'string' and val <> '""'
    union all
    select extract(epoch from (val #>> '{}')::timestamp)::float8 / 60
     where tip = type_number('datumvreme') and jsonb_typeof(val) = 'string' and val <> '""'
$$;

-- Projects an entry, or some of its fields, that has no projection yet.
create or replace function write_projection(e entry, fields text[]) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
begin
    insert into value_num (pacijent_id, unos_id, vrednost, datum_unosa, polje_id, ustanova_id)
    select e.pacijent_id, e.id, v.num, e.datum_unosa, f.id, e.ustanova_id
      from form_field f
      join attribute_type t on t.id = f.tip_atributa_id
      cross join lateral value_numbers(t.tip_vrednosti_atributa, e.vrednosti -> f.id::text) v (num)
     where f.tip_skupa_atributa_id = e.tsa_id and f.pretrazuje_se and projects_number(t.tip_vrednosti_atributa)
       and v.num is not null and (fields is null or f.id::text = any (fields));
    insert into value_text (pacijent_id, unos_id, polje_id, vrednost_f)
    select e.pacijent_id, e.id, f.id, fold(e.vrednosti ->> f.id::text)
      from form_field f
      join attribute_type t on t.id = f.tip_atributa_id
     where f.tip_skupa_atributa_id = e.tsa_id and f.pretrazuje_se and t.tip_vrednosti_atributa = type_number('tekstualni')
       and coalesce(e.vrednosti ->> f.id::text, '') <> '' and (fields is null or f.id::text = any (fields));
    -- Files are found by their names.
    insert into value_text (pacijent_id, unos_id, polje_id, vrednost_f)
    select e.pacijent_id, e.id, f.id, fold(file_names(e.vrednosti -> f.id::text))
      from form_field f
      join attribute_type t on t.id = f.tip_atributa_id
     where f.tip_skupa_atributa_id = e.tsa_id and f.pretrazuje_se and t.tip_vrednosti_atributa = type_number('fajl')
       and file_names(e.vrednosti -> f.id::text) is not null and (fields is null or f.id::text = any (fields));
end
$$;

-- The same of the fields in sections that repeat: a value of each row.
create or replace function write_row_projection(e entry, fields text[]) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
begin
    insert into value_num (pacijent_id, unos_id, vrednost, datum_unosa, polje_id, ustanova_id)
    select distinct e.pacijent_id, e.id, v.num, e.datum_unosa, c.polje_id, e.ustanova_id
      from row_cells(e.tsa_id, e.vrednosti) c
      cross join lateral value_numbers(c.tip, c.val) v (num)
     where c.pretrazuje_se and projects_number(c.tip) and v.num is not null and (fields is null or c.polje_id::text = any (fields));
    insert into value_text (pacijent_id, unos_id, polje_id, vrednost_f)
    select distinct e.pacijent_id, e.id, c.polje_id, fold(c.val #>> '{}')
      from row_cells(e.tsa_id, e.vrednosti) c
     where c.pretrazuje_se and c.tip = type_number('tekstualni') and coalesce(c.val #>> '{}', '') <> ''
       and (fields is null or c.polje_id::text = any (fields));
end
$$;

-- Writes the projection of one entry for the given fields (null: all), as its form's searchable fields ask.
create or replace function project_entry(e entry, fields text[] default null) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
declare
    sections boolean := has_sections(e.tsa_id);
begin
    -- A section that was changed is a change of all of its columns.
    if sections and fields is not null then
        fields := fields || array(select c.id::text from form_field c
                                   where c.tip_skupa_atributa_id = e.tsa_id and c.nadredjeni_atribut_u_tipu_skupa_id::text = any (fields));
    end if;
    delete from value_num where unos_id = e.id and (fields is null or polje_id::text = any (fields));
    delete from value_text where unos_id = e.id and (fields is null or polje_id::text = any (fields));
    if e.aktivan then
        perform write_projection(e, fields);
        if sections then perform write_row_projection(e, fields); end if;
    end if;
end
$$;

-- First and last entry of a patient in a register, counted anew. An entry of a day to come, written before there was a rule, is the
-- last one only when its day has come.
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

-- A new entry is counted, and the first or last of its register where it is; nothing of the patient's other entries is read. What
-- changes later is counted anew (refresh_patient_register): no one statement may both insert and change entries of a patient.
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

-- Entries whose day has come become the last ones of their registers; the scheduler calls it.
create or replace function refresh_arrived_entries() returns bigint language sql security definer set search_path = public, pg_temp as $$
    select count(*) from (
        select refresh_patient_register(a.pacijent_id, a.registar_id)
          from (select distinct e.pacijent_id, e.registar_id
                  from entry e join patient_register r on r.pacijent_id = e.pacijent_id and r.registar_id = e.registar_id
                 where e.aktivan and e.datum_unosa > (e.datum_kreiranja at time zone 'Europe/Belgrade')::date and e.datum_unosa <= today()
                   and (r.poslednji_unos_id is null or (e.datum_unosa, e.id) > (r.poslednji_unos_datum, r.poslednji_unos_id))) a
         offset 0) refreshed
$$;

-- The recomputation that the transaction belongs to; none: a person's change.
create or replace function recomputing() returns bigint language sql stable as $$
    select nullif(current_setting('app.recomputation', true), '')::bigint
$$;

-- Whether the transaction computes results anew that are made of another form's entry; none of it is a person's change.
create or replace function following() returns boolean language sql stable as $$
    select coalesce(current_setting('app.following', true), '') <> ''
$$;

-- Who changed the entry and when, and the version that the next edit must carry. A recomputation corrects nothing that anybody has
-- entered: the last change stays the person's, and so does the day by which formulas that ask for today are computed.
create or replace function entry_before() returns trigger language plpgsql as $$
begin
    if new.pacijent_id <> old.pacijent_id then
        -- Merging gives the entry to another record of the same person (merge.sql): of the entry itself nothing changes.
        if current_user = 'regix_app' then
            raise exception 'an entry stays with its patient' using errcode = 'insufficient_privilege';
        end if;
        return new;
    end if;
    new.verzija := old.verzija + 1;
    if recomputing() is null and not following() then
        new.radnik_izmenio_id := acting_worker();
        new.datum_izmene := clock_timestamp();
    end if;
    return new;
end
$$;

create or replace trigger entry_before before update on entry for each row execute function entry_before();

-- History, audit, projection and first/last entry for every write of an entry, whoever makes it.
create or replace function entry_after() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    who bigint := acting_worker();
    before jsonb := case when tg_op = 'UPDATE' then old.vrednosti else '{}' end;
    changed text[];
    -- One save is one moment: its values end together.
    moment timestamptz := clock_timestamp();
    job bigint := recomputing();
    deed text := case when tg_op = 'INSERT' then 'kreiranje' when old.aktivan and not new.aktivan then 'brisanje'
                      when job is not null or following() then 'preračunavanje' else 'izmena' end;
begin
    -- A merge tells of itself, and counts and projects what it has moved.
    if tg_op = 'UPDATE' and new.pacijent_id <> old.pacijent_id then return null; end if;
    select coalesce(array_agg(k), '{}') into changed
      from (select jsonb_object_keys(before || new.vrednosti) as k) keys
     where before -> k is distinct from new.vrednosti -> k;
    if tg_op = 'UPDATE' then
        -- A value begins where the one before it ended. The months before the entry was made are not looked at, and none is
        -- before its first change.
        insert into value_history (vreme_prestanka_vazenja, pacijent_id, unos_id, polje_id, vrednost, vreme_kreiranja, radnik_id, uneto_u)
        select moment, old.pacijent_id, old.id, k::bigint, old.vrednosti -> k, coalesce(h.vreme, old.datum_kreiranja), who, old.uneto_u -> k
          from unnest(changed) k
          left join (select polje_id, max(vreme_prestanka_vazenja) as vreme from value_history
                      where old.verzija > 1 and unos_id = old.id and polje_id::text = any (changed)
                        and vreme_prestanka_vazenja >= old.datum_kreiranja group by polje_id) h on h.polje_id = k::bigint;
    end if;
    insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id, polja)
    values (who, 'entry', deed, new.id::text, new.pacijent_id,
            (select coalesce(jsonb_agg(jsonb_build_object('naziv', coalesce(f.naziv, k), 'polje', k, 'stara', before -> k, 'nova', new.vrednosti -> k)), '[]')
               from unnest(changed) k left join form_field f on f.id::text = k)
            || case when tg_op = 'UPDATE' and (old.datum_unosa, old.radnik_odgovoran_id) is distinct from (new.datum_unosa, new.radnik_odgovoran_id)
                    then jsonb_build_array(
                        jsonb_build_object('naziv', 'datum_unosa', 'stara', old.datum_unosa, 'nova', new.datum_unosa),
                        jsonb_build_object('naziv', 'radnik_odgovoran_id', 'stara', old.radnik_odgovoran_id, 'nova', new.radnik_odgovoran_id))
                    else '[]' end
            || case when tg_op = 'UPDATE' and old.form_version_id <> new.form_version_id
                    then (select jsonb_build_array(jsonb_build_object('naziv', 'verzija_obrasca', 'stara', was.broj, 'nova', now.broj))
                            from form_version was, form_version now where was.id = old.form_version_id and now.id = new.form_version_id)
                    else '[]' end);
    if tg_op = 'UPDATE' and old.form_version_id <> new.form_version_id then
        insert into entry_version_history (unos_id, form_version_id, vreme_prestanka_vazenja, radnik_id)
        values (old.id, old.form_version_id, moment, who);
    end if;
    if tg_op = 'UPDATE' and job is not null then
        -- Nothing passes for a recomputation but what an engine does for one that is under way.
        perform from recomputation r where r.id = job and r.form_id = new.tsa_id and r.form_version_id = new.form_version_id and r.status = 'running';
        if not found then
            raise exception 'no recomputation of this form is under way' using errcode = 'insufficient_privilege';
        end if;
        insert into recomputation_entry (preracunavanje_id, unos_id, ishod, form_version_id, vreme)
        values (job, old.id, case when changed <> '{}' then 'promenjen' else 'preveden' end, old.form_version_id, moment);
    end if;
    if tg_op = 'UPDATE' and job is null and following() then
        -- Nothing passes for it but results.
        if (old.datum_unosa, old.ustanova_id, old.radnik_odgovoran_id, old.aktivan, old.form_version_id)
            is distinct from (new.datum_unosa, new.ustanova_id, new.radnik_odgovoran_id, new.aktivan, new.form_version_id)
           or exists (select from form_version v cross join jsonb_array_elements(v.opis -> 'polja') p (polje)
                       where v.id = new.form_version_id and p.polje ->> 'id' = any (changed)
                         and p.polje -> 'formulaZaRacunanje' is null and p.polje -> 'najviseRedova' is null) then
            raise exception 'nothing but results follows another form' using errcode = 'insufficient_privilege';
        end if;
        insert into entry_following (unos_id, vreme) values (old.id, moment);
    end if;
    if tg_op = 'INSERT' then
        if new.aktivan then
            perform write_projection(new, null);
            if has_sections(new.tsa_id) then perform write_row_projection(new, null); end if;
        end if;
        perform count_entry(new);
    elsif old.aktivan is distinct from new.aktivan or old.datum_unosa <> new.datum_unosa or old.ustanova_id <> new.ustanova_id then
        perform project_entry(new);
        perform refresh_patient_register(new.pacijent_id, new.registar_id);
    elsif changed <> '{}' then
        perform project_entry(new, changed);
    end if;
    return null;
end
$$;

create or replace trigger entry_after after insert or update on entry for each row execute function entry_after();

-- Whether a form of the register reads another one.
create or replace function reads_other_forms(registar bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from form f where f.registar_id = registar and f.aktivan
                      and exists (select from form_field_read n where n.form_id = f.id and strpos(n.sifra, '.') > 0))
$$;

-- What reads the entry is computed anew by whoever writes it, or soon after by the scheduler.
create or replace function entry_follow_due() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if following() then return null; end if;
    insert into follow_due (pacijent_id, registar_id)
    select p.id, new.registar_id from (select new.pacijent_id union select case when tg_op = 'UPDATE' then old.pacijent_id end) p (id)
     where p.id is not null and reads_other_forms(new.registar_id)
        -- The row is held until this is committed: whoever takes it reads what was written.
        on conflict (pacijent_id, registar_id) do update set pacijent_id = excluded.pacijent_id;
    return null;
end
$$;

create or replace trigger entry_follow_due after insert or update on entry for each row execute function entry_follow_due();

-- Another value is another result, or was entered in today's unit: the marks that the entry's version already knew of go. Those that
-- came after it speak of a later configuration, which gives the new value otherwise too, or may; but what was taken out is in no unit.
create or replace function entry_value_is_new() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    made timestamptz := (select napravljena from form_version where id = new.form_version_id);
begin
    delete from stale_result s
     where s.unos_id = new.id and old.vrednosti -> s.polje_id::text is distinct from new.vrednosti -> s.polje_id::text
       and (s.vreme <= made or s.razlog = 'drugi_formular' or s.razlog = 'jedinica' and not new.vrednosti ? s.polje_id::text);
    update stale_result s set razlog = 'neprovereno'
     where s.unos_id = new.id and s.razlog = 'formula' and old.vrednosti -> s.polje_id::text is distinct from new.vrednosti -> s.polje_id::text;
    return null;
end
$$;

create or replace trigger entry_value_is_new after update of vrednosti on entry for each row
    when (old.vrednosti is distinct from new.vrednosti) execute function entry_value_is_new();

-- The visit of that patient, register, day and institution, made where there is none. Its row is held until the entry is written: whoever
-- would remove it as empty waits.
create or replace function visit_at(pacijent bigint, registar bigint, dan date, ustanova bigint, lekar bigint) returns bigint language plpgsql
    security definer set search_path = public, pg_temp as $$
declare
    there bigint;
begin
    loop
        select v.id into there from visit v
         where v.pacijent_id = pacijent and v.registar_id = registar and v.datum = dan and v.ustanova_id = ustanova for key share;
        exit when found;
        -- Of two who begin it at once, one waits here for the other.
        insert into visit (pacijent_id, registar_id, datum, ustanova_id, radnik_odgovoran_id)
        values (pacijent, registar, dan, ustanova, lekar) on conflict do nothing returning id into there;
        exit when found;
    end loop;
    return there;
end
$$;

-- Which visit an entry belongs to follows from its patient, register, day and institution, whoever writes it. Those who write entries of one
-- patient go one after the other, from here on: further on each would wait for a visit, or for the counts of the register, that the other holds.
create or replace function entry_visit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        perform pg_advisory_xact_lock(hashtextextended('visit', new.pacijent_id));
    else
        perform pg_advisory_xact_lock(hashtextextended('visit', least(old.pacijent_id, new.pacijent_id)));
        perform pg_advisory_xact_lock(hashtextextended('visit', greatest(old.pacijent_id, new.pacijent_id)));
    end if;
    new.poseta_id := visit_at(new.pacijent_id, new.registar_id, new.datum_unosa, new.ustanova_id,
                              case when new.aktivan then new.radnik_odgovoran_id end);
    return new;
end
$$;

create or replace trigger entry_visit before insert on entry for each row execute function entry_visit();
create or replace trigger entry_visit_moved before update on entry for each row
    when ((old.pacijent_id, old.registar_id, old.datum_unosa, old.ustanova_id, old.poseta_id, old.aktivan, old.radnik_odgovoran_id)
          is distinct from (new.pacijent_id, new.registar_id, new.datum_unosa, new.ustanova_id, new.poseta_id, new.aktivan, new.radnik_odgovoran_id))
    execute function entry_visit();

-- A visit's doctor is the one of its first entry that names one.
create or replace function refresh_visit(poseta bigint) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from visit v where v.id = poseta for no key update;
    update visit v set radnik_odgovoran_id = d.lekar
      from (select (select e.radnik_odgovoran_id from entry e
                     where e.poseta_id = poseta and e.aktivan and e.radnik_odgovoran_id is not null order by e.id limit 1) as lekar) d
     where v.id = poseta and v.radnik_odgovoran_id is distinct from d.lekar;
end
$$;

-- The first entry that names a doctor gives her to its visit; a visit that was left by its last entry goes.
create or replace function entry_visit_after() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        update visit set radnik_odgovoran_id = new.radnik_odgovoran_id where id = new.poseta_id and radnik_odgovoran_id is null;
        return null;
    end if;
    perform refresh_visit(new.poseta_id);
    if old.poseta_id <> new.poseta_id then
        -- Whoever joins it at this moment is waited for, and then seen.
        perform from visit v where v.id = old.poseta_id for update;
        delete from visit v where v.id = old.poseta_id and not exists (select from entry e where e.poseta_id = v.id);
        if not found then perform refresh_visit(old.poseta_id); end if;
    end if;
    return null;
end
$$;

create or replace trigger entry_visit_begun after insert on entry for each row when (new.aktivan and new.radnik_odgovoran_id is not null)
    execute function entry_visit_after();
create or replace trigger entry_visit_changed after update on entry for each row
    when ((old.poseta_id, old.radnik_odgovoran_id, old.aktivan) is distinct from (new.poseta_id, new.radnik_odgovoran_id, new.aktivan))
    execute function entry_visit_after();

-- Gives their visits to entries that have none: those from before there were visits, and those that were written past the triggers. Nothing
-- of them changes but the visit: neither versions nor histories.
create or replace procedure fill_visits() language plpgsql as $$
begin
    alter table entry disable trigger user;
    insert into visit (pacijent_id, registar_id, datum, ustanova_id, radnik_odgovoran_id, vreme_kreiranja)
    select e.pacijent_id, e.registar_id, e.datum_unosa, e.ustanova_id,
           (array_agg(e.radnik_odgovoran_id order by e.id) filter (where e.aktivan and e.radnik_odgovoran_id is not null))[1],
           min(e.datum_kreiranja)
      from entry e where e.poseta_id is null
     group by e.pacijent_id, e.registar_id, e.datum_unosa, e.ustanova_id
    on conflict do nothing;
    update entry e set poseta_id = v.id
      from visit v
     where e.poseta_id is null and v.pacijent_id = e.pacijent_id and v.registar_id = e.registar_id and v.datum = e.datum_unosa
       and v.ustanova_id = e.ustanova_id;
    alter table entry enable trigger user;
    alter table entry alter poseta_id set not null;
end
$$;

-- With the first definitions after the column was made.
do $$
begin
    if not (select a.attnotnull from pg_attribute a where a.attrelid = 'entry'::regclass and a.attname = 'poseta_id') then call fill_visits(); end if;
end
$$;

-- A field that becomes searchable gets its projection from the entries that are there; one that ceases loses it.
create or replace function form_field_reproject() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform project_entry(e, array[new.id::text]) from entry e where e.tsa_id = new.tip_skupa_atributa_id and e.aktivan;
    return null;
end
$$;

create or replace trigger form_field_reproject after update of pretrazuje_se on form_field for each row
    when (old.pretrazuje_se is distinct from new.pretrazuje_se) execute function form_field_reproject();

revoke execute on function entry_dates, file_names, write_projection, write_row_projection, project_entry, refresh_patient_register, count_entry, refresh_arrived_entries, entry_after,
    entry_value_is_new, form_field_reproject, visit_at, entry_visit, refresh_visit, entry_visit_after from public;
revoke execute on procedure fill_visits from public;
grant execute on function refresh_arrived_entries to regix_app;
