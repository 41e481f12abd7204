-- Forms have versions: an entry keeps the description of the form by which it was filled, whatever the form becomes.
select set_config('app.worker', '1', true);

-- A description as entries see it. Rows are never changed or deleted.
create table form_version (
    id bigint generated always as identity primary key,
    form_id bigint not null references form (id),
    broj int not null constraint form_version_broj_positive check (broj > 0),
    napravljena timestamptz not null default now(),
    -- Of `opis`: versions are compared without being read.
    otisak text not null,
    opis jsonb not null constraint form_version_opis_object check (jsonb_typeof(opis) = 'object'),
    constraint form_version_broj_once unique (form_id, broj),
    constraint form_version_of_form unique (id, form_id)
);

-- The version that an entry had until it was taken to a newer one.
create table entry_version_history (
    id bigint generated always as identity primary key,
    unos_id bigint not null references entry (id),
    form_version_id bigint not null references form_version (id),
    vreme_prestanka_vazenja timestamptz not null,
    radnik_id bigint not null references worker (id)
);
create index entry_version_history_unos on entry_version_history (unos_id, vreme_prestanka_vazenja);

-- As migrations/functions/form.sql has them.
create function form_description(forma bigint) returns json language sql stable set search_path = public, pg_temp as $$
    select json_build_object('naziv', o.naziv, 'polja', coalesce(p.polja, '[]'), 'stavke', coalesce(s.stavke, '{}'))
      from form o
      left join lateral (
          select json_agg(json_build_object(
                     'id', f.id, 'sifra', f.sifra, 'naziv', f.naziv, 'redosled', f.redosled, 'tvaNumVrednost', t.tip_vrednosti_atributa,
                     'naredjeniAUTS', f.nadredjeni_atribut_u_tipu_skupa_id,
                     'formulaZaPrikaz', f.formula_za_prikaz_ast, 'formulaZaRacunanje', f.formula_za_racunanje_ast,
                     'opciono', f.opcioni, 'relevantno', f.relevantni, 'prikazujeSe', f.prikazuje_se, 'imaCekBox', f.ima_cek_box,
                     'radioButton', f.radio_button, 'multiselect', f.multiselect, 'vertikalniPrikaz', f.vertikalni_prikaz,
                     'ispisujeSeLabela', f.ispisuje_se_labela,
                     -- Of a dot on a picture it is the diameter; elsewhere only a new entry asks for it.
                     'inicijalnaBrojnaVrednost', case when f.image_coordinate_x is not null then trim_scale(f.inicijalna_brojna_vrednost) end,
                     'gornjaReferentnaBrojnaVrednost', trim_scale(f.gornja_referentna_brojna_vrednost),
                     'donjaReferentnaBrojnaVrednost', trim_scale(f.donja_referentna_brojna_vrednost),
                     'backgroundImage', f.background_image,
                     'imageCoordinateX', trim_scale(f.image_coordinate_x), 'imageCoordinateY', trim_scale(f.image_coordinate_y),
                     'napomena', f.napomena, 'htmlInfo', f.html_info, 'grafik', f.grafik,
                     -- Filled from `stavke`: fields of one type share their items.
                     'enumStavkeSve', json_build_array(),
                     'tipAtributa', json_build_object(
                         'donjaGranicaBrojneVrednosti', trim_scale(t.donja_granica_brojne_vrednosti),
                         'gornjaGranicaBrojneVrednosti', trim_scale(t.gornja_granica_brojne_vrednosti),
                         'decimaleBrojneVrednosti', t.decimale_brojne_vrednosti, 'jedinica', t.jedinica,
                         'sirina', t.sirina, 'visina', t.visina),
                     'izvor', json_build_object('tipAtributaId', f.tip_atributa_id,
                         'formulaZaPrikaz', f.formula_za_prikaz, 'formulaZaRacunanje', f.formula_za_racunanje)
                 ) order by f.redosled, f.id) as polja
            from form_field f join attribute_type t on t.id = f.tip_atributa_id
           where f.tip_skupa_atributa_id = forma and f.aktivan) p on true
      left join lateral (
          select json_object_agg(i.tip_atributa_id, i.stavke order by i.tip_atributa_id) as stavke
            from (select e.tip_atributa_id,
                         json_agg(json_build_object('id', e.id, 'naziv', e.naziv, 'numVrednost', trim_scale(e.num_vrednost),
                                                      'aktivan', e.aktivan and e.moze_se_izabrati) order by e.redosled, e.id) as stavke
                    from enum_item e
                   where e.tip_atributa_id in (select tip_atributa_id from form_field where tip_skupa_atributa_id = forma and aktivan)
                   group by e.tip_atributa_id) i) s on true
     where o.id = forma
$$;

create function make_form_version(forma bigint) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
    today json := form_description(forma);
    today_otisak text := encode(sha256(convert_to(today::text, 'UTF8')), 'hex');
    newest form_version;
begin
    for turn in 1..2 loop
        select id, broj, otisak into newest.id, newest.broj, newest.otisak from form_version where form_id = forma order by broj desc limit 1;
        if newest.otisak = today_otisak then return newest.id; end if;
        -- Two that save the first entry at once make one version.
        if turn = 1 then perform pg_advisory_xact_lock(723185, (forma % 2147483647)::int); end if;
    end loop;
    insert into form_version (form_id, broj, otisak, opis) values (forma, coalesce(newest.broj, 0) + 1, today_otisak, today::jsonb)
    returning id into newest.id;
    return newest.id;
end
$$;

-- Entries that are there get today's configuration: it is what they were shown by until now.
alter table entry add form_version_id bigint;
alter table entry disable trigger user;
update entry e set form_version_id = v.id
  from (select f.id as form_id, make_form_version(f.id) as id from form f where exists (select from entry e where e.tsa_id = f.id) offset 0) v
 where e.tsa_id = v.form_id;
alter table entry enable trigger user;
alter table entry alter form_version_id set not null;
alter table entry add constraint entry_form_version foreign key (form_version_id, tsa_id) references form_version (id, form_id);
