-- Engines of several versions, and files of reports in a store of objects.

-- The version of things that an engine must know to execute the run: an older one leaves it. An api that does not write it is of the first.
alter table report_run add column needs integer not null default 1 constraint report_run_needs_version check (needs > 0);

-- The version of things that an engine knows.
alter table process
    add column knows integer,
    drop constraint process_rests_known,
    add constraint process_rests_known check (rests in ('drained', 'other_store', 'no_store', 'full_store'));

-- Uploads in parts to a store of objects: a file is there only when its upload is completed, and the parts of one that never is are
-- seen by nobody but take room until it is aborted.
create table artifact_upload (
    upload_id text primary key,
    path text not null,
    begun_at timestamptz not null default clock_timestamp()
);
create index artifact_upload_by_age on artifact_upload (begun_at);
