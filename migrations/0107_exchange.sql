-- What comes in and goes out as files.

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
    -- An export of those whom a search of its worker has shown: the row of the log, which holds the patients.
    pretraga_id bigint,
    pretraga_vreme timestamptz,
    constraint data_export_datumi_order check (datum_do is null or datum_od is null or datum_od <= datum_do),
    constraint data_export_entries_of_a_form check (tsa_id is not null or red = 'pacijent'),
    constraint data_export_pretraga check ((pretraga_id is null) = (pretraga_vreme is null))
);
alter table report_run add constraint report_run_izvoz_id_fkey foreign key (izvoz_id) references data_export (id);

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
    prekid text
        constraint data_import_prekid_known check (prekid in ('otkazan', 'prekinut', 'neuspeo', 'istekao', 'promenjeno', 'anonimizacija')),
    prekid_poruka text,
    -- What the last attempt found: counts, kinds of faults, warnings.
    ishod jsonb,
    -- The sums of data, configuration and outcome that the last check has shown (api/src/import/fingerprint.rs).
    otisak text,
    constraint data_import_lease check ((status in ('checking', 'importing')) = (lease_until is not null))
);
-- One at a time in the whole installation: it takes a connection, a core, and locks on whom it writes.
create unique index data_import_one_running on data_import ((true)) where status in ('checking', 'importing');
create index data_import_worker on data_import (radnik_id, id);

-- What the worker has sent and what is wrong with it: names, numbers, values. It is deleted as soon as the import ends.
create table data_import_file (
    uvoz_id bigint primary key references data_import (id),
    sadrzaj bytea not null,
    mapiranje jsonb not null,
    -- Faults of the last attempt, by row.
    greske jsonb not null default '[]'
);

-- Which outside record became which of ours, so that an import is safe to run twice.
create table import_record (
    izvor text,
    kljuc text,
    pacijent_id bigint not null references patient (id),
    unos_id bigint references entry (id),
    primary key (izvor, kljuc)
);
