-- What a search tests of a patient and shows of the register stands beside the register's order: a window is read from one index
-- alone, and only who is found is looked up.
alter table patient_register add ime_f text, add prezime_f text, add datum_rodjenja date, add pol_trenutni boolean;
update patient_register r set ime_f = p.ime_f, prezime_f = p.prezime_f, datum_rodjenja = p.datum_rodjenja, pol_trenutni = p.pol_trenutni
  from patient p where p.id = r.pacijent_id;
alter table patient_register alter ime_f set not null, alter prezime_f set not null, alter datum_rodjenja set not null,
    alter pol_trenutni set not null;
drop index patient_register_order;
create index patient_register_order on patient_register (registar_id, poslednji_unos_datum desc nulls last, pacijent_id)
    include (prvi_unos_id, prvi_unos_datum, prvi_unos_tsa_id, poslednji_unos_id, poslednji_unos_tsa_id, ime_f, prezime_f, datum_rodjenja,
             pol_trenutni);

-- A name that is being changed is waited for: its trigger does not see the row that is made here.
create or replace function register_patient(patient bigint, reg bigint) returns void language sql security definer
    set search_path = public, pg_temp as $$
    insert into patient_register (pacijent_id, registar_id, ime_f, prezime_f, datum_rodjenja, pol_trenutni)
    select p.id, reg, p.ime_f, p.prezime_f, p.datum_rodjenja, p.pol_trenutni from patient p
     where p.id = patient and not exists (select from patient_register r where r.pacijent_id = patient and r.registar_id = reg)
       for share of p
        on conflict do nothing
$$;

create function patient_refresh_registers() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update patient_register set ime_f = new.ime_f, prezime_f = new.prezime_f, datum_rodjenja = new.datum_rodjenja, pol_trenutni = new.pol_trenutni
     where pacijent_id = new.id;
    return null;
end
$$;
create trigger patient_refresh_registers after update on patient for each row
    when ((old.ime_f, old.prezime_f, old.datum_rodjenja, old.pol_trenutni)
          is distinct from (new.ime_f, new.prezime_f, new.datum_rodjenja, new.pol_trenutni))
    execute function patient_refresh_registers();
revoke execute on function patient_refresh_registers from public;

create or replace function refresh_patient_register(patient bigint, reg bigint) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
begin
    perform from patient_register where pacijent_id = patient and registar_id = reg for update;
    if not found then
        perform register_patient(patient, reg);
        perform from patient_register where pacijent_id = patient and registar_id = reg for update;
    end if;
    update patient_register pr
       set prvi_unos_id = f.id, prvi_unos_datum = f.datum_unosa, prvi_unos_tsa_id = f.tsa_id,
           poslednji_unos_id = l.id, poslednji_unos_datum = l.datum_unosa, poslednji_unos_tsa_id = l.tsa_id,
           broj_unosa = (select count(*) from entry where pacijent_id = patient and registar_id = reg and aktivan)
      from (select 1) one
      left join lateral (select id, datum_unosa, tsa_id from entry where pacijent_id = patient and registar_id = reg and aktivan
                          order by datum_unosa, id limit 1) f on true
      left join lateral (select id, datum_unosa, tsa_id from entry where pacijent_id = patient and registar_id = reg and aktivan
                          order by datum_unosa desc, id desc limit 1) l on true
     where pr.pacijent_id = patient and pr.registar_id = reg;
end
$$;
