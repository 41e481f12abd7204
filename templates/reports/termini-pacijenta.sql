-- Termini jednog pacijenta koji tek dolaze ili se još čekaju: list koji pacijent nosi kući.
select p.id as pacijent_id, p.ime_prezime, p.datum_rodjenja, r.naziv as registar, s.naziv as ustanova, l.ime_prezime as lekar,
       v.naziv as poseta, v.cilj, v.prozor_od, v.prozor_do
  from report.pacijent p
  left join report.poseta v on v.pacijent_id = p.id and v.stanje in ('buduca', 'otvorena', 'kasni') and v.cilj <= danas() + 400
  left join report.registar r on r.id = v.registar_id
  left join report.ustanova s on s.id = v.ustanova_id
  left join report.radnik l on l.id = v.radnik_id
 where p.id = :pacijent::bigint
 order by r.naziv collate "sr-Latn-x-icu", r.id, v.cilj, v.id
