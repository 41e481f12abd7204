-- Signing in by an OpenID Provider (docs/decisions/0038-sign-in-by-openid-connect.md).
select set_config('app.worker', '1', true);

-- Which account of a provider is which worker's: by the identifier that the provider gives to nobody else, never by its name.
create table external_account (
    radnik_id bigint not null references worker (id),
    izdavalac text not null,
    subjekat text not null,
    povezan_at timestamptz not null,
    primary key (radnik_id, izdavalac),
    constraint external_account_one_worker unique (izdavalac, subjekat)
);

-- A sign-in that has begun. Neither what the provider sends back nor the browser's cookie can be read out of it.
create table external_sign_in (
    stanje_hash bytea primary key,
    pregledac_hash bytea not null,
    -- Where the browser goes afterwards, and which window of it waits.
    povratak text not null,
    oznaka text,
    -- The provider has been asked to let the worker prove again who she is.
    ponovo boolean not null,
    zapoceto_at timestamptz not null,
    istice timestamptz not null
);

-- What a sign-in at the provider has ended in, until the browser fetches it.
create table external_sign_in_code (
    kod_hash bytea primary key,
    pregledac_hash bytea not null,
    radnik_id bigint not null references worker (id),
    izdavalac text not null,
    subjekat text not null,
    ponovo boolean not null,
    -- The provider has asked for a second step.
    drugi_korak boolean not null,
    istice timestamptz not null
);

alter table session
    -- Opened by an account of a provider, where no password was given, and whether a second step was.
    add column spoljna boolean not null default false,
    add column spoljni_drugi_korak boolean not null default false;
