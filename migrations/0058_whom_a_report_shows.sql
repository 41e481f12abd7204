-- Whether a report's query says who its patients are is asked of the server, which plans it once more for a role of its own: it reads all
-- but what names a patient. What it may read stands with the views.
do $$
begin
    perform pg_advisory_xact_lock(7231840001);
    if not exists (select from pg_roles where rolname = 'regix_report_unnamed') then create role regix_report_unnamed nologin; end if;
    if not pg_has_role('regix_report', 'regix_report_unnamed', 'member') then grant regix_report_unnamed to regix_report; end if;
end
$$;
