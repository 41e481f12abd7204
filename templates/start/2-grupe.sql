-- Grupe sa zbirovima: unosi po registrima i formularima, sa zbirom svakog registra
select r.naziv as registar, t.naziv as formular, count(*) as unosa, count(distinct u.pacijent_id) as pacijenata,
       -- Ne štampa se: nad svim ustanovama se po njoj izostavljaju male grupe.
       array_agg(distinct u.pacijent_id) as grupa_pacijenata
  from unos u
  join registar r on r.id = u.registar_id
  join tip_unosa t on t.id = u.tip_unosa_id
 where u.datum_unosa <= danas()
 group by r.id, r.naziv, t.id, t.naziv, t.prikazni_redosled
 order by r.naziv collate "sr-Latn-x-icu", r.id, t.prikazni_redosled, t.id
