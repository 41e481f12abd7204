-- What a version was made from, where its designer chose instead of writing: form, filters, groups, measures. The server wrote its query
-- and its template from it. A version that was typed has none.
alter table report_definition
    add column izbor jsonb,
    add constraint report_definition_izbor_object check (jsonb_typeof(izbor) = 'object' and octet_length(izbor::text) <= 65536);
