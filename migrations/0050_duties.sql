-- Duties of who keeps patients' data: a patient is made anonymous on request, and old rows of the log and of histories go into files.
select set_config('app.worker', '1', true);

-- Of whom nothing is left but what counts: the numbers of a person are blank, and free for the next registration.
alter table patient add column anonimizovan_at timestamptz;
alter table patient
    drop constraint patient_jmbg_shape,
    drop constraint patient_lbo_shape,
    drop constraint patient_kontakt_telefon_shape,
    add constraint patient_jmbg_shape check (jmbg ~ '^[0-9]{13}$' or anonimizovan_at is not null and jmbg = ''),
    add constraint patient_lbo_shape check (lbo ~ '^[0-9]{11}$' or anonimizovan_at is not null and lbo = ''),
    add constraint patient_kontakt_telefon_shape
        check (kontakt_telefon ~ '^[0-9]{3}/[0-9]{6,8}$' or anonimizovan_at is not null and kontakt_telefon = '');
drop index patient_jmbg_unique;
create unique index patient_jmbg_unique on patient (jmbg) where aktivan and anonimizovan_at is null;

-- Who was made anonymous, so that what comes back from a file is made so too. Of the person it says nothing.
create table patient_erasure (
    pacijent_id bigint primary key references patient (id),
    vreme timestamptz not null default clock_timestamp(),
    radnik_id bigint not null references worker (id),
    -- Institutions that knew the patient: what they had an engine make at that moment may name her.
    ustanove bigint[] not null
);
create index patient_erasure_vreme on patient_erasure (vreme);

-- Files that hold rows which are not here any more.
create table archive_file (
    id bigint generated always as identity primary key,
    vrsta text not null constraint archive_file_vrsta_known check (vrsta in ('dnevnik', 'istorija')),
    -- The month whose rows it holds, by its first day.
    mesec date not null,
    naziv text not null constraint archive_file_naziv_unique unique,
    redova bigint not null,
    sha256 text not null constraint archive_file_sha256_unique unique,
    vreme timestamptz not null default clock_timestamp(),
    -- When its rows were read back, if they were.
    vraceno_at timestamptz,
    -- The file that holds what this one held and was read back.
    zamenio_id bigint references archive_file (id)
);
create index archive_file_mesec on archive_file (vrsta, mesec);

insert into application_right (id, naziv, numericka_vrednost) values (16, 'Anonimizacija pacijenata', 16);

-- Nobody gives what she does not hold, so somebody has to hold it: the roles that hold every other right and open all patients.
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, 16
  from role r
 where r.aktivan and r.pacijenti = 'izmena'
   and not exists (select from application_right a
                    where a.id <> 16 and not exists (select from role_right g where g.uloga_id = r.id and g.aplikativno_pravo_id = a.id));

insert into parameter (naziv, vrednost, opis) values
    ('cuvanjeDnevnikaGodina', '0', 'Koliko godina se zapisi dnevnika čuvaju u bazi pre arhiviranja; 0: uvek, inače najmanje 5'),
    ('cuvanjeIstorijeGodina', '0', 'Koliko godina se istorija podataka čuva u bazi pre arhiviranja; 0: uvek, inače najmanje 5');
