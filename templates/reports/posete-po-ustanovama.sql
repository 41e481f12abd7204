-- Koliko je zakazanih poseta ispunjeno na vreme, van prozora, propušteno ili kasni, po ustanovi i registru. Buduće i otkazane se ne broje.
select s.naziv as ustanova, r.naziv as registar,
       count(*) as posete,
       count(*) filter (where v.stanje = 'ispunjena') as na_vreme,
       count(*) filter (where v.stanje = 'vanProzora') as van_prozora,
       count(*) filter (where v.stanje = 'kasni') as kasni,
       count(*) filter (where v.stanje = 'propustena') as propustene,
       -- Nad svim ustanovama: čije su posete, i koje pacijente drži red.
       s.id as ustanova_id, array_agg(distinct v.pacijent_id) as grupa_pacijenata
  from report.poseta v
  join report.ustanova s on s.id = v.ustanova_id
  join report.registar r on r.id = v.registar_id
 where v.stanje in ('ispunjena', 'vanProzora', 'kasni', 'propustena')
   and v.cilj >= coalesce(:od::date, '-infinity') and v.cilj <= coalesce(:do::date, 'infinity')
   and (:ustanove::bigint[] is null or v.ustanova_id = any (:ustanove::bigint[]))
 group by s.id, s.naziv, r.id, r.naziv
 order by s.naziv collate "sr-Latn-x-icu", s.id, r.naziv collate "sr-Latn-x-icu", r.id
