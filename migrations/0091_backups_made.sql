-- Backups that were made, for the figures of operators. A copy does not hold it: a restored installation has no backup yet.
create table backup_made (
    id bigint generated always as identity primary key,
    -- The instant whose data it holds.
    snimljeno_od timestamptz not null,
    zavrseno timestamptz not null default clock_timestamp(),
    bajtova bigint not null,
    fajlova int not null,
    -- Files that the database names and the store did not have.
    nedostaje int not null
);
