-- Upiti o unosima po registru, ustanovi, formularu i mesecu u kome su postavljeni: šta je sa njima i za koliko dana se zatvaraju.
select r.naziv as registar, s.naziv as ustanova, t.naziv as formular, date_trunc('month', q.postavljen)::date as mesec,
       count(*) as upiti,
       count(*) filter (where q.stanje in ('otvoren', 'ponovoOtvoren')) as otvoreni,
       count(*) filter (where q.stanje = 'odgovoren') as odgovoreni,
       count(*) filter (where q.stanje = 'zatvoren') as zatvoreni,
       count(*) filter (where q.kasni) as kasne,
       coalesce(sum(q.zatvoren - q.postavljen), 0)::bigint as dani,
       -- Nad svim ustanovama: čiji su unosi, koje pacijente drži red, i čiji su upiti u kom stanju.
       s.id as ustanova_id, array_agg(distinct q.pacijent_id) as grupa_pacijenata,
       array_agg(distinct q.pacijent_id) filter (where q.stanje in ('otvoren', 'ponovoOtvoren')) as "grupa_pacijenata otvoreni",
       array_agg(distinct q.pacijent_id) filter (where q.stanje = 'odgovoren') as "grupa_pacijenata odgovoreni",
       array_agg(distinct q.pacijent_id) filter (where q.stanje = 'zatvoren') as "grupa_pacijenata zatvoreni dani",
       array_agg(distinct q.pacijent_id) filter (where q.kasni) as "grupa_pacijenata kasne"
  from report.upit q
  join report.registar r on r.id = q.registar_id
  join report.ustanova s on s.id = q.ustanova_id
  join report.tip_unosa t on t.id = q.tip_unosa_id
 where q.postavljen >= coalesce(:od::date, '-infinity') and q.postavljen <= coalesce(:do::date, 'infinity')
   and (:registar::bigint is null or q.registar_id = :registar::bigint)
   and (:ustanove::bigint[] is null or q.ustanova_id = any (:ustanove::bigint[]))
 group by r.id, r.naziv, s.id, s.naziv, t.id, t.naziv, t.prikazni_redosled, date_trunc('month', q.postavljen)
 order by r.naziv collate "sr-Latn-x-icu", r.id, s.naziv collate "sr-Latn-x-icu", s.id, t.prikazni_redosled, t.id, date_trunc('month', q.postavljen)
