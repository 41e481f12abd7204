-- What tells an owner that a schedule of hers ended because its report was deleted or hidden.
alter table report_run drop constraint report_run_status_known;
alter table report_run add constraint report_run_status_known check (status in (
    'queued', 'running', 'succeeded', 'failed', 'cancelled', 'skipped_overlap', 'skipped_unauthorised', 'skipped_paused', 'skipped_ended',
    'missed'));
