-- What a sign-in asks for, and the sessions as their worker sees them.
select set_config('app.worker', '1', true);

-- A password that somebody else gave opens nothing until it has been changed.
alter table worker add column mora_promeniti_lozinku boolean not null default false;

-- Whoever holds the role signs in in two steps.
alter table role add column drugi_faktor boolean not null default false;

alter table session
    -- What the worker names it by: the token's hash never leaves the server.
    add column id bigint generated always as identity,
    -- Where it was opened, and with what, as the browser said.
    add column adresa text,
    add column pregledac text constraint session_pregledac_short check (length(pregledac) <= 200),
    add constraint session_id_unique unique (id);

-- The second step: a secret that the worker's telephone shares (RFC 6238).
create table second_factor (
    radnik_id bigint primary key references worker (id),
    tajna bytea not null,
    -- When the worker has shown that the telephone has it; before that it asks for nothing.
    potvrdjen_at timestamptz,
    -- The 30 seconds whose code was used last: no code opens twice.
    poslednji_korak bigint,
    vreme_kreiranja timestamptz not null default now()
);

-- Codes for the day on which the telephone is lost, each good once; only their hashes are here.
create table recovery_code (
    radnik_id bigint not null references worker (id),
    code_hash bytea not null,
    iskoriscen_at timestamptz,
    primary key (radnik_id, code_hash)
);

insert into parameter (naziv, vrednost, opis) values
    ('zakljucavanjeMinuta', '15', 'Posle koliko minuta bez tastature i miša se ekran zaključava; 0: nikada');
