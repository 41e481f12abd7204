-- A field may hold files: what they are is told by the entry, their bytes are in the store of artifacts.
select set_config('app.worker', '1', true);

insert into value_type (num_vrednost, naziv) values (13, 'Fajl');

alter table attribute_type
    -- Of a field with files. None: every kind that is known, five files, and as many megabytes as the installation allows.
    add vrste_fajlova text[],
    add najvise_fajlova int,
    add najvise_megabajta int,
    add constraint attribute_type_vrste_fajlova_known
        check (vrste_fajlova is null or cardinality(vrste_fajlova) > 0 and vrste_fajlova <@ array['pdf', 'jpeg', 'png', 'txt']),
    add constraint attribute_type_najvise_fajlova_range check (najvise_fajlova between 1 and 20),
    add constraint attribute_type_najvise_megabajta_range check (najvise_megabajta between 1 and 50);

create table entry_file (
    id bigint generated always as identity primary key,
    pacijent_id bigint not null references patient (id),
    polje_id bigint not null references form_field (id),
    -- Who sent it. Until a save takes it, it is this worker's alone.
    radnik_id bigint not null references worker (id),
    unos_id bigint references entry (id),
    naziv text not null constraint entry_file_naziv_length check (length(naziv) between 1 and 200),
    vrsta text not null constraint entry_file_vrsta_known check (vrsta in ('pdf', 'jpeg', 'png', 'txt')),
    velicina bigint not null constraint entry_file_velicina_positive check (velicina > 0),
    sha256 bytea not null,
    -- In the store of artifacts.
    putanja text not null constraint entry_file_putanja_unique unique,
    vreme timestamptz not null default clock_timestamp(),
    -- Whether the store has it whole.
    sacuvan boolean not null default false,
    -- It is to be removed: nobody reads it any more.
    uklanja_se boolean not null default false
);
create index entry_file_entry on entry_file (unos_id);
create index entry_file_patient on entry_file (pacijent_id);
create index entry_file_leaving on entry_file (vreme) where unos_id is null or uklanja_se;

insert into parameter (naziv, vrednost, opis) values
    ('fajlNajviseMegabajta', '10', 'Koliko najviše megabajta može da ima fajl koji se prilaže uz unos, od 1 do 50');
