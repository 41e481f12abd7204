-- What report SQL and parameter queries may read: views of schema "report", filtered by the scope of the connection.
-- The scope is a row of report_scope for the backend's own pid, written by the application before the query runs. The
-- report role can neither read nor change it, so no statement can widen what it sees. Without a row nothing is visible.

create function report.vidi_sve() returns boolean language sql stable security definer set search_path = public, pg_temp as $$
    select coalesce((select s.ustanova_id is null from report_scope s where s.pid = pg_backend_pid()), false)
$$;
create function report.moja_ustanova() returns bigint language sql stable security definer set search_path = public, pg_temp as $$
    select s.ustanova_id from report_scope s where s.pid = pg_backend_pid()
$$;

create view report.ustanova as select id, naziv, sifra from institution where aktivan;
create view report.radnik as select id, ime, prezime, prezime || ' ' || ime as ime_prezime, ustanova_id from worker where aktivan and username <> 'sistem';
create view report.registar as select id, naziv, sifra from register where aktivan;
create view report.tip_unosa as select id, registar_id, naziv, prikazni_redosled from form where aktivan;
create view report.polje as
    select f.id, f.tip_skupa_atributa_id as tip_unosa_id, f.sifra, f.naziv, f.redosled, f.relevantni, f.opcioni,
           t.tip_vrednosti_atributa as tip_vrednosti, t.jedinica, t.decimale_brojne_vrednosti as decimale, f.tip_atributa_id
      from form_field f join attribute_type t on t.id = f.tip_atributa_id where f.aktivan;
create view report.stavka as select id, tip_atributa_id, naziv, num_vrednost, redosled from enum_item where aktivan;

create view report.pacijent with (security_barrier) as
    select p.id, p.ime, p.prezime, p.prezime || ' ' || p.ime as ime_prezime, p.ime_roditelja, p.datum_rodjenja, p.jmbg, p.lbo, p.broj_kartona,
           p.pol_trenutni, p.pol_na_rodjenju, p.adresa, p.kontakt_telefon, p.mobilni_telefon, p.email, p.zanimanje, p.strucna_sprema,
           p.radno_mesto, p.medicinska_napomena, p.administrativna_napomena, p.ustanova_id
      from patient p
     where p.aktivan and ((select report.vidi_sve()) or p.ustanova_id = (select report.moja_ustanova())
        or exists (select from entry e where e.pacijent_id = p.id and e.aktivan and e.ustanova_id = (select report.moja_ustanova())));

-- An active entry of an active patient that the scope knows.
create view report.unos with (security_barrier) as
    select e.id, e.pacijent_id, e.registar_id, e.tsa_id as tip_unosa_id, e.datum_unosa, e.ustanova_id, e.radnik_odgovoran_id,
           e.popunjeni_relevantni, e.vrednosti
      from entry e join patient p on p.id = e.pacijent_id and p.aktivan
     where e.aktivan and ((select report.vidi_sve()) or e.ustanova_id = (select report.moja_ustanova()) or p.ustanova_id = (select report.moja_ustanova())
        or exists (select from entry o where o.pacijent_id = e.pacijent_id and o.aktivan and o.ustanova_id = (select report.moja_ustanova())));

create view report.pacijent_registar with (security_barrier) as
    select r.pacijent_id, r.registar_id, r.prvi_unos_datum, r.poslednji_unos_datum, r.broj_unosa
      from patient_register r join report.pacijent p on p.id = r.pacijent_id;

-- Numbers, choices (0/1), dates (days since 1970-01-01) and set items (item ids) of searchable fields, by field code. The patient
-- is looked at only where the scope asks for it: a sum over all institutions reads one index.
create view report.broj with (security_barrier) as
    select v.pacijent_id, v.unos_id, f.tip_skupa_atributa_id as tip_unosa_id, f.sifra, v.vrednost, v.datum_unosa, v.ustanova_id
      from value_num v join form_field f on f.id = v.polje_id
     where not exists (select from patient p where p.id = v.pacijent_id and not p.aktivan)
       and ((select report.vidi_sve()) or v.ustanova_id = (select report.moja_ustanova())
        or exists (select from patient p where p.id = v.pacijent_id and p.ustanova_id = (select report.moja_ustanova()))
        or exists (select from entry o where o.pacijent_id = v.pacijent_id and o.aktivan and o.ustanova_id = (select report.moja_ustanova())));

grant select on all tables in schema report to regix_report, regix_app;
grant execute on all functions in schema report to regix_report, regix_app;
-- Sorting and matching of Serbian text, within the one schema that the role knows; bound when it is created, so that the
-- role needs no way into "public".
create function report.fold(t text) returns text language sql immutable parallel safe strict return public.fold(t);
grant execute on function report.fold(text) to regix_report, regix_app;

alter role regix_report set default_transaction_read_only = on;
alter role regix_report set statement_timeout = '30min';
alter role regix_report set lock_timeout = '2s';
alter role regix_report set idle_in_transaction_session_timeout = '60s';
alter role regix_report set search_path = report;
do $$
begin
    alter role regix_report set temp_file_limit = '2GB';
exception when insufficient_privilege then
    raise notice 'temp_file_limit of regix_report is left to the server: only a superuser may set it';
end
$$;
