-- What keeps a row without identity from telling: small groups are no rows, and searches that reach other institutions are counted.
select set_config('app.worker', '1', true);

-- Searches by values of the last hour that reach patients of other institutions, each once. Nothing is lost with them but a count.
create unlogged table search_of_others (
    radnik_id bigint not null references worker (id),
    -- Of what was asked: the same again is not counted again.
    otisak bytea not null,
    vreme timestamptz not null default now(),
    primary key (radnik_id, otisak)
);

insert into parameter (naziv, vrednost, opis) values
    ('najmanjaTudjaGrupa', '5', 'Od koliko pacijenata drugih ustanova pretraga prikazuje redove; 1: uvek'),
    ('najvisePretragaTudjihNaSat', '200', 'Koliko pretraga po vrednostima, koje obuhvataju pacijente drugih ustanova, radnik sme da napravi za sat');
