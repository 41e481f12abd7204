-- Who may answer for an entry is said by roles, no longer by having any role at all.
select set_config('app.worker', '1', true);

alter table role add column moze_biti_odgovoran boolean not null default false;
comment on column role.moze_biti_odgovoran is 'Workers who hold the role may be named as the doctor responsible for an entry.';

-- Who works as a doctor today stays one: the roles that are called so, and those of whom entries name. A nurse or a technician who
-- was named by mistake does not make doctors of all nurses.
update role r set moze_biti_odgovoran = true
 where fold(r.ime) ~ '(lekar|doktor|ordinarijus)'
    or (fold(concat_ws(' ', r.ime, r.opis)) !~ '(sestr|tehnicar|administra)'
        and exists (select from worker_role l join entry e on e.radnik_odgovoran_id = l.radnik_id and e.aktivan where l.uloga_id = r.id));
