-- Indikatori kvaliteta lečenja infarkta miokarda: zbirovi po godini prijema, po ustanovi i ukupno.
-- Slučaj je prva hospitalizacija pacijenta u periodu. Isključen je kardiogeni šok pri prijemu: njegov ishod ne meri lečenje.
-- Bolnička smrt: umro pre otpusta. Smrt u 30 dana: za onoga ko je umro, ili je praćen bar 30 dana, može da se kaže; za ostale ne može.
-- Ustanova je niz koji ne odaje ime, drugi za svakoga ko čita i svakog dana: po njemu šablon deli slova.
-- Broj vodi na pretragu koja nalazi koga broji: prvi unos u periodu, iz godine reda i, u redu ustanove, svoj. Umrli u bolnici nemaju vezu: pretraga
-- ne poredi dva polja istog unosa. Ni drugi brojevi je nemaju ako registar ima više formulara, ili se polja ne pretražuju.
with polja as (
    select t.id as formular, t.registar_id,
           min(f.id) filter (where f.sifra = 'sok') as sok, min(f.id) filter (where f.sifra = 'umro') as umro,
           min(f.id) filter (where f.sifra = 'trajanjeHospitalizacije') as dana, min(f.id) filter (where f.sifra = 'pracenjeDana') as pracenje
      from report.registar r
      join report.tip_unosa t on t.registar_id = r.id
      join report.polje f on f.tip_unosa_id = t.id and f.pretrazuje_se and f.sifra in ('sok', 'umro', 'trajanjeHospitalizacije', 'pracenjeDana')
     where r.sifra = 'kardiologija' and not exists (select from report.tip_unosa d where d.registar_id = r.id and d.id <> t.id)
     group by t.id, t.registar_id
    having count(distinct f.sifra) = 4
), hospitalizacija as (
    select u.id, u.pacijent_id, u.ustanova_id, extract(year from u.datum_unosa)::int as godina,
           row_number() over (partition by u.pacijent_id order by u.datum_unosa, u.id) as redni
      from report.unos u
      join report.registar r on r.id = u.registar_id and r.sifra = 'kardiologija'
     where u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')
), brojevi as (
    select b.unos_id,
           min(b.vrednost) filter (where b.sifra = 'trajanjeHospitalizacije') as dana,
           min(b.vrednost) filter (where b.sifra = 'pracenjeDana') as pracenje,
           min(b.vrednost) filter (where b.sifra = 'sok') = 1 as sok,
           min(b.vrednost) filter (where b.sifra = 'umro') = 1 as umro
      from report.broj b
     where b.sifra in ('trajanjeHospitalizacije', 'pracenjeDana', 'sok', 'umro')
     group by b.unos_id
), slucaj as (
    select h.pacijent_id, h.ustanova_id, h.godina, coalesce(b.sok, false) as sok,
           b.umro is not null and b.dana is not null and b.pracenje is not null as zna_bolnicu,
           coalesce(b.umro and b.pracenje <= b.dana, false) as umro_u_bolnici,
           coalesce(b.umro is not null and b.pracenje is not null and (b.umro or b.pracenje >= 30), false) as zna_30,
           coalesce(b.umro and b.pracenje <= 30, false) as umro_30
      from hospitalizacija h
      left join brojevi b on b.unos_id = h.id
     where h.redni = 1
), zbir as (
    select s.godina::text || '.' as godina, s.godina as godina_broj,
           case when s.ustanova_id is not null then md5(:radnikID::text || ' ' || s.ustanova_id::text || ' ' || current_date::text) end as ustanova,
           s.ustanova_id, s.ustanova_id = :ustanovaID::bigint as moja,
           count(*) filter (where not s.sok) as podobni,
           count(*) filter (where s.sok) as iskljuceni,
           count(*) filter (where not s.sok and s.zna_bolnicu) as bolnica,
           count(*) filter (where not s.sok and s.zna_bolnicu and s.umro_u_bolnici) as umrli_u_bolnici,
           count(*) filter (where not s.sok and s.zna_30) as trideset,
           count(*) filter (where not s.sok and s.zna_30 and s.umro_30) as umrli_30,
           -- Nad svim ustanovama: koje pacijente drži red, i koga broje njegovi brojioci i oni koji u njima nisu.
           array_agg(distinct s.pacijent_id) as grupa_pacijenata,
           array_agg(distinct s.pacijent_id) filter (where s.sok) as "grupa_pacijenata iskljuceni",
           array_agg(distinct s.pacijent_id) filter (where not s.sok and s.zna_bolnicu and s.umro_u_bolnici) as "grupa_pacijenata umrli_u_bolnici",
           array_agg(distinct s.pacijent_id) filter (where not s.sok and s.zna_bolnicu and not s.umro_u_bolnici)
               as "grupa_pacijenata umrli_u_bolnici ",
           array_agg(distinct s.pacijent_id) filter (where not s.sok and s.zna_30 and s.umro_30) as "grupa_pacijenata umrli_30",
           array_agg(distinct s.pacijent_id) filter (where not s.sok and s.zna_30 and not s.umro_30) as "grupa_pacijenata umrli_30 "
      from slucaj s
     group by grouping sets ((s.godina), (s.ustanova_id), ())
)
select z.*, p.bolnica as "pretraga bolnica", p.trideset as "pretraga trideset", p.umrli_30 as "pretraga umrli_30", p.iskljuceni as "pretraga iskljuceni"
  from zbir z
  left join lateral (
    select (o.pretraga || jsonb_build_object('uslovi', jsonb_build_array(o.lecen, o.zna_ishod, o.zna_dane, o.pracen)))::text as bolnica,
           (o.pretraga || jsonb_build_object('uslovi', jsonb_build_array(o.lecen, o.umro, o.pracen, o.ili_lecen, o.zna_ishod, o.pracen_30)))::text
               as trideset,
           (o.pretraga || jsonb_build_object('uslovi', jsonb_build_array(o.lecen, o.umro, o.do_30)))::text as umrli_30,
           (o.pretraga || jsonb_build_object('uslovi', jsonb_build_array(o.sok)))::text as iskljuceni
      from (select jsonb_build_object('registarID', f.registar_id, 'sveUstanove', report.vidi_sve(), 'unos', jsonb_build_object(
                       'tipUnosaID', f.formular, 'od', to_char(make_date(z.godina_broj, 1, 1), 'YYYY-MM-DD'),
                       'do', to_char(make_date(z.godina_broj, 12, 31), 'YYYY-MM-DD'), 'svoj', z.ustanova_id is not null,
                       'izbor', jsonb_build_object('koji', 'prvi', 'od', to_char(:od::date, 'YYYY-MM-DD'), 'do', to_char(:do::date, 'YYYY-MM-DD'))))
                       as pretraga,
                   jsonb_build_object('veza', 'i', 'poljeID', f.sok, 'operator', 'nijeIzabrano') as lecen,
                   jsonb_build_object('veza', 'ili', 'poljeID', f.sok, 'operator', 'nijeIzabrano') as ili_lecen,
                   jsonb_build_object('veza', 'i', 'poljeID', f.sok, 'operator', 'izabrano') as sok,
                   jsonb_build_object('veza', 'i', 'poljeID', f.umro, 'operator', 'popunjeno') as zna_ishod,
                   jsonb_build_object('veza', 'i', 'poljeID', f.umro, 'operator', 'izabrano') as umro,
                   jsonb_build_object('veza', 'i', 'poljeID', f.dana, 'operator', 'popunjeno') as zna_dane,
                   jsonb_build_object('veza', 'i', 'poljeID', f.pracenje, 'operator', 'popunjeno') as pracen,
                   jsonb_build_object('veza', 'i', 'poljeID', f.pracenje, 'operator', '>=', 'vrednost', '30') as pracen_30,
                   jsonb_build_object('veza', 'i', 'poljeID', f.pracenje, 'operator', '<=', 'vrednost', '30') as do_30
              from polja f) o
  ) p on z.ustanova_id is null or z.moja
 order by z.godina nulls last, z.ustanova nulls last
