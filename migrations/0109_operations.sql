-- What the programs tell of themselves and of the database.

-- Which definitions of functions, triggers and views (migrations/functions) the database has, and since when: `api migrate` applies them
-- anew when they have changed.
create table applied_definitions (
    sha256 text primary key,
    vreme timestamptz not null default clock_timestamp()
);

-- Every running process says every few seconds that it lives, and how busy its pools are.
create table process (
    id text primary key,
    kind text not null constraint process_kind_check check (kind in ('api', 'report-engine', 'scheduler')),
    version text not null,
    started_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    last_work_at timestamptz,
    redis_ok boolean,
    -- [{"naziv", "zauzeto", "najvise"}]
    pools jsonb not null default '[]',
    host text,
    -- Runs that it executes at one time, and those that it executes now.
    slots int,
    busy int,
    -- The artifact folder that it sees, by the mark inside, and its free bytes.
    store uuid,
    store_free bigint,
    -- Since when an operator lets it take nothing new.
    drained_at timestamptz,
    -- Why it takes nothing new.
    rests text constraint process_rests_known check (rests in ('drained', 'other_store', 'no_store', 'full_store')),
    -- The version of things that an engine knows.
    knows int,
    -- How far the server that reports read from is behind, in seconds, as this process finds it; null where it is no replica.
    replica_lag double precision constraint process_replica_lag_check check (replica_lag >= 0)
);

-- What the maintenance area asks of all processes: drop a compiled template (empty: all), clean a pool, reload parameters.
create table maintenance_request (
    id bigint generated always as identity primary key,
    vrsta text not null constraint maintenance_request_vrsta_check check (vrsta in ('jasper', 'konekcija', 'parametri', 'praznjenje')),
    cilj text not null default '',
    radnik_id bigint not null references worker (id),
    vreme timestamptz not null default now()
);

-- When this installation came out of a backup, and of which moment the copy was.
create table restoration (
    id bigint generated always as identity primary key,
    vreme timestamptz not null default clock_timestamp(),
    kopija_od timestamptz not null
);

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

-- What an upgrade has changed for whom, shown to administrators until it is seen to or put away. Of schedules only what was put away has
-- a row: which of them a report is refused to is asked when somebody looks.
create table upgrade_note (
    id bigint generated always as identity primary key,
    vrsta text not null constraint upgrade_note_vrsta_known check (vrsta in ('uloga', 'ustanove', 'demo', 'zakazivanje', 'izvestaj')),
    -- A role, a worker, a schedule or a report.
    red_id bigint not null,
    -- As the upgrade left it: who changed it since has seen to it.
    zatecena_verzija int,
    sklonio_id bigint references worker (id),
    sklonjeno_at timestamptz,
    unique (vrsta, red_id)
);
