-- What items and units mean stands apart from how they are written; and a version says who published it, when, and why.
select set_config('app.worker', '1', true);

-- Texts that an item or the unit of a type has had, each with what it meant: two texts of one meaning are spellings of one thing. A text
-- that is not here means what it always did: an item is itself whatever it is called, a unit is what is written.
create table meaning (
    klasa text not null constraint meaning_klasa_known check (klasa in ('enum_item', 'attribute_type')),
    red_id bigint not null,
    tekst text not null,
    znacenje text not null,
    primary key (klasa, red_id, tekst)
);

-- Each publication of a draft. One that changes nothing that entries see publishes the version that was there.
create table form_publication (
    id bigint generated always as identity primary key,
    form_version_id bigint not null references form_version (id),
    radnik_id bigint not null references worker (id),
    vreme timestamptz not null default now(),
    napomena text constraint form_publication_napomena_length check (length(napomena) between 1 and 1000)
);
create index form_publication_version on form_publication (form_version_id);

-- Entries that were left because an item was called otherwise may be recomputed now: what was left by the rule of that time is no answer
-- any more.
alter table recomputation_entry add po_znacenju boolean not null default false;
alter table recomputation_entry alter po_znacenju set default true;
