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

-- Holds a question, which the application's role does not change, and so may not lock.
create or replace function lock_question(upit bigint) returns boolean language sql volatile security definer set search_path = public, pg_temp as $$
    select count(*) > 0 from (select q.id from question q where q.id = upit for update) one
$$;

revoke execute on function question_of_entry, question_message_fits, question_follows, may_be_asked, waits_for, lock_question from public;
grant execute on function may_be_asked, waits_for, lock_question to regix_app;
