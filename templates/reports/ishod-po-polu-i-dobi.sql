-- Ishod infarkta miokarda: po jedan red za svaku dobnu grupu oba pola.
-- Pacijent se broji jednom, u dobnoj grupi svoje poslednje hospitalizacije u periodu; dani ležanja sabiraju se po
-- hospitalizacijama. Umro je u bolnici ko je umro pre otpusta: praćenje, koje počinje prijemom, nije trajalo duže od ležanja.
-- Umrli u toku praćenja su svi umrli, i oni u bolnici. Procente i prosek računa šablon iz ovih zbirova, pa su tačni i u
-- međuzbirovima.
-- Broj pacijenata vodi na pretragu koja ih nalazi: poslednji unos u periodu, traženog tipa, po polu i dobi. Umrli u bolnici nemaju vezu: pretraga ne
-- poredi dva polja istog unosa. Veze nema ni kada su izabrane druge ustanove, registar ima više formulara, ili se polja ne pretražuju.
with polja as (
    select t.id as formular, t.registar_id, min(f.id) filter (where f.sifra = 'starost') as starost,
           min(f.id) filter (where f.sifra = 'tipInfarkta') as tip, min(f.id) filter (where f.sifra = 'umro') as umro
      from report.registar r
      join report.tip_unosa t on t.registar_id = r.id
      join report.polje f on f.tip_unosa_id = t.id and f.pretrazuje_se and f.sifra in ('starost', 'tipInfarkta', 'umro')
     where r.sifra = 'kardiologija' and not exists (select from report.tip_unosa d where d.registar_id = r.id and d.id <> t.id)
       and (:ustanove::bigint[] is null or :ustanove::bigint[] = array[:ustanovaID::bigint])
     group by t.id, t.registar_id
    having count(distinct f.sifra) = 3
), vrednosti as (
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
), zbir as (
    select m.muski, m.grupa, m.pol, m.dob,
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
)
select z.*, p.pacijenti as "pretraga pacijenti", p.umrli as "pretraga umrli_u_pracenju"
  from zbir z
  left join lateral (
    select o.pretraga::text as pacijenti,
           jsonb_set(o.pretraga, '{uslovi}', (o.pretraga -> 'uslovi') || jsonb_build_object('veza', 'i', 'poljeID', o.umro, 'operator', 'izabrano'))::text
               as umrli
      from (select f.umro, jsonb_build_object('registarID', f.registar_id, 'pol', z.muski, 'sveUstanove', report.vidi_sve(), 'unos', jsonb_build_object(
                       'tipUnosaID', f.formular,
                       'izbor', jsonb_build_object('koji', 'poslednji', 'od', to_char(:od::date, 'YYYY-MM-DD'), 'do', to_char(:do::date, 'YYYY-MM-DD'),
                           'svoj', :ustanove::bigint[] is not null,
                           'uslovi', case when :tipInfarkta::float8 is null then '[]'
                                          else jsonb_build_array(jsonb_build_object('poljeID', f.tip, 'operator', 'izabrano',
                                                                                    'vrednost', (:tipInfarkta::float8)::bigint::text)) end)),
                   'uslovi', case z.grupa when 5 then jsonb_build_array(jsonb_build_object('veza', 'i', 'poljeID', f.starost, 'operator', 'nijePopunjeno'))
                       else (select jsonb_agg(jsonb_build_object('veza', 'i', 'poljeID', f.starost, 'operator', g.operator, 'vrednost', g.granica))
                               from (values (1, '<', '60'), (2, '>=', '60'), (2, '<', '70'), (3, '>=', '70'), (3, '<', '80'), (4, '>=', '80'))
                                    g (grupa, operator, granica)
                              where g.grupa = z.grupa) end) as pretraga
              from polja f) o
  ) p on true
 order by z.muski desc, z.grupa
