-- When a patient is due: the plan of a register in versions, the plan of a patient with the day from which it is counted, and the windows that
-- follow. Dates are stored, states never: what a window is on a day is `visit_state` (functions/plan.sql).

create table visit_plan (
    id bigint generated always as identity primary key,
    registar_id bigint not null references register (id),
    sifra text not null constraint visit_plan_sifra_shape check (sifra ~ '^[A-Za-z0-9_-]{1,40}$'),
    naziv text not null constraint visit_plan_naziv_length check (length(btrim(naziv)) between 1 and 120),
    -- Patients of the register get it by themselves, from their first entry.
    podrazumevani boolean not null default false,
    aktivan boolean not null default true,
    verzija int not null default 1,
    vreme_kreiranja timestamptz not null default now(),
    vreme_poslednje_izmene timestamptz not null default now()
);
create unique index visit_plan_sifra_unique on visit_plan (registar_id, fold(sifra)) where aktivan;
create unique index visit_plan_podrazumevani_one on visit_plan (registar_id) where aktivan and podrazumevani;

-- How far those who were in the register before have been given the plan that patients get by themselves.
create table visit_plan_assignment (
    plan_id bigint primary key references visit_plan (id),
    do_pacijenta bigint not null default 0
);

-- A version is published whole and never changes.
create table visit_plan_version (
    id bigint generated always as identity primary key,
    plan_id bigint not null references visit_plan (id),
    broj int not null constraint visit_plan_version_broj_positive check (broj > 0),
    napomena text constraint visit_plan_version_napomena_length check (length(napomena) between 1 and 1000),
    -- Whether patients who have an earlier version go over to it; their visits that are done stay as they were.
    za_postojece boolean not null default true,
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp(),
    constraint visit_plan_version_once unique (plan_id, broj),
    constraint visit_plan_version_of_plan unique (id, plan_id)
);

create table visit_plan_item (
    id bigint generated always as identity primary key,
    plan_version_id bigint not null references visit_plan_version (id),
    redosled int not null,
    -- Names the visit through versions.
    sifra text not null constraint visit_plan_item_sifra_shape check (sifra ~ '^[A-Za-z0-9_-]{1,40}$'),
    naziv text not null constraint visit_plan_item_naziv_length check (length(btrim(naziv)) between 1 and 120),
    -- From which day it is counted: that of the patient's inclusion, a date field, or the visit before it in the plan.
    sidro text not null constraint visit_plan_item_sidro_known check (sidro in ('ukljucenje', 'datum', 'prethodna')),
    sidro_polje_id bigint references form_field (id),
    pomeraj int not null constraint visit_plan_item_pomeraj_range check (pomeraj between 0 and 3650),
    jedinica text not null constraint visit_plan_item_jedinica_known check (jedinica in ('dan', 'nedelja', 'mesec')),
    -- Days of the window before and after the target.
    prozor_pre int not null constraint visit_plan_item_prozor_pre_range check (prozor_pre between 0 and 180),
    prozor_posle int not null constraint visit_plan_item_prozor_posle_range check (prozor_posle between 0 and 180),
    -- How many days after its window it is still waited for, unless the window of the next one opens sooner.
    ceka_dana int not null default 90 constraint visit_plan_item_ceka_dana_range check (ceka_dana between 0 and 365),
    ponavlja_meseci int constraint visit_plan_item_ponavlja_range check (ponavlja_meseci between 1 and 120),
    -- Months from the day it is counted from, after which it is not repeated; none: without an end.
    ponavlja_do_meseci int constraint visit_plan_item_ponavlja_do_range check (ponavlja_do_meseci between 1 and 1200),
    -- Forms, by which an entry fulfils it; none: any of the register.
    formulari bigint[] not null default '{}',
    -- Over the patient's last entry of the form; where it does not hold, the visit is not planned.
    uslov text constraint visit_plan_item_uslov_length check (length(uslov) between 1 and 4000),
    uslov_ast jsonb,
    uslov_form_id bigint references form (id),
    constraint visit_plan_item_once unique (plan_version_id, sifra),
    constraint visit_plan_item_sidro_whole check ((sidro = 'datum') = (sidro_polje_id is not null)),
    constraint visit_plan_item_ponavlja_whole check (ponavlja_do_meseci is null or ponavlja_meseci is not null),
    constraint visit_plan_item_uslov_whole check ((uslov is null) = (uslov_ast is null) and (uslov is null) = (uslov_form_id is null))
);
create index visit_plan_item_polje on visit_plan_item (sidro_polje_id) where sidro_polje_id is not null;

create table patient_plan (
    id bigint generated always as identity primary key,
    pacijent_id bigint not null references patient (id),
    registar_id bigint not null references register (id),
    plan_id bigint not null references visit_plan (id),
    plan_version_id bigint not null references visit_plan_version (id),
    -- The first entry's, unless somebody has moved it.
    ukljucenje date not null,
    ukljucenje_rucno boolean not null default false,
    -- Whose list its visits stand on, and whose doctor's: kept by triggers (functions/plan.sql).
    ustanova_id bigint not null references institution (id),
    radnik_id bigint references worker (id),
    -- The day from which nothing is expected of the patient any more.
    prekid_dan date,
    -- Through which day visits that repeat are dated; none: nothing repeats.
    horizont date,
    -- An entry that conditions read was written since they were asked.
    uslovi_zastareli boolean not null default false,
    verzija int not null default 1,
    vreme_kreiranja timestamptz not null default now(),
    vreme_poslednje_izmene timestamptz not null default now(),
    constraint patient_plan_once unique (pacijent_id, registar_id),
    constraint patient_plan_version foreign key (plan_version_id, plan_id) references visit_plan_version (id, plan_id)
);
create index patient_plan_of_version on patient_plan (plan_id, plan_version_id, id);
create index patient_plan_horizont on patient_plan (horizont) where horizont is not null and prekid_dan is null;
create index patient_plan_uslovi on patient_plan (id) where uslovi_zastareli;

-- What a condition said when it was last asked; none: it was not, and the visit is not planned.
create table patient_plan_condition (
    patient_plan_id bigint references patient_plan (id) on delete cascade,
    stavka_id bigint references visit_plan_item (id),
    vazi boolean not null,
    primary key (patient_plan_id, stavka_id)
);

-- A window of a patient. One that is done or called off keeps its days; the others follow what they are counted from.
create table planned_visit (
    id bigint generated always as identity primary key,
    patient_plan_id bigint not null references patient_plan (id) on delete cascade,
    stavka_id bigint not null references visit_plan_item (id),
    sifra text not null,
    -- Which of a visit that repeats, from 0.
    red int not null,
    -- The day it was counted from.
    sidro date not null,
    cilj date not null,
    prozor_od date not null,
    prozor_do date not null,
    -- The last day on which it is waited for.
    ceka_do date not null,
    unos_id bigint references entry (id),
    unos_dan date,
    -- A person said which entry it is.
    rucno boolean not null default false,
    otkazana_at timestamptz,
    otkazao_id bigint references worker (id),
    otkaz_razlog text constraint planned_visit_otkaz_razlog_length check (length(btrim(otkaz_razlog)) between 3 and 500),
    -- As of the patient's plan: lists are read from this table's indexes alone.
    registar_id bigint not null references register (id),
    ustanova_id bigint not null references institution (id),
    radnik_id bigint references worker (id),
    prekid_dan date,
    constraint planned_visit_once unique (patient_plan_id, sifra, red),
    constraint planned_visit_window check (prozor_od <= cilj and cilj <= prozor_do and prozor_do <= ceka_do),
    constraint planned_visit_done_whole check ((unos_id is null) = (unos_dan is null)),
    constraint planned_visit_called_off_whole
        check ((otkazana_at is null) = (otkaz_razlog is null) and (otkazana_at is null) = (otkazao_id is null)),
    constraint planned_visit_done_or_off check (unos_id is null or otkazana_at is null)
);
-- An entry is one visit's.
create unique index planned_visit_entry on planned_visit (unos_id) where unos_id is not null;
-- What is waited for, by the day on which its window closes: of an institution, and of one of its doctors. No window is wider than 361 days, and
-- none is waited for longer than 365 after it: a day's list lies in a stretch of it.
create index planned_visit_due on planned_visit (ustanova_id, prozor_do, id) include (registar_id, prozor_od, ceka_do)
    where unos_id is null and otkazana_at is null and prekid_dan is null;
create index planned_visit_doctor on planned_visit (ustanova_id, radnik_id, prozor_do, id) include (registar_id, prozor_od, ceka_do)
    where unos_id is null and otkazana_at is null and prekid_dan is null;
-- The calendar.
create index planned_visit_day on planned_visit (ustanova_id, cilj, id) include (registar_id, radnik_id, prozor_do)
    where unos_id is null and otkazana_at is null and prekid_dan is null;
create index planned_visit_item on planned_visit (stavka_id);

-- Days that a visit had before they were moved.
create table planned_visit_move (
    id bigint generated always as identity primary key,
    planned_visit_id bigint not null references planned_visit (id) on delete cascade,
    sidro date not null,
    cilj date not null,
    prozor_od date not null,
    prozor_do date not null,
    radnik_id bigint not null references worker (id),
    vreme timestamptz not null default clock_timestamp()
);
create index planned_visit_move_visit on planned_visit_move (planned_visit_id, id);

-- Entries of which a person said that they are no planned visit.
create table unplanned_entry (
    unos_id bigint primary key references entry (id),
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp()
);

-- What the worker sees first, and whether the weekly letter is wanted.
create table worker_start (
    radnik_id bigint primary key references worker (id),
    pocetna text not null default 'pacijenti' constraint worker_start_pocetna_known check (pocetna in ('pacijenti', 'mojDan')),
    nedeljni_pregled boolean not null default false,
    vreme timestamptz not null default clock_timestamp()
);

-- A weekly letter to a worker: counts, no names. One for a worker, an institution and a week, whoever makes it; it is sent as a delivery.
create table visit_digest (
    id bigint generated always as identity primary key,
    radnik_id bigint not null references worker (id),
    ustanova_id bigint not null references institution (id),
    -- The Monday of its week.
    nedelja date not null,
    kasni int not null,
    otvoreno int not null,
    vreme timestamptz not null default clock_timestamp(),
    constraint visit_digest_once unique (radnik_id, ustanova_id, nedelja)
);

-- The print of the patient's dates, in the place of the entry itself.
alter table report_run add termini boolean not null default false;

-- A delivery brings a report or a weekly letter.
alter table report_delivery alter run_id drop not null;
alter table report_delivery add pregled_id bigint references visit_digest (id)
    constraint report_delivery_pregled_once unique;
alter table report_delivery add constraint report_delivery_of_one check (num_nonnulls(run_id, pregled_id) = 1);
