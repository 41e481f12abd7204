-- Rules of a form with a message, and fields that are required under a condition.
select set_config('app.worker', '1', true);

-- In their order: `[{"id", "uslov", "poruka", "vrsta", "polje", "formula"}]`; `formula` is the parsed `uslov`.
alter table form add column pravila jsonb not null default '[]' constraint form_pravila_array check (jsonb_typeof(pravila) = 'array');
alter table form_field
    add column obavezan_ako text,
    add column obavezan_ako_ast jsonb,
    add constraint form_field_obavezan_ako_parsed check ((obavezan_ako is null) = (obavezan_ako_ast is null));
