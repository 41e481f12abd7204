-- Ishod infarkta miokarda: po jedan red za svaku dobnu grupu oba pola.
-- Pacijent se broji jednom, u dobnoj grupi svoje poslednje hospitalizacije u periodu; dani ležanja sabiraju se po
-- hospitalizacijama. Umro je u bolnici ko je umro pre otpusta: praćenje, koje počinje prijemom, nije trajalo duže od ležanja.
-- Umrli u toku praćenja su svi umrli, i oni u bolnici. Procente i prosek računa šablon iz ovih zbirova, pa su tačni i u
-- međuzbirovima.
with vrednosti as (
    select b.unos_id,
           min(b.vrednost) filter (where b.sifra = 'starost') as starost,
           min(b.vrednost) filter (where b.sifra = 'trajanjeHospitalizacije') as dana,
           min(b.vrednost) filter (where b.sifra = 'pracenjeDana') as pracenje,
           coalesce(max(b.vrednost) filter (where b.sifra = 'umro'), 0) = 1 as umro,
           coalesce(bool_or(b.sifra = 'tipInfarkta' and b.vrednost = :tipInfarkta::float8), false) as trazeni_tip
      from report.broj b
     where b.sifra in ('starost', 'trajanjeHospitalizacije', 'pracenjeDana', 'umro', 'tipInfarkta')
     group by b.unos_id
), hospitalizacija as (
    select u.id, u.pacijent_id, p.pol_trenutni as muski, v.starost, v.dana, coalesce(v.umro, false) as umro,
           coalesce(v.umro and v.pracenje <= v.dana, false) as umro_u_bolnici,
           row_number() over (partition by u.pacijent_id order by u.datum_unosa desc, u.id desc) = 1 as poslednja
      from report.unos u
      join report.registar r on r.id = u.registar_id and r.sifra = 'kardiologija'
      join report.pacijent p on p.id = u.pacijent_id
      left join vrednosti v on v.unos_id = u.id
     where u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')
       and (:ustanove::bigint[] is null or u.ustanova_id = any (:ustanove::bigint[]))
       and (:tipInfarkta::float8 is null or v.trazeni_tip)
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
       count(h.id) filter (where h.poslednja and h.umro_u_bolnici) as umrli_u_bolnici,
       count(h.id) filter (where h.poslednja and h.umro) as umrli_u_pracenju,
       coalesce(sum(h.dana), 0)::numeric as dani,
       count(h.dana) as boravci,
       -- Nad svim ustanovama: koje pacijente drži red, i čiji su dani u zbiru.
       array_agg(distinct h.pacijent_id) as grupa_pacijenata,
       array_agg(distinct h.pacijent_id) filter (where h.dana is not null) as "grupa_pacijenata dani boravci"
  from mreza m
  left join razvrstana h on h.muski = m.muski and h.grupa = m.grupa
 group by m.muski, m.pol, m.grupa, m.dob
having m.grupa < 5 or count(h.id) > 0
 order by m.muski desc, m.grupa
