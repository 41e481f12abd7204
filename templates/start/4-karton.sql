-- Karton pacijenta: sve vrednosti svih unosa jednog pacijenta (dodajte parametar :pacijent umesto prvog po redu)
select p.id as pacijent_id, p.ime_prezime, p.datum_rodjenja, u.id as unos_id, t.naziv as obrazac, u.datum_unosa, v.polje,
       v.tekst || coalesce(' ' || nullif(trim(v.jedinica), ''), '') as vrednost
  from pacijent p
  left join unos u on u.pacijent_id = p.id
  left join tip_unosa t on t.id = u.tip_unosa_id
  left join vrednost v on v.unos_id = u.id
 where p.id = (select min(r.pacijent_id) from pacijent_registar r where r.broj_unosa > 0)
 order by u.datum_unosa desc, u.id desc, v.redosled, v.polje_id
