-- Examples kept with the formula of a calculated field: `[{"naziv", "ulazi", "redovi", "okolnosti", "prethodno", "rezultat"}]`.
alter table form_field
    add column primeri jsonb,
    add constraint form_field_primeri_array check (jsonb_typeof(primeri) = 'array');
