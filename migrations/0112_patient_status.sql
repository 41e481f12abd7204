-- What becomes of a patient: a history of statuses for each register, a death for all of them. Rows are added and never changed; a
-- correction is a row that says which one it corrects.

create table patient_status (
    id bigint generated always as identity primary key,
    pacijent_id bigint not null references patient (id),
    -- None: the patient's own, whatever the register. A death is.
    registar_id bigint references register (id),
    status text not null
        constraint patient_status_known check (status in ('aktivan', 'izgubljen', 'preminuo', 'povukaoSaglasnost', 'premesten')),
    dan date not null,
    -- As the list of the register called it when it was chosen.
    uzrok_sifra text,
    uzrok text,
    izvor text not null
        constraint patient_status_izvor_known check (izvor in ('ustanova', 'porodica', 'pacijent', 'potvrda', 'evidencija', 'uvoz')),
    napomena text constraint patient_status_napomena_length check (length(napomena) between 1 and 1000),
    -- The row in whose place this one stands.
    ispravlja_id bigint references patient_status (id),
    -- What is corrected never was: this row has no other meaning.
    ponisten boolean not null default false,
    radnik_id bigint not null default acting_worker() references worker (id),
    -- Where the worker was signed in.
    ustanova_id bigint not null references institution (id),
    vreme timestamptz not null default clock_timestamp(),
    constraint patient_status_of_whom check ((status = 'preminuo') = (registar_id is null)),
    constraint patient_status_cause_whole check ((uzrok_sifra is null) = (uzrok is null)),
    constraint patient_status_corrected_once unique (ispravlja_id),
    constraint patient_status_undone_whole check (not ponisten or ispravlja_id is not null)
);
create index patient_status_patient on patient_status (pacijent_id);

-- The status that holds, kept by the triggers of patient_status: the search reads it with the order of the register.
alter table patient_register
    add status text not null default 'aktivan',
    add status_dan date;
drop index patient_register_order;
create index patient_register_order on patient_register (registar_id, poslednji_unos_datum desc nulls last, pacijent_id)
    include (prvi_unos_id, prvi_unos_datum, prvi_unos_tsa_id, poslednji_unos_id, poslednji_unos_tsa_id, ime_f, prezime_f, datum_rodjenja,
             pol_trenutni, status, status_dan);

-- Causes that may be chosen in the register, one a line: status, code, name, parted by semicolons.
alter table register add uzroci_statusa text;

select set_config('app.worker', '1', true);
insert into application_right (id, naziv, numericka_vrednost) values (18, 'Status pacijenta', 18);
-- Nobody gives a right that nobody holds: roles that hold every other right get it.
insert into role_right (uloga_id, aplikativno_pravo_id)
select r.id, 18 from role r
 where not exists (select from application_right a where a.id <> 18
                      and not exists (select from role_right g where g.uloga_id = r.id and g.aplikativno_pravo_id = a.id));
