-- Imports of patients and entries by screen (api/interchange/src/data_import).

-- An import whose api has gone stored nothing: the transaction went with it. What was asked for may be asked for again.
create or replace function sweep_data_imports() returns void language sql set search_path = public, pg_temp as $$
    update data_import set status = 'open', prekid = 'prekinut', prekid_poruka = null, lease_until = null, fence = fence + 1
     where status in ('checking', 'importing') and lease_until < clock_timestamp()
$$;

-- Ends imports that nobody has touched for a day, and takes their files away.
create or replace function expire_data_imports() returns bigint language sql set search_path = public, pg_temp as $$
    with old as (
        update data_import set status = 'left', prekid = 'istekao', prekid_poruka = null, ishod = ishod - 'greske'
         where status in ('open', 'checked') and vreme_izmene < clock_timestamp() - interval '1 day'
        returning id),
    gone as (delete from data_import_file f using old where f.uvoz_id = old.id returning 1)
    select count(*) from gone
$$;

revoke execute on function sweep_data_imports, expire_data_imports from public;
grant execute on function sweep_data_imports, expire_data_imports to regix_app;
