-- Whose roles open no patient gets reports without what says who a patient is: the scope says so, and a role of its own that has no
-- right to those columns runs the query. What the role may read stands with the views.
do $$
begin
    perform pg_advisory_xact_lock(7231840001);
    if not exists (select from pg_roles where rolname = 'regix_report_anonymous') then create role regix_report_anonymous nologin; end if;
    if not pg_has_role('regix_report', 'regix_report_anonymous', 'member') then grant regix_report_anonymous to regix_report; end if;
end
$$;

alter table report_scope add column identitet boolean not null default false;

-- An engine that does not know of it would give names to whom they are closed: from now on runs are for those that do.
alter table report_run alter column needs set default 2;
