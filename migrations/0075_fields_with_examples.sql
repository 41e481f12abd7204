-- A saved field proves the examples of its whole form again, which few fields have: they are found without reading all the others.
create index form_field_examples on form_field (tip_skupa_atributa_id) where aktivan and primeri is not null;
