-- A recomputation ends signatures where whoever ordered it said so, and why.
alter table recomputation
    -- None: signed entries stay as they are.
    add razlog_potpisa text constraint recomputation_razlog_potpisa_length check (length(btrim(razlog_potpisa)) between 3 and 500),
    -- Entries whose signatures have ended.
    add potpisa bigint not null default 0;

-- Signatures of one worker, and those that a recomputation has ended: each is told to whom they were.
create index entry_state_signer on entry_state (radnik_id, unos_id) where radnja = 'potpis';
create index entry_state_signature_taken on entry_state (unos_id, id) where radnja = 'preracunavanje' and razlog is not null;
