-- Who may, as the api, the engines and the scheduler ask it (domain/src/access).

-- The workers who belong to an institution that is still there: those at home in it and those sent to it.
create or replace function members_of(ustanova bigint) returns table (radnik_id bigint) language sql stable as $$
    select w.id
      from (select w.id from worker w where w.ustanova_id = ustanova union select m.radnik_id from worker_institution m where m.ustanova_id = ustanova) one
      join worker w on w.id = one.id and w.aktivan
     where exists (select from institution u where u.id = ustanova and u.aktivan)
$$;

-- Whether a worker belongs to an institution that is still there.
create or replace function works_at(radnik bigint, ustanova bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from members_of(ustanova) m where m.radnik_id = radnik)
$$;

-- The roles of a worker that count. Those of a deleted account as well: nobody with less may touch it and bring it back.
create or replace function active_roles(radnik bigint) returns setof role language sql stable set search_path = public, pg_temp as $$
    select r.* from worker_role l join role r on r.id = l.uloga_id and r.aktivan where l.radnik_id = radnik
$$;

-- Whether a role of the worker asks for signing in in two steps and the second one is not set up.
create or replace function lacks_second_factor(radnik bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from active_roles(radnik) r where r.drugi_faktor)
       and not exists (select from second_factor f where f.radnik_id = radnik and f.potvrdjen_at is not null)
$$;

-- Since when a session must have been used to open something: as long as the screen stays open without a touch, and five minutes; eight
-- hours where it never locks. The minutes are read as LOCK_MINUTES in domain/src/parameters.rs.
create or replace function idle_since(at timestamptz) returns timestamptz language sql stable set search_path = public, pg_temp as $$
    with saved as (select case when btrim(vrednost) ~ '^\+?\d{1,9}$' then btrim(vrednost)::int end as minutes
                     from parameter where naziv = 'zakljucavanjeMinuta' and aktivan),
         held as (select coalesce((select minutes from saved where minutes <= 480), 15) as minutes)
    select at - make_interval(mins => case minutes when 0 then 480 else minutes + 5 end) from held
$$;

-- Whether an active worker holds one of the rights with these numbers.
create or replace function holds_any(radnik bigint, prava int[]) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from worker w
                     cross join active_roles(w.id) r
                     join role_right g on g.uloga_id = r.id
                     join application_right a on a.id = g.aplikativno_pravo_id
                    where w.id = radnik and w.aktivan and a.numericka_vrednost = any (prava))
$$;

-- The numbers of the rights that a role gives.
create or replace function rights_of_role(uloga bigint) returns int[] language sql stable set search_path = public, pg_temp as $$
    select array(select a.numericka_vrednost from role_right g join application_right a on a.id = g.aplikativno_pravo_id
                  where g.uloga_id = uloga order by 1)
$$;

-- Whether a role of the worker opens patients, and whether one opens them to change.
create or replace function opens_patients(radnik bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from active_roles(radnik) r where r.pacijenti <> 'ne')
$$;
create or replace function changes_patients(radnik bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from active_roles(radnik) r where r.pacijenti = 'izmena')
$$;

-- The workers who may be named as the doctor who answers for an entry of the institution.
create or replace function doctors_of(ustanova bigint) returns table (radnik_id bigint) language sql stable as $$
    select m.radnik_id from members_of(ustanova) m where exists (select from active_roles(m.radnik_id) r where r.moze_biti_odgovoran)
$$;

-- Whether a role of the worker administers workers of every institution.
create or replace function administers_all(radnik bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from active_roles(radnik) r where r.sve_ustanove)
$$;

-- Whether a worker who administers workers gives memberships in the institution, and takes them.
create or replace function administers_institution(radnik bigint, ustanova bigint) returns boolean language sql stable
    set search_path = public, pg_temp as $$
    select works_at(radnik, ustanova) or administers_all(radnik)
$$;

-- Whether a worker administers the recipients of an institution's reports, or those that every institution may choose.
create or replace function administers_recipients(radnik bigint, ustanova bigint) returns boolean language sql stable
    set search_path = public, pg_temp as $$
    select case when ustanova is null then administers_all(radnik) else administers_institution(radnik, ustanova) end
$$;

-- The workers whom administering reaches, deleted ones too: oneself, and those who share an institution that is still there.
create or replace function workers_in_reach(administrator bigint) returns table (radnik_id bigint) language sql stable
    set search_path = public, pg_temp as $$
    with own as (select u.id from institution u where works_at(administrator, u.id)),
         everywhere as (select administers_all(administrator) as yes)
    select w.id from worker w
     where w.id = administrator or (select yes from everywhere)
        or w.ustanova_id in (select id from own)
        or exists (select from worker_institution m join own on own.id = m.ustanova_id where m.radnik_id = w.id)
$$;

-- Whether a worker sees what another keeps for herself, or shares with her institution (`ustanova`).
create or replace function sees_owned(radnik bigint, vlasnik bigint, ustanova bigint) returns boolean language sql stable
    set search_path = public, pg_temp as $$
    select vlasnik = radnik or ustanova is not null and works_at(radnik, ustanova)
$$;

-- Whether patients whom an institution does not know are kept back from it.
create or replace function patients_are_blurred() returns boolean language sql stable set search_path = public, pg_temp as $$
    select not exists (select from parameter where naziv = 'blurPodatakaIzmedjuUstanova' and aktivan and btrim(vrednost) = 'false')
$$;

-- Patients of whose entries an institution reads only its own, as the reports' views see it too.
create or replace view own_entries_only as
    select t.ustanova_id, t.pacijent_id from patient_taking t
     where (t.okoncano_at is not null
            or not exists (select from parameter where naziv = 'tudjiUnosiPreuzetogPacijenta' and aktivan and btrim(vrednost) = 'true')
            -- Nor are data of her exchanged where she did not agree: what `consents` says of a purpose, in the place of a call that each report's
            -- role would need.
            or exists (select from patient_register h join register r on r.id = h.registar_id
                        where h.pacijent_id = t.pacijent_id
                          and not coalesce((select c.dat from patient_consent c
                                             where c.pacijent_id = h.pacijent_id and c.registar_id = h.registar_id and c.svrha = 'razmena'
                                             order by c.dan desc, c.id desc limit 1), not r.pristanak_razmena)))
       -- Who took her and became the keeper by a transfer or a merge keeps her.
       and not exists (select from patient p where p.id = t.pacijent_id and p.ustanova_id = t.ustanova_id);

-- Whether an institution that took a patient from another reads, of the entries, only its own: the others are the keeper's, unless the
-- parameter opens them, and when the keeper has ended the taking in any case.
create or replace function reads_own_entries_only(ustanova bigint, pacijent bigint) returns boolean language sql stable
    set search_path = public, pg_temp as $$
    select exists (select from own_entries_only o where o.ustanova_id = ustanova and o.pacijent_id = pacijent) and patients_are_blurred()
$$;

-- Whether an institution knows a patient, deleted or not: it registered the patient, or a record of hers that was merged into this one, holds an
-- entry, or took the patient over. A record that is gone nobody knows: its number leads to the one that is left. The search
-- spells this out once more, since the planner has to see it, and tests hold it to this one; reports speak of those alone whom the
-- institution registered or holds an entry of (report_views.sql). Of a patient who is hidden
-- and of one who is not there the same is looked for, so that the time tells neither.
create or replace function knows_patient(ustanova bigint, pacijent bigint) returns boolean language sql stable
    set search_path = public, pg_temp as $$
    select exists (select from patient p where p.id = pacijent and p.ustanova_id = ustanova and p.spojen_u_id is null)
        or exists (select from patient l where l.spojen_u_id = pacijent and l.ustanova_id = ustanova)
        or exists (select from entry e where e.pacijent_id = pacijent and e.aktivan and e.ustanova_id = ustanova)
        or exists (select from patient_taking t join patient p on p.id = t.pacijent_id and p.spojen_u_id is null
                    where t.ustanova_id = ustanova and t.pacijent_id = pacijent and t.okoncano_at is null)
        or (not patients_are_blurred() and exists (select from patient p where p.id = pacijent and p.spojen_u_id is null))
$$;

-- The registers in which an institution sees a patient whom it knows: all of hers, and where it reads only its own entries those of these and
-- the one from which it took her.
create or replace function registers_shown(ustanova bigint, pacijent bigint) returns setof bigint language sql stable
    set search_path = public, pg_temp as $$
    select h.registar_id from patient_register h
     where h.pacijent_id = pacijent
       and (not reads_own_entries_only(ustanova, pacijent)
            or exists (select from entry e where e.pacijent_id = pacijent and e.registar_id = h.registar_id and e.aktivan
                                             and e.ustanova_id = ustanova)
            or exists (select from patient_taking t where t.ustanova_id = ustanova and t.pacijent_id = pacijent and t.registar_id = h.registar_id))
$$;

-- Deleted patients, and the institutions that may bring them back: who registered the patient, and who holds an entry.
create or replace view returnable_patient as
    select p.id as pacijent_id, p.ustanova_id from patient p where not p.aktivan and p.spojen_u_id is null and p.anonimizovan_at is null
    union all
    select p.id, e.ustanova_id from patient p join entry e on e.pacijent_id = p.id and e.aktivan
     where not p.aktivan and p.spojen_u_id is null and p.anonimizovan_at is null;

-- Counts a search of the worker that reaches patients of other institutions; when the next one may be, where there were too many
-- within the hour. Searches side by side queue up at the worker's row.
create or replace function count_search_of_others(radnik bigint, asked bytea, most int) returns timestamptz language plpgsql
    set search_path = public, pg_temp as $$
declare
    opens timestamptz;
begin
    perform pg_advisory_xact_lock(hashtextextended('search_of_others', radnik));
    delete from search_of_others where radnik_id = radnik and vreme <= now() - interval '1 hour';
    if exists (select from search_of_others where radnik_id = radnik and otisak = asked) then
        return null;
    end if;
    -- As many must have been forgotten as are above the bound, which may have been lowered.
    select s.vreme + interval '1 hour' into opens from search_of_others s
     where s.radnik_id = radnik order by s.vreme desc offset greatest(most, 1) - 1 limit 1;
    if opens is null then
        insert into search_of_others (radnik_id, otisak) values (radnik, asked);
    end if;
    return opens;
end
$$;

-- Counts numbers of patients that the worker asks about; when the next one may be, where there were too many within the hour.
create or replace function count_number_checks(radnik bigint, asked bytea[], most int) returns timestamptz language plpgsql
    set search_path = public, pg_temp as $$
declare
    new_ones bytea[];
    beyond int;
    opens timestamptz;
begin
    perform pg_advisory_xact_lock(hashtextextended('number_check', radnik));
    delete from number_check where radnik_id = radnik and vreme <= now() - interval '1 hour';
    new_ones := array(select distinct a from unnest(asked) a
                       where not exists (select from number_check c where c.radnik_id = radnik and c.otisak = a));
    if cardinality(new_ones) = 0 then
        return null;
    end if;
    -- As many must have been forgotten as would be above the bound.
    beyond := (select count(*) from number_check where radnik_id = radnik) + cardinality(new_ones) - greatest(most, cardinality(new_ones));
    if beyond > 0 then
        select c.vreme + interval '1 hour' into opens from number_check c where c.radnik_id = radnik order by c.vreme offset beyond - 1 limit 1;
        return opens;
    end if;
    insert into number_check (radnik_id, otisak) select radnik, unnest(new_ones);
    return null;
end
$$;

-- Whether a worker reaches every institution that is still there and to which another one belongs, deleted or not: what changes the
-- account changes it in all of them. The own account is one's own.
create or replace function reaches_all_of(administrator bigint, radnik bigint) returns boolean language sql stable
    set search_path = public, pg_temp as $$
    select administrator = radnik or administers_all(administrator)
        or not exists (select from (select w.ustanova_id from worker w where w.id = radnik
                                    union select m.ustanova_id from worker_institution m where m.radnik_id = radnik) o
                         join institution u on u.id = o.ustanova_id and u.aktivan
                        where not works_at(administrator, u.id))
$$;

revoke execute on function members_of, works_at, sees_owned, active_roles, idle_since, lacks_second_factor, holds_any, rights_of_role, opens_patients, changes_patients, doctors_of, administers_all, administers_institution, administers_recipients, workers_in_reach, patients_are_blurred, reads_own_entries_only, registers_shown, knows_patient, count_search_of_others, count_number_checks, reaches_all_of from public;
grant execute on function members_of, works_at, sees_owned, active_roles, idle_since, lacks_second_factor, holds_any, rights_of_role, opens_patients, changes_patients, doctors_of, administers_all, administers_institution, administers_recipients, workers_in_reach, patients_are_blurred, reads_own_entries_only, registers_shown, knows_patient, count_search_of_others, count_number_checks, reaches_all_of to regix_app;
