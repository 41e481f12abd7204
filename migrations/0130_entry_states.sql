-- What became of an entry: finished, signed, locked. Rows are added and never changed; the last one of an entry holds.

create table entry_state (
    id bigint generated always as identity primary key,
    unos_id bigint not null references entry (id),
    stanje text not null constraint entry_state_known check (stanje in ('uRadu', 'zavrsen', 'potpisan', 'zakljucan')),
    -- By what it came: a person's deed, or a change that ended what was.
    radnja text not null
        constraint entry_state_radnja_known check (radnja in ('zavrsavanje', 'potpis', 'zakljucavanje', 'otkljucavanje', 'vracanje', 'izmena',
            'preracunavanje', 'anonimizacija')),
    razlog text constraint entry_state_razlog_length check (length(btrim(razlog)) between 3 and 500),
    -- What the signature means, the version of the form that was signed, and SHA-256 over the values (entry_fingerprint): of a signature only.
    znacenje text constraint entry_state_znacenje_known check (znacenje in ('autor', 'pregledao', 'odobrio')),
    form_version_id bigint references form_version (id),
    otisak bytea,
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp(),
    -- An erasure takes the sum: it would tell whoever guesses the values whether they are right.
    constraint entry_state_signature_whole check (num_nonnulls(znacenje, form_version_id) = case radnja when 'potpis' then 2 else 0 end),
    constraint entry_state_otisak_of_a_signature check (otisak is null or radnja = 'potpis'),
    constraint entry_state_reason check (razlog is not null or radnja not in ('vracanje', 'zakljucavanje', 'otkljucavanje'))
);
create index entry_state_entry on entry_state (unos_id, id);

-- Entries of a register and an institution are closed up to a day.
create table period_lock (
    id bigint generated always as identity primary key,
    registar_id bigint not null references register (id),
    ustanova_id bigint not null references institution (id),
    do_dana date not null,
    razlog text not null constraint period_lock_razlog_length check (length(btrim(razlog)) between 3 and 500),
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp(),
    otkljucano_at timestamptz,
    otkljucao_id bigint references worker (id),
    razlog_otkljucavanja text
        constraint period_lock_razlog_otkljucavanja_length check (length(btrim(razlog_otkljucavanja)) between 3 and 500),
    constraint period_lock_end_whole
        check ((otkljucano_at is null) = (otkljucao_id is null) and (otkljucano_at is null) = (razlog_otkljucavanja is null))
);
create index period_lock_in_force on period_lock (registar_id, ustanova_id, do_dana) where otkljucano_at is null;

-- What is signed or locked a recomputation leaves as it is, and counts.
alter table recomputation_entry drop constraint recomputation_entry_razlog_known;
alter table recomputation_entry add constraint recomputation_entry_razlog_known
    check (razlog in ('bez_polja', 'tip', 'racunanje', 'jedinica', 'stavka', 'skriveno', 'pravilo', 'prethodni', 'potpisan', 'zakljucan'));

select set_config('app.worker', '1', true);
insert into application_right (id, naziv, numericka_vrednost)
values (26, 'Završavanje unosa', 26), (27, 'Potpisivanje unosa', 27), (28, 'Zaključavanje unosa', 28);
-- Nobody gives a right that nobody holds: roles that hold every other right get them.
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, n.id from role r cross join (values (26), (27), (28)) n (id)
 where not exists (select from application_right a where a.id not in (26, 27, 28)
                      and not exists (select from role_right g where g.uloga_id = r.id and g.aplikativno_pravo_id = a.id));
