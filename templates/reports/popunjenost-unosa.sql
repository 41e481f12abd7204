-- Broj unosa i popunjenost relevantnih polja po ustanovi i mesecu.
-- Polje je popunjeno kada unos ima vrednost koja nije prazna; polja bez vrednosti (naslovi, paneli) se ne broje.
with izabrani as (
    select u.id, u.pacijent_id, u.ustanova_id, date_trunc('month', u.datum_unosa)::date as mesec, u.tip_unosa_id, u.popunjeni_relevantni, u.popunjena
      from report.unos u
     where u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')
       and (:ustanove::bigint[] is null or u.ustanova_id = any (:ustanove::bigint[]))
), polja as (
    select tip_unosa_id, array_agg(id::text) as kljucevi, count(*) as broj
      from report.polje
     where relevantni and vrsta is not null
     group by tip_unosa_id
)
select s.naziv as ustanova, i.mesec,
       count(*) as unosi,
       count(*) filter (where i.popunjeni_relevantni) as potpuni,
       coalesce(sum(f.broj), 0)::bigint as polja,
       coalesce(sum((select count(*) from unnest(f.kljucevi) k where k = any (i.popunjena))), 0)::bigint as popunjena,
       -- Nad svim ustanovama: čiji su unosi, i koje pacijente drži red.
       s.id as ustanova_id, array_agg(distinct i.pacijent_id) as grupa_pacijenata
  from izabrani i
  join report.ustanova s on s.id = i.ustanova_id
  left join polja f on f.tip_unosa_id = i.tip_unosa_id
 group by s.id, s.naziv, i.mesec
 order by s.naziv collate "sr-Latn-x-icu", s.id, i.mesec
