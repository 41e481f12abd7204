-- What a form is to its entries, and the versions of it that entries keep.

-- Codes of the sets of a form whose items its formulas and conditions name by their own codes.
create or replace function sets_named_by_code(forma bigint) returns text[] language sql stable set search_path = public, pg_temp as $$
    select array_agg(distinct n.sifra)
      from (select a.ast from form_field f
             cross join lateral unnest(array[f.formula_za_racunanje_ast, f.formula_za_prikaz_ast, f.obavezan_ako_ast]) a (ast)
             where f.tip_skupa_atributa_id = forma and f.aktivan
            union all
            select p.pravilo -> 'formula' from form o cross join lateral jsonb_array_elements(o.pravila) p (pravilo) where o.id = forma) a
      cross join lateral jsonb_array_elements_text(a.ast -> 'byCode') n (sifra)
$$;

-- What an item (`enum_item`, by its name) or the unit of a type (`attribute_type`, trimmed) means where it is written so.
create or replace function meaning_of(class text, row_id bigint, spelling text) returns text language sql stable as $$
    select coalesce((select m.znacenje from meaning m where m.klasa = class and m.red_id = row_id and m.tekst = spelling),
                    case class when 'attribute_type' then spelling else '' end)
$$;

-- Numbers that are marked as entered in another unit: what that unit means, and what the unit of the field means today. A mark may stand
-- for a version that the entry keeps, where today's unit is the one in which the number was entered.
create or replace view unit_mark as
    select s.unos_id, s.polje_id, s.jedinica, e.tsa_id,
           coalesce(m.znacenje, coalesce(btrim(s.jedinica), '')) as znacenje, coalesce(d.znacenje, coalesce(btrim(t.jedinica), '')) as danas
      from stale_result s join entry e on e.id = s.unos_id join form_field f on f.id = s.polje_id join attribute_type t on t.id = f.tip_atributa_id
      left join meaning m on m.klasa = 'attribute_type' and m.red_id = t.id and m.tekst = coalesce(btrim(s.jedinica), '')
      left join meaning d on d.klasa = 'attribute_type' and d.red_id = t.id and d.tekst = coalesce(btrim(t.jedinica), '')
     where s.razlog = 'jedinica';

-- What the unit of a number meant in a version; none where the version does not have the field.
create or replace function unit_in_version(version bigint, field bigint) returns text language sql stable as $$
    select coalesce(p.polje #>> '{tipAtributa,znacenjeJedinice}', btrim(p.polje #>> '{tipAtributa,jedinica}'), '')
      from form_version v
      cross join lateral jsonb_path_query_first(v.opis, '$.polja[*] ? (@.id == $id)', jsonb_build_object('id', field)) p (polje)
     where v.id = version and p.polje is not null
$$;

-- An item or a unit is written otherwise from now on, whichever way it is configured. An item with another name is the same one and a unit
-- with another text another one, unless the transaction names it in `app.other_items` or `app.same_units` (arrays of ids). What comes back
-- to a text that it had means what that text meant.
create or replace function keep_meaning() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    class text := tg_table_name;
    was text;
    spelling text;
    is_same boolean;
    meant text;
    means text;
    turn int := 1;
begin
    if class = 'enum_item' then
        was := old.naziv;
        spelling := new.naziv;
        is_same := new.id <> all (coalesce(nullif(current_setting('app.other_items', true), ''), '{}')::bigint[]);
    else
        was := coalesce(btrim(old.jedinica), '');
        spelling := coalesce(btrim(new.jedinica), '');
        is_same := new.id = any (coalesce(nullif(current_setting('app.same_units', true), ''), '{}')::bigint[]);
    end if;
    meant := meaning_of(class, new.id, was);
    insert into meaning (klasa, red_id, tekst, znacenje) values (class, new.id, was, meant) on conflict do nothing;
    if is_same then
        means := meant;
    else
        select m.znacenje into means from meaning m where m.klasa = class and m.red_id = new.id and m.tekst = spelling and m.znacenje <> meant;
        if means is null then
            -- A meaning is called by its text; by another name where that names another one.
            means := spelling;
            while means = meant or exists (select from meaning m where m.klasa = class and m.red_id = new.id and m.znacenje = means) loop
                turn := turn + 1;
                means := spelling || ' (' || turn || ')';
            end loop;
        end if;
    end if;
    insert into meaning (klasa, red_id, tekst, znacenje) values (class, new.id, spelling, means)
        on conflict (klasa, red_id, tekst) do update set znacenje = excluded.znacenje;
    return null;
end
$$;

create or replace trigger enum_item_keep_meaning after update on enum_item for each row
    when (old.naziv <> new.naziv) execute function keep_meaning();
create or replace trigger attribute_type_keep_meaning after update on attribute_type for each row
    when (coalesce(btrim(old.jedinica), '') <> coalesce(btrim(new.jedinica), '')) execute function keep_meaning();

-- A field gets a type of its own: the unit of the new type means what that of the old one does.
create or replace function take_meaning(from_type bigint, to_type bigint) returns void language sql security definer set search_path = public, pg_temp as $$
    insert into meaning (klasa, red_id, tekst, znacenje)
    select 'attribute_type', now.id, coalesce(btrim(now.jedinica), ''), meaning_of('attribute_type', was.id, coalesce(btrim(was.jedinica), ''))
      from attribute_type was, attribute_type now
     where was.id = from_type and now.id = to_type
        on conflict (klasa, red_id, tekst) do update set znacenje = excluded.znacenje
$$;

-- A field as entries see it. What is nothing, no or an empty list is not said: a property that comes later, and that a form does not use, changes
-- none of its versions. Its items stand apart, by its type: fields of one type share them. Not in it: what only a new entry asks (first
-- values) and what only the search asks. Whoever needs a field asks here.
create or replace function field_description(f form_field, t attribute_type) returns jsonb language sql stable as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'id', f.id, 'sifra', f.sifra, 'naziv', f.naziv, 'redosled', f.redosled, 'tvaNumVrednost', t.tip_vrednosti_atributa,
        'naredjeniAUTS', f.nadredjeni_atribut_u_tipu_skupa_id,
        'opciono', nullif(f.opcioni, false), 'relevantno', nullif(f.relevantni, false), 'prikazujeSe', nullif(f.prikazuje_se, false),
        'prikaziPrethodnu', nullif(f.prikazi_prethodnu, false), 'postavljaStatus', f.postavlja_status,
        'imaCekBox', nullif(f.ima_cek_box, false),
        'radioButton', nullif(f.radio_button, false), 'multiselect', nullif(f.multiselect, false),
        'vertikalniPrikaz', nullif(f.vertikalni_prikaz, false), 'ispisujeSeLabela', nullif(f.ispisuje_se_labela, false),
        'najviseRedova', case when f.ponavlja_se then coalesce(f.najvise_redova, 50) end,
        -- Of a dot on a picture it is the diameter; elsewhere only a new entry asks for it.
        'inicijalnaBrojnaVrednost', case when f.image_coordinate_x is not null then trim_scale(f.inicijalna_brojna_vrednost) end,
        'gornjaReferentnaBrojnaVrednost', trim_scale(f.gornja_referentna_brojna_vrednost),
        'donjaReferentnaBrojnaVrednost', trim_scale(f.donja_referentna_brojna_vrednost),
        'backgroundImage', f.background_image,
        'imageCoordinateX', trim_scale(f.image_coordinate_x), 'imageCoordinateY', trim_scale(f.image_coordinate_y),
        'napomena', f.napomena, 'htmlInfo', f.html_info,
        'tipAtributa', jsonb_build_object(
            'donjaGranicaBrojneVrednosti', trim_scale(t.donja_granica_brojne_vrednosti),
            'gornjaGranicaBrojneVrednosti', trim_scale(t.gornja_granica_brojne_vrednosti),
            'decimaleBrojneVrednosti', t.decimale_brojne_vrednosti, 'jedinica', t.jedinica, 'drugeJedinice', nullif(t.druge_jedinice, '[]'),
            'sirina', t.sirina, 'visina', t.visina,
            'znacenjeJedinice', (select m.znacenje from meaning m
                                  where m.klasa = 'attribute_type' and m.red_id = t.id and m.tekst = coalesce(btrim(t.jedinica), '') and m.znacenje <> m.tekst),
            'fajlovi', case when t.tip_vrednosti_atributa = type_number('fajl') then jsonb_build_object(
                'vrsteFajlova', t.vrste_fajlova, 'najviseFajlova', t.najvise_fajlova, 'najviseMegabajta', t.najvise_megabajta) end),
        'izvor', jsonb_build_object('tipAtributaId', f.tip_atributa_id, 'formulaZaPrikaz', f.formula_za_prikaz,
                                    'formulaZaRacunanje', f.formula_za_racunanje, 'obavezanAko', f.obavezan_ako)))
        -- As they are: a parsed formula may hold a null that means something.
        || case when f.formula_za_prikaz_ast is null then '{}' else jsonb_build_object('formulaZaPrikaz', f.formula_za_prikaz_ast) end
        || case when f.formula_za_racunanje_ast is null then '{}' else jsonb_build_object('formulaZaRacunanje', f.formula_za_racunanje_ast) end
        || case when f.obavezan_ako_ast is null then '{}' else jsonb_build_object('obavezanAko', f.obavezan_ako_ast) end
        || case when f.grafik is null then '{}' else jsonb_build_object('grafik', f.grafik) end
$$;

-- The items of a type, in their order; each with its code where that is asked for.
create or replace function item_descriptions(tip bigint, with_codes boolean) returns jsonb language sql stable as $$
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', e.id, 'naziv', e.naziv, 'numVrednost', trim_scale(e.num_vrednost),
                         'sifra', case when with_codes then e.sifra_veza end, 'aktivan', nullif(e.aktivan and e.moze_se_izabrati, false),
                         'znacenje', (select m.znacenje from meaning m
                                       where m.klasa = 'enum_item' and m.red_id = e.id and m.tekst = e.naziv and m.znacenje <> '')))
                     order by e.redosled, e.id)
      from enum_item e where e.tip_atributa_id = tip
$$;

-- The whole form as entries see it: its fields in the order of the screen, the items of their types, and its rules. Codes of items are in it
-- where a formula names one: another code changes no other version.
create or replace function form_description(forma bigint) returns jsonb language sql stable set search_path = public, pg_temp as $$
    select jsonb_build_object('naziv', o.naziv, 'pravila', o.pravila,
               'polja', coalesce((select jsonb_agg(field_description(f, t) order by f.redosled, f.id)
                                    from form_field f join attribute_type t on t.id = f.tip_atributa_id
                                   where f.tip_skupa_atributa_id = forma and f.aktivan), '[]'),
               'stavke', coalesce((select jsonb_object_agg(i.tip, i.stavke)
                                     from (select u.tip, item_descriptions(u.tip, u.by_code) as stavke
                                             from (select f.tip_atributa_id as tip,
                                                          -- Asked once, whatever the planner takes the form's length for.
                                                          bool_or(coalesce(f.sifra = any ((select sets_named_by_code(forma))::text[]), false)) as by_code
                                                     from form_field f
                                                    where f.tip_skupa_atributa_id = forma and f.aktivan group by f.tip_atributa_id) u) i
                                    where i.stavke is not null), '{}'))
      from form o
     where o.id = forma
$$;

-- What names a description: another one as soon as anything in it differs.
create or replace function form_fingerprint(opis jsonb) returns text language sql immutable strict parallel safe as $$
    select encode(sha256(convert_to(opis::text, 'UTF8')), 'hex')
$$;

-- The name of today's description. It is kept until the form is configured again, so that it is not described at every entry that is
-- opened. What is kept names the configuration that it was made of: one that was made of a form that was just being changed counts for
-- nothing once that change is there.
create or replace function form_today_fingerprint(forma bigint) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
    kept text;
    fresh text;
    made_of bigint;
begin
    select otisak into kept from form_today where form_id = forma and otisak_izmena = izmena;
    if kept is not null then return kept; end if;
    -- One statement sees one moment: the number and the description are of the same configuration.
    select t.izmena, form_fingerprint(form_description(t.form_id)) into made_of, fresh from form_today t where t.form_id = forma;
    -- Whoever configures the form holds the row; nobody who opens an entry waits for that.
    perform from form_today where form_id = forma for no key update skip locked;
    if found then
        update form_today set otisak = fresh, otisak_izmena = made_of
         where form_id = forma and otisak_izmena is distinct from made_of and coalesce(otisak_izmena, -1) < made_of;
    end if;
    return fresh;
end
$$;

-- The forms are others from now on, each in the order of ids: two that configure the same forms at once do not wait in a circle.
create or replace function forms_configured(forms bigint[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from form_today where form_id = any (forms) order by form_id for no key update;
    update form_today set izmena = izmena + 1 where form_id = any (forms);
end
$$;

create or replace function form_configured() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if tg_op = 'INSERT' then insert into form_today (form_id) values (new.id); else perform forms_configured(array[new.id]); end if;
    return null;
end
$$;

create or replace function form_fields_configured() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform forms_configured(array(select distinct tip_skupa_atributa_id from changed));
    return null;
end
$$;

create or replace function types_configured() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform forms_configured(array(select distinct f.tip_skupa_atributa_id from changed c join form_field f on f.tip_atributa_id = c.id));
    return null;
end
$$;

create or replace function items_configured() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform forms_configured(array(select distinct f.tip_skupa_atributa_id
                                     from changed c join form_field f on f.tip_atributa_id = c.tip_atributa_id));
    return null;
end
$$;

create or replace trigger form_configured after insert or update on form for each row execute function form_configured();
create or replace trigger form_field_made after insert on form_field referencing new table as changed
    for each statement execute function form_fields_configured();
create or replace trigger form_field_changed after update on form_field referencing new table as changed
    for each statement execute function form_fields_configured();
create or replace trigger form_field_gone after delete on form_field referencing old table as changed
    for each statement execute function form_fields_configured();
create or replace trigger attribute_type_changed after update on attribute_type referencing new table as changed
    for each statement execute function types_configured();
create or replace trigger enum_item_made after insert on enum_item referencing new table as changed
    for each statement execute function items_configured();
create or replace trigger enum_item_changed after update on enum_item referencing new table as changed
    for each statement execute function items_configured();
create or replace trigger enum_item_gone after delete on enum_item referencing old table as changed
    for each statement execute function items_configured();

-- The version of today's configuration; made where the newest one is another.
create or replace function make_form_version(forma bigint) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
    today jsonb;
    today_otisak text := form_today_fingerprint(forma);
    newest form_version;
begin
    for turn in 1..2 loop
        select id, broj, otisak into newest.id, newest.broj, newest.otisak from form_version where form_id = forma order by broj desc limit 1;
        if newest.otisak = today_otisak then return newest.id; end if;
        -- Two that save the first entry at once make one version.
        if turn = 1 then
            perform pg_advisory_xact_lock(723185, (forma % 2147483647)::int);
            today := form_description(forma);
            today_otisak := form_fingerprint(today);
        end if;
    end loop;
    insert into form_version (form_id, broj, otisak, opis) values (forma, coalesce(newest.broj, 0) + 1, today_otisak, today)
    returning id into newest.id;
    return newest.id;
end
$$;

-- Whoever writes an entry without naming a version means today's configuration.
create or replace function entry_form_version() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    new.form_version_id := make_form_version(new.tsa_id);
    return new;
end
$$;

create or replace trigger entry_form_version before insert on entry for each row when (new.form_version_id is null)
    execute function entry_form_version();

-- Entries rest on it.
create or replace function form_version_stays() returns trigger language plpgsql as $$
begin
    raise exception 'a version of a form is never changed' using errcode = 'restrict_violation';
end
$$;

create or replace trigger form_version_stays before update or delete on form_version for each row execute function form_version_stays();
create or replace trigger form_version_stays_whole before truncate on form_version for each statement execute function form_version_stays();

-- Whether some row of a section has a value of this field.
create or replace function holds_in_rows(vrednosti jsonb, polje bigint) returns boolean language sql immutable parallel safe as $$
    select jsonb_path_exists(vrednosti, ('$.*[*].v."' || polje || '"')::jsonpath)
$$;

-- Whether some row of a section chooses this item of a set.
create or replace function rows_choose(vrednosti jsonb, polje bigint, stavka bigint) returns boolean language sql immutable parallel safe as $$
    select jsonb_path_exists(vrednosti, ('$.*[*].v."' || polje || '"[*] ? (@ == ' || stavka || ')')::jsonpath)
$$;

-- Whether an entry has a value of this field: of its own, or in a row of the section that it lies in.
create or replace function entry_holds(vrednosti jsonb, polje bigint) returns boolean language sql stable as $$
    select vrednosti ? polje::text or exists (select from form_field f join form_field s on s.id = f.nadredjeni_atribut_u_tipu_skupa_id and s.ponavlja_se
                                               where f.id = polje) and holds_in_rows(vrednosti, polje)
$$;

-- Where values lie follows from the form: a panel with values begins or ceases to repeat no more, and no field with values comes into
-- a section that repeats or leaves it. Whichever way the form is configured.
create or replace function form_field_rows_stay() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if old.ponavlja_se <> new.ponavlja_se and exists (
        select from entry e where e.tsa_id = new.tip_skupa_atributa_id and (e.vrednosti ? new.id::text
            or exists (select from form_field c where c.nadredjeni_atribut_u_tipu_skupa_id = new.id and e.vrednosti ? c.id::text)))
    then
        raise exception 'entries have values of the section' using errcode = 'check_violation', constraint = 'form_field_ponavlja_se_used';
    end if;
    if old.nadredjeni_atribut_u_tipu_skupa_id is distinct from new.nadredjeni_atribut_u_tipu_skupa_id
        and exists (select from form_field s where s.ponavlja_se and s.id in (old.nadredjeni_atribut_u_tipu_skupa_id, new.nadredjeni_atribut_u_tipu_skupa_id))
        and exists (select from entry e where e.tsa_id = new.tip_skupa_atributa_id and entry_holds(e.vrednosti, new.id))
    then
        raise exception 'entries have values of the field' using errcode = 'check_violation', constraint = 'form_field_in_rows_used';
    end if;
    return new;
end
$$;

create or replace trigger form_field_rows_stay before update of ponavlja_se, nadredjeni_atribut_u_tipu_skupa_id on form_field for each row
    when (old.ponavlja_se <> new.ponavlja_se
          or old.nadredjeni_atribut_u_tipu_skupa_id is distinct from new.nadredjeni_atribut_u_tipu_skupa_id)
    execute function form_field_rows_stay();

-- What the formulas and conditions of a field name, so that whoever changes a field finds those that read it.
create or replace function form_field_reads() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from form_field_read where polje_id = new.id;
    insert into form_field_read (form_id, sifra, polje_id)
    select distinct new.tip_skupa_atributa_id, n.sifra, new.id
      from unnest(array[new.formula_za_racunanje_ast, new.formula_za_prikaz_ast, new.obavezan_ako_ast]) a (ast)
      cross join lateral (select jsonb_array_elements_text(a.ast -> 'deps') union select jsonb_array_elements_text(a.ast -> 'prev')
                          union select jsonb_array_elements_text(a.ast -> 'far') union select jsonb_array_elements_text(a.ast -> 'farPrev')) n (sifra);
    return null;
end
$$;

create or replace trigger form_field_reads after insert on form_field for each row
    when (coalesce(new.formula_za_racunanje_ast, new.formula_za_prikaz_ast, new.obavezan_ako_ast) is not null)
    execute function form_field_reads();
create or replace trigger form_field_reads_changed after update of formula_za_racunanje_ast, formula_za_prikaz_ast, obavezan_ako_ast
    on form_field for each row
    when ((old.formula_za_racunanje_ast, old.formula_za_prikaz_ast, old.obavezan_ako_ast)
          is distinct from (new.formula_za_racunanje_ast, new.formula_za_prikaz_ast, new.obavezan_ako_ast))
    execute function form_field_reads();

-- The place of each field in its form: those of one holder by their number, each before those that stand in it. What stands in nothing that
-- is there stands at the top, and what stands in itself comes last. Screens, lists, files and reports all follow it. The form is read
-- once, and only places that move are written.
create or replace function place_fields(forms bigint[]) returns void language sql security definer set search_path = public, pg_temp as $$
    with recursive field as materialized (
        select id, tip_skupa_atributa_id as form_id, nadredjeni_atribut_u_tipu_skupa_id as holder, redosled, aktivan
          from form_field where tip_skupa_atributa_id = any (forms)
    ), walk as (
        select f.id, f.form_id, f.aktivan, array[f.redosled, f.id] as way
          from field f left join field o on o.id = f.holder and o.form_id = f.form_id and (o.aktivan or not f.aktivan)
         where o.id is null
        union all
        select f.id, w.form_id, f.aktivan, w.way || array[f.redosled, f.id]
          from walk w join field f on f.holder = w.id and f.form_id = w.form_id and (w.aktivan or not f.aktivan)
    ), placed as (
        select f.id, row_number() over (partition by f.form_id order by w.way nulls last, f.redosled, f.id) as mesto
          from field f left join walk w on w.id = f.id
    )
    insert into form_field_place (polje_id, mesto)
    select n.id, n.mesto from placed n left join form_field_place p on p.polje_id = n.id where p.mesto is distinct from n.mesto
    on conflict (polje_id) do update set mesto = excluded.mesto
$$;

create or replace function form_fields_placed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform place_fields(array(select distinct tip_skupa_atributa_id from changed));
    return null;
end
$$;

-- Most changes of fields move none.
create or replace function form_fields_moved() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    forms bigint[] := array(
        select distinct n.tip_skupa_atributa_id from changed n join earlier o on o.id = n.id
         where (o.redosled, o.nadredjeni_atribut_u_tipu_skupa_id, o.aktivan) is distinct from (n.redosled, n.nadredjeni_atribut_u_tipu_skupa_id, n.aktivan));
begin
    if forms <> '{}' then perform place_fields(forms); end if;
    return null;
end
$$;

create or replace trigger form_field_placed after insert on form_field referencing new table as changed
    for each statement execute function form_fields_placed();
create or replace trigger form_field_moved after update on form_field referencing old table as earlier new table as changed
    for each statement execute function form_fields_moved();

-- Which fields of which forms are of these types: what is deleted, with its form or its register, uses none. Whoever asks who uses a type
-- asks here.
create or replace function type_uses(types bigint[])
    returns table (tip_atributa_id bigint, polje_id bigint, form_id bigint, formular text, registar_id bigint) language sql stable as $$
    select f.tip_atributa_id, f.id, o.id, o.naziv, o.registar_id
      from form_field f join form o on o.id = f.tip_skupa_atributa_id and o.aktivan join register r on r.id = o.registar_id and r.aktivan
     where f.tip_atributa_id = any (types) and f.aktivan
$$;

-- Types that may go: nothing that is there uses them, no draft names them, and no entry has a value of a deleted field of theirs.
create or replace function unused_types() returns setof bigint language sql stable as $$
    select t.id
      from attribute_type t
     where t.aktivan and not exists (select from type_uses(array[t.id]))
       and not exists (select from form_draft d where d.dokument -> 'tipovi' @> jsonb_build_array(jsonb_build_object('id', t.id)))
       and not exists (select from form_field f join entry e on e.tsa_id = f.tip_skupa_atributa_id
                        where f.tip_atributa_id = t.id and entry_holds(e.vrednosti, f.id))
$$;

-- What it was called at a moment, where that is another name than at a later one; none where it was not renamed between them.
create or replace function name_before(class text, row_id bigint, moment timestamptz, later timestamptz) returns text language sql stable as $$
    select h.naziv from name_history h
     where h.klasa = class and h.red_id = row_id and h.vreme_prestanka_vazenja > moment and h.vreme_prestanka_vazenja <= later
     order by h.vreme_prestanka_vazenja, h.id limit 1
$$;

revoke execute on function sets_named_by_code, keep_meaning, take_meaning, field_description, item_descriptions, form_description, form_fingerprint, form_today_fingerprint, forms_configured, form_configured, form_fields_configured,
    types_configured, items_configured, make_form_version, entry_form_version, form_version_stays, form_field_rows_stay, form_field_reads,
    place_fields, form_fields_placed, form_fields_moved from public;
grant execute on function sets_named_by_code, take_meaning, field_description, item_descriptions, form_description, form_fingerprint, form_today_fingerprint, make_form_version to regix_app;
