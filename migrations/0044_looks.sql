-- A record of every look: for which institution and from where it was made, and all the patients whom it showed.

alter table audit_log add column ustanova_id bigint, add column adresa text;
-- As the transaction says it (domain::db::begin); what a program does by itself has neither.
alter table audit_log
    alter column ustanova_id set default nullif(current_setting('app.institution', true), '')::bigint,
    alter column adresa set default nullif(current_setting('app.address', true), '');

-- The patients of a row that shows several: a page of results, an export, a report. That of a row about one patient stands in the row.
-- Partitioned as the log is, so that a month of the log is moved away with its patients.
create table audit_log_patient (
    vreme_pristupa timestamptz not null,
    log_id bigint not null,
    pacijent_id bigint not null,
    primary key (vreme_pristupa, log_id, pacijent_id)
) partition by range (vreme_pristupa);
create index audit_log_patient_pacijent on audit_log_patient (pacijent_id, vreme_pristupa);
create table audit_log_patient_default partition of audit_log_patient default;
do $$
declare
    month date;
begin
    for month in select generate_series(date_trunc('month', now()) - interval '1 month', date_trunc('month', now()) + interval '12 months',
                                        interval '1 month')::date loop
        execute format('create table %I partition of audit_log_patient for values from (%L) to (%L)',
                       'audit_log_patient' || to_char(month, '_YYYY_MM'), month, (month + interval '1 month')::date);
        if exists (select from pg_roles where rolname = 'regix_app') then
            execute format('revoke all on %I from regix_app', 'audit_log_patient' || to_char(month, '_YYYY_MM'));
        end if;
    end loop;
end
$$;

insert into application_right (id, naziv, numericka_vrednost) values (15, 'Evidencija uvida', 15);

-- Nobody gives what she does not hold, so somebody has to hold it: the roles that hold every other right and open all patients.
select set_config('app.worker', '1', true);
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, 15
  from role r
 where r.aktivan and r.pacijenti = 'izmena'
   and not exists (select from application_right a
                    where a.id <> 15 and not exists (select from role_right g where g.uloga_id = r.id and g.aplikativno_pravo_id = a.id));
