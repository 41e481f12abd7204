-- Questions about entries: whose they are, and what a message makes of one.

-- A question is where its entry is.
create or replace function question_of_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    select e.pacijent_id, e.ustanova_id into strict new.pacijent_id, new.ustanova_id from entry e where e.id = new.unos_id;
    return new;
end
$$;

create or replace trigger question_of_entry before insert on question for each row execute function question_of_entry();

-- What the question is after a message. The question is held: messages of several people come one after the other, each on what the one before it
-- has left. A question that is closed is opened first, so that nothing is said into a thread that nobody reads any more.
create or replace function question_message_fits() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    about question;
begin
    select * into strict about from question where id = new.upit_id for update;
    perform from patient p where p.id = about.pacijent_id for key share;
    if exists (select from patient p where p.id = about.pacijent_id and p.anonimizovan_at is not null) then
        raise exception 'nothing more is typed about an anonymous patient' using errcode = 'check_violation', constraint = 'patient_anonimizovan';
    end if;
    if (about.stanje = 'zatvoren') <> (new.vrsta = 'ponovnoOtvaranje') then
        raise exception 'the question is not in that state' using errcode = 'check_violation', constraint = 'question_message_follows';
    end if;
    if new.vrsta <> 'dodela' then
        new.dodeljen_id := about.dodeljen_id;
        new.rok := about.rok;
    end if;
    new.radnik_id := acting_worker();
    new.stanje := case
        when new.vrsta = 'zatvaranje' then 'zatvoren'
        when new.vrsta = 'ponovnoOtvaranje' then 'ponovoOtvoren'
        when new.vrsta = 'odgovor' and new.radnik_id <> about.radnik_id then 'odgovoren'
        -- Who asked asks on.
        when new.vrsta = 'odgovor' and about.stanje = 'odgovoren' then 'otvoren'
        else about.stanje
    end;
    return new;
end
$$;

create or replace trigger question_message_fits before insert on question_message for each row execute function question_message_fits();

create or replace function question_follows() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update question set stanje = new.stanje, dodeljen_id = new.dodeljen_id, rok = new.rok, poslednja_poruka_id = new.id where id = new.upit_id;
    return null;
end
$$;

create or replace trigger question_follows after insert on question_message for each row execute function question_follows();

-- Whether a worker may be given questions of an institution: belongs to it, and sees patients.
create or replace function may_be_asked(radnik bigint, ustanova bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select works_at(radnik, ustanova) and opens_patients(radnik)
$$;

-- Whether it is the worker's turn: hers to answer, or answered to her who asked.
create or replace function waits_for(upit question, radnik bigint) returns boolean language sql immutable as $$
    select upit.stanje in ('otvoren', 'ponovoOtvoren') and upit.dodeljen_id = radnik or upit.stanje = 'odgovoren' and upit.radnik_id = radnik
$$;

-- Questions that somebody still waits for. `upit` is the question itself, for `waits_for`.
create or replace view open_question as
    select q.id, q.unos_id, q.pacijent_id, q.ustanova_id, q.polje_id, q.radnik_id, q.dodeljen_id, q.rok, q.stanje, q.poslednja_poruka_id, q as upit
      from question q join entry e on e.id = q.unos_id and e.aktivan join patient p on p.id = q.pacijent_id and p.aktivan
     where q.stanje <> 'zatvoren';

-- Holds a question, which the application's role does not change, and so may not lock.
create or replace function lock_question(upit bigint) returns boolean language sql volatile security definer set search_path = public, pg_temp as $$
    select count(*) > 0 from (select q.id from question q where q.id = upit for update) one
$$;

-- Writes the letters to those whose turn it has become since they were last told, at most one a day for a worker and an institution; gives how many.
-- From six in the morning, and a quarter of an hour after the first message that is told of: who asks about twenty fields is gathered into one.
create or replace function write_question_letters() returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
    one record;
    letter bigint;
    written int := 0;
begin
    if now() at time zone 'Europe/Belgrade' < today() + time '06:00' then return 0; end if;
    -- Old ones tell nothing any more.
    delete from report_delivery d using question_letter l where l.id = d.upiti_id and l.dan < today() - 60;
    delete from question_letter l where l.dan < today() - 60;
    for one in select u.radnik_id, o.ustanova_id, w.email, array_agg(o.id) as upiti, array_agg(o.poslednja_poruka_id) as poruke
                 from open_question o
                 cross join lateral (select o.dodeljen_id as radnik_id union select o.radnik_id) u
                 -- Nobody is told of what she has written herself.
                 join question_message m on m.id = o.poslednja_poruka_id and m.radnik_id <> u.radnik_id
                 left join question_notice n on n.upit_id = o.id
                 join worker w on w.id = u.radnik_id and w.aktivan and btrim(coalesce(w.email, '')) <> ''
                where waits_for(o.upit, u.radnik_id) and n.poruka_id is distinct from o.poslednja_poruka_id
                  and not exists (select from worker_start s where s.radnik_id = u.radnik_id and not s.javi_upite)
                  and not exists (select from question_letter l
                                   where l.radnik_id = u.radnik_id and l.ustanova_id = o.ustanova_id and l.dan = today())
                group by u.radnik_id, o.ustanova_id, w.email
               having min(m.vreme) <= now() - interval '15 minutes' and may_be_asked(u.radnik_id, o.ustanova_id)
                order by u.radnik_id, o.ustanova_id loop
        -- Whoever writes it at this moment is waited for, and nothing is written twice.
        insert into question_letter (radnik_id, ustanova_id, dan) values (one.radnik_id, one.ustanova_id, today())
            on conflict do nothing returning id into letter;
        continue when letter is null;
        insert into question_notice (upit_id, poruka_id) select * from unnest(one.upiti, one.poruke) order by 1
            on conflict (upit_id) do update set poruka_id = greatest(question_notice.poruka_id, excluded.poruka_id);
        insert into report_delivery (upiti_id, address, message_id)
        values (letter, one.email, '<upiti.' || letter || '.' || to_char(today(), 'YYYYMMDD') || '@regix>');
        written := written + 1;
    end loop;
    return written;
end
$$;

revoke execute on function question_of_entry, question_message_fits, question_follows, may_be_asked, waits_for, lock_question, write_question_letters
    from public;
grant execute on function may_be_asked, waits_for, lock_question, write_question_letters to regix_app;
