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
    foreach setting in array array['default_transaction_read_only=on', 'statement_timeout=30min', 'lock_timeout=2s',
                                   'idle_in_transaction_session_timeout=60s', 'search_path=report', 'temp_file_limit=2GB'] loop
        continue when exists (select from pg_roles where rolname = 'regix_report' and rolconfig @> array[setting]);
        begin
            execute format('alter role regix_report set %I = %L', split_part(setting, '=', 1), split_part(setting, '=', 2));
        exception when insufficient_privilege then
            raise notice '% of regix_report is left to the server: only a superuser may set it', setting;
        end;
    end loop;
end
$$;

grant usage on schema public to regix_app;
grant usage on schema report to regix_report, regix_report_anonymous, regix_report_unnamed, regix_report_words, regix_app;

-- What the application reads only, or changes without ever deleting.
revoke insert, update, delete on application_right, release, release_change, value_type, report_parameter_kind, report_format from regix_app;
revoke insert, update, delete on patient_history, value_history, value_num, value_text, patient_register, name_history, name_word,
    applied_definitions, restoration, form_version, entry_version_history, recomputation_entry, patient_erasure, archive_file, form_today,
    form_field_place, form_field_read, form_field_seen, meaning, backup_made from regix_app;
revoke update, delete on audit_log, audit_log_patient, report_definition, form_publication from regix_app;
-- An entry that a recomputation leaves as it is is told by the engine, one that it changes by the trigger.
grant insert on recomputation_entry to regix_app;
revoke delete on patient, entry, form, form_field, register, attribute_type, enum_item, worker, institution, role from regix_app;
revoke delete on report_category, report_type, report, report_parameter_type, report_parameter, report_schedule, report_run,
    recipient_group, report_recipient, data_export, upgrade_note, recomputation, data_import from regix_app;
-- Partitions are reached through their parent only; ensure_partitions sees to the monthly ones.
revoke all on audit_log_default, audit_log_patient_default, value_history_default from regix_app;

-- Functions that everybody may call and no report needs: telling other sessions something, holding locks that outlive a
-- statement, ending other sessions' statements, changing settings, large objects. The services keep them.
do $$
declare
    needless regprocedure;
begin
    for needless in select p.oid::regprocedure from pg_proc p
                     where p.pronamespace = 'pg_catalog'::regnamespace
                       and (p.proname in ('pg_notify', 'set_config', 'pg_cancel_backend', 'pg_terminate_backend', 'pg_logical_emit_message',
                                          'pg_sleep_until', 'loread', 'lowrite', 'pg_export_snapshot', 'pg_current_xact_id', 'txid_current')
                            or p.proname ~ '^(pg_(try_)?advisory_|lo_)')
    loop
        -- What the server keeps from everybody already is not handed out here.
        if has_function_privilege('regix_report', needless::oid, 'execute') then
            execute format('grant execute on function %s to regix_app', needless);
            execute format('grant execute on function %s to %I', needless, current_user);
            execute format('revoke execute on function %s from public', needless);
        end if;
    end loop;
exception when insufficient_privilege then
    raise notice 'functions of the server are left as they are: only a superuser may take them from everybody';
end
$$;
