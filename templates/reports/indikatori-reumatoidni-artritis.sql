-- Indikatori kvaliteta lečenja reumatoidnog artritisa: zbirovi po godini, po ustanovi i ukupno.
-- Praćenje aktivnosti: pregledi na formularima koji imaju DAS28, i koliko ih ga ima upisan.
-- Remisija: pacijent sa prvim DAS28 od 2,6 i više u periodu; u 6. mesecu (150 do 210 dana kasnije) i u 12. (330 do 400) gleda se poslednji DAS28
-- iz tog prozora. Ko u prozoru nema DAS28, za njega ne može da se kaže. Isključen je ko nije mogao da bude praćen do kraja prozora.
-- Ustanova je niz koji ne odaje ime, drugi za svakoga ko čita i svakog dana: po njemu šablon deli slova.
-- Broj vodi na pretragu koja nalazi koga broji: preglede sa DAS28 i sve, i one čiji prozor još nije prošao. Remisija nema vezu: pretraga ne meri
-- vreme od jednog unosa do drugog. Ni drugi brojevi je nemaju ako DAS28 ima više formulara, ili se ne pretražuje.
with polja as (
    select min(f.tip_unosa_id) as formular, min(t.registar_id) as registar_id, min(f.id) as das28
      from report.polje f
      join report.tip_unosa t on t.id = f.tip_unosa_id
      join report.registar r on r.id = t.registar_id and r.sifra = 'reumatologija'
     where f.sifra = 'das28se'
    having count(*) = 1 and bool_and(f.pretrazuje_se)
), das28 as (
    select b.pacijent_id, b.unos_id, b.datum_unosa, b.vrednost,
           row_number() over (partition by b.pacijent_id order by b.datum_unosa, b.unos_id) as redni
      from report.broj b
      join report.tip_unosa t on t.id = b.tip_unosa_id
      join report.registar r on r.id = t.registar_id and r.sifra = 'reumatologija'
     where b.sifra = 'das28se' and b.datum_unosa >= coalesce(:od::date, '-infinity') and b.datum_unosa <= coalesce(:do::date, 'infinity')
), pregled as (
    select u.pacijent_id, u.ustanova_id, extract(year from u.datum_unosa)::int as godina, d.unos_id is not null as upisan
      from report.unos u
      join report.registar r on r.id = u.registar_id and r.sifra = 'reumatologija'
      left join das28 d on d.unos_id = u.id
     where u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')
       and exists (select from report.polje p where p.tip_unosa_id = u.tip_unosa_id and p.sifra = 'das28se')
), pocetak as (
    select d.pacijent_id, u.ustanova_id, extract(year from d.datum_unosa)::int as godina, d.datum_unosa as dan
      from das28 d
      join report.unos u on u.id = d.unos_id
     where d.redni = 1 and d.vrednost >= 2.6
), prozor as (
    select p.pacijent_id, p.ustanova_id, p.godina,
           p.dan + 210 <= least(coalesce(:do::date, current_date), current_date) as moze_6,
           p.dan + 400 <= least(coalesce(:do::date, current_date), current_date) as moze_12,
           (select d.vrednost from das28 d where d.pacijent_id = p.pacijent_id and d.datum_unosa between p.dan + 150 and p.dan + 210
             order by d.datum_unosa desc, d.unos_id desc limit 1) as das28_6,
           (select d.vrednost from das28 d where d.pacijent_id = p.pacijent_id and d.datum_unosa between p.dan + 330 and p.dan + 400
             order by d.datum_unosa desc, d.unos_id desc limit 1) as das28_12
      from pocetak p
), slucaj as (
    select pacijent_id, ustanova_id, godina, true as je_pregled, upisan, false as moze_6, null::float8 as das28_6, false as moze_12, null::float8 as das28_12,
           false as je_pocetak
      from pregled
    union all
    select pacijent_id, ustanova_id, godina, false, false, moze_6, das28_6::float8, moze_12, das28_12::float8, true
      from prozor
), zbir as (
    select s.godina::text || '.' as godina, s.godina as godina_broj,
           case when s.ustanova_id is not null then md5(:radnikID::text || ' ' || s.ustanova_id::text || ' ' || current_date::text) end as ustanova,
           s.ustanova_id, s.ustanova_id = :ustanovaID::bigint as moja,
           count(*) filter (where s.je_pregled) as pregledi,
           count(*) filter (where s.upisan) as upisani,
           count(*) filter (where s.moze_6) as podobni_6,
           count(*) filter (where s.je_pocetak and not s.moze_6) as iskljuceni_6,
           count(*) filter (where s.moze_6 and s.das28_6 is not null) as poznati_6,
           count(*) filter (where s.moze_6 and s.das28_6 < 2.6) as remisija_6,
           count(*) filter (where s.moze_12) as podobni_12,
           count(*) filter (where s.je_pocetak and not s.moze_12) as iskljuceni_12,
           count(*) filter (where s.moze_12 and s.das28_12 is not null) as poznati_12,
           count(*) filter (where s.moze_12 and s.das28_12 < 2.6) as remisija_12,
           -- Nad svim ustanovama: koje pacijente drži red, i koga broje njegovi brojioci i oni koji u njima nisu.
           array_agg(distinct s.pacijent_id) as grupa_pacijenata,
           array_agg(distinct s.pacijent_id) filter (where s.upisan) as "grupa_pacijenata upisani",
           array_agg(distinct s.pacijent_id) filter (where s.je_pocetak and not s.moze_6) as "grupa_pacijenata iskljuceni_6",
           array_agg(distinct s.pacijent_id) filter (where s.je_pocetak and not s.moze_12) as "grupa_pacijenata iskljuceni_12",
           array_agg(distinct s.pacijent_id) filter (where s.moze_6 and s.das28_6 < 2.6) as "grupa_pacijenata remisija_6",
           array_agg(distinct s.pacijent_id) filter (where s.moze_6 and s.das28_6 >= 2.6) as "grupa_pacijenata remisija_6 poznati_6",
           array_agg(distinct s.pacijent_id) filter (where s.moze_12 and s.das28_12 < 2.6) as "grupa_pacijenata remisija_12",
           array_agg(distinct s.pacijent_id) filter (where s.moze_12 and s.das28_12 >= 2.6) as "grupa_pacijenata remisija_12 poznati_12"
      from slucaj s
     group by grouping sets ((s.godina), (s.ustanova_id), ())
)
select z.*, p.pregledi as "pretraga pregledi", p.upisani as "pretraga upisani", p.iskljuceni_6 as "pretraga iskljuceni_6",
       p.iskljuceni_12 as "pretraga iskljuceni_12"
  from zbir z
  left join lateral (
    select (o.pretraga || jsonb_build_object('unosi', true, 'unos', o.pregled))::text as pregledi,
           (o.pretraga || jsonb_build_object('unosi', true, 'unos', o.pregled, 'uslovi', jsonb_build_array(o.upisan)))::text as upisani,
           (o.pretraga || jsonb_build_object('unos', o.pocetak || jsonb_build_object('od', to_char(greatest(o.od, o.kraj - 209), 'YYYY-MM-DD')),
               'uslovi', jsonb_build_array(o.aktivan)))::text as iskljuceni_6,
           (o.pretraga || jsonb_build_object('unos', o.pocetak || jsonb_build_object('od', to_char(greatest(o.od, o.kraj - 399), 'YYYY-MM-DD')),
               'uslovi', jsonb_build_array(o.aktivan)))::text as iskljuceni_12
      from (select jsonb_build_object('registarID', f.registar_id, 'sveUstanove', report.vidi_sve()) as pretraga,
                   jsonb_build_object('tipUnosaID', f.formular, 'svoj', z.ustanova_id is not null,
                       'od', to_char(greatest(make_date(z.godina_broj, 1, 1), :od::date), 'YYYY-MM-DD'),
                       'do', to_char(least(make_date(z.godina_broj, 12, 31), :do::date), 'YYYY-MM-DD')) as pregled,
                   jsonb_build_object('tipUnosaID', f.formular, 'svoj', z.ustanova_id is not null,
                       'do', to_char(make_date(z.godina_broj, 12, 31), 'YYYY-MM-DD'), 'izbor', jsonb_build_object('koji', 'prvi',
                       'od', to_char(:od::date, 'YYYY-MM-DD'), 'do', to_char(:do::date, 'YYYY-MM-DD'),
                       'uslovi', jsonb_build_array(jsonb_build_object('poljeID', f.das28, 'operator', 'popunjeno')))) as pocetak,
                   make_date(z.godina_broj, 1, 1) as od, least(coalesce(:do::date, current_date), current_date) as kraj,
                   jsonb_build_object('poljeID', f.das28, 'operator', 'popunjeno') as upisan,
                   jsonb_build_object('poljeID', f.das28, 'operator', '>=', 'vrednost', '2,6') as aktivan
              from polja f) o
  ) p on z.ustanova_id is null or z.moja
 order by z.godina nulls last, z.ustanova nulls last
