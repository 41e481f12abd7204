-- How many rows of whole searches a worker was sent and when, for all api processes together: who asks one after another is counted as who asks
-- one. Rows older than the while are removed as new ones come.
create table long_answer (
    id bigint generated always as identity primary key,
    radnik_id bigint not null references worker (id),
    vreme timestamptz not null,
    redova int not null
);
create index long_answer_radnik on long_answer (radnik_id, vreme);

-- What ids over all institutions were mixed with before they were digests; nobody reads it.
alter table report_scope drop column kljuc;

-- One word for one thing (docs/glossary.md), in what the database itself brings too.
select set_config('app.worker', '1', true);
update parameter p set opis = v.novo
  from (values
    ('putanjaLogoaRegistara', 'Početak putanje do logotipa registara', 'Početak putanje do logoa registara'),
    ('izvestajDomeniPrimalaca', 'Domeni e-adresa na koje se izveštaji šalju, razdvojeni zarezom; poddomeni su uključeni; prazno = svi',
     'Domeni e-mail adresa na koje se izveštaji šalju, razdvojeni zarezom; poddomeni su uključeni; prazno = svi'),
    ('izvestajImeFajla', 'Ime datoteke izveštaja bez nastavka, sa oznakama', 'Ime fajla izveštaja bez nastavka, sa oznakama'),
    ('cuvanjeDnevnikaGodina', 'Koliko godina se zapisi dnevnika čuvaju u bazi pre arhiviranja; 0: uvek, inače najmanje 5',
     'Koliko godina se zapisi loga čuvaju u bazi pre arhiviranja; 0: uvek, inače najmanje 5'),
    ('cuvanjeUvidaGodina',
     'Koliko godina se uvidi čuvaju u bazi pre arhiviranja; 0: koliko i ostali zapisi dnevnika, inače najmanje najmanjeGodinaUvida',
     'Koliko godina se uvidi čuvaju u bazi pre arhiviranja; 0: koliko i ostali zapisi loga, inače najmanje najmanjeGodinaUvida')) v (naziv, staro, novo)
 where p.naziv = v.naziv and p.opis = v.staro;
