-- Letters about questions: that some wait for a worker in an institution, and how many; never which. One for a worker, an institution and a day,
-- whoever writes it; it is sent as a delivery.
create table question_letter (
    id bigint generated always as identity primary key,
    radnik_id bigint not null references worker (id),
    ustanova_id bigint not null references institution (id),
    dan date not null,
    vreme timestamptz not null default clock_timestamp(),
    constraint question_letter_once unique (radnik_id, ustanova_id, dan)
);

-- The message of a question that the last letter told of: the same one is not told of twice.
create table question_notice (
    upit_id bigint primary key references question (id),
    poruka_id bigint not null references question_message (id)
);
-- What was asked before there were letters waits on the screen, and is mailed to nobody.
insert into question_notice (upit_id, poruka_id)
select id, poslednja_poruka_id from question where stanje <> 'zatvoren' and poslednja_poruka_id is not null;

-- A delivery brings a report, a weekly letter, or one about questions.
alter table report_delivery add upiti_id bigint references question_letter (id)
    constraint report_delivery_upiti_once unique;
alter table report_delivery drop constraint report_delivery_of_one;
alter table report_delivery add constraint report_delivery_of_one check (num_nonnulls(run_id, pregled_id, upiti_id) = 1);

-- Whether the worker wants letters about questions; whoever has chosen nothing gets them.
alter table worker_start add javi_upite boolean not null default true;
