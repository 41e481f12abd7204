-- Ishod bolničkog lečenja infarkta: po jedan red za svaku dobnu grupu oba pola.
-- Pacijent se broji jednom, u dobnoj grupi svoje poslednje hospitalizacije u periodu; dani ležanja sabiraju se po
-- hospitalizacijama. Smrtnost i prosek računa šablon iz ovih zbirova, pa su tačni i u međuzbirovima.
with hospitalizacija as (
    select u.id, u.pacijent_id, p.pol_trenutni as muski,
           row_number() over (partition by u.pacijent_id order by u.datum_unosa desc, u.id desc) = 1 as poslednja,
           (select min(b.vrednost) from report.broj b where b.unos_id = u.id and b.sifra = 'starost') as starost,
           (select min(b.vrednost) from report.broj b where b.unos_id = u.id and b.sifra = 'trajanjeHospitalizacije') as dana,
           coalesce((select max(b.vrednost) from report.broj b where b.unos_id = u.id and b.sifra = 'umro'), 0) = 1 as umro
      from report.unos u
      join report.registar r on r.id = u.registar_id and r.sifra = 'kardiologija'
      join report.pacijent p on p.id = u.pacijent_id
     where u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')
       and (:ustanove::bigint[] is null or u.ustanova_id = any (:ustanove::bigint[]))
       and (:tipInfarkta::float8 is null or exists (
               select from report.broj t
                where t.unos_id = u.id and t.sifra = 'tipInfarkta' and t.vrednost = :tipInfarkta::float8))
), razvrstana as (
    select *, case when starost < 60 then 1 when starost < 70 then 2 when starost < 80 then 3 when starost >= 80 then 4 else 5 end as grupa
      from hospitalizacija
), mreza as (
    select pol.muski, pol.pol, g.grupa, g.dob
      from (values (true, 'Muški'), (false, 'Ženski')) as pol (muski, pol)
     cross join (values (1, 'do 59'), (2, '60–69'), (3, '70–79'), (4, '80 i više'), (5, 'nepoznato')) as g (grupa, dob)
)
select m.pol, m.dob,
       count(h.id) as hospitalizacije,
       count(h.id) filter (where h.poslednja) as pacijenti,
       count(h.id) filter (where h.poslednja and h.umro) as umrli,
       coalesce(sum(h.dana), 0)::numeric as dani,
       count(h.dana) as boravci
  from mreza m
  left join razvrstana h on h.muski = m.muski and h.grupa = m.grupa
 group by m.muski, m.pol, m.grupa, m.dob
having m.grupa < 5 or count(h.id) > 0
 order by m.muski desc, m.grupa
