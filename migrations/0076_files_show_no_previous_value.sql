-- A field of files shows no previous value and may not say that it does. A definition file could once say so, and the field's next save,
-- whatever it changed, would be refused for it.
select set_config('app.worker', '1', true);

update form_field f set prikazi_prethodnu = false
  from attribute_type t join value_type v on v.num_vrednost = t.tip_vrednosti_atributa
 where t.id = f.tip_atributa_id and v.naziv = 'Fajl' and f.prikazi_prethodnu;
