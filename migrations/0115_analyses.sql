-- Cohorts and analyses, which workers make for themselves without SQL. An analysis owns a report of the ordinary kind, which only its owner, or
-- her institution where she shares it, is offered: everything that holds for a report holds for it.
create table cohort (
    id bigint generated always as identity primary key,
    naziv text not null constraint cohort_naziv_required check (btrim(naziv) <> '' and length(naziv) <= 200),
    registar_id bigint not null references register (id),
    radnik_id bigint not null references worker (id),
    ustanova_id bigint not null references institution (id),
    -- Whether the workers of the institution see it too.
    deljena boolean not null default false,
    izbor jsonb not null constraint cohort_izbor_object check (jsonb_typeof(izbor) = 'object' and octet_length(izbor::text) <= 65536),
    -- The day of which its members are; none: they are those of each run.
    zamrznuta date,
    -- Of each form that it reads, the version that was in use on that day.
    verzije_formulara jsonb,
    aktivan boolean not null default true,
    verzija int not null default 1,
    vreme_kreiranja timestamptz not null default now(),
    vreme_poslednje_izmene timestamptz not null default now(),
    constraint cohort_frozen_with_versions check ((zamrznuta is null) = (verzije_formulara is null))
);
create index cohort_radnik on cohort (radnik_id);
create index cohort_ustanova on cohort (ustanova_id) where deljena;

-- The entries that a frozen cohort reads: those that are its rows (`clan`), and what else its patients had. By entry, so that they go on with
-- it when its patient becomes another.
create table cohort_member (
    kohorta_id bigint not null references cohort (id),
    unos_id bigint not null references entry (id),
    clan boolean not null,
    primary key (kohorta_id, unos_id)
);
create index cohort_member_unos on cohort_member (unos_id);

create table analysis (
    id bigint generated always as identity primary key,
    naziv text not null constraint analysis_naziv_required check (btrim(naziv) <> '' and length(naziv) <= 200),
    kohorta_id bigint not null references cohort (id),
    izvestaj_id bigint not null unique references report (id),
    radnik_id bigint not null references worker (id),
    ustanova_id bigint not null references institution (id),
    deljena boolean not null default false,
    izbor jsonb not null constraint analysis_izbor_object check (jsonb_typeof(izbor) = 'object' and octet_length(izbor::text) <= 65536),
    aktivan boolean not null default true,
    verzija int not null default 1,
    vreme_kreiranja timestamptz not null default now(),
    vreme_poslednje_izmene timestamptz not null default now()
);
create index analysis_kohorta on analysis (kohorta_id);
create index analysis_radnik on analysis (radnik_id);
create index analysis_ustanova on analysis (ustanova_id) where deljena;

-- Whose a report is that no administrator has set up; it stands in no category.
alter table report alter tip_id drop not null,
    add vlasnik_id bigint references worker (id),
    add vlasnik_ustanova_id bigint references institution (id),
    add constraint report_in_a_category_or_owned check ((tip_id is null) = (vlasnik_id is not null) and (vlasnik_ustanova_id is null or vlasnik_id is not null));
