-- Statistika infarkta miokarda: po jedan red za svakog pacijenta ustanove, njegova prva hospitalizacija u periodu.
-- Umro je u bolnici ko je umro pre otpusta: praćenje, koje počinje prijemom, nije trajalo duže od ležanja.
with hospitalizacija as (
    select u.id, p.pol_trenutni as muski, row_number() over (partition by u.pacijent_id order by u.datum_unosa, u.id) as redni
      from report.unos u
      join report.registar r on r.id = u.registar_id and r.sifra = 'kardiologija'
      join report.pacijent p on p.id = u.pacijent_id
     where u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')
), brojevi as (
    select b.unos_id,
           min(b.vrednost) filter (where b.sifra = 'starost') as starost,
           min(b.vrednost) filter (where b.sifra = 'bmi') as bmi,
           min(b.vrednost) filter (where b.sifra = 'sistolni') as sistolni,
           min(b.vrednost) filter (where b.sifra = 'puls') as puls,
           min(b.vrednost) filter (where b.sifra = 'trajanjeHospitalizacije') as dana,
           min(b.vrednost) filter (where b.sifra = 'pracenjeDana') as pracenje,
           min(b.vrednost) filter (where b.sifra = 'kvb') = 1 as kvb,
           min(b.vrednost) filter (where b.sifra = 'fibrilacija') = 1 as fibrilacija,
           min(b.vrednost) filter (where b.sifra = 'sok') = 1 as sok,
           min(b.vrednost) filter (where b.sifra = 'insuficijencija') = 1 as insuficijencija,
           min(b.vrednost) filter (where b.sifra = 'umro') = 1 as umro
      from report.broj b
     where b.sifra in ('starost', 'bmi', 'sistolni', 'puls', 'trajanjeHospitalizacije', 'pracenjeDana', 'kvb', 'fibrilacija', 'sok',
                       'insuficijencija', 'umro')
     group by b.unos_id
), izbori as (
    select v.unos_id,
           min(v.tekst) filter (where v.sifra = 'redInfarkta') as red_infarkta,
           min(v.tekst) filter (where v.sifra = 'tipInfarkta') as tip_infarkta
      from report.vrednost v
     where v.sifra in ('redInfarkta', 'tipInfarkta')
     group by v.unos_id
)
select case when h.muski then 'Muški' else 'Ženski' end as pol,
       case when h.muski then 0 else 1 end as zena,
       b.starost,
       case when b.starost < 60 then 'do 59' when b.starost < 70 then '60–69' when b.starost < 80 then '70–79' when b.starost >= 80 then '80 i više'
        end as dob,
       b.bmi, b.sistolni, b.puls, b.kvb, b.fibrilacija, b.insuficijencija, b.sok, i.red_infarkta, i.tip_infarkta, b.dana, b.pracenje, b.umro,
       b.umro and b.pracenje <= b.dana as umro_u_bolnici
  from hospitalizacija h
  left join brojevi b on b.unos_id = h.id
  left join izbori i on i.unos_id = h.id
 where h.redni = 1
