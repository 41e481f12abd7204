-- Karton jednog pacijenta: po jedan red za svaku popunjenu vrednost svakog unosa; podaci o pacijentu ponavljaju se u
-- svakom redu. Pacijent bez unosa daje jedan red bez vrednosti.
select p.id as pacijent_id, p.ime, p.prezime, p.ime_roditelja, p.datum_rodjenja, p.jmbg, p.lbo, p.broj_kartona,
       case when p.pol_trenutni then 'Muški' else 'Ženski' end as pol,
       p.adresa, p.kontakt_telefon, p.mobilni_telefon, p.email, p.zanimanje, p.medicinska_napomena, m.naziv as maticna_ustanova,
       u.id as unos_id, r.naziv as registar, t.naziv as obrazac, u.datum_unosa, s.naziv as ustanova, l.ime_prezime as lekar,
       v.naziv as polje, v.vrednost
  from report.pacijent p
  left join report.ustanova m on m.id = p.ustanova_id
  left join report.unos u on u.pacijent_id = p.id
  left join report.registar r on r.id = u.registar_id
  left join report.tip_unosa t on t.id = u.tip_unosa_id
  left join report.ustanova s on s.id = u.ustanova_id
  left join report.radnik l on l.id = u.radnik_odgovoran_id
  left join lateral (
      select f.naziv, f.redosled, f.id,
             case f.tip_vrednosti
                  when 1 then case when j.vrednost = 'true' then 'Da' else 'Ne' end
                  when 2 then report.tekst_broja((j.vrednost #>> '{}')::numeric) || coalesce(' ' || nullif(trim(f.jedinica), ''), '')
                  when 4 then (select string_agg(i.naziv, ', ' order by i.redosled, i.id) from report.stavka i
                                where i.id in (select item::bigint from jsonb_array_elements_text(
                                      case jsonb_typeof(j.vrednost) when 'array' then j.vrednost else '[]' end) item))
                  when 5 then to_char((j.vrednost #>> '{}')::date, 'DD.MM.YYYY.')
                  when 9 then 'slika'
                  else (j.vrednost #>> '{}') || coalesce(' ' || nullif(trim(f.jedinica), ''), '')
             end as vrednost
        from report.polje f
       cross join lateral (select u.vrednosti -> f.id::text as vrednost) j
       where f.tip_unosa_id = u.tip_unosa_id and f.tip_vrednosti in (1, 2, 3, 4, 5, 9)
         and j.vrednost not in ('null'::jsonb, '""'::jsonb, '[]'::jsonb)
  ) v on true
 where p.id = :pacijent::bigint
 order by r.naziv collate "sr-Latn-x-icu", r.id, u.datum_unosa desc, u.id desc, v.redosled, v.id
