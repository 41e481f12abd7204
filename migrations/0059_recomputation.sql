-- Stored results are computed anew by the newest version of a form, where whoever publishes it says so.
select set_config('app.worker', '1', true);

-- One order of it, which an engine carries out patient by patient.
create table recomputation (
    id bigint generated always as identity primary key,
    form_id bigint not null references form (id),
    form_version_id bigint not null,
    -- Who asked for it, and where that worker was signed in.
    radnik_id bigint not null references worker (id),
    ustanova_id bigint references institution (id),
    vreme_kreiranja timestamptz not null default clock_timestamp(),
    vreme_zavrsetka timestamptz,
    status text not null default 'queued'
        constraint recomputation_status_known check (status in ('queued', 'running', 'done', 'cancelled', 'superseded', 'failed')),
    fence bigint not null default 0,
    lease_until timestamptz,
    attempts int not null default 0,
    -- Leases that have lapsed one after the other, with no patient between them.
    lapses int not null default 0,
    not_before timestamptz not null default clock_timestamp(),
    cancel_requested_at timestamptz,
    -- The last patient whose entries were looked at.
    poslednji_pacijent_id bigint not null default 0,
    ukupno bigint not null,
    pregledano bigint not null default 0,
    -- Entries with another result, entries that only went over to the version, and entries that stay as they are.
    promenjeno bigint not null default 0,
    prevedeno bigint not null default 0,
    ostavljeno bigint not null default 0,
    constraint recomputation_to_version foreign key (form_version_id, form_id) references form_version (id, form_id),
    constraint recomputation_lease check ((status = 'running') = (lease_until is not null)),
    constraint recomputation_end check ((status in ('queued', 'running')) = (vreme_zavrsetka is null))
);
create index recomputation_form on recomputation (form_id, id);
-- A form is recomputed once at a time.
create unique index recomputation_open on recomputation (form_id) where status in ('queued', 'running');

-- What became of an entry, once: the change is written by the trigger that writes its history, at the same moment.
create table recomputation_entry (
    preracunavanje_id bigint not null references recomputation (id),
    unos_id bigint not null references entry (id),
    ishod text not null constraint recomputation_entry_ishod_known check (ishod in ('promenjen', 'preveden', 'ostavljen')),
    -- Why it stays as it is, and the field that it is about.
    razlog text constraint recomputation_entry_razlog_known
        check (razlog in ('bez_polja', 'tip', 'racunanje', 'jedinica', 'stavka', 'skriveno', 'pravilo', 'prethodni')),
    polje_id bigint references form_field (id),
    -- The version that it had.
    form_version_id bigint not null references form_version (id),
    vreme timestamptz not null,
    primary key (preracunavanje_id, unos_id),
    constraint recomputation_entry_reason check ((ishod = 'ostavljen') = (razlog is not null))
);
create index recomputation_entry_unos on recomputation_entry (unos_id, vreme);
