-- Results that are made of another form's entry follow it (docs/decisions/0147-results-follow-the-other-form.md).

-- Patients of whom an entry was written that formulas of other forms read, until those were computed anew.
create table follow_due (
    pacijent_id bigint not null references patient (id),
    registar_id bigint not null references register (id),
    primary key (pacijent_id, registar_id)
);

-- When results of an entry followed another form: the history tells by it what was no correction.
create table entry_following (
    unos_id bigint not null references entry (id),
    vreme timestamptz not null,
    primary key (unos_id, vreme)
);

-- Forms that read others are asked for at each write of an entry.
create index form_field_read_far on form_field_read (form_id) where strpos(sifra, '.') > 0;

alter table stale_result drop constraint stale_result_razlog_known,
    add constraint stale_result_razlog_known check (razlog in ('formula', 'neprovereno', 'jedinica', 'drugi_formular'));
