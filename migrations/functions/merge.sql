-- Two records of one person become one, and two again.

-- Every column that names a patient, and what merging does with its rows. A test compares this list with the catalogue: a new table with a
-- foreign key to patient, or a column named as one, gets its row here.
-- `pomera`: rows of the record that goes are moved to the one that is left, each by the journal (patient_merge_row), and an unmerge moves
--     them back; `trenutak` names the column that says when a row was made, so that an unmerge asks whose the newer ones are. A row that the
--     other already has its like of, by a unique key, stays.
-- `prati`: belongs to an entry, and goes where that goes (follow_entries).
-- `racuna se`: is computed from what moves (refresh_patient_register; a visit by the triggers of its entries).
-- `ostaje`: tells what was, of the record it was about.
create or replace function merged_tables() returns table (tabela text, kolona text, kako text, trenutak text) language sql immutable as $$
    values
        -- Before the entries: the plan of the record that goes is there to take them, and one that the other has takes them all.
        ('patient_plan', 'pacijent_id', 'pomera', null),
        ('entry', 'pacijent_id', 'pomera', 'datum_kreiranja'),
        ('entry_draft', 'pacijent_id', 'pomera', null),
        ('entry_file', 'pacijent_id', 'pomera', null),
        ('import_record', 'pacijent_id', 'pomera', null),
        ('patient', 'spojen_u_id', 'pomera', null),
        ('patient_alias', 'pacijent_id', 'pomera', null),
        ('patient_consent', 'pacijent_id', 'pomera', 'vreme'),
        ('patient_status', 'pacijent_id', 'pomera', 'vreme'),
        ('patient_taking', 'pacijent_id', 'pomera', 'vreme'),
        ('quality_finding', 'pacijent_id', 'prati', null),
        ('question', 'pacijent_id', 'prati', null),
        ('value_num', 'pacijent_id', 'prati', null),
        ('value_text', 'pacijent_id', 'prati', null),
        ('patient_register', 'pacijent_id', 'racuna se', null),
        ('visit', 'pacijent_id', 'racuna se', null),
        ('audit_log', 'pacijent_id', 'ostaje', null),
        ('audit_log_patient', 'pacijent_id', 'ostaje', null),
        ('patient_erasure', 'pacijent_id', 'ostaje', null),
        ('patient_history', 'pacijent_id', 'ostaje', null),
        ('patient_merge', 'gubitnik_id', 'ostaje', null),
        ('patient_merge', 'pobednik_id', 'ostaje', null),
        ('patient_merge_proposal', 'gubitnik_id', 'ostaje', null),
        ('patient_merge_proposal', 'pobednik_id', 'ostaje', null),
        ('patient_pair', 'drugi_id', 'ostaje', null),
        ('patient_pair', 'prvi_id', 'ostaje', null),
        ('patient_transfer', 'pacijent_id', 'ostaje', null),
        ('follow_due', 'pacijent_id', 'ostaje', null),
        ('quality_due', 'pacijent_id', 'ostaje', null),
        ('quality_run', 'poslednji_pacijent_id', 'ostaje', null),
        ('recomputation', 'poslednji_pacijent_id', 'ostaje', null),
        ('value_history', 'pacijent_id', 'ostaje', null)
$$;

-- The columns of the record between whose values one chooses.
create or replace function chosen_columns() returns text[] language sql immutable as $$
    select '{ime,prezime,ime_roditelja,datum_rodjenja,jmbg,lbo,pol_trenutni,pol_na_rodjenju,adresa,broj_kartona,kontakt_telefon,email,mobilni_telefon,zanimanje,strucna_sprema,radno_mesto,medicinska_napomena,administrativna_napomena}'::text[]
$$;

-- The patient whom an id means: the one into whom it was merged, or itself.
create or replace function patient_left(pacijent bigint) returns bigint language sql stable set search_path = public, pg_temp as $$
    select coalesce((select p.spojen_u_id from patient p where p.id = pacijent), pacijent)
$$;

-- Who has a JMBG today, or had it in a record that is gone.
create or replace function holder_of_jmbg(number text) returns bigint language sql stable set search_path = public, pg_temp as $$
    select coalesce((select p.id from patient p where p.jmbg = number and p.aktivan),
                    (select a.pacijent_id from patient_alias a where a.broj = number and a.vrsta = 'jmbg' limit 1))
$$;

-- Who has an LBO today, or had it in a record that is gone. It may be several people's by mistake: whoever writes it is asked.
create or replace function holders_of_lbo(number text) returns setof bigint language sql stable set search_path = public, pg_temp as $$
    select p.id from patient p where p.lbo = number and p.aktivan
    union
    select a.pacijent_id from patient_alias a where a.broj = number and a.vrsta = 'lbo'
$$;

-- A number that leads to another patient is taken. Asked after the row is written: whoever wrote the same number at this moment was waited for.
create or replace function patient_number_is_free() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if exists (select from patient_alias a where a.broj = new.jmbg and a.vrsta = 'jmbg' and a.pacijent_id <> new.id) then
        raise exception 'the number leads to another patient' using errcode = 'unique_violation', constraint = 'patient_jmbg_unique', table = 'patient';
    end if;
    return null;
end
$$;

create or replace trigger patient_number_is_free after insert or update of jmbg, aktivan on patient for each row
    when (new.aktivan and new.jmbg <> '') execute function patient_number_is_free();

-- The key of a table's rows as the journal writes it, an SQL expression: its primary key without the column that is moved.
create or replace function journal_key(tbl text, kolona text) returns text language sql stable set search_path = public, pg_temp as $$
    select format('jsonb_build_object(%s)', string_agg(format('%L, t.%I', a.attname, a.attname), ', ' order by a.attname))
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = to_regclass(format('public.%I', tbl)) and i.indisprimary and a.attname <> kolona
$$;

-- Moves what names one patient to another, and keeps the journal of it.
create or replace function move_rows(spajanje bigint, sa bigint, na bigint) returns void language plpgsql set search_path = public, pg_temp as $$
declare
    t record;
    key text;
    one jsonb;
    moved bigint;
begin
    for t in select m.tabela, m.kolona from merged_tables() m where m.kako = 'pomera' loop
        key := journal_key(t.tabela, t.kolona);
        begin
            execute format('with moved as (update %1$I t set %2$I = $3 where t.%2$I = $2 and not stays_with_record($4, to_jsonb(t), $3) returning %3$s as kljuc)
                            insert into patient_merge_row (spajanje_id, tabela, kolona, kljuc, sa, na) select $1, $4, $5, kljuc, $2, $3 from moved',
                           t.tabela, t.kolona, key) using spajanje, sa, na, t.tabela, t.kolona;
        exception when unique_violation then
            for one in execute format('select %s from %I t where t.%I = $1', key, t.tabela, t.kolona) using sa loop
                begin
                    execute format('update %1$I t set %2$I = $2 where t.%2$I = $1 and %3$s = $3 and not stays_with_record($4, to_jsonb(t), $2)',
                                   t.tabela, t.kolona, key) using sa, na, one, t.tabela;
                    get diagnostics moved = row_count;
                    if moved > 0 then
                        insert into patient_merge_row (spajanje_id, tabela, kolona, kljuc, sa, na)
                        values (spajanje, t.tabela, t.kolona, one, move_rows.sa, move_rows.na);
                    end if;
                exception when unique_violation then
                    insert into patient_merge_row (spajanje_id, tabela, kolona, kljuc, sa, na)
                    values (spajanje, t.tabela, t.kolona, one, move_rows.sa, move_rows.sa);
                end;
            end loop;
        end;
    end loop;
end
$$;

-- Rows that are not moved although their table is: an institution that knows the one who is left anyhow did not take her over.
create or replace function stays_with_record(tbl text, slog jsonb, na bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select tbl = 'patient_taking' and exists (select from patient p where p.id = na and p.ustanova_id = (slog ->> 'ustanova_id')::bigint)
        or tbl = 'patient_taking' and exists (select from entry e where e.pacijent_id = na and e.ustanova_id = (slog ->> 'ustanova_id')::bigint and e.aktivan)
$$;

-- What belongs to an entry goes where the entry has gone.
create or replace function follow_entries(oba bigint[]) returns void language sql set search_path = public, pg_temp as $$
    update value_num v set pacijent_id = e.pacijent_id from entry e
     where v.pacijent_id = any (oba) and e.id = v.unos_id and v.pacijent_id <> e.pacijent_id;
    update value_text v set pacijent_id = e.pacijent_id from entry e
     where v.pacijent_id = any (oba) and e.id = v.unos_id and v.pacijent_id <> e.pacijent_id;
    update entry_file f set pacijent_id = e.pacijent_id from entry e
     where f.pacijent_id = any (oba) and e.id = f.unos_id and f.pacijent_id <> e.pacijent_id;
    update import_record r set pacijent_id = e.pacijent_id from entry e
     where r.pacijent_id = any (oba) and e.id = r.unos_id and r.pacijent_id <> e.pacijent_id;
    update question q set pacijent_id = e.pacijent_id from entry e
     where q.pacijent_id = any (oba) and e.id = q.unos_id and q.pacijent_id <> e.pacijent_id;
    update quality_finding f set pacijent_id = e.pacijent_id from entry e
     where f.pacijent_id = any (oba) and e.id = f.unos_id and f.pacijent_id <> e.pacijent_id;
$$;

-- The order of registers of both, counted anew.
create or replace function refresh_registers_of(oba bigint[]) returns void language sql set search_path = public, pg_temp as $$
    select refresh_patient_register(p.id, r.registar_id)
      from unnest(oba) p (id)
     cross join (select distinct e.registar_id from entry e where e.pacijent_id = any (oba)
                  union select h.registar_id from patient_register h where h.pacijent_id = any (oba)) r
     where exists (select from patient_register h where h.pacijent_id = p.id and h.registar_id = r.registar_id)
        or exists (select from patient o where o.id = p.id and o.aktivan)
$$;

-- The plans of visits of both, by the entries that they have now.
create or replace function refresh_plans_of(oba bigint[]) returns void language sql set search_path = public, pg_temp as $$
    select assign_plan(r.pacijent_id, r.registar_id) from patient_register r where r.pacijent_id = any (oba) and r.prvi_unos_id is not null;
    select refresh_patient_plan(p.id) from patient_plan p where p.pacijent_id = any (oba);
$$;

-- Locks both records and their entries: entries before patients, as a save does, and each in order.
create or replace function lock_patients(prvi bigint, drugi bigint) returns void language plpgsql set search_path = public, pg_temp as $$
begin
    perform from entry e where e.pacijent_id in (prvi, drugi) order by e.id for update;
    perform from patient p where p.id in (prvi, drugi) order by p.id for update;
end
$$;

-- What keeps two records from being merged: a code each, and how much of it there is.
create or replace function merge_obstacles(pobednik bigint, gubitnik bigint) returns table (razlog text, broj bigint) language sql stable
    set search_path = public, pg_temp as $$
    select 'isti', 1::bigint where pobednik = gubitnik
    union all
    select 'anonimizovan', 1 where exists (select from patient p where p.id in (pobednik, gubitnik) and p.anonimizovan_at is not null)
    union all
    select 'obrisan', 1 where exists (select from patient p where p.id in (pobednik, gubitnik) and not p.aktivan and p.spojen_u_id is null and p.anonimizovan_at is null)
    union all
    select 'spojen', 1 where exists (select from patient p where p.id in (pobednik, gubitnik) and p.spojen_u_id is not null)
    union all
    select 'nacrti', count(*) from entry_draft d where d.pacijent_id = gubitnik having count(*) > 0
    union all
    select 'preracunavanje', count(*) from recomputation r
     where r.status in ('queued', 'running')
       and exists (select from entry e where e.pacijent_id in (pobednik, gubitnik) and e.tsa_id = r.form_id) having count(*) > 0
    union all
    select 'uvoz', count(*) from data_import i where i.status = 'importing' having count(*) > 0
    union all
    select 'premestanje', count(*) from patient_transfer t where t.pacijent_id in (pobednik, gubitnik) and t.status = 'ceka' having count(*) > 0
$$;

-- How many rows of each table would move.
create or replace function merge_counts(gubitnik bigint) returns table (tabela text, redova bigint) language plpgsql stable
    set search_path = public, pg_temp as $$
declare
    kolona text;
begin
    for tabela, kolona in select m.tabela, m.kolona from merged_tables() m where m.kako = 'pomera' order by 1 loop
        execute format('select count(*) from %I t where t.%I = $1', tabela, kolona) into redova using gubitnik;
        if redova > 0 then return next; end if;
    end loop;
end
$$;

-- Forms of which both together have more entries than may be: of one patient, or on one day. They are kept, and told.
create or replace function merge_conflicts(pobednik bigint, gubitnik bigint) returns table (formular text, dan date, broj bigint, najvise int)
    language sql stable set search_path = public, pg_temp as $$
    select f.naziv, null::date, count(*), f.maksimalan_broj_instanci_po_pacijentu
      from entry e join form f on f.id = e.tsa_id
     where e.pacijent_id in (pobednik, gubitnik) and e.aktivan and f.maksimalan_broj_instanci_po_pacijentu > 0
     group by f.id having count(*) > f.maksimalan_broj_instanci_po_pacijentu and count(distinct e.pacijent_id) = 2
    union all
    select f.naziv, e.datum_unosa, count(*), f.maksimalan_broj_instanci_po_kontaktu
      from entry e join form f on f.id = e.tsa_id
     where e.pacijent_id in (pobednik, gubitnik) and e.aktivan and f.maksimalan_broj_instanci_po_kontaktu > 0
     group by f.id, e.datum_unosa having count(*) > f.maksimalan_broj_instanci_po_kontaktu and count(distinct e.pacijent_id) = 2
    order by 1, 2 nulls first
$$;

-- Writes columns of a record.
create or replace function write_record(pacijent bigint, slog jsonb, kolone text[]) returns void language plpgsql set search_path = public, pg_temp as $$
begin
    if cardinality(kolone) > 0 then
        execute (select format('update patient p set %s from jsonb_populate_record(null::patient, $1) r where p.id = $2',
                               string_agg(format('%1$I = r.%1$I', k), ', ')) from unnest(kolone) k) using slog, pacijent;
    end if;
end
$$;

-- Whether the worker of the transaction merges at all; whose agreement it takes is asked by the api (api/clinical/src/merging).
create or replace function require_merging() returns void language plpgsql stable set search_path = public, pg_temp as $$
begin
    if not holds_any(acting_worker(), '{20}') or not changes_patients(acting_worker()) then
        raise exception 'this worker merges no patients' using errcode = 'insufficient_privilege';
    end if;
end
$$;

-- Makes one record of two; gives the merge. `od_gubitnika` are the columns whose value the other record gives.
create or replace function merge_patients(pobednik bigint, gubitnik bigint, od_gubitnika text[], razlog text) returns bigint
    language plpgsql security definer set search_path = public, pg_temp as $$
declare
    spajanje bigint;
    winner patient;
    loser patient;
begin
    perform require_merging();
    perform lock_patients(pobednik, gubitnik);
    if exists (select merge_obstacles(pobednik, gubitnik)) then
        raise exception 'these two are not merged' using errcode = 'check_violation', constraint = 'patient_merge_obstacle';
    end if;
    if not od_gubitnika <@ chosen_columns() then
        raise exception 'no such column is chosen' using errcode = 'check_violation', constraint = 'patient_merge_columns';
    end if;
    select * into strict winner from patient p where p.id = pobednik;
    select * into strict loser from patient p where p.id = gubitnik;
    insert into patient_merge (pobednik_id, gubitnik_id, pobednik_pre, gubitnik_pre, od_gubitnika, registri_pre, registri_gubitnika, razlog)
    values (pobednik, gubitnik, to_jsonb(winner) - '{ime_f,prezime_f}'::text[], to_jsonb(loser) - '{ime_f,prezime_f}'::text[], od_gubitnika,
            array(select h.registar_id from patient_register h where h.pacijent_id = pobednik),
            array(select h.registar_id from patient_register h where h.pacijent_id = gubitnik), btrim(razlog))
    returning id into spajanje;
    update patient p set aktivan = false, spojen_u_id = pobednik where p.id = gubitnik;
    perform write_record(pobednik, to_jsonb(loser), od_gubitnika);
    -- Records that were merged into this one before go over with it: the row of this merge itself is not theirs.
    perform move_rows(spajanje, gubitnik, pobednik);
    insert into patient_alias (pacijent_id, spajanje_id, vrsta, broj)
    select distinct pobednik, spajanje, n.vrsta, btrim(n.broj)
      from (values (winner.jmbg, winner.lbo, winner.broj_kartona), (loser.jmbg, loser.lbo, loser.broj_kartona)) r (jmbg, lbo, karton)
     cross join lateral (values ('jmbg', r.jmbg), ('lbo', r.lbo), ('karton', r.karton)) n (vrsta, broj)
      join patient p on p.id = pobednik
     where btrim(n.broj) <> ''
       and btrim(n.broj) is distinct from btrim(case n.vrsta when 'jmbg' then p.jmbg when 'lbo' then p.lbo else p.broj_kartona end);
    perform follow_entries(array[pobednik, gubitnik]);
    perform refresh_registers_of(array[pobednik, gubitnik]);
    perform refresh_plans_of(array[pobednik, gubitnik]);
    if exists (select from entry e join patient p on p.id = e.pacijent_id where p.id = pobednik and e.aktivan and e.datum_unosa < p.datum_rodjenja) then
        raise exception 'an examination lies before the birth' using errcode = 'check_violation', constraint = 'patient_datum_rodjenja_to_entries';
    end if;
    if exists (select from status_in_force s join patient p on p.id = s.pacijent_id where p.id = pobednik and s.dan < p.datum_rodjenja) then
        raise exception 'a status lies before the birth' using errcode = 'check_violation', constraint = 'patient_datum_rodjenja_to_status';
    end if;
    update patient_merge m set pobednik_posle = (select to_jsonb(p) - '{ime_f,prezime_f}'::text[] from patient p where p.id = pobednik) where m.id = spajanje;
    insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id, polja)
    select acting_worker(), 'patient_merge', 'spajanje', spajanje::text, one.id, jsonb_build_array(
               jsonb_build_object('naziv', 'Spojen karton', 'stara', null, 'nova', gubitnik),
               jsonb_build_object('naziv', 'Ostaje karton', 'stara', null, 'nova', pobednik),
               jsonb_build_object('naziv', 'Premeštenih redova', 'stara', null,
                   'nova', (select count(*) from patient_merge_row r where r.spajanje_id = spajanje and r.sa <> r.na)))
      from unnest(array[pobednik, gubitnik]) one (id);
    return spajanje;
end
$$;

-- Rows that the one who is left has got since the merge: whose they are is asked when it is undone.
create or replace function rows_since_merge(spajanje bigint) returns table (tabela text, kljuc jsonb, opis text, vreme timestamptz)
    language plpgsql stable set search_path = public, pg_temp as $$
declare
    m patient_merge;
    t record;
begin
    select * into strict m from patient_merge g where g.id = spajanje;
    for t in select d.tabela, d.kolona, d.trenutak from merged_tables() d where d.kako = 'pomera' and d.trenutak is not null loop
        return query execute format(
            'select $3, %1$s, record_name($3, (%1$s) ->> ''id''), t.%2$I::timestamptz from %3$I t
              where t.%4$I = $1 and t.%2$I > $2
                and not exists (select from patient_merge_row r where r.spajanje_id = $4 and r.tabela = $3 and r.kolona = $5 and r.kljuc = %1$s)
              order by t.%2$I', journal_key(t.tabela, t.kolona), t.trenutak, t.tabela, t.kolona)
            using m.pobednik_id, m.vreme, t.tabela, spajanje, t.kolona;
    end loop;
end
$$;

-- Makes two records of one again. `prelaze` are the rows since then that belong to the other one, as {"tabela", "kljuc"}. A value of the record
-- goes back to what it was, unless somebody has changed it since.
create or replace function unmerge_patients(spajanje bigint, prelaze jsonb) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
declare
    m patient_merge;
    t record;
    key text;
    now_is jsonb;
begin
    perform require_merging();
    select * into strict m from patient_merge g where g.id = spajanje;
    perform lock_patients(m.pobednik_id, m.gubitnik_id);
    select * into strict m from patient_merge g where g.id = spajanje for update;
    if m.razdvojeno_at is not null
       or not exists (select from patient p where p.id = m.pobednik_id and p.aktivan and p.anonimizovan_at is null)
       or exists (select from patient_merge l where l.pobednik_id = m.pobednik_id and l.id > m.id and l.razdvojeno_at is null)
    then
        raise exception 'this merge is not undone now' using errcode = 'check_violation', constraint = 'patient_merge_obstacle';
    end if;
    for t in select d.tabela, d.kolona from merged_tables() d where d.kako = 'pomera' loop
        key := journal_key(t.tabela, t.kolona);
        -- The numbers that this merge has made lead nowhere any more.
        if t.tabela = 'patient_alias' then delete from patient_alias a where a.spajanje_id = spajanje; end if;
        execute format('update %1$I t set %2$I = r.sa from patient_merge_row r
                         where r.spajanje_id = $1 and r.tabela = $2 and r.kolona = $3 and r.sa <> r.na and t.%2$I = r.na and %3$s = r.kljuc',
                       t.tabela, t.kolona, key) using spajanje, t.tabela, t.kolona;
        execute format('update %1$I t set %2$I = $1 where t.%2$I = $2
                           and exists (select from jsonb_array_elements($3) n where n ->> ''tabela'' = $4 and n -> ''kljuc'' = %3$s)
                           and exists (select from rows_since_merge($5) s where s.tabela = $4 and s.kljuc = %3$s)',
                       t.tabela, t.kolona, key) using m.gubitnik_id, m.pobednik_id, prelaze, t.tabela, spajanje;
    end loop;
    select to_jsonb(p) into strict now_is from patient p where p.id = m.pobednik_id;
    perform write_record(m.pobednik_id, m.pobednik_pre, array(
        select k from unnest(chosen_columns()) k where now_is -> k = m.pobednik_posle -> k and now_is -> k is distinct from m.pobednik_pre -> k));
    update patient p set aktivan = true, spojen_u_id = null where p.id = m.gubitnik_id;
    perform follow_entries(array[m.pobednik_id, m.gubitnik_id]);
    perform refresh_registers_of(array[m.pobednik_id, m.gubitnik_id]);
    delete from patient_register h
     where h.pacijent_id = m.pobednik_id and h.registar_id = any (m.registri_gubitnika) and h.registar_id <> all (m.registri_pre)
       and not exists (select from entry e where e.pacijent_id = h.pacijent_id and e.registar_id = h.registar_id);
    delete from patient_register h
     where h.pacijent_id = m.gubitnik_id and h.broj_unosa = 0
       and not exists (select from entry e where e.pacijent_id = h.pacijent_id and e.registar_id = h.registar_id)
       and not h.registar_id = any (m.registri_gubitnika);
    perform refresh_plans_of(array[m.pobednik_id, m.gubitnik_id]);
    update patient_merge g set razdvojeno_at = clock_timestamp(), razdvojio_id = acting_worker() where g.id = spajanje;
    insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id)
    select acting_worker(), 'patient_merge', 'razdvajanje', spajanje::text, one.id from unnest(array[m.pobednik_id, m.gubitnik_id]) one (id);
end
$$;

-- Whether two numbers differ by one digit, or by two neighbours that have changed places.
create or replace function numbers_near(a text, b text) returns boolean language sql immutable parallel safe as $$
    select length(a) = length(b) and a <> b
       and (select count(*) = 1 or count(*) = 2 and max(i) = min(i) + 1
                   and substr(a, min(i), 1) = substr(b, max(i), 1) and substr(a, max(i), 1) = substr(b, min(i), 1)
              from generate_series(1, length(a)) i where substr(a, i, 1) <> substr(b, i, 1))
$$;

-- Looks for likely pairs of those patients who were changed since it last came here, so many at most; gives how many it has looked at. Each is
-- looked up by birth date, LBO and the halves of the JMBG, so that a night's work grows with what has changed. A change younger than `settled` waits: one
-- of before it may not be written yet.
create or replace function find_patient_pairs(most int, settled interval) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
    since patient_pair_search;
    looked bigint[];
    newest record;
begin
    -- One scheduler at a time; another one finds nothing to do.
    select * into since from patient_pair_search s for update skip locked;
    if not found then return 0; end if;
    looked := array(select p.id from patient p
                     where p.aktivan and p.anonimizovan_at is null and (p.vreme_poslednje_izmene, p.id) > (since.do_vremena, since.do_pacijenta)
                       and p.vreme_poslednje_izmene <= clock_timestamp() - settled
                     order by p.vreme_poslednje_izmene, p.id limit most);
    if cardinality(looked) = 0 then return 0; end if;
    insert into patient_pair (prvi_id, drugi_id, razlog)
    select least(n.id, o.id), greatest(n.id, o.id), min(o.razlog)
      from unnest(looked) u (id)
      join patient n on n.id = u.id
     cross join lateral (
        select p.id, case when p.datum_rodjenja = n.datum_rodjenja then 'ime' else 'datum' end as razlog
          from patient p
         where p.datum_rodjenja = any (near_dates(n.datum_rodjenja)) and p.aktivan and p.anonimizovan_at is null
           and names_alike(p.ime_f, p.prezime_f, n.ime_f, n.prezime_f)
        union all
        select p.id, 'lbo' from patient p where p.lbo = n.lbo and p.aktivan and p.anonimizovan_at is null
        union all
        -- The first half, the second half, and the one change of places that touches both.
        select p.id, 'jmbg' from (
            select p.* from patient p where p.jmbg ~>=~ left(n.jmbg, 7) and p.jmbg ~<~ (left(n.jmbg, 7) || ':') and p.aktivan and p.anonimizovan_at is null
            union all
            select p.* from patient p where right(p.jmbg, 6) = right(n.jmbg, 6) and p.aktivan and p.anonimizovan_at is null
            union all
            select p.* from patient p where p.jmbg = left(n.jmbg, 6) || substr(n.jmbg, 8, 1) || substr(n.jmbg, 7, 1) || right(n.jmbg, 5) and p.aktivan
                and p.anonimizovan_at is null) p
         where numbers_near(p.jmbg, n.jmbg)
           and (p.datum_rodjenja = any (near_dates(n.datum_rodjenja)) and (p.ime_f = n.ime_f or p.prezime_f = n.prezime_f)
                or names_alike(p.ime_f, p.prezime_f, n.ime_f, n.prezime_f))) o
     where o.id <> n.id
     group by 1, 2
        on conflict do nothing;
    select p.vreme_poslednje_izmene, p.id into strict newest from patient p where p.id = any (looked) order by 1 desc, 2 desc limit 1;
    update patient_pair_search s set do_vremena = newest.vreme_poslednje_izmene, do_pacijenta = newest.id;
    return cardinality(looked);
end
$$;

revoke execute on function patient_left, holder_of_jmbg, holders_of_lbo, patient_number_is_free, journal_key, move_rows, stays_with_record, follow_entries, refresh_registers_of,
    refresh_plans_of, lock_patients, merge_obstacles, merge_counts, merge_conflicts, write_record, require_merging, merge_patients, rows_since_merge, unmerge_patients,
    numbers_near, find_patient_pairs, merged_tables, chosen_columns from public;
grant execute on function patient_left, holder_of_jmbg, holders_of_lbo, merge_obstacles, merge_counts, merge_conflicts, merge_patients, rows_since_merge, unmerge_patients,
    find_patient_pairs, merged_tables, chosen_columns, journal_key, lock_patients to regix_app;
