-- Indikatori kvaliteta lečenja infarkta miokarda: zbirovi po godini prijema, po ustanovi i ukupno.
-- Slučaj je prva hospitalizacija pacijenta u periodu. Isključen je kardiogeni šok pri prijemu: njegov ishod ne meri lečenje.
-- Bolnička smrt: umro pre otpusta. Smrt u 30 dana: za onoga ko je umro, ili je praćen bar 30 dana, može da se kaže; za ostale ne može.
-- Ustanova je niz koji ne odaje ime, drugi za svakoga ko čita i svakog dana: po njemu šablon deli slova.
with hospitalizacija as (
    select u.id, u.pacijent_id, u.ustanova_id, extract(year from u.datum_unosa)::int as godina,
           row_number() over (partition by u.pacijent_id order by u.datum_unosa, u.id) as redni
      from report.unos u
      join report.registar r on r.id = u.registar_id and r.sifra = 'kardiologija'
     where u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')
), brojevi as (
    select b.unos_id,
           min(b.vrednost) filter (where b.sifra = 'trajanjeHospitalizacije') as dana,
           min(b.vrednost) filter (where b.sifra = 'pracenjeDana') as pracenje,
           min(b.vrednost) filter (where b.sifra = 'sok') = 1 as sok,
           min(b.vrednost) filter (where b.sifra = 'umro') = 1 as umro
      from report.broj b
     where b.sifra in ('trajanjeHospitalizacije', 'pracenjeDana', 'sok', 'umro')
     group by b.unos_id
), slucaj as (
    select h.pacijent_id, h.ustanova_id, h.godina, coalesce(b.sok, false) as sok,
           b.umro is not null and b.dana is not null and b.pracenje is not null as zna_bolnicu,
           coalesce(b.umro and b.pracenje <= b.dana, false) as umro_u_bolnici,
           coalesce(b.umro is not null and b.pracenje is not null and (b.umro or b.pracenje >= 30), false) as zna_30,
           coalesce(b.umro and b.pracenje <= 30, false) as umro_30
      from hospitalizacija h
      left join brojevi b on b.unos_id = h.id
     where h.redni = 1
)
select s.godina::text || '.' as godina,
       case when s.ustanova_id is not null then md5(:radnikID::text || ' ' || s.ustanova_id::text || ' ' || current_date::text) end as ustanova,
       s.ustanova_id, s.ustanova_id = :ustanovaID::bigint as moja,
       count(*) filter (where not s.sok) as podobni,
       count(*) filter (where s.sok) as iskljuceni,
       count(*) filter (where not s.sok and s.zna_bolnicu) as bolnica,
       count(*) filter (where not s.sok and s.zna_bolnicu and s.umro_u_bolnici) as umrli_u_bolnici,
       count(*) filter (where not s.sok and s.zna_30) as trideset,
       count(*) filter (where not s.sok and s.zna_30 and s.umro_30) as umrli_30,
       -- Nad svim ustanovama: koje pacijente drži red, i koga broje njegovi brojioci i oni koji u njima nisu.
       array_agg(distinct s.pacijent_id) as grupa_pacijenata,
       array_agg(distinct s.pacijent_id) filter (where s.sok) as "grupa_pacijenata iskljuceni",
       array_agg(distinct s.pacijent_id) filter (where not s.sok and s.zna_bolnicu and s.umro_u_bolnici) as "grupa_pacijenata umrli_u_bolnici",
       array_agg(distinct s.pacijent_id) filter (where not s.sok and s.zna_bolnicu and not s.umro_u_bolnici)
           as "grupa_pacijenata umrli_u_bolnici ",
       array_agg(distinct s.pacijent_id) filter (where not s.sok and s.zna_30 and s.umro_30) as "grupa_pacijenata umrli_30",
       array_agg(distinct s.pacijent_id) filter (where not s.sok and s.zna_30 and not s.umro_30) as "grupa_pacijenata umrli_30 "
  from slucaj s
 group by grouping sets ((s.godina), (s.ustanova_id), ())
 order by s.godina nulls last, ustanova nulls last
