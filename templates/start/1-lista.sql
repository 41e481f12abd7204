-- Lista: po jedan red za svakog pacijenta, sa brojem unosa i poslednjim pregledom
select p.id as pacijent_id, p.ime_prezime, p.datum_rodjenja, case when p.pol_trenutni then 'Muški' else 'Ženski' end as pol,
       sum(r.broj_unosa)::bigint as unosa, max(r.poslednji_unos_datum) as poslednji_unos
  from pacijent p
  join pacijent_registar r on r.pacijent_id = p.id
 where r.broj_unosa > 0
 group by p.id, p.ime_prezime, p.datum_rodjenja, p.pol_trenutni
 order by p.ime_prezime collate "sr-Latn-x-icu", p.id
