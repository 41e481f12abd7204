-- Questions about an entry or a field of it: who asks, whom, until when, and the thread. A message is added and never changed; what a question is now
-- is what its last message made of it.

create table question (
    id bigint generated always as identity primary key,
    unos_id bigint not null references entry (id),
    -- As of the entry: the triggers of functions/question.sql fill them in.
    pacijent_id bigint not null references patient (id),
    ustanova_id bigint not null references institution (id),
    -- None: the question is about the whole entry.
    polje_id bigint references form_field (id),
    poreklo text not null constraint question_poreklo_known check (poreklo in ('nadzor', 'kolega', 'pravilo')),
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp(),
    -- What the last message made of it.
    stanje text not null default 'otvoren' constraint question_stanje_known check (stanje in ('otvoren', 'odgovoren', 'zatvoren', 'ponovoOtvoren')),
    dodeljen_id bigint not null references worker (id),
    rok date,
    poslednja_poruka_id bigint
);
create index question_entry on question (unos_id);
create index question_patient on question (pacijent_id);
create index question_of_institution on question (ustanova_id, id desc);
-- What waits for somebody: for whom it is meant until it is answered, for who asked until it is closed.
create index question_assigned on question (dodeljen_id, ustanova_id, id desc) where stanje <> 'zatvoren';
create index question_asked on question (radnik_id, ustanova_id, id desc) where stanje <> 'zatvoren';

create table question_message (
    id bigint generated always as identity primary key,
    upit_id bigint not null references question (id),
    vrsta text not null constraint question_message_vrsta_known
        check (vrsta in ('pitanje', 'odgovor', 'zatvaranje', 'ponovnoOtvaranje', 'dodela')),
    -- Closing and giving it to another may do without words.
    tekst text constraint question_message_tekst_length check (length(btrim(tekst)) between 1 and 2000),
    -- What the question was after it.
    stanje text not null constraint question_message_stanje_known check (stanje in ('otvoren', 'odgovoren', 'zatvoren', 'ponovoOtvoren')),
    dodeljen_id bigint not null references worker (id),
    rok date,
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp(),
    constraint question_message_tekst_there check (tekst is not null or vrsta in ('zatvaranje', 'dodela'))
);
create index question_message_thread on question_message (upit_id, id);

insert into application_right (id, naziv, numericka_vrednost) values
    (29, 'Upiti', 29),
    (30, 'Nadzor', 30);
-- Nobody gives a right that nobody holds: roles that hold every other right get these.
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, n.id from role r cross join (values (29::bigint), (30)) n (id)
 where not exists (select from application_right a where a.id not in (29, 30)
                      and not exists (select from role_right g where g.uloga_id = r.id and g.aplikativno_pravo_id = a.id));
