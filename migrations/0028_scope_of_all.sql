-- A report over all institutions ("obim" sve) reads no identity: its scope gives no name, number, address, contact or free text
-- of a patient, the year of birth in place of the date, and ids that mean nothing outside one run. Each view has an arm for
-- either scope; the planner never starts the other one. Both arms are barriers of their own, so that what a report's
-- conditions do is done after the scope's.

-- What ids are mixed with in a scope of all institutions: another one for every connection.
alter table report_scope add column kljuc bigint not null
    default ('x' || left(replace(gen_random_uuid()::text, '-', ''), 16))::bit(64)::bigint;

-- The arms: nobody but the views of schema "report" reads them.
create schema report_inside;

create view report_inside.pacijent_ustanove with (security_barrier) as
    select p.id, p.ime, p.prezime, p.prezime || ' ' || p.ime as ime_prezime, p.ime_roditelja, p.datum_rodjenja, p.jmbg, p.lbo, p.broj_kartona,
           p.pol_trenutni, p.pol_na_rodjenju, p.adresa, p.kontakt_telefon, p.mobilni_telefon, p.email, p.zanimanje, p.strucna_sprema,
           p.radno_mesto, p.medicinska_napomena, p.administrativna_napomena, p.ustanova_id,
           extract(year from p.datum_rodjenja)::int as godina_rodjenja
      from patient p
     where p.aktivan and not (select report.vidi_sve()) and (p.ustanova_id = (select report.moja_ustanova())
        or exists (select from entry e where e.pacijent_id = p.id and e.aktivan and e.ustanova_id = (select report.moja_ustanova())));
create view report_inside.pacijent_svih with (security_barrier) as
    select hashint8extended(p.id, (select s.kljuc from report_scope s where s.pid = pg_backend_pid())) as id,
           null::text as ime, null::text as prezime, null::text as ime_prezime, null::text as ime_roditelja, null::date as datum_rodjenja,
           null::text as jmbg, null::text as lbo, null::text as broj_kartona, p.pol_trenutni, p.pol_na_rodjenju, null::text as adresa,
           null::text as kontakt_telefon, null::text as mobilni_telefon, null::text as email, null::text as zanimanje,
           null::text as strucna_sprema, null::text as radno_mesto, null::text as medicinska_napomena, null::text as administrativna_napomena,
           p.ustanova_id, extract(year from p.datum_rodjenja)::int as godina_rodjenja
      from patient p
     where p.aktivan and (select report.vidi_sve());
create or replace view report.pacijent with (security_barrier) as
    select * from report_inside.pacijent_ustanove union all select * from report_inside.pacijent_svih;

-- "popunjena" names the fields that hold something, whatever it is; "vrednosti" leaves out what may be text or a picture where
-- every institution is seen.
create view report_inside.unos_ustanove with (security_barrier) as
    select e.id, e.pacijent_id, e.registar_id, e.tsa_id as tip_unosa_id, e.datum_unosa, e.ustanova_id, e.radnik_odgovoran_id,
           e.popunjeni_relevantni, e.vrednosti,
           array(select v.key from jsonb_each(e.vrednosti) v where v.value not in ('null'::jsonb, '""'::jsonb, '[]'::jsonb)) as popunjena
      from entry e join patient p on p.id = e.pacijent_id and p.aktivan
     where e.aktivan and not (select report.vidi_sve())
       and (e.ustanova_id = (select report.moja_ustanova()) or p.ustanova_id = (select report.moja_ustanova())
        or exists (select from entry o where o.pacijent_id = e.pacijent_id and o.aktivan and o.ustanova_id = (select report.moja_ustanova())));
create view report_inside.unos_svih with (security_barrier) as
    select hashint8extended(e.id, (select s.kljuc from report_scope s where s.pid = pg_backend_pid())) as id,
           hashint8extended(e.pacijent_id, (select s.kljuc from report_scope s where s.pid = pg_backend_pid())) as pacijent_id,
           e.registar_id, e.tsa_id as tip_unosa_id, e.datum_unosa, e.ustanova_id, e.radnik_odgovoran_id, e.popunjeni_relevantni,
           e.vrednosti - coalesce((select array_agg(f.id::text) from form_field f join attribute_type t on t.id = f.tip_atributa_id
                                    where t.tip_vrednosti_atributa not in (1, 2, 4, 5)), '{}') as vrednosti,
           array(select v.key from jsonb_each(e.vrednosti) v where v.value not in ('null'::jsonb, '""'::jsonb, '[]'::jsonb)) as popunjena
      from entry e
     where e.aktivan and (select report.vidi_sve()) and not exists (select from patient p where p.id = e.pacijent_id and not p.aktivan);
create or replace view report.unos with (security_barrier) as
    select * from report_inside.unos_ustanove union all select * from report_inside.unos_svih;

create view report_inside.pacijent_registar_ustanove with (security_barrier) as
    select r.pacijent_id, r.registar_id, r.prvi_unos_datum, r.poslednji_unos_datum, r.broj_unosa
      from patient_register r join report_inside.pacijent_ustanove p on p.id = r.pacijent_id;
create view report_inside.pacijent_registar_svih with (security_barrier) as
    select hashint8extended(r.pacijent_id, (select s.kljuc from report_scope s where s.pid = pg_backend_pid())) as pacijent_id,
           r.registar_id, r.prvi_unos_datum, r.poslednji_unos_datum, r.broj_unosa
      from patient_register r
     where (select report.vidi_sve()) and not exists (select from patient p where p.id = r.pacijent_id and not p.aktivan);
create or replace view report.pacijent_registar with (security_barrier) as
    select * from report_inside.pacijent_registar_ustanove union all select * from report_inside.pacijent_registar_svih;

create view report_inside.broj_ustanove with (security_barrier) as
    select v.pacijent_id, v.unos_id, f.tip_skupa_atributa_id as tip_unosa_id, f.sifra, v.vrednost, v.datum_unosa, v.ustanova_id
      from value_num v join form_field f on f.id = v.polje_id
     where not (select report.vidi_sve()) and not exists (select from patient p where p.id = v.pacijent_id and not p.aktivan)
       and (v.ustanova_id = (select report.moja_ustanova())
        or exists (select from patient p where p.id = v.pacijent_id and p.ustanova_id = (select report.moja_ustanova()))
        or exists (select from entry o where o.pacijent_id = v.pacijent_id and o.aktivan and o.ustanova_id = (select report.moja_ustanova())));
create view report_inside.broj_svih with (security_barrier) as
    select hashint8extended(v.pacijent_id, (select s.kljuc from report_scope s where s.pid = pg_backend_pid())) as pacijent_id,
           hashint8extended(v.unos_id, (select s.kljuc from report_scope s where s.pid = pg_backend_pid())) as unos_id,
           f.tip_skupa_atributa_id as tip_unosa_id, f.sifra, v.vrednost, v.datum_unosa, v.ustanova_id
      from value_num v join form_field f on f.id = v.polje_id
     where (select report.vidi_sve()) and not exists (select from patient p where p.id = v.pacijent_id and not p.aktivan);
create or replace view report.broj with (security_barrier) as
    select * from report_inside.broj_ustanove union all select * from report_inside.broj_svih;

create view report_inside.zastareo_ustanove with (security_barrier) as
    select s.unos_id, u.pacijent_id, u.tip_unosa_id, f.sifra, s.razlog, s.jedinica
      from stale_result s join form_field f on f.id = s.polje_id join report_inside.unos_ustanove u on u.id = s.unos_id;
create view report_inside.zastareo_svih with (security_barrier) as
    select hashint8extended(e.id, (select s.kljuc from report_scope s where s.pid = pg_backend_pid())) as unos_id,
           hashint8extended(e.pacijent_id, (select s.kljuc from report_scope s where s.pid = pg_backend_pid())) as pacijent_id,
           e.tsa_id as tip_unosa_id, f.sifra, z.razlog, z.jedinica
      from stale_result z join form_field f on f.id = z.polje_id join entry e on e.id = z.unos_id
     where e.aktivan and (select report.vidi_sve()) and not exists (select from patient p where p.id = e.pacijent_id and not p.aktivan);
create or replace view report.zastareo with (security_barrier) as
    select * from report_inside.zastareo_ustanove union all select * from report_inside.zastareo_svih;

-- Whose names may be read with entries of other hospitals is not for a report to decide either.
create or replace view report.radnik with (security_barrier) as
    select id, case when (select report.vidi_sve()) then null else ime end as ime,
           case when (select report.vidi_sve()) then null else prezime end as prezime,
           case when (select report.vidi_sve()) then null else prezime || ' ' || ime end as ime_prezime, ustanova_id
      from worker where aktivan and username <> 'sistem';

-- Functions that everybody may call and no report needs: telling other sessions something, holding locks that outlive a
-- statement, ending other sessions' statements, changing settings, large objects. The services keep them.
do $$
declare
    needless regprocedure;
begin
    for needless in select p.oid::regprocedure from pg_proc p
                     where p.pronamespace = 'pg_catalog'::regnamespace
                       and (p.proname in ('pg_notify', 'set_config', 'pg_cancel_backend', 'pg_terminate_backend', 'pg_logical_emit_message',
                                          'pg_sleep_until', 'loread', 'lowrite', 'pg_export_snapshot', 'pg_current_xact_id', 'txid_current')
                            or p.proname ~ '^(pg_(try_)?advisory_|lo_)')
    loop
        -- What the server keeps from everybody already is not handed out here.
        if has_function_privilege('regix_report', needless::oid, 'execute') then
            execute format('grant execute on function %s to regix_app', needless);
            execute format('grant execute on function %s to %I', needless, current_user);
            execute format('revoke execute on function %s from public', needless);
        end if;
    end loop;
exception when insufficient_privilege then
    raise notice 'functions of the server are left as they are: only a superuser may take them from everybody';
end
$$;

-- The owner of a schedule learns of a fire that made no report, whoever ended it: by a mail of the ordinary queue where her
-- account has an address, and by a mark until she has looked. Of several fires that one look found missed, the first is told.
alter table report_run add column vlasnik_video boolean not null default false;
update report_run set vlasnik_video = true;
create function report_run_tell_owner() returns trigger language plpgsql as $$
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
create trigger report_run_tell_owner after insert or update of status on report_run for each row
    when (new.zakazivanje_id is not null and new.status in ('failed', 'missed', 'skipped_overlap', 'skipped_unauthorised'))
    execute function report_run_tell_owner();
