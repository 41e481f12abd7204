-- What report SQL and parameter queries may read: the views of schema "report", filtered by the scope of the connection.
--
-- The scope is a row of report_scope for the connection's own server process, written by the application before the query runs. The report
-- role can neither read nor change it, so no statement can widen what it sees. Without a row nothing is visible. Where reports are read
-- from a replica the row is written on the primary and replayed there: two servers may have a process of one number, and have never
-- been started in the same microsecond.
--
-- Whose roles open no patient reads nobody's identity either: the query runs under regix_report_anonymous, which has no right to the
-- columns that say who a patient is, so that a report that needs them is refused and never comes out with blanks; texts of entries are
-- left out of their values.
--
-- A report over all institutions ("obim" sve) reads no identity: its scope gives no name, number, address, contact or free text of a
-- patient, the year of birth in place of the date, and ids that mean nothing outside one run. Each view has an arm for either scope;
-- the planner never starts the other one. Both arms are barriers of their own, so that what a report's conditions do is done after
-- the scope's.

-- The same for report SQL, whose role knows one schema only.
create or replace function report.danas() returns date language sql stable parallel safe return public.today();

-- Sorting and matching of Serbian text, within the one schema that the role knows; bound when it is created, so that the
-- role needs no way into "public".
create or replace function report.fold(t text) returns text language sql immutable parallel safe strict return public.fold(t);

-- A number as every screen and paper writes it: all its digits, a decimal comma, points between thousands, a minus for people (domain/src/shown.rs).
-- For reports that put values of several fields into one text.
create or replace function report.tekst_broja(broj numeric) returns text language sql immutable strict parallel safe as $$
    select regexp_replace(split_part(plain, '.', 1), '(\d)(?=(\d{3})+$)', '\1.', 'g')
           || case when strpos(plain, '.') > 0 then ',' || split_part(plain, '.', 2) else '' end
      from (select replace(trim_scale(broj)::text, '-', '−') as plain) as written
$$;

-- Views are made anew, since one that is there cannot lose a column.
do $$
declare
    old regclass;
begin
    for old in select c.oid from pg_class c where c.relkind = 'v' and c.relnamespace in ('report'::regnamespace, 'report_inside'::regnamespace) loop
        if exists (select from pg_class where oid = old) then execute format('drop view %s cascade', old); end if;
    end loop;
end
$$;

create view report_inside.opseg as
    select s.ustanova_id, s.identitet, s.tajna from report_scope s where s.pid = pg_backend_pid() and s.server_od = pg_postmaster_start_time();

create or replace function report.vidi_sve() returns boolean language sql stable security definer set search_path = public, pg_temp as $$
    select coalesce((select s.ustanova_id is null from report_inside.opseg s), false)
$$;

create or replace function report.moja_ustanova() returns bigint language sql stable security definer set search_path = public, pg_temp as $$
    select s.ustanova_id from report_inside.opseg s
$$;

create or replace function report.vidi_tekstove() returns boolean language sql stable security definer set search_path = public, pg_temp as $$
    select coalesce((select s.identitet from report_inside.opseg s), false)
$$;

-- Whether the scope is here already, on a replica that is behind.
create or replace function report.ima_opseg() returns boolean language sql stable security definer set search_path = public, pg_temp as $$
    select exists (select from report_inside.opseg s)
$$;

create view report.ustanova as select id, naziv, sifra from institution where aktivan;

-- Whose names may be read with entries of other hospitals is not for a report to decide either.
create view report.radnik with (security_barrier) as
    select id, case when (select report.vidi_sve()) then null else ime end as ime,
           case when (select report.vidi_sve()) then null else prezime end as prezime,
           case when (select report.vidi_sve()) then null else prezime || ' ' || ime end as ime_prezime, ustanova_id
      from worker where aktivan and username <> 'sistem';

create view report.registar as select id, naziv, sifra from register where aktivan;
create view report.tip_unosa as select id, registar_id, naziv, prikazni_redosled from form where aktivan;
create view report.polje as
    select f.id, f.tip_skupa_atributa_id as tip_unosa_id, f.sifra, f.naziv, m.mesto as redosled, f.relevantni, f.opcioni,
           f.pretrazuje_se, t.tip_vrednosti_atributa as tip_vrednosti, t.jedinica, t.decimale_brojne_vrednosti as decimale, f.tip_atributa_id,
           (select v.naziv from unnest(array['izborni', 'brojni', 'tekstualni', 'skupovni', 'datumski', 'fajl', 'vreme', 'datumvreme']) v (naziv)
             where type_number(v.naziv) = t.tip_vrednosti_atributa) as vrsta
      from form_field f join attribute_type t on t.id = f.tip_atributa_id join form_field_place m on m.polje_id = f.id where f.aktivan;
create view report.stavka as select id, tip_atributa_id, naziv, num_vrednost, redosled, sifra_veza as sifra from enum_item where aktivan;

create view report_inside.pacijent_ustanove with (security_barrier) as
    select p.id, p.ime, p.prezime, p.prezime || ' ' || p.ime as ime_prezime, p.ime_roditelja, p.datum_rodjenja, p.jmbg, p.lbo, p.broj_kartona,
           p.pol_trenutni, p.pol_na_rodjenju, p.adresa, p.kontakt_telefon, p.mobilni_telefon, p.email, p.zanimanje, p.strucna_sprema,
           p.radno_mesto, p.medicinska_napomena, p.administrativna_napomena, p.ustanova_id,
           extract(year from p.datum_rodjenja)::int as godina_rodjenja,
           (select s.dan from status_in_force s where s.pacijent_id = p.id and s.status = 'preminuo' order by s.id desc limit 1) as datum_smrti
      from patient p
     where p.aktivan and not (select report.vidi_sve()) and (p.ustanova_id = (select report.moja_ustanova())
        or exists (select from entry e where e.pacijent_id = p.id and e.aktivan and e.ustanova_id = (select report.moja_ustanova())));
-- Whose identity the view of patients holds while it is found out whom a report names (domain/src/report_sql/naming.rs): blank where it is
-- not asked, "niko", or ids. The connection sets it between statements; no function that a statement may call changes a setting.
create or replace function report_inside.pokazani() returns text language sql stable security definer
    return coalesce(current_setting('regix.pokazani', true), '');

-- Whether the server itself keeps what is not listed (report_functions.sql) from the role that has signed in, whatever it is called; where it
-- does not, the connection looks at the text.
create or replace function report.samo_slobodne_funkcije() returns boolean language sql stable security definer
    return not has_function_privilege(session_user, 'pg_catalog.set_config(text, text, boolean)', 'execute');

-- A view of its own, so that whether a patient is among them is asked once a row and not once a column.
create view report_inside.pacijent_vidljiv with (security_barrier) as
    select p.*, p.id in (select unnest(string_to_array(nullif(report_inside.pokazani(), 'niko'), ','))::bigint) as vidi
      from report_inside.pacijent_ustanove p;
create view report_inside.pacijent_suzeno with (security_barrier) as
    select p.id, case when p.vidi then p.ime end as ime, case when p.vidi then p.prezime end as prezime,
           case when p.vidi then p.ime_prezime end as ime_prezime, case when p.vidi then p.ime_roditelja end as ime_roditelja, p.datum_rodjenja,
           case when p.vidi then p.jmbg end as jmbg, case when p.vidi then p.lbo end as lbo, case when p.vidi then p.broj_kartona end as broj_kartona,
           p.pol_trenutni, p.pol_na_rodjenju, case when p.vidi then p.adresa end as adresa,
           case when p.vidi then p.kontakt_telefon end as kontakt_telefon, case when p.vidi then p.mobilni_telefon end as mobilni_telefon,
           case when p.vidi then p.email end as email, p.zanimanje, p.strucna_sprema, p.radno_mesto,
           case when p.vidi then p.medicinska_napomena end as medicinska_napomena,
           case when p.vidi then p.administrativna_napomena end as administrativna_napomena, p.ustanova_id, p.godina_rodjenja, p.datum_smrti
      from report_inside.pacijent_vidljiv p;
create view report_inside.pacijent_svih with (security_barrier) as
    select report_inside.zamena(p.id, (select s.tajna from report_inside.opseg s)) as id,
           null::text as ime, null::text as prezime, null::text as ime_prezime, null::text as ime_roditelja, null::date as datum_rodjenja,
           null::text as jmbg, null::text as lbo, null::text as broj_kartona, p.pol_trenutni, p.pol_na_rodjenju, null::text as adresa,
           null::text as kontakt_telefon, null::text as mobilni_telefon, null::text as email, null::text as zanimanje,
           null::text as strucna_sprema, null::text as radno_mesto, null::text as medicinska_napomena, null::text as administrativna_napomena,
           p.ustanova_id, extract(year from p.datum_rodjenja)::int as godina_rodjenja,
           (select s.dan from status_in_force s where s.pacijent_id = p.id and s.status = 'preminuo' order by s.id desc limit 1) as datum_smrti
      from patient p
     where p.aktivan and (select report.vidi_sve())
       and (not exists (select from patient_register n where n.pacijent_id = p.id and not n.za_istrazivanje)
            or exists (select from patient_register n where n.pacijent_id = p.id and n.za_istrazivanje));
create view report.pacijent with (security_barrier) as
    select * from report_inside.pacijent_ustanove where (select report_inside.pokazani()) = ''
    union all select * from report_inside.pacijent_suzeno where (select report_inside.pokazani()) <> ''
    union all select * from report_inside.pacijent_svih;

-- Over all institutions a report is research: who has not agreed to it in a register is not in what the register gives. An institution reads
-- its own patients for their care, whatever they agreed to. An active entry of an active patient that the scope knows. "popunjena" names the fields that hold something, whatever it is;
-- "vrednosti" leaves out what may be text or a picture where every institution is seen, or no patient's identity.
create view report_inside.tekstualna_polja with (security_barrier) as
    select coalesce(array_agg(f.id::text), '{}') as polja
      from form_field f join attribute_type t on t.id = f.tip_atributa_id
     where t.tip_vrednosti_atributa not in (type_number('izborni'), type_number('brojni'), type_number('skupovni'), type_number('datumski'),
           type_number('vreme'), type_number('datumvreme'));
create view report_inside.unos_ustanove with (security_barrier) as
    select e.id, e.pacijent_id, e.registar_id, e.tsa_id as tip_unosa_id, e.poseta_id, e.datum_unosa, e.ustanova_id, e.radnik_odgovoran_id,
           e.popunjeni_relevantni,
           case when (select report.vidi_tekstove()) then e.vrednosti
                else e.vrednosti - (select t.polja from report_inside.tekstualna_polja t) end as vrednosti,
           array(select v.key from jsonb_each(e.vrednosti) v where v.value not in ('null'::jsonb, '""'::jsonb, '[]'::jsonb)) as popunjena,
           case when exists (select from period_lock z where z.registar_id = e.registar_id and z.ustanova_id = e.ustanova_id
                                and z.otkljucano_at is null and z.do_dana >= e.datum_unosa) then 'zakljucan'
                else coalesce((select s.stanje from last_entry_state s where s.unos_id = e.id), 'uRadu') end as stanje,
           exists (select from signature_in_force s where s.unos_id = e.id) as potpisan,
           exists (select from finished_entry s where s.unos_id = e.id) as zavrsen
      from entry e join patient p on p.id = e.pacijent_id and p.aktivan
     where e.aktivan and not (select report.vidi_sve())
       and (e.ustanova_id = (select report.moja_ustanova()) or p.ustanova_id = (select report.moja_ustanova())
        or exists (select from entry o where o.pacijent_id = e.pacijent_id and o.aktivan and o.ustanova_id = (select report.moja_ustanova()))
           and not exists (select from own_entries_only n where n.pacijent_id = e.pacijent_id and n.ustanova_id = (select report.moja_ustanova())));
create view report_inside.unos_svih with (security_barrier) as
    select report_inside.zamena(e.id, (select s.tajna from report_inside.opseg s)) as id,
           report_inside.zamena(e.pacijent_id, (select s.tajna from report_inside.opseg s)) as pacijent_id,
           e.registar_id, e.tsa_id as tip_unosa_id, report_inside.zamena(e.poseta_id, (select s.tajna from report_inside.opseg s)) as poseta_id,
           e.datum_unosa, e.ustanova_id, e.radnik_odgovoran_id, e.popunjeni_relevantni,
           e.vrednosti - (select t.polja from report_inside.tekstualna_polja t) as vrednosti,
           array(select v.key from jsonb_each(e.vrednosti) v where v.value not in ('null'::jsonb, '""'::jsonb, '[]'::jsonb)) as popunjena,
           case when exists (select from period_lock z where z.registar_id = e.registar_id and z.ustanova_id = e.ustanova_id
                                and z.otkljucano_at is null and z.do_dana >= e.datum_unosa) then 'zakljucan'
                else coalesce((select s.stanje from last_entry_state s where s.unos_id = e.id), 'uRadu') end as stanje,
           exists (select from signature_in_force s where s.unos_id = e.id) as potpisan,
           exists (select from finished_entry s where s.unos_id = e.id) as zavrsen
      from entry e
     where e.aktivan and (select report.vidi_sve()) and not exists (select from patient p where p.id = e.pacijent_id and not p.aktivan)
       and not exists (select from patient_register n where n.pacijent_id = e.pacijent_id and n.registar_id = e.registar_id and not n.za_istrazivanje);
create view report.unos with (security_barrier) as
    select * from report_inside.unos_ustanove union all select * from report_inside.unos_svih;

create view report_inside.pacijent_registar_ustanove with (security_barrier) as
    select r.pacijent_id, r.registar_id, r.prvi_unos_datum, r.poslednji_unos_datum, r.broj_unosa, r.status, r.status_dan
      from patient_register r join report_inside.pacijent_ustanove p on p.id = r.pacijent_id;
create view report_inside.pacijent_registar_svih with (security_barrier) as
    select report_inside.zamena(r.pacijent_id, (select s.tajna from report_inside.opseg s)) as pacijent_id,
           r.registar_id, r.prvi_unos_datum, r.poslednji_unos_datum, r.broj_unosa, r.status, r.status_dan
      from patient_register r
     where (select report.vidi_sve()) and r.za_istrazivanje and not exists (select from patient p where p.id = r.pacijent_id and not p.aktivan);
create view report.pacijent_registar with (security_barrier) as
    select * from report_inside.pacijent_registar_ustanove union all select * from report_inside.pacijent_registar_svih;

-- What became of patients, a row for each status that was recorded: those that hold and those that were corrected.
create view report_inside.status_ustanove with (security_barrier) as
    select s.id, s.pacijent_id, s.registar_id, s.status, s.dan, s.uzrok_sifra, s.uzrok, s.izvor, s.ispravlja_id, s.ponisten,
           not s.ponisten and not exists (select from patient_status n where n.ispravlja_id = s.id) as vazi, s.ustanova_id,
           (s.vreme at time zone 'Europe/Belgrade')::date as zabelezeno
      from patient_status s join report_inside.pacijent_ustanove p on p.id = s.pacijent_id
     where s.registar_id is null or s.ustanova_id = (select report.moja_ustanova())
        or not exists (select from own_entries_only n where n.pacijent_id = s.pacijent_id and n.ustanova_id = (select report.moja_ustanova()));
create view report_inside.status_svih with (security_barrier) as
    select report_inside.zamena(s.id, (select o.tajna from report_inside.opseg o)) as id,
           report_inside.zamena(s.pacijent_id, (select o.tajna from report_inside.opseg o)) as pacijent_id,
           s.registar_id, s.status, s.dan, s.uzrok_sifra, s.uzrok, s.izvor,
           report_inside.zamena(s.ispravlja_id, (select o.tajna from report_inside.opseg o)) as ispravlja_id, s.ponisten,
           not s.ponisten and not exists (select from patient_status n where n.ispravlja_id = s.id) as vazi, s.ustanova_id,
           (s.vreme at time zone 'Europe/Belgrade')::date as zabelezeno
      from patient_status s
     where (select report.vidi_sve()) and not exists (select from patient p where p.id = s.pacijent_id and not p.aktivan)
       and (s.registar_id is not null
            and not exists (select from patient_register n where n.pacijent_id = s.pacijent_id and n.registar_id = s.registar_id and not n.za_istrazivanje)
            or s.registar_id is null
            and (not exists (select from patient_register n where n.pacijent_id = s.pacijent_id and not n.za_istrazivanje)
                 or exists (select from patient_register n where n.pacijent_id = s.pacijent_id and n.za_istrazivanje)));
create view report.status with (security_barrier) as
    select * from report_inside.status_ustanove union all select * from report_inside.status_svih;

-- Planned visits of patients, and what each is on the day of the run: visit_state says it here as on the patient's page.
create view report_inside.poseta_ustanove with (security_barrier) as
    select v.id, o.pacijent_id, v.registar_id, w.naziv as plan, v.sifra, i.naziv, v.red, v.cilj, v.prozor_od, v.prozor_do, v.ceka_do,
           visit_state(v, report.danas()) as stanje,
           case when e.ustanova_id = (select report.moja_ustanova())
                  or not exists (select from own_entries_only n where n.pacijent_id = o.pacijent_id and n.ustanova_id = (select report.moja_ustanova()))
                then v.unos_id end as unos_id,
           v.unos_dan as dan,
           case when visit_state(v, report.danas()) = 'kasni' then report.danas() - v.prozor_do end as kasni_dana, v.ustanova_id, v.radnik_id
      from planned_visit v
      join patient_plan o on o.id = v.patient_plan_id
      join visit_plan w on w.id = o.plan_id
      join visit_plan_item i on i.id = v.stavka_id
      join report_inside.pacijent_ustanove p on p.id = o.pacijent_id
      left join entry e on e.id = v.unos_id
     where v.ustanova_id = (select report.moja_ustanova())
        or not exists (select from own_entries_only n where n.pacijent_id = o.pacijent_id and n.ustanova_id = (select report.moja_ustanova()));
create view report_inside.poseta_svih with (security_barrier) as
    select report_inside.zamena(v.id, (select s.tajna from report_inside.opseg s)) as id,
           report_inside.zamena(o.pacijent_id, (select s.tajna from report_inside.opseg s)) as pacijent_id,
           v.registar_id, w.naziv as plan, v.sifra, i.naziv, v.red, v.cilj, v.prozor_od, v.prozor_do, v.ceka_do,
           visit_state(v, report.danas()) as stanje,
           report_inside.zamena(v.unos_id, (select s.tajna from report_inside.opseg s)) as unos_id, v.unos_dan as dan,
           case when visit_state(v, report.danas()) = 'kasni' then report.danas() - v.prozor_do end as kasni_dana, v.ustanova_id, v.radnik_id
      from planned_visit v
      join patient_plan o on o.id = v.patient_plan_id
      join visit_plan w on w.id = o.plan_id
      join visit_plan_item i on i.id = v.stavka_id
     where (select report.vidi_sve()) and not exists (select from patient p where p.id = o.pacijent_id and not p.aktivan);
create view report.poseta with (security_barrier) as
    select * from report_inside.poseta_ustanove union all select * from report_inside.poseta_svih;

-- Numbers, choices (0/1), dates (days since 1970-01-01) and set items (item ids) of searchable fields, by field code. The patient
-- is looked at only where the scope asks for it: a sum over all institutions reads one index. Of an institution's, whoever is deleted is read once
-- and not looked up for each value.
create view report_inside.broj_ustanove with (security_barrier) as
    select v.pacijent_id, v.unos_id, f.tip_skupa_atributa_id as tip_unosa_id, f.sifra, v.vrednost, v.datum_unosa, v.ustanova_id
      from value_num v join form_field f on f.id = v.polje_id
     where not (select report.vidi_sve()) and v.pacijent_id <> all (array(select p.id from patient p where not p.aktivan))
       and (v.ustanova_id = (select report.moja_ustanova())
        or exists (select from patient p where p.id = v.pacijent_id and p.ustanova_id = (select report.moja_ustanova()))
        or exists (select from entry o where o.pacijent_id = v.pacijent_id and o.aktivan and o.ustanova_id = (select report.moja_ustanova()))
           and not exists (select from own_entries_only n where n.pacijent_id = v.pacijent_id and n.ustanova_id = (select report.moja_ustanova())));
create view report_inside.broj_svih with (security_barrier) as
    select report_inside.zamena(v.pacijent_id, (select s.tajna from report_inside.opseg s)) as pacijent_id,
           report_inside.zamena(v.unos_id, (select s.tajna from report_inside.opseg s)) as unos_id,
           f.tip_skupa_atributa_id as tip_unosa_id, f.sifra, v.vrednost, v.datum_unosa, v.ustanova_id
      from value_num v join form_field f on f.id = v.polje_id
     where (select report.vidi_sve()) and not exists (select from patient p where p.id = v.pacijent_id and not p.aktivan)
       and not exists (select from patient_register n join form g on g.registar_id = n.registar_id
                        where n.pacijent_id = v.pacijent_id and g.id = f.tip_skupa_atributa_id and not n.za_istrazivanje);
create view report.broj with (security_barrier) as
    select * from report_inside.broj_ustanove union all select * from report_inside.broj_svih;

-- Which results of an entry are marked, for reports that want to say so.
create view report_inside.zastareo_ustanove with (security_barrier) as
    select s.unos_id, u.pacijent_id, u.tip_unosa_id, f.sifra, s.razlog, s.jedinica, f.id as polje_id, f.naziv as polje
      from stale_result s join form_field f on f.id = s.polje_id join report_inside.unos_ustanove u on u.id = s.unos_id
     where not exists (select from unit_mark m where m.unos_id = s.unos_id and m.polje_id = s.polje_id and m.znacenje = m.danas);
create view report_inside.zastareo_svih with (security_barrier) as
    select report_inside.zamena(e.id, (select s.tajna from report_inside.opseg s)) as unos_id,
           report_inside.zamena(e.pacijent_id, (select s.tajna from report_inside.opseg s)) as pacijent_id,
           e.tsa_id as tip_unosa_id, f.sifra, z.razlog, z.jedinica, f.id as polje_id, f.naziv as polje
      from stale_result z join form_field f on f.id = z.polje_id join entry e on e.id = z.unos_id
     where e.aktivan and (select report.vidi_sve()) and not exists (select from patient p where p.id = e.pacijent_id and not p.aktivan)
       and not exists (select from unit_mark m where m.unos_id = z.unos_id and m.polje_id = z.polje_id and m.znacenje = m.danas)
       and not exists (select from patient_register n where n.pacijent_id = e.pacijent_id and n.registar_id = e.registar_id and not n.za_istrazivanje);
create view report.zastareo with (security_barrier) as
    select * from report_inside.zastareo_ustanove union all select * from report_inside.zastareo_svih;

-- What rules of quality have found, and what was asked about entries. Both are the institution's that holds the entry. Notes and messages are in
-- neither view: people write names into them.
create view report_inside.nalaz_ustanove with (security_barrier) as
    select n.id, n.pacijent_id, n.unos_id, e.registar_id, e.tsa_id as tip_unosa_id, e.datum_unosa, n.ustanova_id,
           coalesce(e.radnik_odgovoran_id, e.radnik_kreirao_id) as radnik_odgovoran_id, r.id as pravilo_id, r.naziv as pravilo, r.vrsta, r.tezina,
           n.polje_id, f.sifra, f.naziv as polje,
           case when n.kraj is not null then 'zavrsen' when n.potvrdjen_at is not null then 'potvrdjen' else 'otvoren' end as stanje,
           (n.pocetak at time zone 'Europe/Belgrade')::date as pocetak, (n.kraj at time zone 'Europe/Belgrade')::date as kraj, n.razlog_kraja
      from quality_finding n join quality_rule r on r.id = n.pravilo_id join entry e on e.id = n.unos_id and e.aktivan
      left join form_field f on f.id = n.polje_id
     where n.ustanova_id = (select report.moja_ustanova()) and exists (select from patient p where p.id = n.pacijent_id and p.aktivan);
create view report_inside.nalaz_svih with (security_barrier) as
    select report_inside.zamena(n.id, (select s.tajna from report_inside.opseg s)) as id,
           report_inside.zamena(n.pacijent_id, (select s.tajna from report_inside.opseg s)) as pacijent_id,
           report_inside.zamena(n.unos_id, (select s.tajna from report_inside.opseg s)) as unos_id,
           e.registar_id, e.tsa_id as tip_unosa_id, e.datum_unosa, n.ustanova_id,
           coalesce(e.radnik_odgovoran_id, e.radnik_kreirao_id) as radnik_odgovoran_id, r.id as pravilo_id, r.naziv as pravilo, r.vrsta, r.tezina,
           n.polje_id, f.sifra, f.naziv as polje,
           case when n.kraj is not null then 'zavrsen' when n.potvrdjen_at is not null then 'potvrdjen' else 'otvoren' end as stanje,
           (n.pocetak at time zone 'Europe/Belgrade')::date as pocetak, (n.kraj at time zone 'Europe/Belgrade')::date as kraj, n.razlog_kraja
      from quality_finding n join quality_rule r on r.id = n.pravilo_id join entry e on e.id = n.unos_id and e.aktivan
      left join form_field f on f.id = n.polje_id
     where (select report.vidi_sve()) and not exists (select from patient p where p.id = n.pacijent_id and not p.aktivan)
       and not exists (select from patient_register i where i.pacijent_id = n.pacijent_id and i.registar_id = e.registar_id and not i.za_istrazivanje);
create view report.nalaz with (security_barrier) as
    select * from report_inside.nalaz_ustanove union all select * from report_inside.nalaz_svih;

create view report_inside.upit_ustanove with (security_barrier) as
    select q.id, q.pacijent_id, q.unos_id, e.registar_id, e.tsa_id as tip_unosa_id, e.datum_unosa, q.ustanova_id, q.polje_id, f.sifra, f.naziv as polje,
           q.poreklo, q.stanje, q.radnik_id, q.dodeljen_id, q.rok, q.stanje <> 'zatvoren' and coalesce(q.rok < report.danas(), false) as kasni,
           (q.vreme at time zone 'Europe/Belgrade')::date as postavljen,
           (select (m.vreme at time zone 'Europe/Belgrade')::date from question_message m where m.id = q.poslednja_poruka_id and m.vrsta = 'zatvaranje') as zatvoren,
           (select count(*) from question_message m where m.upit_id = q.id)::int as poruka
      from question q join entry e on e.id = q.unos_id and e.aktivan left join form_field f on f.id = q.polje_id
     where q.ustanova_id = (select report.moja_ustanova()) and exists (select from patient p where p.id = q.pacijent_id and p.aktivan);
create view report_inside.upit_svih with (security_barrier) as
    select report_inside.zamena(q.id, (select s.tajna from report_inside.opseg s)) as id,
           report_inside.zamena(q.pacijent_id, (select s.tajna from report_inside.opseg s)) as pacijent_id,
           report_inside.zamena(q.unos_id, (select s.tajna from report_inside.opseg s)) as unos_id,
           e.registar_id, e.tsa_id as tip_unosa_id, e.datum_unosa, q.ustanova_id, q.polje_id, f.sifra, f.naziv as polje,
           q.poreklo, q.stanje, q.radnik_id, q.dodeljen_id, q.rok, q.stanje <> 'zatvoren' and coalesce(q.rok < report.danas(), false) as kasni,
           (q.vreme at time zone 'Europe/Belgrade')::date as postavljen,
           (select (m.vreme at time zone 'Europe/Belgrade')::date from question_message m where m.id = q.poslednja_poruka_id and m.vrsta = 'zatvaranje') as zatvoren,
           (select count(*) from question_message m where m.upit_id = q.id)::int as poruka
      from question q join entry e on e.id = q.unos_id and e.aktivan left join form_field f on f.id = q.polje_id
     where (select report.vidi_sve()) and not exists (select from patient p where p.id = q.pacijent_id and not p.aktivan)
       and not exists (select from patient_register i where i.pacijent_id = q.pacijent_id and i.registar_id = e.registar_id and not i.za_istrazivanje);
create view report.upit with (security_barrier) as
    select * from report_inside.upit_ustanove union all select * from report_inside.upit_svih;

-- Every value of every field, searchable or not, as people read it and by its kind. It stands on the view of entries, which leaves out
-- what a scope may not see; what holds no value, or nothing, has no row.
create view report.vrednost with (security_barrier) as
    select u.pacijent_id, u.id as unos_id, u.registar_id, u.tip_unosa_id, u.datum_unosa, u.ustanova_id,
           f.id as polje_id, f.sifra, f.naziv as polje, f.redosled, f.tip_vrednosti, f.jedinica,
           case f.tip_vrednosti
                when type_number('izborni') then case when v.value = 'true' then 'Da' else 'Ne' end
                when type_number('brojni') then report.tekst_broja((v.value #>> '{}')::numeric)
                when type_number('skupovni') then (select string_agg(i.naziv, ', ' order by i.redosled, i.id) from report.stavka i
                     where i.id in (select item::bigint from jsonb_array_elements_text(
                           case jsonb_typeof(v.value) when 'array' then v.value else '[]' end) item))
                when type_number('datumski') then to_char((v.value #>> '{}')::date, 'DD.MM.YYYY.')
                when type_number('datumvreme') then to_char((v.value #>> '{}')::timestamp, 'DD.MM.YYYY. HH24:MI')
                when type_number('slikovni') then 'slika'
                when type_number('fajl') then (select string_agg(d.fajl ->> 'naziv', ', ' order by d.n) from jsonb_array_elements(
                     case jsonb_typeof(v.value) when 'array' then v.value else '[]' end) with ordinality d (fajl, n))
                else v.value #>> '{}'
           end as tekst,
           case when f.tip_vrednosti = type_number('brojni') then (v.value #>> '{}')::numeric end as broj,
           case when f.tip_vrednosti = type_number('datumski') then (v.value #>> '{}')::date end as datum,
           case when f.tip_vrednosti = type_number('izborni') then v.value = 'true' end as izbor,
           case when f.tip_vrednosti = type_number('vreme') then (v.value #>> '{}')::time end as vreme,
           case when f.tip_vrednosti = type_number('datumvreme') then (v.value #>> '{}')::timestamp end as trenutak
      from report.unos u
     cross join lateral jsonb_each(u.vrednosti) v
      join report.polje f on f.id = v.key::bigint and f.tip_unosa_id = u.tip_unosa_id
     where v.value not in ('null'::jsonb, '""'::jsonb, '[]'::jsonb) and f.tip_vrednosti <> type_number('panel');

-- What stands in the rows of sections that repeat, cell by cell, with the entries that a scope sees; a text only where the scope sees texts.
create view report_inside.celija_ustanove with (security_barrier) as
    select u.pacijent_id, u.id as unos_id, u.registar_id, u.tip_unosa_id, u.datum_unosa, u.ustanova_id,
           s.id as sekcija_id, r.red, f.id as polje_id, r.slog -> 'v' -> f.id::text as vrednost
      from report_inside.unos_ustanove u join entry e on e.id = u.id
      join form_field s on s.tip_skupa_atributa_id = e.tsa_id and s.ponavlja_se
     cross join lateral jsonb_array_elements(case jsonb_typeof(e.vrednosti -> s.id::text) when 'array' then e.vrednosti -> s.id::text else '[]' end)
           with ordinality r (slog, red)
      join form_field f on f.nadredjeni_atribut_u_tipu_skupa_id = s.id and r.slog -> 'v' ? f.id::text
     where (select report.vidi_tekstove()) or f.id::text <> all ((select t.polja from report_inside.tekstualna_polja t)::text[]);
create view report_inside.celija_svih with (security_barrier) as
    select report_inside.zamena(e.pacijent_id, (select o.tajna from report_inside.opseg o)) as pacijent_id,
           report_inside.zamena(e.id, (select o.tajna from report_inside.opseg o)) as unos_id,
           e.registar_id, e.tsa_id as tip_unosa_id, e.datum_unosa, e.ustanova_id,
           s.id as sekcija_id, r.red, f.id as polje_id, r.slog -> 'v' -> f.id::text as vrednost
      from entry e
      join form_field s on s.tip_skupa_atributa_id = e.tsa_id and s.ponavlja_se
     cross join lateral jsonb_array_elements(case jsonb_typeof(e.vrednosti -> s.id::text) when 'array' then e.vrednosti -> s.id::text else '[]' end)
           with ordinality r (slog, red)
      join form_field f on f.nadredjeni_atribut_u_tipu_skupa_id = s.id and r.slog -> 'v' ? f.id::text
     where e.aktivan and (select report.vidi_sve()) and not exists (select from patient p where p.id = e.pacijent_id and not p.aktivan)
       and f.id::text <> all ((select t.polja from report_inside.tekstualna_polja t)::text[])
       and not exists (select from patient_register n where n.pacijent_id = e.pacijent_id and n.registar_id = e.registar_id and not n.za_istrazivanje);
create view report.vrednost_reda with (security_barrier) as
    select c.pacijent_id, c.unos_id, c.registar_id, c.tip_unosa_id, c.datum_unosa, c.ustanova_id,
           s.id as sekcija_id, s.sifra as sekcija_sifra, s.naziv as sekcija, c.red::int as red,
           f.id as polje_id, f.sifra, f.naziv as polje, f.redosled, f.tip_vrednosti, f.jedinica,
           case f.tip_vrednosti
                when type_number('izborni') then case when c.vrednost = 'true' then 'Da' else 'Ne' end
                when type_number('brojni') then report.tekst_broja((c.vrednost #>> '{}')::numeric)
                when type_number('skupovni') then (select string_agg(i.naziv, ', ' order by i.redosled, i.id) from report.stavka i
                     where i.id in (select item::bigint from jsonb_array_elements_text(
                           case jsonb_typeof(c.vrednost) when 'array' then c.vrednost else '[]' end) item))
                when type_number('datumski') then to_char((c.vrednost #>> '{}')::date, 'DD.MM.YYYY.')
                when type_number('datumvreme') then to_char((c.vrednost #>> '{}')::timestamp, 'DD.MM.YYYY. HH24:MI')
                else c.vrednost #>> '{}'
           end as tekst,
           case when f.tip_vrednosti = type_number('brojni') then (c.vrednost #>> '{}')::numeric end as broj,
           case when f.tip_vrednosti = type_number('datumski') then (c.vrednost #>> '{}')::date end as datum,
           case when f.tip_vrednosti = type_number('izborni') then c.vrednost = 'true' end as izbor,
           case when f.tip_vrednosti = type_number('vreme') then (c.vrednost #>> '{}')::time end as vreme,
           case when f.tip_vrednosti = type_number('datumvreme') then (c.vrednost #>> '{}')::timestamp end as trenutak
      from (select * from report_inside.celija_ustanove union all select * from report_inside.celija_svih) c
      join report.polje s on s.id = c.sekcija_id
      join report.polje f on f.id = c.polje_id;

-- Files of entries, one a row, never what is in them; a name only where the scope sees texts.
create view report_inside.fajl_ustanove with (security_barrier) as
    select u.pacijent_id, u.id as unos_id, u.tip_unosa_id, u.datum_unosa, u.ustanova_id, f.id as polje_id, d.fajl
      from report_inside.unos_ustanove u join entry e on e.id = u.id
      join form_field f on f.tip_skupa_atributa_id = e.tsa_id and f.aktivan
      join attribute_type t on t.id = f.tip_atributa_id and t.tip_vrednosti_atributa = type_number('fajl')
     cross join lateral jsonb_array_elements(case jsonb_typeof(e.vrednosti -> f.id::text) when 'array' then e.vrednosti -> f.id::text else '[]' end) d (fajl);
create view report_inside.fajl_svih with (security_barrier) as
    select report_inside.zamena(e.pacijent_id, (select o.tajna from report_inside.opseg o)) as pacijent_id,
           report_inside.zamena(e.id, (select o.tajna from report_inside.opseg o)) as unos_id,
           e.tsa_id as tip_unosa_id, e.datum_unosa, e.ustanova_id, f.id as polje_id, d.fajl - 'naziv' as fajl
      from entry e
      join form_field f on f.tip_skupa_atributa_id = e.tsa_id and f.aktivan
      join attribute_type t on t.id = f.tip_atributa_id and t.tip_vrednosti_atributa = type_number('fajl')
     cross join lateral jsonb_array_elements(case jsonb_typeof(e.vrednosti -> f.id::text) when 'array' then e.vrednosti -> f.id::text else '[]' end) d (fajl)
     where e.aktivan and (select report.vidi_sve()) and not exists (select from patient p where p.id = e.pacijent_id and not p.aktivan)
       and not exists (select from patient_register n where n.pacijent_id = e.pacijent_id and n.registar_id = e.registar_id and not n.za_istrazivanje);
create view report.fajl with (security_barrier) as
    select d.pacijent_id, d.unos_id, d.tip_unosa_id, d.datum_unosa, d.ustanova_id, d.polje_id, f.sifra, f.naziv as polje,
           case when (select report.vidi_tekstove()) then d.fajl ->> 'naziv' end as naziv, d.fajl ->> 'tip' as vrsta,
           (d.fajl ->> 'velicina')::bigint as velicina
      from (select * from report_inside.fajl_ustanove union all select * from report_inside.fajl_svih) d
      join report.polje f on f.id = d.polje_id;

-- Entries of the institution's frozen cohorts. Over all institutions there are none: whose members they are would tell of single patients.
create view report.clan_kohorte with (security_barrier) as
    select m.kohorta_id, m.unos_id, m.clan
      from cohort_member m join cohort k on k.id = m.kohorta_id and k.aktivan
     where not (select report.vidi_sve()) and k.ustanova_id = (select report.moja_ustanova());

-- What designers of reports read beside their query: every view and every column has its words, in Serbian.
comment on view report.ustanova is 'Ustanove koje su u upotrebi.';
comment on column report.ustanova.id is 'Broj ustanove.';
comment on column report.ustanova.naziv is 'Naziv.';
comment on column report.ustanova.sifra is 'Šifra.';
comment on view report.radnik is 'Radnici. Imena su prazna u izveštaju nad svim ustanovama.';
comment on column report.radnik.id is 'Broj radnika.';
comment on column report.radnik.ime is 'Ime.';
comment on column report.radnik.prezime is 'Prezime.';
comment on column report.radnik.ime_prezime is 'Prezime i ime.';
comment on column report.radnik.ustanova_id is 'Matična ustanova.';
comment on view report.registar is 'Registri koji su u upotrebi.';
comment on column report.registar.id is 'Broj registra.';
comment on column report.registar.naziv is 'Naziv.';
comment on column report.registar.sifra is 'Šifra.';
comment on view report.tip_unosa is 'Formulari registara.';
comment on column report.tip_unosa.id is 'Broj formulara.';
comment on column report.tip_unosa.registar_id is 'Registar.';
comment on column report.tip_unosa.naziv is 'Naziv.';
comment on column report.tip_unosa.prikazni_redosled is 'Redosled na ekranu.';
comment on view report.polje is 'Polja formulara, i ona koja se ne pretražuju.';
comment on column report.polje.id is 'Broj polja.';
comment on column report.polje.tip_unosa_id is 'Formular.';
comment on column report.polje.sifra is 'Šifra polja u formularu.';
comment on column report.polje.naziv is 'Naziv.';
comment on column report.polje.redosled is 'Mesto na formularu: redom kojim se polja čitaju, tab po tab i panel po panel.';
comment on column report.polje.relevantni is 'Da li je polje označeno kao relevantno.';
comment on column report.polje.opcioni is 'Da li sme da ostane prazno.';
comment on column report.polje.pretrazuje_se is 'Da li pretraga registra ima uslove po polju.';
comment on column report.polje.tip_vrednosti is 'Broj vrste polja; kako se zove kaže vrsta.';
comment on column report.polje.jedinica is 'Jedinica mere.';
comment on column report.polje.decimale is 'Broj decimala.';
comment on column report.polje.tip_atributa_id is 'Tip atributa, kome pripadaju stavke.';
comment on column report.polje.vrsta is 'Šta polje drži: izborni, brojni, tekstualni, skupovni, datumski, fajl, vreme ili datumvreme; prazno ako ne drži vrednost.';
comment on view report.stavka is 'Stavke skupovnih polja.';
comment on column report.stavka.id is 'Broj stavke, kako je upisan u vrednosti.';
comment on column report.stavka.tip_atributa_id is 'Tip atributa.';
comment on column report.stavka.naziv is 'Naziv.';
comment on column report.stavka.num_vrednost is 'Numerička vrednost (težina); prazno: stavka je nema.';
comment on column report.stavka.sifra is 'Šifra stavke, gde je ima.';
comment on column report.stavka.redosled is 'Redosled.';
comment on view report.pacijent is 'Pacijenti koje ustanova poznaje. U izveštaju nad svim ustanovama nema ničega što bi ih odalo. Kome uloge ne otvaraju pacijente, tome se izveštaj koji čita ime, broj, adresu, napomenu ili dan rođenja odbija; pol, ustanovu i godinu rođenja čita svako.';
comment on column report.pacijent.id is 'Broj pacijenta; nad svim ustanovama važi samo u jednom izvršavanju.';
comment on column report.pacijent.ime is 'Ime.';
comment on column report.pacijent.prezime is 'Prezime.';
comment on column report.pacijent.ime_prezime is 'Prezime i ime.';
comment on column report.pacijent.ime_roditelja is 'Ime roditelja.';
comment on column report.pacijent.datum_rodjenja is 'Datum rođenja.';
comment on column report.pacijent.jmbg is 'JMBG, kao tekst.';
comment on column report.pacijent.lbo is 'LBO, kao tekst.';
comment on column report.pacijent.broj_kartona is 'Broj kartona.';
comment on column report.pacijent.pol_trenutni is 'Pol: true muški, false ženski.';
comment on column report.pacijent.pol_na_rodjenju is 'Pol na rođenju: true muški, false ženski.';
comment on column report.pacijent.adresa is 'Adresa.';
comment on column report.pacijent.kontakt_telefon is 'Kontakt telefon.';
comment on column report.pacijent.mobilni_telefon is 'Mobilni telefon.';
comment on column report.pacijent.email is 'E-mail adresa.';
comment on column report.pacijent.zanimanje is 'Zanimanje.';
comment on column report.pacijent.strucna_sprema is 'Stručna sprema.';
comment on column report.pacijent.radno_mesto is 'Radno mesto.';
comment on column report.pacijent.medicinska_napomena is 'Medicinska napomena.';
comment on column report.pacijent.administrativna_napomena is 'Administrativna napomena.';
comment on column report.pacijent.ustanova_id is 'Matična ustanova.';
comment on column report.pacijent.godina_rodjenja is 'Godina rođenja; ima je i nad svim ustanovama.';
comment on column report.pacijent.datum_smrti is 'Dan smrti; prazan dok smrt nije zabeležena.';
comment on view report.unos is 'Unosi pacijenata, po jedan red za svaki pregled ili formular.';
comment on column report.unos.id is 'Broj unosa; nad svim ustanovama važi samo u jednom izvršavanju.';
comment on column report.unos.pacijent_id is 'Pacijent.';
comment on column report.unos.registar_id is 'Registar.';
comment on column report.unos.tip_unosa_id is 'Formular.';
comment on column report.unos.poseta_id is 'Poseta: unosi jednog pacijenta, registra, dana i ustanove; nad svim ustanovama važi samo u jednom izvršavanju.';
comment on column report.unos.datum_unosa is 'Datum pregleda; isti je za sve unose posete.';
comment on column report.unos.ustanova_id is 'Ustanova u kojoj je unet.';
comment on column report.unos.radnik_odgovoran_id is 'Odgovorni radnik.';
comment on column report.unos.popunjeni_relevantni is 'Da li su sva relevantna polja popunjena.';
comment on column report.unos.vrednosti is 'Sve vrednosti, po broju polja; nad svim ustanovama, i kome uloge ne otvaraju pacijente, bez tekstova i slika. Lakše se čitaju iz pogleda vrednost.';
comment on column report.unos.popunjena is 'Brojevi polja koja nešto drže.';
comment on column report.unos.stanje is 'Stanje unosa: uRadu, zavrsen, potpisan ili zakljucan; zaključan je i kad je zaključan njegov period.';
comment on column report.unos.potpisan is 'Da li ima potpis koji važi.';
comment on column report.unos.zavrsen is 'Da li ga je neko završio ili potpisao, a niko nije vratio u rad; zaključavanje to ne menja.';
comment on view report.pacijent_registar is 'Pacijenti po registrima, sa prvim i poslednjim unosom.';
comment on column report.pacijent_registar.pacijent_id is 'Pacijent.';
comment on column report.pacijent_registar.registar_id is 'Registar.';
comment on column report.pacijent_registar.prvi_unos_datum is 'Datum prvog unosa.';
comment on column report.pacijent_registar.poslednji_unos_datum is 'Datum poslednjeg unosa.';
comment on column report.pacijent_registar.broj_unosa is 'Broj unosa.';
comment on column report.pacijent_registar.status is 'Šta važi za pacijenta u registru: aktivan, izgubljen, preminuo, povukaoSaglasnost ili premesten.';
comment on column report.pacijent_registar.status_dan is 'Dan od kog važi; prazan dok ništa nije zabeleženo.';
comment on view report.status is 'Statusi pacijenata, po jedan red za svaki zapis: i oni koji važe i oni koji su ispravljeni.';
comment on column report.status.id is 'Broj zapisa; nad svim ustanovama važi samo u jednom izvršavanju.';
comment on column report.status.pacijent_id is 'Pacijent.';
comment on column report.status.registar_id is 'Registar; prazan za smrt, koja važi u svima.';
comment on column report.status.status is 'aktivan, izgubljen, preminuo, povukaoSaglasnost ili premesten.';
comment on column report.status.dan is 'Dan.';
comment on column report.status.uzrok_sifra is 'Šifra uzroka sa liste registra.';
comment on column report.status.uzrok is 'Uzrok.';
comment on column report.status.izvor is 'Odakle je podatak: ustanova, porodica, pacijent, potvrda, evidencija ili uvoz.';
comment on column report.status.ispravlja_id is 'Zapis koji je ovim ispravljen.';
comment on column report.status.ponisten is 'Da li je ispravka poništila zapis.';
comment on column report.status.vazi is 'Da li zapis važi: nije ni ispravljen ni poništen.';
comment on column report.status.ustanova_id is 'Ustanova koja ga je zabeležila.';
comment on column report.status.zabelezeno is 'Dan na koji je zabeležen.';
comment on view report.poseta is 'Zakazane posete pacijenata po planu registra, po jedan red za svaki prozor.';
comment on column report.poseta.id is 'Broj zakazane posete; nad svim ustanovama važi samo u jednom izvršavanju.';
comment on column report.poseta.pacijent_id is 'Pacijent.';
comment on column report.poseta.registar_id is 'Registar.';
comment on column report.poseta.plan is 'Plan pacijenta.';
comment on column report.poseta.sifra is 'Šifra posete u planu.';
comment on column report.poseta.naziv is 'Naziv posete u planu.';
comment on column report.poseta.red is 'Koja je po redu od poseta koje se ponavljaju, od 0.';
comment on column report.poseta.cilj is 'Dan termina.';
comment on column report.poseta.prozor_od is 'Prvi dan prozora.';
comment on column report.poseta.prozor_do is 'Poslednji dan prozora.';
comment on column report.poseta.ceka_do is 'Poslednji dan na koji se poseta čeka; posle njega je propuštena.';
comment on column report.poseta.stanje is 'Na dan izvršavanja: buduca, otvorena, kasni, propustena, ispunjena, vanProzora ili otkazana.';
comment on column report.poseta.unos_id is 'Unos koji je ta poseta.';
comment on column report.poseta.dan is 'Dan tog unosa.';
comment on column report.poseta.kasni_dana is 'Dana od kraja prozora, za posetu koja kasni.';
comment on column report.poseta.ustanova_id is 'Ustanova koja pacijenta čeka.';
comment on column report.poseta.radnik_id is 'Lekar koji ga u njoj vodi.';
comment on view report.broj is 'Brojevi polja koja se pretražuju: najbrži izvor za zbirove. Za ostala polja čita se vrednost.';
comment on column report.broj.pacijent_id is 'Pacijent.';
comment on column report.broj.unos_id is 'Unos.';
comment on column report.broj.tip_unosa_id is 'Formular.';
comment on column report.broj.sifra is 'Šifra polja.';
comment on column report.broj.vrednost is 'Broj; izborno polje 0 ili 1, datum dani od 01.01.1970, vreme minuti od ponoći, datum i vreme minuti od 01.01.1970, skupovno broj stavke.';
comment on column report.broj.datum_unosa is 'Datum pregleda.';
comment on column report.broj.ustanova_id is 'Ustanova u kojoj je unet.';
comment on view report.zastareo is 'Rezultati koji su označeni kao zastareli.';
comment on column report.zastareo.unos_id is 'Unos.';
comment on column report.zastareo.pacijent_id is 'Pacijent.';
comment on column report.zastareo.tip_unosa_id is 'Formular.';
comment on column report.zastareo.sifra is 'Šifra polja.';
comment on column report.zastareo.razlog is 'Zašto je označen.';
comment on column report.zastareo.jedinica is 'Jedinica u kojoj je snimljen.';
comment on column report.zastareo.polje_id is 'Broj polja.';
comment on column report.zastareo.polje is 'Naziv polja.';
comment on view report.nalaz is 'Nalazi pravila kvaliteta, po jedan red za svaki: otvoreni, provereni i završeni. Napomene se ne vide.';
comment on column report.nalaz.id is 'Broj nalaza; nad svim ustanovama važi samo u jednom izvršavanju.';
comment on column report.nalaz.pacijent_id is 'Pacijent.';
comment on column report.nalaz.unos_id is 'Unos.';
comment on column report.nalaz.registar_id is 'Registar.';
comment on column report.nalaz.tip_unosa_id is 'Formular.';
comment on column report.nalaz.datum_unosa is 'Datum pregleda.';
comment on column report.nalaz.ustanova_id is 'Ustanova unosa, čiji je nalaz.';
comment on column report.nalaz.radnik_odgovoran_id is 'Lekar koji odgovara za unos, a bez njega ko ga je napravio.';
comment on column report.nalaz.pravilo_id is 'Broj pravila.';
comment on column report.nalaz.pravilo is 'Naziv pravila.';
comment on column report.nalaz.vrsta is 'Vrsta pravila: obavezno, relevantno, granice, skok, jedinica, redosled, posleSmrti, preRodjenja, posleDanas, istiDan, zastareo, pravilaFormulara ili formula.';
comment on column report.nalaz.tezina is 'greska ili upozorenje.';
comment on column report.nalaz.polje_id is 'Broj polja; prazan kad je nalaz o celom unosu.';
comment on column report.nalaz.sifra is 'Šifra polja.';
comment on column report.nalaz.polje is 'Naziv polja.';
comment on column report.nalaz.stanje is 'otvoren, potvrdjen (proveren, tačan) ili zavrsen.';
comment on column report.nalaz.pocetak is 'Dan na koji je nađen.';
comment on column report.nalaz.kraj is 'Dan na koji se završio.';
comment on column report.nalaz.razlog_kraja is 'Zašto se završio: vrednost, pravilo ili unos.';
comment on view report.upit is 'Upiti o unosima, po jedan red za svaki. Poruke se ne vide.';
comment on column report.upit.id is 'Broj upita; nad svim ustanovama važi samo u jednom izvršavanju.';
comment on column report.upit.pacijent_id is 'Pacijent.';
comment on column report.upit.unos_id is 'Unos.';
comment on column report.upit.registar_id is 'Registar.';
comment on column report.upit.tip_unosa_id is 'Formular.';
comment on column report.upit.datum_unosa is 'Datum pregleda.';
comment on column report.upit.ustanova_id is 'Ustanova unosa, čiji je upit.';
comment on column report.upit.polje_id is 'Broj polja; prazan kad je upit o celom unosu.';
comment on column report.upit.sifra is 'Šifra polja.';
comment on column report.upit.polje is 'Naziv polja.';
comment on column report.upit.poreklo is 'Ko je pitao: nadzor, kolega ili pravilo.';
comment on column report.upit.stanje is 'otvoren, odgovoren, zatvoren ili ponovoOtvoren.';
comment on column report.upit.radnik_id is 'Ko je pitao.';
comment on column report.upit.dodeljen_id is 'Kome je upit dodeljen.';
comment on column report.upit.rok is 'Rok.';
comment on column report.upit.kasni is 'Da li je rok prošao, a upit nije zatvoren.';
comment on column report.upit.postavljen is 'Dan na koji je postavljen.';
comment on column report.upit.zatvoren is 'Dan na koji je zatvoren; prazan dok nije.';
comment on column report.upit.poruka is 'Koliko poruka ima.';
comment on view report.vrednost is 'Vrednosti svih polja, i onih koja se ne pretražuju: po jedan red za svako popunjeno polje unosa.';
comment on column report.vrednost.pacijent_id is 'Pacijent.';
comment on column report.vrednost.unos_id is 'Unos.';
comment on column report.vrednost.registar_id is 'Registar.';
comment on column report.vrednost.tip_unosa_id is 'Formular.';
comment on column report.vrednost.datum_unosa is 'Datum pregleda.';
comment on column report.vrednost.ustanova_id is 'Ustanova u kojoj je unet.';
comment on column report.vrednost.polje_id is 'Broj polja.';
comment on column report.vrednost.sifra is 'Šifra polja.';
comment on column report.vrednost.polje is 'Naziv polja.';
comment on column report.vrednost.redosled is 'Mesto na formularu: redom kojim se polja čitaju, tab po tab i panel po panel.';
comment on column report.vrednost.tip_vrednosti is '1 izborni, 2 brojni, 3 tekstualni, 4 skupovni, 5 datumski, 9 slikovni, 13 fajl, 14 vreme, 15 datum i vreme.';
comment on column report.vrednost.jedinica is 'Jedinica mere.';
comment on column report.vrednost.tekst is 'Vrednost kako se čita na ekranu, bez jedinice.';
comment on column report.vrednost.broj is 'Vrednost brojnog polja.';
comment on column report.vrednost.datum is 'Vrednost datumskog polja.';
comment on column report.vrednost.izbor is 'Vrednost izbornog polja.';
comment on column report.vrednost.vreme is 'Vrednost polja sa vremenom.';
comment on column report.vrednost.trenutak is 'Vrednost polja sa datumom i vremenom.';
comment on view report.vrednost_reda is 'Sekcije koje se ponavljaju: po jedan red za svako popunjeno polje u svakom redu sekcije. Kome se identitet ne prikazuje, tome ni tekstovi.';
comment on column report.vrednost_reda.pacijent_id is 'Pacijent.';
comment on column report.vrednost_reda.unos_id is 'Unos.';
comment on column report.vrednost_reda.registar_id is 'Registar.';
comment on column report.vrednost_reda.tip_unosa_id is 'Formular.';
comment on column report.vrednost_reda.datum_unosa is 'Datum pregleda.';
comment on column report.vrednost_reda.ustanova_id is 'Ustanova unosa.';
comment on column report.vrednost_reda.sekcija_id is 'Broj polja sekcije.';
comment on column report.vrednost_reda.sekcija_sifra is 'Šifra sekcije.';
comment on column report.vrednost_reda.sekcija is 'Naziv sekcije.';
comment on column report.vrednost_reda.red is 'Koji je po redu u sekciji tog unosa, od 1.';
comment on column report.vrednost_reda.polje_id is 'Broj polja.';
comment on column report.vrednost_reda.sifra is 'Šifra polja.';
comment on column report.vrednost_reda.polje is 'Naziv polja.';
comment on column report.vrednost_reda.redosled is 'Mesto na formularu: redom kojim se polja čitaju, tab po tab i panel po panel.';
comment on column report.vrednost_reda.tip_vrednosti is '1 izborni, 2 brojni, 3 tekstualni, 4 skupovni, 5 datumski, 14 vreme, 15 datum i vreme.';
comment on column report.vrednost_reda.jedinica is 'Jedinica mere.';
comment on column report.vrednost_reda.tekst is 'Vrednost kako se čita na ekranu, bez jedinice.';
comment on column report.vrednost_reda.broj is 'Vrednost brojnog polja.';
comment on column report.vrednost_reda.datum is 'Vrednost datumskog polja.';
comment on column report.vrednost_reda.izbor is 'Vrednost izbornog polja.';
comment on column report.vrednost_reda.vreme is 'Vrednost polja sa vremenom.';
comment on column report.vrednost_reda.trenutak is 'Vrednost polja sa datumom i vremenom.';
comment on view report.fajl is 'Fajlovi priloženi uz unose: po jedan red za svaki fajl, bez sadržaja. Naziv je prazan kome se identitet ne prikazuje.';
comment on column report.fajl.pacijent_id is 'Pacijent.';
comment on column report.fajl.unos_id is 'Unos.';
comment on column report.fajl.tip_unosa_id is 'Formular.';
comment on column report.fajl.datum_unosa is 'Datum pregleda.';
comment on column report.fajl.ustanova_id is 'Ustanova unosa.';
comment on column report.fajl.polje_id is 'Broj polja.';
comment on column report.fajl.sifra is 'Šifra polja.';
comment on column report.fajl.polje is 'Naziv polja.';
comment on column report.fajl.naziv is 'Naziv fajla.';
comment on column report.fajl.vrsta is 'Vrsta: pdf, jpeg, png ili txt.';
comment on column report.fajl.velicina is 'Veličina u bajtovima.';
comment on view report.clan_kohorte is 'Unosi zamrznutih kohorti ustanove. U izveštaju nad svim ustanovama ih nema.';
comment on column report.clan_kohorte.kohorta_id is 'Broj kohorte.';
comment on column report.clan_kohorte.unos_id is 'Unos.';
comment on column report.clan_kohorte.clan is 'Da li je taj unos red kohorte, ili drugi unos njenog pacijenta.';
comment on function report.danas is 'Današnji datum u Beogradu.';
comment on function report.fold is 'Tekst bez kvačica i velikih slova, za poređenje.';
comment on function report.tekst_broja is 'Broj kao tekst, sa decimalnim zarezom: 2.108,5.';

grant select on all tables in schema report to regix_report, regix_report_anonymous, regix_report_unnamed, regix_app;
revoke select on report.pacijent from regix_report_anonymous, regix_report_unnamed;
grant select (id, pol_trenutni, pol_na_rodjenju, ustanova_id, godina_rodjenja, datum_smrti) on report.pacijent to regix_report_anonymous, regix_report_unnamed;
-- What describes a patient and names nobody: reports count by it (docs/decisions/0044-whom-a-report-shows.md).
grant select (datum_rodjenja, zanimanje, strucna_sprema, radno_mesto) on report.pacijent to regix_report_unnamed;
-- How things are called, and nothing of a patient: what this role may read is no group of patients over all institutions.
grant select on report.ustanova, report.radnik, report.registar, report.tip_unosa, report.polje, report.stavka to regix_report_words;
grant execute on all functions in schema report to regix_report, regix_report_anonymous, regix_report_unnamed, regix_report_words, regix_app;
