-- Whether a report over all institutions reads patients is asked of the server, which plans it once more for a role that reads how things
-- are called and nothing else. What it may read stands with the views.
do $$
begin
    perform pg_advisory_xact_lock(7231840001);
    if not exists (select from pg_roles where rolname = 'regix_report_words') then create role regix_report_words nologin; end if;
    if not pg_has_role('regix_report', 'regix_report_words', 'member') then grant regix_report_words to regix_report; end if;
end
$$;

-- What a field is to those who take data out without identity: its designer says so.
alter table form_field
    add column oznaka_izvoza text
        constraint form_field_oznaka_izvoza_known check (oznaka_izvoza in ('identitet', 'uzrast', 'datum', 'nista'));

select set_config('app.worker', '1', true);

insert into parameter (naziv, vrednost, opis) values
    ('najmanjiIzvozBezIdentiteta', '5', 'Od koliko pacijenata podaci izlaze bez identiteta; 1: uvek');
