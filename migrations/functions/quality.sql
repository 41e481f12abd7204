-- Quality rules: whose a finding is, whom a write makes due for another look, and what ends with its entry or its rule.

-- A finding is where its entry is.
create or replace function finding_of_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    select e.pacijent_id, e.ustanova_id into strict new.pacijent_id, new.ustanova_id from entry e where e.id = new.unos_id;
    return new;
end
$$;

create or replace trigger finding_of_entry before insert on quality_finding for each row execute function finding_of_entry();

-- Nothing more is typed about somebody who was made anonymous.
create or replace function finding_of_anonymous() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from patient p where p.id = new.pacijent_id for key share;
    if exists (select from patient p where p.id = new.pacijent_id and p.anonimizovan_at is not null) then
        raise exception 'nothing more is typed about an anonymous patient' using errcode = 'check_violation', constraint = 'patient_anonimizovan';
    end if;
    return new;
end
$$;

create or replace trigger finding_of_anonymous before update of potvrdio_id on quality_finding for each row
    when (new.potvrdio_id is not null and old.potvrdio_id is distinct from new.potvrdio_id) execute function finding_of_anonymous();

-- That a finding was confirmed, and that this was taken back, is told by the log; what rules find is told by the findings.
create or replace trigger quality_finding_audit after update of potvrdio_id on quality_finding for each row
    when (old.potvrdio_id is distinct from new.potvrdio_id) execute function audit_change('otisak');

-- Findings that somebody still has to see to: of rules in use, neither ended nor confirmed. The deletion of an entry ends its own.
create or replace view open_finding as
    select n.id, n.pravilo_id, n.unos_id, n.pacijent_id, n.ustanova_id, n.polje_id
      from quality_finding n join quality_rule r on r.id = n.pravilo_id and r.aktivan
     where n.kraj is null and n.potvrdjen_at is null;

-- Whether anything of the register is looked at at all.
create or replace function has_quality_rules(registar bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from quality_rule r where r.registar_id = registar and r.aktivan)
$$;

-- A patient's entries in a register are to be looked at again. Whoever writes looks at once; what nobody looked at does the scheduler.
create or replace function quality_is_due(pacijent bigint, registar bigint) returns void language sql security definer set search_path = public, pg_temp as $$
    insert into quality_due (pacijent_id, registar_id) select pacijent, registar where has_quality_rules(registar)
        -- The row is held until this is committed: whoever takes it looks at what was written.
        on conflict (pacijent_id, registar_id) do update set pacijent_id = excluded.pacijent_id
$$;

create or replace function entry_quality() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if tg_op = 'UPDATE' then
        if not new.aktivan then
            update quality_finding f set kraj = clock_timestamp(), razlog_kraja = 'unos' where f.unos_id = new.id and f.kraj is null;
        end if;
        if (old.pacijent_id, old.ustanova_id) is distinct from (new.pacijent_id, new.ustanova_id) then
            update quality_finding f set pacijent_id = new.pacijent_id, ustanova_id = new.ustanova_id where f.unos_id = new.id;
        end if;
        if old.pacijent_id <> new.pacijent_id then perform quality_is_due(old.pacijent_id, old.registar_id); end if;
    end if;
    perform quality_is_due(new.pacijent_id, new.registar_id);
    return null;
end
$$;

create or replace trigger entry_quality after insert or update on entry for each row execute function entry_quality();

-- A death, and a day of birth, make other days impossible.
create or replace function patient_quality() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    pacijent bigint := case tg_table_name when 'patient' then (to_jsonb(new) ->> 'id')::bigint else (to_jsonb(new) ->> 'pacijent_id')::bigint end;
begin
    perform quality_is_due(pacijent, r.registar_id) from patient_register r where r.pacijent_id = pacijent;
    return null;
end
$$;

create or replace trigger patient_status_quality after insert on patient_status for each row when (new.status = 'preminuo') execute function patient_quality();
create or replace trigger patient_quality after update of datum_rodjenja, aktivan on patient for each row
    when ((old.datum_rodjenja, old.aktivan) is distinct from (new.datum_rodjenja, new.aktivan)) execute function patient_quality();

-- What a rule has found ends with it.
create or replace function quality_rule_ends() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update quality_finding f set kraj = clock_timestamp(), razlog_kraja = 'pravilo' where f.pravilo_id = new.id and f.kraj is null;
    return null;
end
$$;

create or replace trigger quality_rule_ends after update of aktivan on quality_rule for each row
    when (old.aktivan and not new.aktivan) execute function quality_rule_ends();

-- Asks for a look at all patients of a register; one that is under way begins again, for its rules are others now. Gives the run.
create or replace function order_quality_run(registar bigint) returns bigint language sql volatile security definer set search_path = public, pg_temp as $$
    insert into quality_run (registar_id, ukupno)
    select registar, (select count(*) from patient_register r join patient p on p.id = r.pacijent_id
                       where r.registar_id = registar and r.broj_unosa > 0 and p.aktivan and p.anonimizovan_at is null)
        on conflict (registar_id) where status in ('queued', 'running') do update
       set ponovo = quality_run.ponovo or quality_run.status = 'running' or quality_run.poslednji_pacijent_id > 0
    returning id
$$;

-- Registers that have rules and were not looked at this night.
create or replace function order_quality_runs() returns bigint language sql volatile security definer set search_path = public, pg_temp as $$
    select count(order_quality_run(r.id)) from register r
     where r.aktivan and has_quality_rules(r.id)
       and not exists (select from quality_run q where q.registar_id = r.id 
                          and (q.vreme_kreiranja > now() - interval '12 hours' or q.status in ('queued', 'running')))
$$;

revoke execute on function finding_of_entry, finding_of_anonymous, has_quality_rules, quality_is_due, entry_quality, patient_quality, quality_rule_ends,
    order_quality_run, order_quality_runs from public;
grant execute on function has_quality_rules, order_quality_run, order_quality_runs to regix_app;
