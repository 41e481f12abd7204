-- Rows that the code relies on: value types, rights, formats, kinds of parameters, parameters, releases, and the system worker in whose name
-- migrations and schedules write. None of this is demo data.

select set_config('app.worker', '1', true);

insert into worker (id, username, ime, prezime, aktivan) overriding system value values (1, 'sistem', 'Regix', 'sistem', false);
alter table worker alter column id restart with 2;

insert into value_type (num_vrednost, naziv) values
    (1, 'Izborni'),
    (11, 'Tab'),
    (12, 'Grafik'),
    (13, 'Fajl'),
    (2, 'Brojni'),
    (3, 'Tekstualni'),
    (4, 'Skupovni'),
    (5, 'Datumski'),
    (6, 'Naslov'),
    (7, 'Separator'),
    (8, 'Panel'),
    (9, 'Slikovni');

insert into application_right (id, naziv, numericka_vrednost) values
    (1, 'Izveštaji', 1),
    (11, 'Pregled loga', 11),
    (12, 'Statistika unosa podataka', 12),
    (13, 'Upozorenja i verzije', 13),
    (14, 'Izvoz podataka', 14),
    (15, 'Evidencija uvida', 15),
    (16, 'Anonimizacija pacijenata', 16),
    (17, 'Uvoz podataka', 17),
    (2, 'Uloge', 2),
    (3, 'Ustanove', 3),
    (4, 'Radnici', 4),
    (5, 'Registri i tipovi atributa', 5),
    (6, 'Parametri', 6),
    (7, 'Ažuriranje izveštaja', 7);

insert into report_format (id, naziv, naziv_kratki) values
    (1, 'PDF dokument', 'PDF'),
    (2, 'Excel tabela', 'XLSX'),
    (3, 'CSV tabela', 'CSV');

insert into report_parameter_kind (num_vrednost, naziv) values
    (1, 'Tekstualni'),
    (2, 'Datumski'),
    (3, 'Skriveni'),
    (4, 'Skup'),
    (5, 'Brojni'),
    (6, 'Dinamički skriveni');

insert into parameter (naziv, vrednost, opis) values
    ('nazivAplikacije', 'Regix', 'Naziv koji stoji u zaglavlju i na prijavi'),
    ('autoPrijava', 'false', 'Dozvoljava stranicu /autologin'),
    ('blurPodatakaIzmedjuUstanova', 'true', 'Skriva identitet pacijenata koje ustanova ne poznaje'),
    ('danaCuvanjaIzvestaja', '30', 'Koliko dana se čuvaju generisani izveštaji'),
    ('putanjaLogoaRegistara', '', 'Početak putanje do logotipa registara'),
    ('prikazPacijentImeRoditelja', 'true', 'Ime roditelja u podacima o pacijentu'),
    ('prikazPacijentPrikazJednogPola', 'false', 'Samo jedan podatak o polu'),
    ('prikazPacijentRadnoMesto', 'false', 'Radno mesto'),
    ('prikazPacijentStrucnaSprema', 'false', 'Stručna sprema'),
    ('prikazPacijentZanimanje', 'true', 'Zanimanje'),
    ('prikazPacijentAdministrativnaNapomena', 'false', 'Administrativna napomena'),
    ('prikazPacijentMedicinskaNapomena', 'true', 'Medicinska napomena'),
    ('kriterijumIme', 'true', 'Ime kao uslov pretrage'),
    ('kriterijumPrezime', 'true', 'Prezime kao uslov pretrage'),
    ('kriterijumJMBG', 'true', 'JMBG kao uslov pretrage'),
    ('kriterijumLBO', 'true', 'LBO kao uslov pretrage'),
    ('kriterijumGodinaOd', 'true', 'Godina rođenja od'),
    ('kriterijumGodinaDo', 'true', 'Godina rođenja do'),
    ('kriterijumPol', 'true', 'Pol kao uslov pretrage'),
    ('odabirDatumaPregledaPreUnosa', 'true', 'Datum pregleda bira se pre unosa'),
    ('brojRezultataUPretrazi', '200', 'Broj rezultata u pretrazi: 50, 100, 200, 1000 ili -1 (svi)'),
    ('zakazivanjeNajviseNeuspeha', '5', 'Posle koliko neuspelih izvršavanja zaredom se zakazani izveštaj pauzira; 0 = nikad'),
    ('izvestajDomeniPrimalaca', '', 'Domeni e-adresa na koje se izveštaji šalju, razdvojeni zarezom; poddomeni su uključeni; prazno = svi'),
    ('izvestajNajvisePrimalaca', '20', 'Koliko najviše primalaca može da ima jedan izveštaj, od 1 do 500'),
    ('izvestajNaslovPoruke', '{aplikacija}: {izvestaj} – {period}', 'Naslov poruke kojom se šalje izveštaj, sa oznakama'),
    ('izvestajTekstPoruke', '{vrsta} „{izvestaj}” je spreman.', 'Tekst na početku poruke kojom se šalje izveštaj, sa oznakama'),
    ('izvestajImeFajla', '{izvestaj}-{period}', 'Ime datoteke izveštaja bez nastavka, sa oznakama'),
    ('danaCuvanjaIzvoza', '7', 'Koliko dana se čuvaju izvezeni podaci, od 1 do 90'),
    ('izvozNajviseRedova', '500000', 'Koliko najviše redova može da ima jedan izvoz podataka, od 1 do 5000000'),
    ('izvestajNajviseRedovaPdf', '10000', 'Koliko najviše redova može da ima izveštaj u PDF-u, od 1 do 100000'),
    ('zakljucavanjeMinuta', '15', 'Posle koliko minuta bez tastature i miša se ekran zaključava; 0: nikada'),
    ('najmanjaTudjaGrupa', '5', 'Od koliko pacijenata drugih ustanova pretraga prikazuje redove; 1: uvek'),
    ('najvisePretragaTudjihNaSat', '200', 'Koliko pretraga po vrednostima, koje obuhvataju pacijente drugih ustanova, radnik sme da napravi za sat'),
    ('tudjiUnosiPreuzetogPacijenta', 'false', 'Da li ustanova koja je preuzela pacijenta čita unose drugih ustanova'),
    ('najvisePogresnihPreuzimanjaNaSat', '5', 'Koliko puta na sat radnik sme da pogreši podatke pri preuzimanju pacijenta'),
    ('najvisePreuzimanjaNaDan', '20', 'Koliko pacijenata radnik sme da preuzme za jedan dan'),
    ('cuvanjeDnevnikaGodina', '0', 'Koliko godina se zapisi dnevnika čuvaju u bazi pre arhiviranja; 0: uvek, inače najmanje 5'),
    ('cuvanjeIstorijeGodina', '0', 'Koliko godina se istorija podataka čuva u bazi pre arhiviranja; 0: uvek, inače najmanje 5'),
    ('najviseProveraBrojevaNaSat', '100', 'Koliko različitih JMBG i LBO radnik sme da unese za sat, pri upisu i izmeni pacijenta'),
    ('uvozNajviseMegabajta', '20', 'Koliko najviše megabajta može da ima CSV fajl koji se uvozi, od 1 do 100'),
    ('fajlNajviseMegabajta', '10', 'Koliko najviše megabajta može da ima fajl koji se prilaže uz unos, od 1 do 50'),
    ('najmanjiIzvozBezIdentiteta', '5', 'Od koliko pacijenata podaci izlaze bez identiteta; 1: uvek'),
    ('cuvanjeUvidaGodina', '0', 'Koliko godina se uvidi čuvaju u bazi pre arhiviranja; 0: koliko i ostali zapisi dnevnika, inače najmanje najmanjeGodinaUvida'),
    ('najmanjeGodinaUvida', '5', 'Koliko godina uvidi po propisu moraju da ostanu u bazi; kraće od 5 samo ako propis to dozvoljava');

insert into warning (id, message) values (1, '');
insert into mail_server default values;

insert into release (oznaka, deo, datum_od, datum_do, kratak_opis) values
    ('2.0.0', 'frontend', '2026-01-12', '2026-05-31', 'Novi izgled i teme'),
    ('2.1.0', 'frontend', '2026-06-01', '2026-10-31', 'Zakazivanje izveštaja'),
    ('2.2.0', 'frontend', '2026-11-01', null, 'Izveštaji uživo i kalendar'),
    ('2.0.0', 'backend', '2026-01-12', '2026-05-31', 'Nova osnova servera'),
    ('2.1.0', 'backend', '2026-06-01', '2026-10-31', 'Izvršavanje izveštaja u pozadini'),
    ('2.2.0', 'backend', '2026-11-01', null, 'Više radnika za izveštaje');
insert into release_change (verzija_id, broj, naslov, opis)
select id, 1, kratak_opis, case deo when 'frontend' then 'Izmene korisničkog dela aplikacije.' else 'Izmene serverskog dela aplikacije.' end from release;
