-- A schedule may be paused, by its owner or after failing again and again: it keeps its plan and has no next time until it is resumed.
alter table report_schedule
    add column pauzirano_od timestamptz,
    -- Why, where it was not the owner who paused it.
    add column razlog_pauze text,
    -- Failed runs made before this do not count among those that pause it.
    add column neuspesi_od timestamptz not null default now(),
    add constraint report_schedule_pauza check (
        case when pauzirano_od is null then razlog_pauze is null else sledece_izvrsavanje is null and sledece_lokalno is null end);

-- The fire that found its schedule failing, and paused it.
alter table report_run drop constraint report_run_status_known;
alter table report_run add constraint report_run_status_known check (status in (
    'queued', 'running', 'succeeded', 'failed', 'cancelled', 'skipped_overlap', 'skipped_unauthorised', 'skipped_paused', 'missed'));

select set_config('app.worker', '1', true);
insert into parameter (naziv, vrednost, opis) values
    ('zakazivanjeNajviseNeuspeha', '5', 'Posle koliko neuspelih izvršavanja zaredom se zakazani izveštaj pauzira; 0 = nikad');
