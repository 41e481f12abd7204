-- Administering workers reaches the institutions that one belongs to, unless a role says all of them; and dangerous changes ask for the
-- password once more.
select set_config('app.worker', '1', true);

-- Who holds the role administers the workers of every institution.
alter table role add column sve_ustanove boolean not null default false;

-- Nobody who administered workers until now is locked out.
update role r set sve_ustanove = true
 where exists (select from role_right g join application_right a on a.id = g.aplikativno_pravo_id
                where g.uloga_id = r.id and a.numericka_vrednost in (2, 4));

-- When the worker last gave the password in this session, for a dangerous change.
alter table session add column potvrdjeno_at timestamptz;
