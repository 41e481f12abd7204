-- Jednostavan izveštaj: ovaj upit je napravljen od izbora u dizajneru.
with unosi as (
    select u.id,
           u.pacijent_id,
           u.datum_unosa,
           u.ustanova_id,
           z.oznaceno,
           z.napomena,
           case when jsonb_typeof(u.vrednosti -> '{polje}') = 'number' then (u.vrednosti -> '{polje}' #>> '{}')::numeric end as p{polje}
      from report.unos u
      left join (select unos_id, count(*) as oznaceno, string_agg(polje || ': ' || case razlog when 'jedinica' then coalesce('Uneto u jedinici ' || nullif(btrim(jedinica), ''), 'Uneto dok polje nije imalo jedinicu')
                                         when 'neprovereno' then 'Formula je promenjena posle ovog rezultata' when 'drugi_formular' then 'Podatak iz drugog formulara je promenjen posle ovog rezultata' else 'Današnja formula daje drugi rezultat' end, '; ' order by polje, polje_id) as napomena
                   from report.zastareo where tip_unosa_id = {formular} and polje_id in ({polje}) group by unos_id) z on z.unos_id = u.id
     where u.tip_unosa_id = {formular}
), izabrani as (
    select * from unosi
     where true
), ocenjeni as (
    select i.*, coalesce((p{polje} < '5'::numeric and p{polje} is not null), false) as ispunjen, coalesce((p{polje} < '5'::numeric and p{polje} is not null), false) or coalesce(p{polje} is not null, false) as zna
      from izabrani i
), svrstani as (
    select i.pacijent_id, i.ispunjen, i.zna, date_trunc('year', i.datum_unosa)::date as pocetak, i.ustanova_id
      from ocenjeni i
), zbir as (
    select i.pocetak, i.ustanova_id,
           count(distinct i.pacijent_id) filter (where true) as podobni,
           count(distinct i.pacijent_id) filter (where i.zna) as imenilac,
           count(distinct i.pacijent_id) filter (where i.ispunjen) as brojilac,
           array_agg(distinct i.pacijent_id) as "grupa_pacijenata",
           array_agg(distinct i.pacijent_id) filter (where i.ispunjen) as "grupa_pacijenata brojilac",
           array_agg(distinct i.pacijent_id) filter (where i.zna and not i.ispunjen) as "grupa_pacijenata brojilac ",
           array_agg(distinct i.pacijent_id) filter (where not i.zna) as "grupa_pacijenata podobni"
      from svrstani i
     group by grouping sets ((i.pocetak), (i.ustanova_id), ())
)
select to_char(z.pocetak, 'YYYY.') as vreme,
       case when z.ustanova_id is not null then md5(:radnikID::text || ' ' || z.ustanova_id::text || ' ' || current_date::text) end as ustanova,
       z.ustanova_id = :ustanovaID::bigint as moja,
       z.*,
       case when z.ustanova_id is null or z.ustanova_id = :ustanovaID::bigint then jsonb_build_object('registarID', {registar}, 'pol', null, 'unos', jsonb_build_object('tipUnosaID', {formular}, 'od', case when z.pocetak is null then null else to_char(z.pocetak, 'YYYY-MM-DD') end, 'do', case when z.pocetak is null then null else to_char((z.pocetak + interval '1 year - 1 day')::date, 'YYYY-MM-DD') end, 'svoj', z.ustanova_id is not null), 'uslovi', '[{"operator":"<","poljeID":{polje},"veza":"ili","vrednost":"5"}]'::jsonb, 'unosi', false, 'sveUstanove', true)::text end as "pretraga brojilac",
       case when z.ustanova_id is null or z.ustanova_id = :ustanovaID::bigint then jsonb_build_object('registarID', {registar}, 'pol', null, 'unos', jsonb_build_object('tipUnosaID', {formular}, 'od', case when z.pocetak is null then null else to_char(z.pocetak, 'YYYY-MM-DD') end, 'do', case when z.pocetak is null then null else to_char((z.pocetak + interval '1 year - 1 day')::date, 'YYYY-MM-DD') end, 'svoj', z.ustanova_id is not null), 'uslovi', '[{"operator":"popunjeno","poljeID":{polje},"veza":"ili"}]'::jsonb, 'unosi', false, 'sveUstanove', true)::text end as "pretraga imenilac"
  from zbir z
 order by z.pocetak nulls last, ustanova nulls last
