-- Data sets out: exports of a form's entries, or of a register's patients, by a right of their own.

insert into application_right (id, naziv, numericka_vrednost) values (14, 'Izvoz podataka', 14);

-- Nobody gives what she does not hold, so somebody has to hold it: the roles that hold every other right and open all patients, as
-- that of the first administrator does. No other role gets it. The audit trigger logs each.
select set_config('app.worker', '1', true);
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, 14
  from role r
 where r.aktivan and r.pacijenti = 'izmena'
   and not exists (select from application_right a
                    where a.id <> 14 and not exists (select from role_right g where g.uloga_id = r.id and g.aplikativno_pravo_id = a.id));

-- What was asked for. The keys of a de-identified export are kept nowhere: they end with the run that drew them.
create table data_export (
    id bigint generated always as identity primary key,
    registar_id bigint not null references register (id),
    -- None: the patients of the register.
    tsa_id bigint references form (id),
    red text not null constraint data_export_red_known check (red in ('unos', 'pacijent')),
    -- Chosen fields; none: all.
    polja bigint[],
    datum_od date,
    datum_do date,
    ustanove bigint[] not null constraint data_export_ustanove_some check (cardinality(ustanove) > 0),
    profil text not null constraint data_export_profil_known check (profil in ('identitet', 'bez_identiteta')),
    xlsx boolean not null default false,
    razlog text not null constraint data_export_razlog_length check (length(btrim(razlog)) between 10 and 500),
    -- Counted when it was asked for; what the file holds once it is made.
    redova bigint not null,
    pacijenata bigint not null,
    constraint data_export_entries_of_a_form check (tsa_id is not null or red = 'pacijent'),
    constraint data_export_datumi_order check (datum_do is null or datum_od is null or datum_od <= datum_do)
);

-- A third subject of a run: a report, the print of an entry, or an export.
alter table report_run add column izvoz_id bigint unique references data_export (id);
alter table report_run drop constraint report_run_one_subject;
alter table report_run add constraint report_run_one_subject check (num_nonnulls(izvestaj_id, unos_id, izvoz_id) = 1);

insert into parameter (naziv, vrednost, opis) values
    ('danaCuvanjaIzvoza', '7', 'Koliko dana se čuvaju izvezeni podaci, od 1 do 90'),
    ('izvozNajviseRedova', '500000', 'Koliko najviše redova može da ima jedan izvoz podataka, od 1 do 5000000');
