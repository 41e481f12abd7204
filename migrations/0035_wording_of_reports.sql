-- How a mailed report is announced and what its files are called.
select set_config('app.worker', '1', true);
insert into parameter (naziv, vrednost, opis) values
    ('izvestajNaslovPoruke', '{aplikacija}: {izvestaj} – {period}', 'Naslov poruke kojom se šalje izveštaj, sa oznakama'),
    ('izvestajTekstPoruke', '{vrsta} „{izvestaj}” je spreman.', 'Tekst na početku poruke kojom se šalje izveštaj, sa oznakama'),
    ('izvestajImeFajla', '{izvestaj}-{period}', 'Ime datoteke izveštaja bez nastavka, sa oznakama');
