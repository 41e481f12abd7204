-- How many rows a report may have in PDF.
select set_config('app.worker', '1', true);
insert into parameter (naziv, vrednost, opis) values
    ('izvestajNajviseRedovaPdf', '10000', 'Koliko najviše redova može da ima izveštaj u PDF-u, od 1 do 100000');
