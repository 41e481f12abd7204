-- States, signatures and locks of entries: what holds, what a change ends, and what no route passes.

-- What was signed, in canonical form: jsonb writes its keys in one order and each number in one way.
create or replace function entry_fingerprint(e entry) returns bytea language sql stable set search_path = public, pg_temp as $$
    select sha256(convert_to(jsonb_build_object('unos', e.id, 'verzijaObrasca', e.form_version_id, 'datum', e.datum_unosa::text,
        'odgovoranLekar', e.radnik_odgovoran_id, 'vrednosti', e.vrednosti, 'unetoU', e.uneto_u)::text, 'UTF8'))
$$;

-- What holds of each entry of which anything was ever said; of the others nothing was: they are in work.
create or replace view last_entry_state as
    select s.id, s.unos_id, s.stanje, s.radnja from entry_state s
     where not exists (select from entry_state later where later.unos_id = s.unos_id and later.id > s.id);

-- The state that a person gave the entry; a period that is locked over it is told apart (lock_over).
create or replace function state_of_entry(unos bigint) returns text language sql stable set search_path = public, pg_temp as $$
    select coalesce((select s.stanje from last_entry_state s where s.unos_id = unos), 'uRadu')
$$;

-- The signatures that hold: nothing has ended them.
create or replace view signature_in_force as
    select s.id, s.unos_id from entry_state s
     where s.radnja = 'potpis'
       and not exists (select from entry_state later where later.unos_id = s.unos_id and later.id > s.id
                          and (later.stanje = 'uRadu' or later.radnja = 'anonimizacija'));

create or replace function signatures_of_entry(unos bigint) returns setof bigint language sql stable set search_path = public, pg_temp as $$
    select s.id from signature_in_force s where s.unos_id = unos
$$;

-- The newest of them; none: the entry is not signed.
create or replace function signature_of_entry(unos bigint) returns bigint language sql stable set search_path = public, pg_temp as $$
    select max(s) from signatures_of_entry(unos) s
$$;

-- Entries that somebody has finished or signed, and nobody has taken back into work. A lock hides nothing of what was before it.
create or replace view finished_entry as
    select s.unos_id from entry_state s
     where s.stanje not in ('uRadu', 'zakljucan')
       and not exists (select from entry_state later where later.unos_id = s.unos_id and later.id > s.id and later.stanje <> 'zakljucan');

-- Whether an entry is one of those that a data set is to hold: all, those that somebody has finished, those with a signature that holds.
create or replace function entry_stands(unos bigint, stanja text) returns boolean language sql stable set search_path = public, pg_temp as $$
    select case stanja
        when 'svi' then true
        when 'potpisani' then signature_of_entry(unos) is not null
        else exists (select from finished_entry s where s.unos_id = unos) end
$$;

-- The lock that holds an entry, or a day of a register and an institution: of the entry itself before that of a period.
create or replace function lock_over(unos bigint, registar bigint, ustanova bigint, dan date)
    returns table (vrsta text, radnik_id bigint, vreme timestamptz, razlog text, do_dana date)
    language sql stable set search_path = public, pg_temp as $$
    (select 'unos', s.radnik_id, s.vreme, s.razlog, null::date from entry_state s where s.unos_id = unos
        and s.id = (select max(l.id) from entry_state l where l.unos_id = unos) and s.stanje = 'zakljucan')
    union all
    (select 'period', p.radnik_id, p.vreme, p.razlog, p.do_dana from period_lock p
      where p.registar_id = registar and p.ustanova_id = ustanova and p.otkljucano_at is null and p.do_dana >= dan
      order by p.do_dana desc, p.id limit 1)
    limit 1
$$;

-- Who locked it, when and why; none: it is open. The API says it to people (api/platform/src/constraints.rs).
create or replace function lock_told(unos bigint, registar bigint, ustanova bigint, dan date) returns text language sql stable
    set search_path = public, pg_temp as $$
    select jsonb_build_object('radnik', w.ime || ' ' || w.prezime, 'razlog', l.razlog,
                              'vreme', to_char(l.vreme at time zone 'Europe/Belgrade', 'DD.MM.YYYY. HH24:MI'),
                              'doDana', to_char(l.do_dana, 'DD.MM.YYYY.'))::text
      from lock_over(unos, registar, ustanova, dan) l join worker w on w.id = l.radnik_id
$$;

-- Nobody's name stands in the message, which is logged.
create or replace function refuse_locked(unos bigint, registar bigint, ustanova bigint, dan date) returns void language plpgsql
    set search_path = public, pg_temp as $$
declare
    told text := lock_told(unos, registar, ustanova, dan);
begin
    if told is not null then
        raise exception 'the entry is locked' using errcode = 'check_violation', constraint = 'entry_locked', detail = told;
    end if;
end
$$;

-- No route writes what is locked, nor into a period that is. A merge gives the entry to another record of the same person and changes nothing of
-- it; anonymisation alone passes, which no transaction of the application can claim to be: it runs as the owner. Whoever locks a period waits for
-- those who write (period_lock_waits), and they for it.
create or replace function entry_is_open() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
    if tg_op = 'UPDATE' then
        if (new.vrednosti, new.uneto_u, new.datum_unosa, new.radnik_odgovoran_id, new.aktivan, new.form_version_id, new.registar_id,
            new.ustanova_id, new.popunjeni_relevantni)
           is not distinct from (old.vrednosti, old.uneto_u, old.datum_unosa, old.radnik_odgovoran_id, old.aktivan, old.form_version_id,
            old.registar_id, old.ustanova_id, old.popunjeni_relevantni) then
            return new;
        end if;
        if current_user <> 'regix_app' and current_setting('app.erasure', true) = 'on' then return new; end if;
    end if;
    perform from institution where id = new.ustanova_id for key share;
    if tg_op = 'UPDATE' then
        perform refuse_locked(old.id, old.registar_id, old.ustanova_id, old.datum_unosa);
        if old.aktivan and not new.aktivan and signature_of_entry(old.id) is not null then
            raise exception 'the entry is signed' using errcode = 'check_violation', constraint = 'entry_signed';
        end if;
        -- Signatures end by a recomputation only where its order says why.
        -- What follows another form ends none.
        if (recomputing() is not null or following()) and signature_of_entry(old.id) is not null
            and not exists (select from recomputation r where r.id = recomputing() and r.razlog_potpisa is not null) then
            raise exception 'the entry is signed' using errcode = 'check_violation', constraint = 'entry_signed';
        end if;
    end if;
    perform refuse_locked(null, new.registar_id, new.ustanova_id, new.datum_unosa);
    return new;
end
$$;

create or replace trigger entry_is_open before insert or update on entry for each row execute function entry_is_open();

-- A file is added to an entry, or taken from it, as its values are.
create or replace function entry_file_is_open() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
    if current_user <> 'regix_app' and current_setting('app.erasure', true) = 'on' then return new; end if;
    perform refuse_locked(e.id, e.registar_id, e.ustanova_id, e.datum_unosa) from entry e where e.id in (old.unos_id, new.unos_id);
    return new;
end
$$;

create or replace trigger entry_file_is_open before update on entry_file for each row
    when (old.unos_id is distinct from new.unos_id) execute function entry_file_is_open();

-- Whatever changes a finished or signed entry takes it back into work: the history says so, and by what; where a recomputation ended a signature, also
-- why. Anonymisation leaves the lock of a locked one and ends its signature.
create or replace function entry_state_ends() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if state_of_entry(new.id) in ('zavrsen', 'potpisan') then
        insert into entry_state (unos_id, stanje, radnja, razlog)
        values (new.id, 'uRadu', case when recomputing() is not null or following() then 'preracunavanje'
                                      when current_setting('app.erasure', true) = 'on' then 'anonimizacija' else 'izmena' end,
                case when signature_of_entry(new.id) is not null
                     then (select r.razlog_potpisa from recomputation r where r.id = recomputing()) end);
    elsif signature_of_entry(new.id) is not null then
        insert into entry_state (unos_id, stanje, radnja, razlog)
        values (new.id, 'zakljucan', 'anonimizacija', 'Pacijent je anonimizovan.');
    end if;
    return null;
end
$$;

create or replace trigger entry_state_ends after update on entry for each row
    when ((old.vrednosti, old.uneto_u, old.datum_unosa, old.radnik_odgovoran_id, old.form_version_id, old.aktivan)
          is distinct from (new.vrednosti, new.uneto_u, new.datum_unosa, new.radnik_odgovoran_id, new.form_version_id, new.aktivan))
    execute function entry_state_ends();

-- A signature is over the entry as it stands, whoever sends it: the row is held, and the fingerprint is computed here.
create or replace function entry_state_fits() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    e entry;
begin
    select * into strict e from entry where id = new.unos_id for update;
    if new.radnja = 'potpis' then
        new.form_version_id := e.form_version_id;
        new.otisak := entry_fingerprint(e);
    end if;
    return new;
end
$$;

create or replace trigger entry_state_fits before insert on entry_state for each row execute function entry_state_fits();

-- The log tells it of the entry and its patient.
create or replace function entry_state_logged() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id, polja)
    select acting_worker(), 'entry', 'promena stanja', e.id::text, e.pacijent_id,
           jsonb_build_array(jsonb_build_object('naziv', 'stanje', 'stara', coalesce(
               (select s.stanje from entry_state s where s.unos_id = e.id and s.id < new.id order by s.id desc limit 1), 'uRadu'), 'nova', new.stanje))
      from entry e where e.id = new.unos_id;
    return null;
end
$$;

create or replace trigger entry_state_logged after insert on entry_state for each row execute function entry_state_logged();

-- Writers of entries hold the institution until they are done.
create or replace function period_lock_waits() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from institution where id = new.ustanova_id for update;
    return new;
end
$$;

create or replace trigger period_lock_waits before insert on period_lock for each row execute function period_lock_waits();

revoke execute on function entry_state_ends, entry_state_fits, entry_state_logged, period_lock_waits from public;
grant execute on function entry_fingerprint, state_of_entry, signatures_of_entry, signature_of_entry, entry_stands, lock_over, lock_told, refuse_locked, entry_is_open, entry_file_is_open
    to regix_app;
