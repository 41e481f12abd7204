-- Looks may go into files earlier than the rest of the log, as early as the law lets them: most of the log is looks.
alter table archive_file drop constraint archive_file_vrsta_known;
alter table archive_file add constraint archive_file_vrsta_known check (vrsta in ('dnevnik', 'uvidi', 'istorija'));

select set_config('app.worker', '1', true);

insert into parameter (naziv, vrednost, opis) values
    ('cuvanjeUvidaGodina', '0', 'Koliko godina se uvidi čuvaju u bazi pre arhiviranja; 0: koliko i ostali zapisi dnevnika, inače najmanje najmanjeGodinaUvida'),
    ('najmanjeGodinaUvida', '5', 'Koliko godina uvidi po propisu moraju da ostanu u bazi; kraće od 5 samo ako propis to dozvoljava');
