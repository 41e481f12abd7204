-- Values of a field that are equal stand in the order of the table, not of the patients: who reads all of them then asks whether a
-- page is visible to all once a page, not once a value.
drop index value_num_driver;
create index value_num_driver on value_num (polje_id, vrednost) include (pacijent_id);

-- So do the entries of an institution. Whether it knows a patient is asked of the patient's entries.
drop index entry_ustanova;
create index entry_ustanova on entry (ustanova_id) include (pacijent_id) where aktivan;

-- Which entry of a form is a patient's newest, and the first and last of a register, are read from the index alone.
drop index entry_patient;
create index entry_patient on entry (pacijent_id, registar_id, datum_unosa, id) include (tsa_id, ustanova_id) where aktivan;

-- A new entry is counted, and the first or last of its register where it is; nothing of the patient's other entries is read. What
-- changes later is counted anew (refresh_patient_register): no one statement may both insert and change entries of a patient.
create function count_entry(e entry) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
    is_first boolean;
    is_last boolean;
begin
    for turn in 1..2 loop
        select r.prvi_unos_id is null or (e.datum_unosa, e.id) < (r.prvi_unos_datum, r.prvi_unos_id),
               r.prvi_unos_id is null or (e.datum_unosa, e.id) > (r.poslednji_unos_datum, r.poslednji_unos_id)
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

-- Projects an entry, or some of its fields, that has no projection yet.
create function write_projection(e entry, fields text[]) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
begin
    insert into value_num (pacijent_id, unos_id, vrednost, datum_unosa, polje_id, ustanova_id)
    select e.pacijent_id, e.id, v.num, e.datum_unosa, f.id, e.ustanova_id
      from form_field f
      join attribute_type t on t.id = f.tip_atributa_id
      cross join lateral (select e.vrednosti -> f.id::text as val) j
      cross join lateral (
          select case when jsonb_typeof(val) = 'boolean' then val::boolean::int::float8 end as num where t.tip_vrednosti_atributa = 1
          union all
          select (val #>> '{}')::float8 where t.tip_vrednosti_atributa = 2 and jsonb_typeof(val) = 'number'
          union all
          select item::float8 from jsonb_array_elements_text(case when jsonb_typeof(val) = 'array' then val else '[]' end) item
           where t.tip_vrednosti_atributa = 4
          union all
          select ((val #>> '{}')::date - date '1970-01-01')::float8 where t.tip_vrednosti_atributa = 5 and jsonb_typeof(val) = 'string' and val <> '""'
      ) v
     where f.tip_skupa_atributa_id = e.tsa_id and f.pretrazuje_se and t.tip_vrednosti_atributa in (1, 2, 4, 5)
       and v.num is not null and (fields is null or f.id::text = any (fields));
    insert into value_text (pacijent_id, unos_id, polje_id, vrednost_f)
    select e.pacijent_id, e.id, f.id, fold(e.vrednosti ->> f.id::text)
      from form_field f
      join attribute_type t on t.id = f.tip_atributa_id
     where f.tip_skupa_atributa_id = e.tsa_id and f.pretrazuje_se and t.tip_vrednosti_atributa = 3
       and coalesce(e.vrednosti ->> f.id::text, '') <> '' and (fields is null or f.id::text = any (fields));
end
$$;

create or replace function project_entry(e entry, fields text[] default null) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
begin
    delete from value_num where unos_id = e.id and (fields is null or polje_id::text = any (fields));
    delete from value_text where unos_id = e.id and (fields is null or polje_id::text = any (fields));
    if e.aktivan then perform write_projection(e, fields); end if;
end
$$;

-- One statement of history, audit, projection and first/last entry for every write of an entry, whoever makes it.
create or replace function entry_after() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    who bigint := acting_worker();
    before jsonb := case when tg_op = 'UPDATE' then old.vrednosti else '{}' end;
    changed text[];
    -- One save is one moment: its values end together.
    moment timestamptz := clock_timestamp();
    deed text := case when tg_op = 'INSERT' then 'kreiranje' when old.aktivan and not new.aktivan then 'brisanje' else 'izmena' end;
begin
    select coalesce(array_agg(k), '{}') into changed
      from (select jsonb_object_keys(before || new.vrednosti) as k) keys
     where before -> k is distinct from new.vrednosti -> k;
    if tg_op = 'UPDATE' then
        -- A value begins where the one before it ended. The months before the entry was made are not looked at, and none is
        -- before its first change.
        insert into value_history (vreme_prestanka_vazenja, pacijent_id, unos_id, polje_id, vrednost, vreme_kreiranja, radnik_id)
        select moment, old.pacijent_id, old.id, k::bigint, old.vrednosti -> k, coalesce(h.vreme, old.datum_kreiranja), who
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
                    else '[]' end);
    if tg_op = 'INSERT' then
        if new.aktivan then perform write_projection(new, null); end if;
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
revoke execute on function count_entry, write_projection from public;
