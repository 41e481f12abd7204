-- Karton jednog pacijenta: po jedan red za svaku popunjenu vrednost svakog unosa; podaci o pacijentu ponavljaju se u
-- svakom redu. Pacijent bez unosa daje jedan red bez vrednosti.
select p.id as pacijent_id, p.ime, p.prezime, p.ime_roditelja, p.datum_rodjenja, p.jmbg, p.lbo, p.broj_kartona,
       case when p.pol_trenutni then 'Muški' else 'Ženski' end as pol,
       p.adresa, p.kontakt_telefon, p.mobilni_telefon, p.email, p.zanimanje, p.medicinska_napomena, m.naziv as maticna_ustanova,
       u.id as unos_id, r.naziv as registar, t.naziv as obrazac, u.datum_unosa, s.naziv as ustanova, l.ime_prezime as lekar,
       v.polje, v.vrednost
  from report.pacijent p
  left join report.ustanova m on m.id = p.ustanova_id
  left join report.unos u on u.pacijent_id = p.id
  left join report.registar r on r.id = u.registar_id
  left join report.tip_unosa t on t.id = u.tip_unosa_id
  left join report.ustanova s on s.id = u.ustanova_id
  left join report.radnik l on l.id = u.radnik_odgovoran_id
  left join (select w.unos_id, w.polje_id, w.polje, w.redosled,
                    w.tekst || case when f.vrsta in ('brojni', 'tekstualni') then coalesce(' ' || nullif(trim(w.jedinica), ''), '') else '' end
                    as vrednost
               from report.vrednost w
               join report.polje f on f.id = w.polje_id
              where w.pacijent_id = :pacijent::bigint) v on v.unos_id = u.id
 where p.id = :pacijent::bigint
 order by r.naziv collate "sr-Latn-x-icu", r.id, u.datum_unosa desc, u.id desc, v.redosled, v.polje_id
