-- One person registered twice: merging of two records and its undoing, pairs that are likely one person, and the change of a keeper.

-- The record into which this one was merged: always the one that is left, however many were merged one after the other.
alter table patient add spojen_u_id bigint references patient (id)
    constraint patient_merged_is_inactive check (spojen_u_id is null or not aktivan and spojen_u_id <> id);
create index patient_spojen on patient (spojen_u_id) where spojen_u_id is not null;
create index patient_spojen_ustanova on patient (ustanova_id) where spojen_u_id is not null;

-- A merge: both records as they were before, the one that is left as it was after, and when it was undone.
create table patient_merge (
    id bigint generated always as identity primary key,
    pobednik_id bigint not null references patient (id),
    gubitnik_id bigint not null references patient (id),
    pobednik_pre jsonb not null,
    gubitnik_pre jsonb not null,
    pobednik_posle jsonb not null default '{}',
    -- Columns whose value was taken from the record that is gone.
    od_gubitnika text[] not null,
    -- Registers in which each of the two was before.
    registri_pre bigint[] not null,
    registri_gubitnika bigint[] not null,
    razlog text not null constraint patient_merge_has_reason check (length(btrim(razlog)) between 10 and 1000),
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp(),
    razdvojeno_at timestamptz,
    razdvojio_id bigint references worker (id),
    constraint patient_merge_of_two check (pobednik_id <> gubitnik_id),
    constraint patient_merge_undone_whole check ((razdvojeno_at is null) = (razdvojio_id is null))
);
create index patient_merge_pobednik on patient_merge (pobednik_id, id);
-- A record is merged into one other at a time.
create unique index patient_merge_open on patient_merge (gubitnik_id) where razdvojeno_at is null;

-- The journal: each row that went over, by its key. One that could not, because the other already had its like, stays where it was.
create table patient_merge_row (
    spajanje_id bigint references patient_merge (id),
    tabela text,
    kolona text,
    kljuc jsonb,
    sa bigint not null,
    na bigint not null,
    primary key (spajanje_id, tabela, kolona, kljuc)
);

-- Numbers under which a patient was known in a record that is gone, or before a merge: they lead to the one that is left.
create table patient_alias (
    id bigint generated always as identity primary key,
    pacijent_id bigint not null references patient (id),
    spajanje_id bigint not null references patient_merge (id),
    vrsta text not null constraint patient_alias_vrsta_known check (vrsta in ('jmbg', 'lbo', 'karton')),
    broj text not null,
    constraint patient_alias_once unique (spajanje_id, vrsta, broj)
);
create index patient_alias_broj on patient_alias (broj, vrsta);
create index patient_alias_pacijent on patient_alias (pacijent_id);

-- What the keeper of one record proposes to that of the other.
create table patient_merge_proposal (
    id bigint generated always as identity primary key,
    pobednik_id bigint not null references patient (id),
    gubitnik_id bigint not null references patient (id),
    od_gubitnika text[] not null,
    razlog text not null constraint patient_merge_proposal_has_reason check (length(btrim(razlog)) between 10 and 1000),
    ustanova_id bigint not null references institution (id),
    -- Who is asked.
    za_ustanovu_id bigint not null references institution (id),
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp(),
    status text not null default 'ceka'
        constraint patient_merge_proposal_status_known check (status in ('ceka', 'prihvacen', 'odbijen', 'povucen')),
    odgovorio_id bigint references worker (id),
    odgovoreno_at timestamptz,
    razlog_odgovora text,
    spajanje_id bigint references patient_merge (id),
    constraint patient_merge_proposal_answer check ((status = 'ceka') = (odgovoreno_at is null) and (status = 'ceka') = (odgovorio_id is null)),
    constraint patient_merge_proposal_declined_with_reason
        check (status <> 'odbijen' or length(btrim(razlog_odgovora)) between 10 and 1000)
);
create index patient_merge_proposal_asked on patient_merge_proposal (za_ustanovu_id, id);
create index patient_merge_proposal_asking on patient_merge_proposal (ustanova_id, id);
create unique index patient_merge_proposal_open on patient_merge_proposal (least(pobednik_id, gubitnik_id), greatest(pobednik_id, gubitnik_id))
    where status = 'ceka';

-- Two that are likely one person, as the nightly search found them; and whoever has said that they are two, which is remembered.
create table patient_pair (
    prvi_id bigint references patient (id),
    drugi_id bigint references patient (id),
    razlog text not null constraint patient_pair_razlog_known check (razlog in ('jmbg', 'lbo', 'ime', 'datum')),
    nadjen timestamptz not null default clock_timestamp(),
    nije_ista_at timestamptz,
    nije_ista_id bigint references worker (id),
    primary key (prvi_id, drugi_id),
    constraint patient_pair_in_order check (prvi_id < drugi_id),
    constraint patient_pair_judged_whole check ((nije_ista_at is null) = (nije_ista_id is null))
);
create index patient_pair_drugi on patient_pair (drugi_id);
create index patient_pair_open on patient_pair (nadjen desc) where nije_ista_at is null;

-- Up to which change of a patient the search for pairs has come.
create table patient_pair_search (
    jedini boolean primary key default true constraint patient_pair_search_one check (jedini),
    do_vremena timestamptz not null default '-infinity',
    do_pacijenta bigint not null default 0
);
insert into patient_pair_search default values;
create index patient_promenjen on patient (vreme_poslednje_izmene, id) where aktivan and anonimizovan_at is null;
-- Of a number with one digit wrong, one of its halves is right: the first one is found by the index of the whole.
create index patient_jmbg_kraj on patient (right(jmbg, 6)) where aktivan and anonimizovan_at is null;

-- The keeper offers a patient to another institution, which becomes the keeper when it accepts. Entries stay whose they were.
create table patient_transfer (
    id bigint generated always as identity primary key,
    pacijent_id bigint not null references patient (id),
    ustanova_id bigint not null references institution (id),
    za_ustanovu_id bigint not null references institution (id),
    razlog text not null constraint patient_transfer_has_reason check (length(btrim(razlog)) between 10 and 1000),
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp(),
    status text not null default 'ceka'
        constraint patient_transfer_status_known check (status in ('ceka', 'prihvacen', 'odbijen', 'povucen')),
    odgovorio_id bigint references worker (id),
    odgovoreno_at timestamptz,
    razlog_odgovora text,
    constraint patient_transfer_elsewhere check (ustanova_id <> za_ustanovu_id),
    constraint patient_transfer_answer check ((status = 'ceka') = (odgovoreno_at is null) and (status = 'ceka') = (odgovorio_id is null)),
    constraint patient_transfer_declined_with_reason check (status <> 'odbijen' or length(btrim(razlog_odgovora)) between 10 and 1000)
);
create index patient_transfer_asked on patient_transfer (za_ustanovu_id, id);
create index patient_transfer_asking on patient_transfer (ustanova_id, id);
create unique index patient_transfer_open on patient_transfer (pacijent_id) where status = 'ceka';

select set_config('app.worker', '1', true);
insert into application_right (id, naziv, numericka_vrednost) values
    (20, 'Spajanje pacijenata', 20),
    (21, 'Premeštanje pacijenata', 21);
-- Nobody gives a right that nobody holds: roles that hold every other right get these.
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, n.id from role r cross join (values (20::bigint), (21)) n (id)
 where not exists (select from application_right a where a.id not in (20, 21)
                      and not exists (select from role_right g where g.uloga_id = r.id and g.aplikativno_pravo_id = a.id));
