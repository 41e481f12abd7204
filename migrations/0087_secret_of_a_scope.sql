-- Ids over all institutions are digests under a secret of each connection: what they were mixed with before was found from a few ids.
-- Programs of before still ask for that one (kljuc) and use it for nothing that anybody sees.
alter table report_scope add column tajna bytea not null
    default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- An engine of before knows patients of one's own by the old mixing.
alter table report_run alter column needs set default 4;
