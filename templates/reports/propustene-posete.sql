-- Posete ustanove koje kasne ili su propuštene, po lekaru: jedan red za svaku. Šta je poseta na dan izvršavanja kaže pogled.
select v.pacijent_id, coalesce(l.ime_prezime, 'Bez lekara') as lekar, p.ime_prezime, p.jmbg,
       coalesce(p.mobilni_telefon, p.kontakt_telefon) as telefon, r.naziv as registar, v.naziv as poseta, v.cilj, v.prozor_do,
       case v.stanje when 'kasni' then 'Kasni' else 'Propuštena' end as stanje, danas() - v.prozor_do as dana
  from report.poseta v
  join report.pacijent p on p.id = v.pacijent_id
  join report.registar r on r.id = v.registar_id
  left join report.radnik l on l.id = v.radnik_id
 where v.stanje in ('kasni', 'propustena') and v.ustanova_id = :ustanovaID::bigint
   and (:registar::bigint is null or v.registar_id = :registar::bigint)
   and v.cilj >= coalesce(:od::date, '-infinity') and v.cilj <= coalesce(:do::date, 'infinity')
 order by coalesce(l.ime_prezime, 'Bez lekara') collate "sr-Latn-x-icu", l.id, v.prozor_do desc, p.ime_prezime collate "sr-Latn-x-icu", v.id
