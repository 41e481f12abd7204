-- The previous value beside a field; other units in which a number may be typed, and in which it was.
select set_config('app.worker', '1', true);

alter table form_field add prikazi_prethodnu boolean not null default false;
-- `[{"jedinica", "cinilac", "pomeraj"}]`: what is typed times `cinilac` plus `pomeraj` is in the type's own unit.
alter table attribute_type
    add druge_jedinice jsonb not null default '[]' constraint attribute_type_druge_jedinice_array check (jsonb_typeof(druge_jedinice) = 'array');
-- By field: `{"broj", "jedinica"}` as it was typed; of a section by row and column.
alter table entry add uneto_u jsonb;
alter table value_history add uneto_u jsonb;

-- Which fields' formulas and conditions name a code: whoever changes a field asks it who reads the field, and reads no other.
create table form_field_read (
    form_id bigint not null references form (id),
    sifra text not null,
    polje_id bigint not null references form_field (id) on delete cascade,
    primary key (form_id, sifra, polje_id)
);
create index form_field_read_field on form_field_read (polje_id);
insert into form_field_read (form_id, sifra, polje_id)
select distinct f.tip_skupa_atributa_id, n.sifra, f.id
  from form_field f
  cross join lateral unnest(array[f.formula_za_racunanje_ast, f.formula_za_prikaz_ast, f.obavezan_ako_ast]) a (ast)
  cross join lateral (select jsonb_array_elements_text(a.ast -> 'deps') union select jsonb_array_elements_text(a.ast -> 'prev')) n (sifra);
