-- Which definitions of functions, triggers and views (migrations/functions) the database has, and since when: `api migrate` applies them
-- anew when they have changed. From here on a migration defines none of them.
create table applied_definitions (
    sha256 text primary key,
    vreme timestamptz not null default clock_timestamp()
);
revoke insert, update, delete on applied_definitions from regix_app;
