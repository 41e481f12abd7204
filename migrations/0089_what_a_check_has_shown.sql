-- What a check has shown of an import is what its confirmation must find again; and an erasure ends what waits about the person.

-- The sums of data, configuration and outcome that the last check has shown (api/src/import/fingerprint.rs).
alter table data_import add column otisak text;

alter table data_import drop constraint data_import_prekid_known;
alter table data_import add constraint data_import_prekid_known
    check (prekid in ('otkazan', 'prekinut', 'neuspeo', 'istekao', 'promenjeno', 'anonimizacija'));

-- What was checked before this version shows no sum, and is checked again.
update data_import set status = 'open', ishod = null where status = 'checked';
