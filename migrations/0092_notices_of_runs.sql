-- What the files of a run say beside their rows, in the words of the day on which they were made: the screen and the mail say it too.
alter table report_run add column napomene text[] not null default '{}';

-- A report over all institutions that is refused since a release asks whose data its rows hold.
alter table upgrade_note drop constraint upgrade_note_vrsta_known,
    add constraint upgrade_note_vrsta_known check (vrsta in ('uloga', 'ustanove', 'demo', 'zakazivanje', 'izvestaj'));
