-- What operators see of waiting and of mail, and a share of the engines' slots for each worker.

-- Since when a run should have been made, where that is not when it was asked for: an operator let it begin again. Attempts change nothing
-- of it.
alter table report_run add column due_at timestamptz;

-- Since when a message should have left.
alter table report_delivery add column created_at timestamptz not null default now();
update report_delivery d set created_at = coalesce(r.finished_at, r.created_at)
  from report_run r where r.id = d.run_id and d.status in ('pending', 'sending', 'uncertain');

-- How long the runs of a report took: whether one may have the last free slot.
create index report_run_taken on report_run (izvestaj_id, finished_at desc) where status in ('succeeded', 'failed') and not proba;

-- The mail server as the engines last found it; one row. `greeting`: it does not let anybody in; `message`: it lets in and takes nothing.
create table mail_server (
    id boolean primary key default true constraint mail_server_one check (id),
    fault text constraint mail_server_fault_known check (fault in ('greeting', 'message')),
    down_since timestamptz,
    -- When it last took a message, refused one, or let an engine in.
    answered_at timestamptz,
    -- When an engine last asked it anything.
    checked_at timestamptz not null default clock_timestamp(),
    -- Its last answer, without addresses.
    code integer,
    answer text,
    constraint mail_server_down check ((fault is null) = (down_since is null))
);
insert into mail_server default values;
