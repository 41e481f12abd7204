-- The query and the template of a report as they are written in the product: a version each time they are saved, none of which ever
-- changes. A report without a live version is made from its files.
create table report_definition (
    id bigint generated always as identity primary key,
    izvestaj_id bigint not null references report,
    broj int not null,
    upit text not null,
    sablon text not null,
    napomena text,
    radnik_id bigint not null references worker,
    vreme_kreiranja timestamptz not null default now(),
    constraint report_definition_broj_unique unique (izvestaj_id, broj),
    constraint report_definition_of_report unique (izvestaj_id, id),
    constraint report_definition_broj_positive check (broj > 0),
    constraint report_definition_size check (octet_length(upit) <= 262144 and octet_length(sablon) <= 262144),
    constraint report_definition_napomena_length check (length(napomena) <= 500)
);

-- The version that runs are made from.
alter table report
    add column definicija_id bigint,
    add constraint report_definicija_own foreign key (id, definicija_id) references report_definition (izvestaj_id, id);

alter table report_run
    -- The version that made it; none: the files.
    add column definicija_id bigint references report_definition,
    -- Of a designer, who tries a version out: cut short, hers alone, in no list.
    add column proba boolean not null default false,
    -- Of a trial: what the database said of the query, for who may write it.
    add column error_detail jsonb;
