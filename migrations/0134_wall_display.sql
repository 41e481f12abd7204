-- Whether the rows of a run can name no patient and are of one institution: the engine says so when it has planned the query. None: an engine
-- of before has made it.
alter table report_run add bez_imena boolean;

-- The board of an institution on a wall: a link that anybody can have before her, which shows that board and opens nothing else. What it
-- shows are runs of who made it, for as long as she may.
create table wall_display (
    id bigint generated always as identity primary key,
    ustanova_id bigint not null references institution (id),
    radnik_id bigint not null references worker (id),
    naziv text not null constraint wall_display_naziv_length check (length(btrim(naziv)) between 1 and 120),
    -- Of a token that was told once.
    token_hash bytea not null unique constraint wall_display_token_hash_size check (octet_length(token_hash) = 32),
    vreme_kreiranja timestamptz not null default now(),
    opozvan_at timestamptz,
    -- Written at most once a minute.
    poslednji_prikaz timestamptz
);
create index wall_display_of_institution on wall_display (ustanova_id) where opozvan_at is null;

-- Putting the board on a wall is a right; nobody gives what nobody holds.
select set_config('app.worker', '1', true);
insert into application_right (id, naziv, numericka_vrednost) values (25, 'Prikazi na zidu', 25);
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, 25 from role r
 where r.aktivan and not exists (select from application_right a
                                  where a.id <> 25 and not exists (select from role_right h where h.uloga_id = r.id and h.aplikativno_pravo_id = a.id));
