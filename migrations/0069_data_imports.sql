-- Patients and entries in, from a CSV file by screen, by a right of their own.

insert into application_right (id, naziv, numericka_vrednost) values (17, 'Uvoz podataka', 17);

-- Nobody gives what she does not hold, so somebody has to hold it: the roles that hold every other right and open all patients. No other
-- role gets it. The audit trigger logs each.
select set_config('app.worker', '1', true);
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, 17
  from role r
 where r.aktivan and r.pacijenti = 'izmena'
   and not exists (select from application_right a
                    where a.id <> 17 and not exists (select from role_right g where g.uloga_id = r.id and g.aplikativno_pravo_id = a.id));

-- One file of one worker, from its upload to its end. What was in it is in `data_import_file`, and goes with the end.
create table data_import (
    id bigint generated always as identity primary key,
    radnik_id bigint not null references worker (id),
    -- Everything in the file becomes this institution's.
    ustanova_id bigint not null references institution (id),
    registar_id bigint not null references register (id),
    fajl text not null constraint data_import_fajl_length check (length(fajl) between 1 and 200),
    sha256 text not null,
    redova int not null,
    -- Under what name the records of the source are remembered.
    izvor text not null constraint data_import_izvor_length check (length(btrim(izvor)) between 1 and 100),
    vreme_kreiranja timestamptz not null default clock_timestamp(),
    vreme_izmene timestamptz not null default clock_timestamp(),
    status text not null default 'open'
        constraint data_import_status_known check (status in ('open', 'checking', 'checked', 'importing', 'done', 'left')),
    -- Of who carries it out now: whoever comes back with an older number has lost it.
    fence bigint not null default 0,
    lease_until timestamptz,
    -- How far it is.
    korak text,
    obradjeno bigint not null default 0,
    ukupno bigint not null default 0,
    -- Why the last attempt, or the whole import, ended without what was asked for.
    prekid text constraint data_import_prekid_known check (prekid in ('otkazan', 'prekinut', 'neuspeo', 'istekao')),
    prekid_poruka text,
    -- What the last attempt found: counts, kinds of faults, warnings.
    ishod jsonb,
    constraint data_import_lease check ((status in ('checking', 'importing')) = (lease_until is not null))
);
create index data_import_worker on data_import (radnik_id, id);
-- One at a time in the whole installation: it takes a connection, a core, and locks on whom it writes.
create unique index data_import_one_running on data_import ((true)) where status in ('checking', 'importing');

-- What the worker has sent and what is wrong with it: names, numbers, values. It is deleted as soon as the import ends.
create table data_import_file (
    uvoz_id bigint primary key references data_import (id),
    sadrzaj bytea not null,
    mapiranje jsonb not null,
    -- Faults of the last attempt, by row.
    greske jsonb not null default '[]'
);

-- Mappings that were saved under a name, of a register and an institution.
create table import_mapping (
    id bigint generated always as identity primary key,
    registar_id bigint not null references register (id),
    ustanova_id bigint not null references institution (id),
    naziv text not null constraint import_mapping_naziv_length check (length(btrim(naziv)) between 1 and 100),
    izvor text not null,
    mapiranje jsonb not null,
    radnik_id bigint not null references worker (id),
    koriscen timestamptz not null default clock_timestamp(),
    constraint import_mapping_naziv_unique unique (registar_id, ustanova_id, naziv)
);

insert into parameter (naziv, vrednost, opis) values
    ('uvozNajviseMegabajta', '20', 'Koliko najviše megabajta može da ima CSV fajl koji se uvozi, od 1 do 100');
