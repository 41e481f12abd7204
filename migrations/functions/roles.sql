-- The roles of the services and what they may. Applied at every `api migrate`, so that a database that was restored into another cluster
-- has all of it. Passwords are set by `api migrate` from the environment, never here.

do $$
declare
    setting text;
begin
    -- Roles belong to the cluster, where another database may be migrated at this moment: only what is missing is changed.
    if not exists (select from pg_roles where rolname = 'regix_app') then create role regix_app nologin; end if;
    if not exists (select from pg_roles where rolname = 'regix_report') then create role regix_report nologin; end if;
    if not exists (select from pg_roles where rolname = 'regix_report_anonymous') then create role regix_report_anonymous nologin; end if;
    if not exists (select from pg_roles where rolname = 'regix_report_unnamed') then create role regix_report_unnamed nologin; end if;
    if not exists (select from pg_roles where rolname = 'regix_report_words') then create role regix_report_words nologin; end if;
    if not pg_has_role('regix_report', 'regix_report_words', 'member') then
        -- Only planned for, never run for: what it may not read holds data of patients.
        grant regix_report_words to regix_report;
    end if;
    if not pg_has_role('regix_report', 'regix_report_unnamed', 'member') then
        -- Only planned for, never run for: what it may not read names patients.
        grant regix_report_unnamed to regix_report;
    end if;
    if not pg_has_role('regix_report', 'regix_report_anonymous', 'member') then
        -- Whoever may name patients may do all that the role without names may, and becomes it for those who may not.
        grant regix_report_anonymous to regix_report;
    end if;
    if not pg_has_role('regix_app', 'regix_report', 'usage') then
        -- The application may stop a report's statement on the server: it signs in as another role than the report's.
        grant regix_report to regix_app;
    end if;
    -- What is wrong with a value is told by quoting it, and the server would write that into its log, as it would the parameters of a slow
    -- statement. Functions of "report" stand before the server's own of the same name.
    foreach setting in array array['default_transaction_read_only=on', 'statement_timeout=30min', 'lock_timeout=2s',
                                   'idle_in_transaction_session_timeout=60s', 'search_path=report, pg_catalog', 'temp_file_limit=2GB',
                                   'log_min_messages=fatal', 'log_min_error_statement=panic', 'log_parameter_max_length=0',
                                   'log_parameter_max_length_on_error=0'] loop
        continue when exists (select from pg_roles where rolname = 'regix_report' and rolconfig @> array[setting]);
        begin
            execute format('alter role regix_report set %I = %s', split_part(setting, '=', 1),
                           (select string_agg(quote_literal(part), ', ') from regexp_split_to_table(split_part(setting, '=', 2), ', ') part));
        exception when insufficient_privilege then
            raise notice '% of regix_report is left to the server: only a superuser may set it', setting;
        end;
    end loop;
end
$$;

grant usage on schema public to regix_app;
-- For its functions: what the views are made of is granted to nobody.
grant usage on schema report_inside to regix_app;
grant usage on schema report to regix_report, regix_report_anonymous, regix_report_unnamed, regix_report_words, regix_app;

-- What the application reads only, or changes without ever deleting.
revoke insert, update, delete on application_right, release, release_change, value_type, report_parameter_kind, report_format from regix_app;
revoke insert, update, delete on patient_history, value_history, value_num, value_text, patient_register, name_history, name_word,
    applied_definitions, restoration, form_version, entry_version_history, entry_following, recomputation_entry, patient_erasure, archive_file, form_today,
    form_field_place, form_field_read, meaning, backup_made, patient_merge, patient_merge_row, patient_alias, patient_pair_search, visit from regix_app;
revoke insert, delete on patient_pair from regix_app;
revoke delete on patient_merge_proposal, patient_transfer from regix_app;
revoke update, delete on audit_log, audit_log_patient, report_definition, form_publication, entry_state, patient_status, patient_consent, consent_text from regix_app;
-- An entry that a recomputation leaves as it is is told by the engine, one that it changes by the trigger.
grant insert on recomputation_entry to regix_app;
-- Visits are dated by triggers; a version of a plan never changes.
revoke insert, update, delete on planned_visit_move, visit_digest from regix_app;
revoke update, delete on visit_plan_version, visit_plan_item from regix_app;
revoke insert, delete on planned_visit from regix_app;
-- What a question is says its last message, and a message stays as it was sent.
revoke update, delete on question, question_message from regix_app;
revoke insert, update, delete on question_letter, question_notice from regix_app;
-- A finding ends and stays; a rule that has found something is switched off.
revoke delete on quality_rule, quality_finding, quality_run from regix_app;
-- Patients who are due are taken by holding their rows; triggers alone write them.
revoke insert on quality_due, follow_due from regix_app;
revoke delete on visit_plan, patient_plan, period_lock, wall_display from regix_app;
revoke delete on patient, entry, form, form_field, form_block, register, attribute_type, enum_item, worker, institution, role from regix_app;
revoke delete on report_category, report_type, report, report_parameter_type, report_parameter, report_schedule, report_run,
    recipient_group, report_recipient, data_export, upgrade_note, recomputation, data_import, cohort, analysis from regix_app;
-- Partitions are reached through their parent only; ensure_partitions sees to the monthly ones.
revoke all on audit_log_default, audit_log_patient_default, value_history_default from regix_app;

-- Functions of the server belong to everybody, reports too, unless they are taken away: what is not listed for reports
-- (report_functions.sql) is kept for a role that everybody else who signs in gets. A role that is made later gets it at the next migration.
do $$
declare
    unlisted regprocedure;
    other name;
begin
    if not exists (select from pg_roles where rolname = 'regix_functions') then create role regix_functions nologin; end if;
    for other in select r.rolname from pg_roles r
                  where (r.rolcanlogin and not r.rolsuper or r.rolname in ('regix_app', 'pg_monitor')) and r.rolname not like 'regix\_report%'
                    and not pg_has_role(r.oid, 'regix_functions', 'member')
                    -- Who signs in for reports by another name.
                    and (not pg_has_role(r.oid, 'regix_report', 'member') or pg_has_role(r.oid, 'regix_app', 'member'))
    loop
        execute format('grant regix_functions to %I', other);
    end loop;
    for unlisted in select p.oid from pg_proc p
                     where p.pronamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
                       and not exists (select from report_inside.slobodne_funkcije() f where f.funkcija = p.oid)
                       -- What the server keeps from everybody already is not handed out here.
                       and has_function_privilege('regix_report', p.oid, 'execute')
    loop
        execute format('grant execute on routine %s to regix_functions', unlisted);
        execute format('revoke execute on routine %s from public', unlisted);
    end loop;
    for unlisted in select distinct f.funkcija from report_inside.slobodne_funkcije() f
                     where not has_function_privilege('regix_report', f.funkcija, 'execute')
    loop
        execute format('grant execute on routine %s to public', unlisted);
    end loop;
exception when insufficient_privilege then
    raise notice 'functions of the server are left as they are: only a superuser may take them from everybody';
end
$$;
