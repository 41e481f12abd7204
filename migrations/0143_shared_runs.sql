-- Whether what a run shows is the same for every worker of its institution to whom its report is on offer: its rows name no patient, and its
-- query does not ask who reads. The engine says so when it has planned the query. None: an engine of before has made it.
alter table report_run add deljiv boolean;
create index report_run_shared on report_run (izvestaj_id, ustanova_id, created_at desc) where deljiv is not false and not proba;
