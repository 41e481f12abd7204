-- Whether a report's query says who its patients are is asked of the server, which plans it once more for a role of its own: it reads all
-- but what names a patient. What it may read stands with the views.
do $$
begin
    perform pg_advisory_xact_lock(7231840001);
    if not exists (select from pg_roles where rolname = 'regix_report_unnamed') then create role regix_report_unnamed nologin; end if;
    if not pg_has_role('regix_report', 'regix_report_unnamed', 'member') then grant regix_report_unnamed to regix_report; end if;
end
$$;

-- What an upgrade has changed for whom, shown to administrators until it is seen to or put away. Of schedules only what was put away has
-- a row: which of them a report is refused to is asked when somebody looks.
create table upgrade_note (
    id bigint generated always as identity primary key,
    vrsta text not null constraint upgrade_note_vrsta_known check (vrsta in ('uloga', 'ustanove', 'demo', 'zakazivanje')),
    -- A role, a worker or a schedule.
    red_id bigint not null,
    -- As the upgrade left it: who changed it since has seen to it.
    zatecena_verzija int,
    sklonio_id bigint references worker (id),
    sklonjeno_at timestamptz,
    unique (vrsta, red_id)
);

-- Roles that migrations 0016 and 0047 changed, and that nobody has changed since.
insert into upgrade_note (vrsta, red_id, zatecena_verzija)
select 'uloga', r.id, r.verzija
  from role r
  join (select l.red_id, max(l.vreme_pristupa) as moment from audit_log l
         where l.klasa = 'role' and l.radnik_id = 1 and l.opis like 'Prelazak na %' group by l.red_id) m on m.red_id = r.id::text
 where r.aktivan
   and not exists (select from audit_log l where l.klasa = 'role' and l.red_id = r.id::text and l.radnik_id <> 1 and l.vreme_pristupa > m.moment);

-- Whose right to institutions reached all of them until today.
insert into upgrade_note (vrsta, red_id, zatecena_verzija)
select 'ustanove', r.id, r.verzija
  from role r
 where r.aktivan and not r.sve_ustanove
   and exists (select from role_right g join application_right a on a.id = g.aplikativno_pravo_id
                where g.uloga_id = r.id and a.numericka_vrednost = 3);

-- A demo from before migration 0055, whose accounts have their names as passwords and do not say so.
insert into upgrade_note (vrsta, red_id, zatecena_verzija)
select 'demo', w.id, w.verzija
  from worker w
 where w.aktivan and w.password_hash is not null and not w.demo_nalog and w.username in ('admin', 'lekar', 'lekar2', 'sestra')
   and 4 = (select count(*) from worker d where d.username in ('admin', 'lekar', 'lekar2', 'sestra') and d.aktivan);
