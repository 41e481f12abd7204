-- A panel may repeat: its fields are the columns of a table, and an entry holds its rows as one value of the panel.
select set_config('app.worker', '1', true);

alter table form_field
    add ponavlja_se boolean not null default false,
    -- None: 50, as migrations/functions/form.sql has it.
    add najvise_redova int,
    add constraint form_field_najvise_redova_range check (najvise_redova is null or ponavlja_se and najvise_redova between 1 and 200);
create index form_field_sections on form_field (tip_skupa_atributa_id) where ponavlja_se;
