-- Pacijenti registra, po jedan red, sa najnovijim vrednostima relevantnih brojnih polja. Vrednosti mogu biti sa različitih
-- pregleda, pa uz vrednosti svakog pregleda stoji njegov datum, počev od najnovijeg.
with najnovija as (
    select distinct on (b.pacijent_id, f.id)
           b.pacijent_id, b.unos_id, b.datum_unosa, f.naziv, f.redosled, f.tip_unosa_id, f.jedinica,
           report.tekst_broja(b.vrednost::text::numeric) as vrednost
      from report.broj b
      join report.polje f on f.tip_unosa_id = b.tip_unosa_id and f.sifra = b.sifra and f.relevantni and f.vrsta = 'brojni'
      join report.tip_unosa t on t.id = b.tip_unosa_id
     where (:registar::bigint is null or t.registar_id = :registar::bigint) and b.datum_unosa <= danas()
     order by b.pacijent_id, f.id, b.datum_unosa desc, b.unos_id desc
), pregled as (
    select pacijent_id, unos_id, datum_unosa, tip_unosa_id,
           to_char(datum_unosa, 'DD.MM.YYYY.') || ': '
           || string_agg(naziv || ' ' || vrednost || coalesce(' ' || nullif(trim(jedinica), ''), ''), '; ' order by redosled) as tekst
      from najnovija
     group by pacijent_id, unos_id, datum_unosa, tip_unosa_id
), vrednosti as (
    select pacijent_id, string_agg(tekst, ' | ' order by datum_unosa desc, tip_unosa_id, unos_id desc) as poslednje
      from pregled
     group by pacijent_id
), lista as (
    select p.id, p.ime_prezime, p.jmbg, p.datum_rodjenja, case when p.pol_trenutni then 'Muški' else 'Ženski' end as pol,
           coalesce(p.mobilni_telefon, p.kontakt_telefon) as telefon, p.broj_kartona, u.naziv as ustanova,
           max(pr.poslednji_unos_datum) as poslednji_unos, sum(pr.broj_unosa)::bigint as unosa
      from report.pacijent_registar pr
      join report.pacijent p on p.id = pr.pacijent_id
      left join report.ustanova u on u.id = p.ustanova_id
     where pr.broj_unosa > 0 and (:registar::bigint is null or pr.registar_id = :registar::bigint)
     group by p.id, p.ime_prezime, p.jmbg, p.datum_rodjenja, p.pol_trenutni, p.mobilni_telefon, p.kontakt_telefon, p.broj_kartona, u.naziv
)
select l.id as pacijent_id, row_number() over (order by l.ime_prezime collate "sr-Latn-x-icu", l.id) as rb,
       l.ime_prezime, l.jmbg, l.datum_rodjenja, l.pol, l.telefon, l.broj_kartona, l.ustanova, l.poslednji_unos, l.unosa, v.poslednje
  from lista l
  left join vrednosti v on v.pacijent_id = l.id
 order by l.ime_prezime collate "sr-Latn-x-icu", l.id
