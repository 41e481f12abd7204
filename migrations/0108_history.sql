-- Who did what, when; what rows were before; what was archived and erased.

-- Who did what, when. Append-only for the application. Partitioned by month so that old months can be moved away.
create table audit_log (
    id bigint generated always as identity,
    vreme_pristupa timestamptz default clock_timestamp(),
    radnik_id bigint,
    klasa text not null,
    akcija text not null,
    red_id text,
    pacijent_id bigint,
    opis text,
    polja jsonb not null default '[]',
    ustanova_id bigint default (nullif(current_setting('app.institution', true), ''))::bigint,
    adresa text default nullif(current_setting('app.address', true), ''),
    primary key (vreme_pristupa, id)
) partition by range (vreme_pristupa);
-- What the log viewer and the statistics of data entry look for.
create index audit_log_akcija on audit_log (akcija, vreme_pristupa);
create index audit_log_pacijent on audit_log (pacijent_id, vreme_pristupa) where pacijent_id is not null;
create index audit_log_radnik on audit_log (radnik_id, vreme_pristupa);
create index audit_log_red on audit_log (klasa, red_id, vreme_pristupa);
create table audit_log_default partition of audit_log default;

-- The patients of a row that shows several: a page of results, an export, a report. That of a row about one patient stands in the row.
-- Partitioned as the log is, so that a month of the log is moved away with its patients.
create table audit_log_patient (
    vreme_pristupa timestamptz,
    log_id bigint,
    pacijent_id bigint,
    primary key (vreme_pristupa, log_id, pacijent_id)
) partition by range (vreme_pristupa);
create index audit_log_patient_pacijent on audit_log_patient (pacijent_id, vreme_pristupa);
create table audit_log_patient_default partition of audit_log_patient default;

-- A patient as the record was until a moment.
create table patient_history (
    istorija_id bigint generated always as identity primary key,
    pacijent_id bigint not null,
    vreme_prestanka_vazenja timestamptz not null default clock_timestamp(),
    radnik_id bigint not null,
    slog jsonb not null
);
create index patient_history_pacijent on patient_history (pacijent_id, vreme_prestanka_vazenja desc);

-- The value that a field had until vreme_prestanka_vazenja; null where it was blank until then.
create table value_history (
    id bigint generated always as identity,
    pacijent_id bigint not null,
    unos_id bigint not null,
    polje_id bigint not null,
    vrednost jsonb,
    vreme_kreiranja timestamptz not null,
    vreme_prestanka_vazenja timestamptz default clock_timestamp(),
    radnik_id bigint not null,
    uneto_u jsonb,
    primary key (vreme_prestanka_vazenja, id)
) partition by range (vreme_prestanka_vazenja);
create index value_history_entry on value_history (unos_id, polje_id, vreme_prestanka_vazenja);
create table value_history_default partition of value_history default;

-- The version that an entry had until it was taken to a newer one.
create table entry_version_history (
    id bigint generated always as identity primary key,
    unos_id bigint not null references entry (id),
    form_version_id bigint not null references form_version (id),
    vreme_prestanka_vazenja timestamptz not null,
    radnik_id bigint not null references worker (id)
);
create index entry_version_history_unos on entry_version_history (unos_id, vreme_prestanka_vazenja);

-- Who was made anonymous, so that what comes back from a file is made so too. Of the person it says nothing.
create table patient_erasure (
    pacijent_id bigint primary key references patient (id),
    vreme timestamptz not null default clock_timestamp(),
    radnik_id bigint not null references worker (id),
    -- Institutions that knew the patient: what they had an engine make at that moment may name her.
    ustanove bigint[] not null,
    -- When nobody reads any more what an erasure has taken away: after its transaction, whose end it cannot know itself.
    zavrseno_at timestamptz
);
create index patient_erasure_vreme on patient_erasure (vreme);

-- Files that hold rows which are not here any more.
create table archive_file (
    id bigint generated always as identity primary key,
    vrsta text not null constraint archive_file_vrsta_known check (vrsta in ('dnevnik', 'uvidi', 'istorija')),
    -- The month whose rows it holds, by its first day.
    mesec date not null,
    naziv text not null,
    redova bigint not null,
    sha256 text not null,
    vreme timestamptz not null default clock_timestamp(),
    -- When its rows were read back, if they were.
    vraceno_at timestamptz,
    -- The file that holds what this one held and was read back.
    zamenio_id bigint references archive_file (id),
    constraint archive_file_naziv_unique unique (naziv),
    constraint archive_file_sha256_unique unique (sha256)
);
create index archive_file_mesec on archive_file (vrsta, mesec);
