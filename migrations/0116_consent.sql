-- What patients have agreed to: texts of consents by register and purpose, in versions, and who gave or withdrew which.

-- For what the register asks each patient; without asking for the register itself it stands on the law (ZZPL 87/2018).
alter table register
    add pristanak_registar boolean not null default false,
    add pristanak_istrazivanje boolean not null default false,
    add pristanak_kontakt boolean not null default false,
    add pristanak_razmena boolean not null default false;

-- A version is never changed: another text is another version.
create table consent_text (
    id bigint generated always as identity primary key,
    registar_id bigint not null references register (id),
    svrha text not null constraint consent_text_svrha_known check (svrha in ('registar', 'istrazivanje', 'kontakt', 'razmena')),
    broj int not null,
    tekst text not null constraint consent_text_tekst_length check (length(btrim(tekst)) between 10 and 20000),
    radnik_id bigint not null default acting_worker() references worker (id),
    vreme timestamptz not null default clock_timestamp(),
    constraint consent_text_once unique (registar_id, svrha, broj)
);

-- A row for each time that a consent was given or withdrawn; none is changed. What holds is said by the latest day.
create table patient_consent (
    id bigint generated always as identity primary key,
    pacijent_id bigint not null references patient (id),
    registar_id bigint not null references register (id),
    svrha text not null constraint patient_consent_svrha_known check (svrha in ('registar', 'istrazivanje', 'kontakt', 'razmena')),
    dat boolean not null,
    dan date not null,
    -- To which text; none: it was withdrawn, or the register has no text for the purpose.
    tekst_id bigint references consent_text (id),
    napomena text constraint patient_consent_napomena_length check (length(napomena) between 1 and 1000),
    radnik_id bigint not null default acting_worker() references worker (id),
    ustanova_id bigint not null references institution (id),
    vreme timestamptz not null default clock_timestamp()
);
create index patient_consent_patient on patient_consent (pacijent_id, registar_id, svrha);

-- A signed form is kept where the files of entries are.
alter table entry_file
    alter polje_id drop not null,
    add saglasnost_id bigint references patient_consent (id),
    add constraint entry_file_of_one check (unos_id is null or saglasnost_id is null),
    add constraint entry_file_of_entry_has_field check (unos_id is null or polje_id is not null);
create index entry_file_consent on entry_file (saglasnost_id) where saglasnost_id is not null;
drop index entry_file_leaving;
create index entry_file_leaving on entry_file (vreme) where unos_id is null and saglasnost_id is null or uklanja_se;

-- Whether what the register holds of the patient may be used for research, kept by the triggers of consents and registers: reports over all
-- institutions and exports without identity ask it of every row.
alter table patient_register add za_istrazivanje boolean not null default true;
create index patient_register_not_for_research on patient_register (registar_id, pacijent_id) where not za_istrazivanje;

-- Patients who were left out of an export because they have not agreed to research, as it was told when it was asked for.
alter table data_export add bez_saglasnosti bigint not null default 0;

select set_config('app.worker', '1', true);
insert into application_right (id, naziv, numericka_vrednost) values (19, 'Saglasnosti pacijenata', 19);
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, 19 from role r
 where not exists (select from application_right a where a.id <> 19
                      and not exists (select from role_right g where g.uloga_id = r.id and g.aplikativno_pravo_id = a.id));
