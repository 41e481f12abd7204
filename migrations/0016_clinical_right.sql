-- What a role opens of patients: nothing, reading, or changing. A new role opens nothing until somebody says so.
alter table role add column pacijenti text not null default 'ne'
    constraint role_pacijenti_known check (pacijenti in ('ne', 'uvid', 'izmena'));

-- Roles that were there yesterday (docs/decisions/0012-a-role-opens-patients.md). The audit trigger logs each of them.
select set_config('app.worker', '1', true);

create temporary table administrative on commit drop as
select distinct rr.uloga_id
  from role_right rr join application_right a on a.id = rr.aplikativno_pravo_id
 where a.numericka_vrednost <> 1;

-- 1. A role without any right of administration was a clinician's.
update role set pacijenti = 'izmena' where id not in (select uloga_id from administrative);

-- 2. A role with such rights opens what somebody did with patients through it and through no other role.
create temporary table worked on commit drop as
select wr.uloga_id,
       bool_or(exists (select from audit_log l where l.radnik_id = w.id and l.klasa in ('patient', 'entry') and l.akcija in ('kreiranje', 'izmena', 'brisanje'))
               or exists (select from entry e where e.radnik_odgovoran_id = w.id)) as changed,
       bool_or(exists (select from audit_log l where l.radnik_id = w.id and l.klasa in ('patient', 'entry') and l.akcija like 'pregled%')) as read
  from worker_role wr
  join worker w on w.id = wr.radnik_id and w.aktivan and w.id <> 1
  join role r on r.id = wr.uloga_id and r.aktivan
 where wr.uloga_id in (select uloga_id from administrative)
   and not exists (select from worker_role other join role o on o.id = other.uloga_id and o.aktivan
                    where other.radnik_id = w.id and o.pacijenti = 'izmena')
 group by wr.uloga_id;
update role r set pacijenti = case when w.changed then 'izmena' else 'uvid' end
  from worked w where w.uloga_id = r.id and (w.changed or w.read);

-- 3. Nobody gives what she does not hold: somebody who gives roles and somebody who hands them out must open patients, or no
--    clinician could ever be appointed again.
do $$
declare
    needed int;
begin
    foreach needed in array array[2, 4] loop
        if not exists (select from worker w
                         join worker_role wr on wr.radnik_id = w.id
                         join role r on r.id = wr.uloga_id and r.aktivan
                        where w.aktivan and w.id <> 1
                          and exists (select from worker_role x join role ro on ro.id = x.uloga_id and ro.aktivan
                                        join role_right rr on rr.uloga_id = ro.id join application_right a on a.id = rr.aplikativno_pravo_id
                                       where x.radnik_id = w.id and a.numericka_vrednost = needed)
                          and r.pacijenti = 'izmena') then
            update role set pacijenti = 'izmena'
             where aktivan and pacijenti <> 'izmena'
               and id in (select rr.uloga_id from role_right rr join application_right a on a.id = rr.aplikativno_pravo_id
                           where a.numericka_vrednost = needed);
        end if;
    end loop;
end
$$;

-- 4. Whoever had an account without any role could read: that is now a role as well.
do $$
declare
    reading bigint;
begin
    if exists (select from worker w where w.aktivan and w.id <> 1 and w.password_hash is not null
                  and not exists (select from worker_role wr join role r on r.id = wr.uloga_id and r.aktivan where wr.radnik_id = w.id)) then
        insert into role (ime, opis, pacijenti)
        values ('Uvid u pacijente', 'Dodeljena radnicima koji nisu imali nijednu ulogu, a mogli su da čitaju podatke', 'uvid')
        on conflict (fold(ime)) where aktivan do update set opis = role.opis
        returning id into reading;
        insert into worker_role (radnik_id, uloga_id)
        select w.id, reading from worker w
         where w.aktivan and w.id <> 1 and w.password_hash is not null
           and not exists (select from worker_role wr join role r on r.id = wr.uloga_id and r.aktivan where wr.radnik_id = w.id);
    end if;
end
$$;

-- Administrators find it in the log by itself, not only among the changes of roles.
insert into audit_log (radnik_id, klasa, akcija, red_id, opis)
select 1, 'role', 'izmena', r.id::text,
       'Prelazak na kliničko pravo: uloga „' || r.ime || '” ' ||
       case r.pacijenti when 'izmena' then 'otvara pacijente za izmenu.' when 'uvid' then 'otvara pacijente za čitanje.' else 'ne otvara pacijente.' end ||
       ' Proverite je u administraciji uloga.'
  from role r where r.aktivan order by r.id;

-- Attempts to sign in: failures count by account and address together; one that has not ended yet (u_toku) is no failure.
-- Keys are hashes: no name and no address is kept.
drop table login_failure;
create table login_attempt (
    id bigint generated always as identity primary key,
    par bytea not null,
    racun bytea not null,
    adresa bytea not null,
    u_toku boolean not null default true,
    vreme timestamptz not null
);
create index login_attempt_par on login_attempt (par, vreme);
create index login_attempt_racun on login_attempt (racun, vreme);
create index login_attempt_adresa on login_attempt (adresa, vreme);
create index login_attempt_vreme on login_attempt (vreme);

-- Accounts that have signed in from an address: they are not held up by what others behind that address get wrong.
create table login_known (
    par bytea primary key,
    vreme timestamptz not null
);
