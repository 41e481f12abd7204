-- Restorations of the installation from a copy (`api restore`). What was planned before one may have happened already where the copy
-- was made, so the scheduler lets no fire before the last of them become a run.

create table restoration (
    id        bigint generated always as identity primary key,
    vreme     timestamptz not null default clock_timestamp(),
    kopija_od timestamptz not null
);
