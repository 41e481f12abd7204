-- Reports may be read from a streaming replica. A scope then belongs to a server process of another server: it is known by when that
-- server was started, which no statement can pretend, and by the process's number there.
alter table report_scope add column server_od timestamptz not null default pg_postmaster_start_time();
alter table report_scope drop constraint report_scope_pkey, add primary key (server_od, pid);

-- An engine that writes a scope by the process's number alone cannot write one any more: runs are for those that know both.
alter table report_run alter column needs set default 3;

-- How far the server that reports read from is behind, in seconds, as this process finds it; null where it is no replica.
alter table process add column replica_lag double precision check (replica_lag >= 0);
