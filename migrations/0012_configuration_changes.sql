-- What a change of configuration leaves of stored data: items that are not chosen any more, names of an earlier time, and results
-- that today's configuration gives otherwise.

select set_config('app.worker', '1', true);

-- An item in use is not deleted; one that is not to be chosen any more stays readable where it was.
alter table enum_item add moze_se_izabrati boolean not null default true;

-- A stored value that today's configuration would give or read otherwise, until it is computed or entered anew.
-- `formula`: today's formula gives another result; `neprovereno`: it may, there were too many to compute at the change;
-- `jedinica`: it was stored in another unit, which is kept here.
create table stale_result (
    unos_id bigint not null references entry (id),
    polje_id bigint not null references form_field (id),
    razlog text not null constraint stale_result_razlog_known check (razlog in ('formula', 'neprovereno', 'jedinica')),
    jedinica text,
    vreme timestamptz not null default clock_timestamp(),
    primary key (unos_id, polje_id)
);
create index stale_result_polje on stale_result (polje_id);

-- Another value is another result, or was entered in today's unit.
create function entry_value_is_new() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from stale_result s
     where s.unos_id = new.id and old.vrednosti -> s.polje_id::text is distinct from new.vrednosti -> s.polje_id::text;
    return null;
end
$$;
create trigger entry_value_is_new after update of vrednosti on entry for each row
    when (old.vrednosti is distinct from new.vrednosti) execute function entry_value_is_new();

-- What an item or a field was called, and an item's number, until a moment.
create table name_history (
    id bigint generated always as identity primary key,
    klasa text not null,
    red_id bigint not null,
    naziv text not null,
    num_vrednost numeric,
    vreme_prestanka_vazenja timestamptz not null default clock_timestamp()
);
create index name_history_red on name_history (klasa, red_id, vreme_prestanka_vazenja);

create function keep_name() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into name_history (klasa, red_id, naziv, num_vrednost)
    values (tg_table_name, old.id, old.naziv, (to_jsonb(old) ->> 'num_vrednost')::numeric);
    return null;
end
$$;
create trigger enum_item_keep_name after update on enum_item for each row
    when ((old.naziv, old.num_vrednost) is distinct from (new.naziv, new.num_vrednost)) execute function keep_name();
create trigger form_field_keep_name after update on form_field for each row
    when (old.naziv is distinct from new.naziv) execute function keep_name();

-- The log remembers what was renamed before this table was there.
insert into name_history (klasa, red_id, naziv, vreme_prestanka_vazenja)
select a.klasa, a.red_id::bigint, p.value ->> 'stara', a.vreme_pristupa
  from audit_log a cross join lateral jsonb_array_elements(a.polja) p
 where a.klasa in ('enum_item', 'form_field') and a.akcija = 'izmena' and a.red_id ~ '^[0-9]+$'
   and p.value ->> 'naziv' = 'naziv' and p.value ->> 'stara' is not null;

-- The name that it had at that moment; today's where it was never renamed since.
create function name_at(class text, row_id bigint, moment timestamptz, today text) returns text language sql stable as $$
    select coalesce((select h.naziv from name_history h
                      where h.klasa = class and h.red_id = row_id and h.vreme_prestanka_vazenja > moment
                      order by h.vreme_prestanka_vazenja, h.id limit 1), today)
$$;

revoke insert, update, delete on name_history from regix_app;
revoke execute on function keep_name, entry_value_is_new from public;

-- Which results of an entry are marked, for reports that want to say so.
create view report.zastareo with (security_barrier) as
    select s.unos_id, u.pacijent_id, u.tip_unosa_id, f.sifra, s.razlog, s.jedinica
      from stale_result s join form_field f on f.id = s.polje_id join report.unos u on u.id = s.unos_id;
grant select on report.zastareo to regix_report, regix_app;
