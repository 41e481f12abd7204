-- A way across: an institution takes a patient whom another one keeps into its own view, and the keeper may end it.
select set_config('app.worker', '1', true);

-- One row for an institution and a patient: what the keeper has ended is not taken again.
create table patient_taking (
    id bigint generated always as identity primary key,
    pacijent_id bigint not null references patient (id),
    -- Who took, and from which register.
    ustanova_id bigint not null references institution (id),
    radnik_id bigint not null references worker (id),
    registar_id bigint references register (id),
    razlog text not null constraint patient_taking_has_reason check (length(btrim(razlog)) between 10 and 1000),
    vreme timestamptz not null default now(),
    -- When somebody of the keeper saw it.
    vidjeno_at timestamptz,
    okoncano_at timestamptz,
    okoncao_id bigint references worker (id),
    razlog_okoncanja text constraint patient_taking_ended_with_reason check (length(btrim(razlog_okoncanja)) between 10 and 1000),
    constraint patient_taking_once unique (ustanova_id, pacijent_id),
    constraint patient_taking_ends_whole check ((okoncano_at is null) = (okoncao_id is null) and (okoncano_at is null) = (razlog_okoncanja is null))
);
create index patient_taking_patient on patient_taking (pacijent_id);

-- Attempts to take a patient, written before they are looked at: those made side by side count too.
create table patient_taking_attempt (
    id bigint generated always as identity primary key,
    radnik_id bigint not null references worker (id),
    vreme timestamptz not null default now(),
    uspelo boolean not null default false
);
create index patient_taking_attempt_worker on patient_taking_attempt (radnik_id, vreme);

insert into parameter (naziv, vrednost, opis) values
    ('tudjiUnosiPreuzetogPacijenta', 'false', 'Da li ustanova koja je preuzela pacijenta čita unose drugih ustanova'),
    ('najvisePogresnihPreuzimanjaNaSat', '5', 'Koliko puta na sat radnik sme da pogreši podatke pri preuzimanju pacijenta'),
    ('najvisePreuzimanjaNaDan', '20', 'Koliko pacijenata radnik sme da preuzme za jedan dan');
