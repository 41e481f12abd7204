-- Who belongs to an institution is asked for one institution at a time, and so is who may answer for its entries.
create index worker_ustanova on worker (ustanova_id);
create index worker_institution_ustanova on worker_institution (ustanova_id);
drop function if exists may_answer;

-- A search tells in which entry it found a number without fetching the value: from the index that found it.
drop index value_num_probe;
create index value_num_probe on value_num (pacijent_id, polje_id, vrednost) include (unos_id, datum_unosa);
