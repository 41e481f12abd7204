-- Which functions of the server report SQL may call: those that are listed here, and no other. A function is called by its name, by an
-- operator, by a cast or by a view, and the server asks for the right each time; so what runs SQL out of a string, reads settings, files
-- or other sessions, or tells of the catalogue cannot be called, wherever in a statement it stands. roles.sql gives and takes the rights.
--
-- A function that the server gets with a new version is not called until somebody adds it.

create or replace function report_inside.slobodne_funkcije() returns table (funkcija oid, svrha text) language sql stable as $$
    with nazivi (svrha, naziv) as (
        select svrha, unnest(string_to_array(nazivi, ' '))
          from (values
            ('brojevi', 'abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh bit_count cbrt ceil ceiling cos cosd cosh cot cotd '
                || 'degrees div exp factorial floor gcd lcm ln log log10 min_scale mod pi pow power radians random round scale sign sin sind sinh '
                || 'sqrt tan tand tanh trim_scale trunc width_bucket to_hex'),
            ('tekst', 'ascii bit_length btrim char_length character_length chr concat concat_ws format initcap is_normalized left length like_escape '
                || 'lower ltrim md5 normalize octet_length overlay position quote_ident quote_literal quote_nullable regexp_count regexp_instr '
                || 'regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr replace '
                || 'reverse right rtrim similar_escape similar_to_escape split_part starts_with string_to_array string_to_table strpos substr '
                || 'substring to_ascii translate unistr upper'),
            ('datumi', 'age clock_timestamp date_bin date_part date_trunc extract isfinite justify_days justify_hours justify_interval make_date '
                || 'make_interval make_time make_timestamp make_timestamptz now overlaps statement_timestamp timezone to_date to_timestamp '
                || 'transaction_timestamp'),
            ('pretvaranje', 'to_char to_number num_nonnulls num_nulls pg_typeof'),
            ('nizovi', 'array_append array_cat array_dims array_length array_lower array_ndims array_position array_positions array_prepend '
                || 'array_remove array_replace array_to_string array_upper cardinality generate_series generate_subscripts trim_array unnest'),
            ('opsezi', 'daterange int4range int8range numrange tsrange tstzrange isempty lower_inc lower_inf upper_inc upper_inf range_merge '
                || 'range_agg range_intersect_agg'),
            ('json', 'array_to_json json_agg json_array_elements json_array_elements_text json_array_length json_build_array json_build_object '
                || 'json_each json_each_text json_extract_path json_extract_path_text json_object json_object_agg json_object_keys '
                || 'json_populate_record json_populate_recordset json_strip_nulls json_to_record json_to_recordset json_typeof jsonb_agg '
                || 'jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each '
                || 'jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg jsonb_object_keys '
                || 'jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_populate_record '
                || 'jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof '
                || 'row_to_json to_json to_jsonb'),
            ('zbirovi', 'any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every max min mode '
                || 'percentile_cont percentile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy '
                || 'stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance'),
            ('redovi', 'cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number'),
            -- Bounded by the statement's time, as everything is.
            ('čekanje', 'pg_sleep'),
            -- What the views themselves call, and the connection before a statement: whoever calls them learns nothing of anybody.
            ('pogledi', 'pg_backend_pid pg_postmaster_start_time pg_is_in_recovery pg_last_xact_replay_timestamp pg_control_system '
                || 'sha256 int8send byteacat encode hashtextextended')) as popis (svrha, nazivi)
    ), tip as (
        select t.oid from pg_catalog.pg_type t
         where t.typnamespace = 'pg_catalog'::regnamespace
           and t.typname in ('bool', 'int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'text', 'varchar', 'bpchar', 'name', 'char', 'date', 'time',
                             'timetz', 'timestamp', 'timestamptz', 'interval', 'uuid', 'json', 'jsonb', 'jsonpath', 'oid', 'cstring', 'unknown', 'record', 'anyarray',
                             'anyelement', 'anynonarray', 'anyrange', 'anycompatible', 'anycompatiblearray', 'anycompatiblenonarray', 'daterange',
                             'int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange')
            or t.oid = 'pg_catalog.text[]'::regtype
    )
    select p.oid::oid, n.svrha from nazivi n join pg_catalog.pg_proc p on p.proname = n.naziv and p.pronamespace = 'pg_catalog'::regnamespace
    union
    select o.oprcode::oid, 'operatori' from pg_catalog.pg_operator o
     where o.oprnamespace = 'pg_catalog'::regnamespace and o.oprright in (select oid from tip)
       and (o.oprleft = 0 or o.oprleft in (select oid from tip))
    union
    -- A constant that is turned into another type goes through the one's output and the other's input.
    select unnest(array[t.typinput, t.typoutput])::oid, 'pretvaranje' from pg_catalog.pg_type t where t.oid in (select oid from tip)
    union
    select c.castfunc, 'pretvaranje' from pg_catalog.pg_cast c
     where c.castfunc <> 0 and c.castsource in (select oid from tip) and c.casttarget in (select oid from tip)
    union
    -- A list of nine constants or more behind `in` is looked up by its hash, and the server asks for the right to that as well.
    select a.amproc::oid, 'operatori' from pg_catalog.pg_amproc a
      join pg_catalog.pg_opfamily f on f.oid = a.amprocfamily
      join pg_catalog.pg_am m on m.oid = f.opfmethod
     where m.amname = 'hash' and a.amprocnum = 1 and a.amproclefttype in (select oid from tip)
$$;

-- Texts of any length are made by these alone, while a statement is still being planned: here they are bounded. They stand before the
-- server's own in the search path of reports, under its names, so that reports go on as they are.
create or replace function report_inside.predugo(naziv text) returns text language plpgsql stable parallel safe as $$
begin
    raise exception '%: more than 10000 letters', naziv using errcode = 'program_limit_exceeded';
end
$$;

create or replace function report.repeat(t text, puta integer) returns text language sql stable strict parallel safe security definer
    return case when puta::bigint * octet_length(t) <= 10000 then pg_catalog.repeat(t, puta) else report_inside.predugo('repeat') end;
create or replace function report.lpad(t text, duzina integer) returns text language sql stable strict parallel safe security definer
    return case when duzina <= 10000 then pg_catalog.lpad(t, duzina) else report_inside.predugo('lpad') end;
create or replace function report.lpad(t text, duzina integer, znak text) returns text language sql stable strict parallel safe security definer
    return case when duzina <= 10000 then pg_catalog.lpad(t, duzina, znak) else report_inside.predugo('lpad') end;
create or replace function report.rpad(t text, duzina integer) returns text language sql stable strict parallel safe security definer
    return case when duzina <= 10000 then pg_catalog.rpad(t, duzina) else report_inside.predugo('rpad') end;
create or replace function report.rpad(t text, duzina integer, znak text) returns text language sql stable strict parallel safe security definer
    return case when duzina <= 10000 then pg_catalog.rpad(t, duzina, znak) else report_inside.predugo('rpad') end;
comment on function report.repeat is 'Tekst više puta, do 10.000 slova.';
comment on function report.lpad(text, integer) is 'Tekst dopunjen razmacima s leve strane, do 10.000 slova.';
comment on function report.lpad(text, integer, text) is 'Tekst dopunjen s leve strane, do 10.000 slova.';
comment on function report.rpad(text, integer) is 'Tekst dopunjen razmacima s desne strane, do 10.000 slova.';
comment on function report.rpad(text, integer, text) is 'Tekst dopunjen s desne strane, do 10.000 slova.';

-- By what a patient, or an entry, goes in a report over all institutions: a keyed digest. Whoever knows some ids and what they have become
-- learns no other one without the key, which the connection's scope holds and no report reads.
create or replace function report_inside.zamena(broj bigint, tajna bytea) returns bigint language sql immutable strict parallel safe
    return hashtextextended(encode(sha256(tajna || int8send(broj)), 'hex'), 0);
