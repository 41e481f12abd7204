-- What the schema says of itself to the programs that stand on it.

-- The migration of the oldest programs that may meet this schema while an upgrade goes from one to the other. It is raised to the newest
-- migration by whoever takes away, renames or tightens what programs before it need.
create or replace function serves_programs_from() returns int language sql immutable as $$ select 120 $$;

-- For each table that is kept by the month: how many months to come have a partition, and how many rows (a thousand at most) lie in none.
create or replace function partitions_ahead() returns table (tabela text, meseci_unapred int, zatecenih bigint)
    language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
    foreach tabela in array array['audit_log', 'audit_log_patient', 'value_history'] loop
        select count(*) into meseci_unapred
          from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = tabela::regclass and c.relname ~ '_\d{4}_\d{2}$'
           and to_date(right(c.relname, 7), 'YYYY_MM') > date_trunc('month', now());
        execute format('select count(*) from (select from %I limit 1000) s', tabela || '_default') into zatecenih;
        return next;
    end loop;
end
$$;

revoke execute on function serves_programs_from, partitions_ahead from public;
grant execute on function serves_programs_from, partitions_ahead to regix_app;
