-- Files of entries and of consents: a file that a save took stays as it is, until its patient is made anonymous.

-- What a save took is changed and deleted by nobody but whoever erases; the application removes what was given up.
create or replace function entry_file_stays() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        if (old.unos_id is not null or old.saglasnost_id is not null) and not old.uklanja_se then
            raise exception 'a file of an entry stays' using errcode = 'restrict_violation';
        end if;
        return old;
    end if;
    if (old.unos_id is not null or old.saglasnost_id is not null) and current_user = 'regix_app' then
        raise exception 'a file of an entry is not changed' using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;

create or replace trigger entry_file_stays before update or delete on entry_file for each row execute function entry_file_stays();

-- Gives up uploads that no save took within a day, and what was never stored whole. Whose worker still keeps a draft about the patient
-- stays as long as the draft.
create or replace function give_up_entry_files() returns bigint language sql set search_path = public, pg_temp as $$
    with given_up as (
        update entry_file f set uklanja_se = true
         where f.unos_id is null and f.saglasnost_id is null and not f.uklanja_se and f.vreme < clock_timestamp() - interval '1 day'
           and not (f.sacuvan and exists (select from entry_draft d where d.radnik_id = f.radnik_id and d.pacijent_id = f.pacijent_id))
        returning 1)
    select count(*) from given_up
$$;

revoke execute on function entry_file_stays, give_up_entry_files from public;
grant execute on function give_up_entry_files to regix_app;
