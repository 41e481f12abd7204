-- A visit holds the entries of one patient, register, day and institution, with the doctor who answers for it. It is kept by entry's
-- triggers alone (functions/entry.sql), which also give a visit to the entries that stood here before: programs that save while this
-- migration runs know nothing of it.
create table visit (
    id bigint generated always as identity primary key,
    pacijent_id bigint not null references patient (id),
    registar_id bigint not null references register (id),
    datum date not null,
    ustanova_id bigint not null references institution (id),
    radnik_odgovoran_id bigint references worker (id),
    vreme_kreiranja timestamptz not null default now(),
    constraint visit_unique unique (pacijent_id, registar_id, datum, ustanova_id)
);
-- A doctor's own visits, newest first.
create index visit_radnik on visit (radnik_odgovoran_id, datum);
create index visit_day on visit (ustanova_id, datum);

-- Not null once functions/entry.sql has filled it.
alter table entry add poseta_id bigint references visit (id);
create index entry_visit on entry (poseta_id);

-- The print of an entry's patient on one page, in the place of the entry itself.
alter table report_run add sazetak boolean not null default false;

-- The search over all registers finds a patient by the number of her card.
create index patient_broj_kartona on patient (upper(broj_kartona)) where broj_kartona is not null;

-- Searches of a register that a worker keeps under a name; shared ones are the whole institution's. They name nobody.
create table saved_search (
    id bigint generated always as identity primary key,
    radnik_id bigint not null references worker (id),
    ustanova_id bigint not null references institution (id),
    registar_id bigint not null references register (id),
    naziv text not null constraint saved_search_naziv_length check (length(naziv) between 1 and 80),
    deljena boolean not null default false,
    -- Criteria as the screen has them, without names, numbers and texts.
    upit jsonb not null constraint saved_search_upit_object check (jsonb_typeof(upit) = 'object'),
    vreme timestamptz not null default now(),
    constraint saved_search_own unique (radnik_id, ustanova_id, registar_id, naziv)
);
create index saved_search_shared on saved_search (ustanova_id, registar_id) where deljena;
