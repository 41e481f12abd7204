-- A form is edited as a draft and published; and what names today's form is known without describing it anew at every entry.
select set_config('app.worker', '1', true);

-- The whole form as one worker prepares it. `osnova` is the form as it was live then: what is another today was changed by somebody else.
create table form_draft (
    id bigint generated always as identity primary key,
    form_id bigint not null references form (id),
    radnik_id bigint not null references worker (id),
    dokument jsonb not null constraint form_draft_dokument_object check (jsonb_typeof(dokument) = 'object'),
    osnova jsonb not null constraint form_draft_osnova_object check (jsonb_typeof(osnova) = 'object'),
    -- The version that it was taken from; none: today's form.
    od_verzije int,
    -- What of that version could not become what it was.
    napomene text[] not null default '{}',
    verzija int not null default 1,
    vreme_kreiranja timestamptz not null default now(),
    vreme_poslednje_izmene timestamptz not null default now(),
    constraint form_draft_own unique (form_id, radnik_id)
);

-- How often the form was configured, and what its description was named after `otisak_izmena` of those.
create table form_today (
    form_id bigint primary key references form (id),
    izmena bigint not null default 0,
    otisak text,
    otisak_izmena bigint
);
insert into form_today (form_id) select id from form;
