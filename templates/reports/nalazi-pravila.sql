-- Nalazi pravila kvaliteta po registru, ustanovi, formularu, pravilu i polju: koliko ih je otvoreno, provereno i završeno.
select r.naziv as registar, s.naziv as ustanova, t.naziv as formular, n.pravilo,
       case n.tezina when 'greska' then 'Greška' else 'Upozorenje' end as tezina, coalesce(n.polje, 'Ceo unos') as polje,
       count(*) as nalazi,
       count(*) filter (where n.stanje = 'otvoren') as otvoreni,
       count(*) filter (where n.stanje = 'potvrdjen') as provereni,
       count(*) filter (where n.stanje = 'zavrsen') as zavrseni,
       -- Nad svim ustanovama: čiji su unosi, koje pacijente drži red, i čiji su nalazi u kom stanju.
       s.id as ustanova_id, array_agg(distinct n.pacijent_id) as grupa_pacijenata,
       array_agg(distinct n.pacijent_id) filter (where n.stanje = 'otvoren') as "grupa_pacijenata otvoreni",
       array_agg(distinct n.pacijent_id) filter (where n.stanje = 'potvrdjen') as "grupa_pacijenata provereni",
       array_agg(distinct n.pacijent_id) filter (where n.stanje = 'zavrsen') as "grupa_pacijenata zavrseni"
  from report.nalaz n
  join report.registar r on r.id = n.registar_id
  join report.ustanova s on s.id = n.ustanova_id
  join report.tip_unosa t on t.id = n.tip_unosa_id
 where n.datum_unosa >= coalesce(:od::date, '-infinity') and n.datum_unosa <= coalesce(:do::date, 'infinity')
   and (:registar::bigint is null or n.registar_id = :registar::bigint)
   and (:ustanove::bigint[] is null or n.ustanova_id = any (:ustanove::bigint[]))
 group by r.id, r.naziv, s.id, s.naziv, t.id, t.naziv, t.prikazni_redosled, n.pravilo_id, n.pravilo, n.tezina, n.polje_id, n.polje
 order by r.naziv collate "sr-Latn-x-icu", r.id, s.naziv collate "sr-Latn-x-icu", s.id, t.prikazni_redosled, t.id,
          n.pravilo collate "sr-Latn-x-icu", n.pravilo_id, n.polje collate "sr-Latn-x-icu" nulls first, n.polje_id
