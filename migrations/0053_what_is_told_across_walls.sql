-- What may be asked about numbers of others, and who administers every institution since the walls of administration.
select set_config('app.worker', '1', true);

-- Numbers of patients that workers have asked about within the hour, each once. Nothing is lost with them but a count.
create unlogged table number_check (
    radnik_id bigint not null references worker (id),
    -- Of the number: the same again is not counted again.
    otisak bytea not null,
    vreme timestamptz not null default now(),
    primary key (radnik_id, otisak)
);

insert into parameter (naziv, vrednost, opis) values
    ('najviseProveraBrojevaNaSat', '100', 'Koliko različitih JMBG i LBO radnik sme da unese za sat, pri upisu i izmeni pacijenta')
on conflict (naziv) where aktivan do nothing;

-- Migration 0047 left every administrator the reach of all institutions: whoever shall not have it is found in the log by itself.
insert into audit_log (radnik_id, klasa, akcija, red_id, opis)
select 1, 'role', 'opasna izmena', r.id::text,
       'Prelazak na zidove administracije: uloga „' || r.ime || '” administrira radnike svih ustanova. ' ||
       'Proverite je u administraciji uloga, i isključite to gde nije potrebno.'
  from role r where r.aktivan and r.sve_ustanove order by r.id;
