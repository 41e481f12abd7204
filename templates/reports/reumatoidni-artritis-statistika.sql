-- Statistika reumatoidnog artritisa: po jedan red za svakog pacijenta ustanove, sa prvom i poslednjom vrednošću mera u periodu.
-- Remisija je DAS28-SE ispod 2,6. Uzrast je razlika godina.
with mera as (
    select b.pacijent_id, b.sifra, b.vrednost, b.datum_unosa,
           row_number() over (partition by b.pacijent_id, b.sifra order by b.datum_unosa, b.unos_id) as od_prve,
           row_number() over (partition by b.pacijent_id, b.sifra order by b.datum_unosa desc, b.unos_id desc) as od_poslednje
      from report.broj b
      join report.tip_unosa t on t.id = b.tip_unosa_id
      join report.registar r on r.id = t.registar_id and r.sifra = 'reumatologija'
     where b.sifra in ('das28se', 'haq', 'rf', 'antiCcp')
       and b.datum_unosa >= coalesce(:od::date, '-infinity') and b.datum_unosa <= coalesce(:do::date, 'infinity')
), biolosko as (
    select distinct v.pacijent_id
      from report.vrednost v
     where v.sifra = 'bioloskiLek'
       and v.datum_unosa >= coalesce(:od::date, '-infinity') and v.datum_unosa <= coalesce(:do::date, 'infinity')
), mere as (
    select m.pacijent_id,
           min(m.datum_unosa) as prvi_dan,
           min(m.vrednost) filter (where m.sifra = 'das28se' and m.od_prve = 1) as das28_prvi,
           min(m.vrednost) filter (where m.sifra = 'das28se' and m.od_poslednje = 1) as das28_poslednji,
           min(m.vrednost) filter (where m.sifra = 'haq' and m.od_prve = 1) as haq_prvi,
           min(m.vrednost) filter (where m.sifra = 'haq' and m.od_poslednje = 1) as haq_poslednji,
           min(m.vrednost) filter (where m.sifra = 'rf' and m.od_prve = 1) as rf,
           min(m.vrednost) filter (where m.sifra = 'antiCcp' and m.od_prve = 1) as anti_ccp
      from mera m
     group by m.pacijent_id
)
select case when p.pol_trenutni then 'Muški' else 'Ženski' end as pol,
       extract(year from m.prvi_dan)::int - p.godina_rodjenja as uzrast,
       case when b.pacijent_id is null then 'Bez biološkog leka' else 'Sa biološkim lekom' end as biolosko,
       m.das28_prvi, m.das28_poslednji, m.haq_prvi, m.haq_poslednji, m.rf = 1 as rf, m.anti_ccp = 1 as anti_ccp,
       m.das28_poslednji < 2.6 as remisija,
       m.das28_poslednji >= 2.6 as aktivna
  from mere m
  join report.pacijent p on p.id = m.pacijent_id
  left join biolosko b on b.pacijent_id = m.pacijent_id
