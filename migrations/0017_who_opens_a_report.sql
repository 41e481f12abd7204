-- Whether a worker belongs to an institution that is still there: one rule for asking for a report, running it and opening it.
create function works_at(radnik bigint, ustanova bigint) returns boolean language sql stable set search_path = public, pg_temp as $$
    select exists (select from worker w join institution u on u.id = ustanova and u.aktivan
                    where w.id = radnik and w.aktivan
                      and (w.ustanova_id = ustanova
                           or exists (select from worker_institution m where m.radnik_id = w.id and m.ustanova_id = ustanova)))
$$;
revoke execute on function works_at from public;
grant execute on function works_at to regix_app;

-- Rows of reports whose multi-select parameter names patients kept their names as text, which the log showed to everybody who
-- may read it. From now on the patients' ids are kept, and who reads the log sees the names that she may know.
update audit_log l
   set polja = (select jsonb_agg(case when f ->> 'naziv' = p.naziv then f || '{"nova": "•••"}' else f end order by n)
                  from jsonb_array_elements(l.polja) with ordinality e (f, n))
  from report_parameter p join report_parameter_type t on t.id = p.tip_id and t.link = 'pacijent'
 where l.klasa in ('report_run', 'report_schedule') and l.pacijent_id is null
   and p.izvestaj_id = coalesce((select r.izvestaj_id from report_run r where l.klasa = 'report_run' and r.id::text = l.red_id),
                                (select s.izvestaj_id from report_schedule s where l.klasa = 'report_schedule' and s.id::text = l.red_id))
   and exists (select from jsonb_array_elements(l.polja) f where f ->> 'naziv' = p.naziv and jsonb_typeof(f -> 'nova') = 'string');
