-- Kvalitet unosa po registru, ustanovi, formularu i mesecu pregleda: potpunost, otvoreni i provereni nalazi, upiti koji nisu zatvoreni.
with izabrani as (
    select u.id, u.pacijent_id, u.registar_id, u.ustanova_id, u.tip_unosa_id, date_trunc('month', u.datum_unosa)::date as mesec, u.popunjeni_relevantni
      from report.unos u
     where u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')
       and (:registar::bigint is null or u.registar_id = :registar::bigint)
       and (:ustanove::bigint[] is null or u.ustanova_id = any (:ustanove::bigint[]))
), nalazi as (
    select n.unos_id, count(*) filter (where n.stanje = 'otvoren') as otvoreni, count(*) filter (where n.stanje = 'potvrdjen') as provereni
      from report.nalaz n
     where n.stanje in ('otvoren', 'potvrdjen')
     group by n.unos_id
), upiti as (
    select q.unos_id, count(*) as otvoreni
      from report.upit q
     where q.stanje <> 'zatvoren'
     group by q.unos_id
)
select r.naziv as registar, s.naziv as ustanova, t.naziv as formular, i.mesec,
       count(*) as unosi,
       count(*) filter (where i.popunjeni_relevantni) as potpuni,
       coalesce(sum(n.otvoreni), 0)::bigint as nalazi,
       coalesce(sum(n.provereni), 0)::bigint as provereni,
       coalesce(sum(q.otvoreni), 0)::bigint as upiti,
       -- Nad svim ustanovama: čiji su unosi, koje pacijente drži red, i čiji su nalazi i upiti.
       s.id as ustanova_id, array_agg(distinct i.pacijent_id) as grupa_pacijenata,
       array_agg(distinct i.pacijent_id) filter (where n.otvoreni > 0) as "grupa_pacijenata nalazi",
       array_agg(distinct i.pacijent_id) filter (where n.provereni > 0) as "grupa_pacijenata provereni",
       array_agg(distinct i.pacijent_id) filter (where q.otvoreni > 0) as "grupa_pacijenata upiti"
  from izabrani i
  join report.registar r on r.id = i.registar_id
  join report.ustanova s on s.id = i.ustanova_id
  join report.tip_unosa t on t.id = i.tip_unosa_id
  left join nalazi n on n.unos_id = i.id
  left join upiti q on q.unos_id = i.id
 group by r.id, r.naziv, s.id, s.naziv, t.id, t.naziv, t.prikazni_redosled, i.mesec
 order by r.naziv collate "sr-Latn-x-icu", r.id, s.naziv collate "sr-Latn-x-icu", s.id, t.prikazni_redosled, t.id, i.mesec
