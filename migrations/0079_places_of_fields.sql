-- One order of a form's fields: the place of each in the walk of its tree. Triggers keep it (`place_fields`, `migrations/functions/form.sql`);
-- it stands beside the fields, so that moving one is no change of its neighbours.
create table form_field_place (
    polje_id bigint primary key references form_field (id) on delete cascade,
    mesto int not null
);

-- Who uses a type is asked at many doors.
create index form_field_type on form_field (tip_atributa_id);
