-- A number as every screen and paper writes it: all its digits, a decimal comma, points between thousands (domain/src/shown.rs).
-- For reports that put values of several fields into one text.
create function report.tekst_broja(broj numeric) returns text language sql immutable strict parallel safe as $$
    select regexp_replace(split_part(plain, '.', 1), '(\d)(?=(\d{3})+$)', '\1.', 'g')
           || case when strpos(plain, '.') > 0 then ',' || split_part(plain, '.', 2) else '' end
      from (select trim_scale(broj)::text as plain) as written
$$;
grant execute on function report.tekst_broja(numeric) to regix_report, regix_app;
