-- A form may say what becomes of its patient: the day that is entered in such a field is the day of the status in the register, or of the death.
alter table form_field add postavlja_status text
    constraint form_field_postavlja_status_known
        check (postavlja_status in ('aktivan', 'izgubljen', 'preminuo', 'povukaoSaglasnost', 'premesten'));

-- In which entry and field a row of the history was said. None: on the patient's page, or in a file.
alter table patient_status
    add unos_id bigint references entry (id),
    add polje_id bigint references form_field (id),
    add constraint patient_status_of_a_field check ((unos_id is null) = (polje_id is null));
