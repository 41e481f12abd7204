-- Meseci sa linijskim grafikonom: unosi i pacijenti po mesecima
select date_trunc('month', u.datum_unosa)::date as mesec, count(*) as unosa, count(distinct u.pacijent_id) as pacijenata,
       -- Ne štampa se: nad svim ustanovama se po njoj izostavljaju male grupe.
       array_agg(distinct u.pacijent_id) as grupa_pacijenata
  from unos u
 where u.datum_unosa <= danas()
 group by 1
 order by 1
