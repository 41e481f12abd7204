-- What operators see and do: whose turn it is, what each process says of itself, engines that are being emptied.

alter table report_run
    -- The call that asked for the run, as the browser and the logs know it.
    add column zahtev_id text default nullif(current_setting('app.request', true), '') constraint report_run_zahtev_id_shape check (zahtev_id ~ '^[A-Za-z0-9._-]{8,64}$');

-- Who waits, from one worker to the next, and the oldest runs of each.
create index report_run_turn on report_run (queue, radnik_id, created_at, id) where status = 'queued';
create index report_run_running on report_run (radnik_id, ustanova_id) where status = 'running';
-- When a worker was last served.
create index report_run_started on report_run (radnik_id, started_at desc) where started_at is not null;
create index report_run_failed on report_run (finished_at desc) where status = 'failed';
create index report_delivery_sent on report_delivery (sent_at) where status = 'sent';
create index report_delivery_failed on report_delivery (next_attempt_at) where status = 'failed';

alter table process
    add column host text,
    -- Runs that it executes at one time, and those that it executes now.
    add column slots int,
    add column busy int,
    -- The artifact folder that it sees, by the mark inside, and its free bytes.
    add column store uuid,
    add column store_free bigint,
    -- Since when an operator lets it take nothing new.
    add column drained_at timestamptz,
    -- Why it takes nothing new.
    add column rests text constraint process_rests_known check (rests in ('drained', 'other_store', 'full_store'));

alter table maintenance_request drop constraint maintenance_request_vrsta_check;
alter table maintenance_request add constraint maintenance_request_vrsta_check
    check (vrsta in ('jasper', 'konekcija', 'parametri', 'praznjenje'));
