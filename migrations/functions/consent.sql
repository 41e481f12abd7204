-- Consents of patients: what is refused of a new one, and what follows from it.

-- What the patient said last for a purpose; null where nothing was said.
create or replace function consent_of(pacijent bigint, registar bigint, purpose text) returns boolean language sql stable
    set search_path = public, pg_temp as $$
    select c.dat from patient_consent c where c.pacijent_id = pacijent and c.registar_id = registar and c.svrha = purpose
     order by c.dan desc, c.id desc limit 1
$$;

-- Whether a purpose is open: what the patient said last, and where nothing was said whether the register does without.
create or replace function consents(pacijent bigint, registar bigint, purpose text) returns boolean language sql stable
    set search_path = public, pg_temp as $$
    select coalesce(consent_of(pacijent, registar, purpose),
                    (select not case purpose when 'registar' then r.pristanak_registar when 'istrazivanje' then r.pristanak_istrazivanje
                                             when 'kontakt' then r.pristanak_kontakt else r.pristanak_razmena end
                       from register r where r.id = registar))
$$;

-- The day lies between birth and today, and the text is one of this register and purpose.
create or replace function patient_consent_fits() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from patient where id = new.pacijent_id for update;
    if new.dan > today() or new.dan < (select datum_rodjenja from patient where id = new.pacijent_id) then
        raise exception 'the consent lies outside the life' using errcode = 'check_violation', constraint = 'patient_consent_dan_of_life';
    end if;
    if new.tekst_id is not null
       and not exists (select from consent_text t where t.id = new.tekst_id and t.registar_id = new.registar_id and t.svrha = new.svrha) then
        raise exception 'the text is of another consent' using errcode = 'check_violation', constraint = 'patient_consent_text_fits';
    end if;
    return new;
end
$$;

create or replace trigger patient_consent_fits before insert on patient_consent for each row execute function patient_consent_fits();

create or replace function patient_consent_follows() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update patient_register r set za_istrazivanje = consents(r.pacijent_id, r.registar_id, 'istrazivanje')
     where r.pacijent_id in (new.pacijent_id, case when tg_op = 'UPDATE' then old.pacijent_id end) and r.registar_id = new.registar_id;
    return null;
end
$$;

create or replace trigger patient_consent_follows after insert or update of pacijent_id on patient_consent for each row
    execute function patient_consent_follows();

-- A register that begins or ceases to ask for research.
create or replace function register_asks_for_research() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update patient_register r set za_istrazivanje = coalesce(consent_of(r.pacijent_id, r.registar_id, 'istrazivanje'), not new.pristanak_istrazivanje)
     where r.registar_id = new.id
       and r.za_istrazivanje <> coalesce(consent_of(r.pacijent_id, r.registar_id, 'istrazivanje'), not new.pristanak_istrazivanje);
    return null;
end
$$;

create or replace trigger register_asks_for_research after update on register for each row
    when (old.pristanak_istrazivanje <> new.pristanak_istrazivanje) execute function register_asks_for_research();

-- Texts are counted from 1 in each register and purpose; two that are written at once wait for each other.
create or replace function consent_text_number() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from register where id = new.registar_id for update;
    new.broj := coalesce((select max(t.broj) from consent_text t where t.registar_id = new.registar_id and t.svrha = new.svrha), 0) + 1;
    return new;
end
$$;

create or replace trigger consent_text_number before insert on consent_text for each row execute function consent_text_number();

revoke execute on function consent_of, consents, patient_consent_fits, patient_consent_follows, register_asks_for_research, consent_text_number from public;
grant execute on function consent_of, consents to regix_app;
