-- An export of those whom a search of its worker has shown: the row of the log, which holds the patients.
alter table data_export
    add column pretraga_id bigint,
    add column pretraga_vreme timestamptz,
    add constraint data_export_pretraga check ((pretraga_id is null) = (pretraga_vreme is null));
