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

-- Whether an active worker holds one of the rights with these numbers.
create or replace function holds_any(radnik bigint, prava int[]) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from worker w
                     cross join active_roles(w.id) r
                     join role_right g on g.uloga_id = r.id
                     join application_right a on a.id = g.aplikativno_pravo_id
                    where w.id = radnik and w.aktivan and a.numericka_vrednost = any (prava))
$$;

-- The workers who may be named as the doctor who answers for an entry of the institution.
create or replace function doctors_of(ustanova bigint) returns table (radnik_id bigint) language sql stable as $$
    select m.radnik_id from members_of(ustanova) m where exists (select from active_roles(m.radnik_id) r where r.moze_biti_odgovoran)
$$;

-- Whether patients whom an institution does not know are kept back from it.
create or replace function patients_are_blurred() returns boolean language sql stable set search_path = public, pg_temp as $$
    select not exists (select from parameter where naziv = 'blurPodatakaIzmedjuUstanova' and aktivan and btrim(vrednost) = 'false')
$$;

-- Whether an institution knows a patient, deleted or not: it registered the patient or holds an entry. The search and the views of
-- reports spell this out once more, since the planner has to see it; tests hold them to this one.
create or replace function knows_patient(ustanova bigint, pacijent bigint) returns boolean language sql stable
    set search_path = public, pg_temp as $$
    select exists (select from patient p
                    where p.id = pacijent
                      and (p.ustanova_id = ustanova
                           or exists (select from entry e where e.pacijent_id = p.id and e.aktivan and e.ustanova_id = ustanova)
                           or not patients_are_blurred()))
$$;

revoke execute on function members_of, works_at, active_roles, holds_any, doctors_of, patients_are_blurred, knows_patient from public;
grant execute on function members_of, works_at, active_roles, holds_any, doctors_of, patients_are_blurred, knows_patient to regix_app;
