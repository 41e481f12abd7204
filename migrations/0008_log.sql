-- What the log viewer and the statistics of data entry look for.
create index audit_log_akcija on audit_log (akcija, vreme_pristupa);
-- Entries come in the order of time: the smallest index there is tells where a month of them lies.
create index entry_datum_kreiranja on entry using brin (datum_kreiranja);
