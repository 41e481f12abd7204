-- A board that is run, scheduled and mailed: a report of its owner, as an analysis is, which the engine makes of the tiles that the board has
-- when it runs. 'moja': of the owner's own board; 'ustanove': of the institution of the run.
alter table report add tabla text constraint report_tabla_known check (tabla in ('moja', 'ustanove')),
    add constraint report_of_a_board_is_owned check (tabla is null or vlasnik_id is not null and vlasnik_ustanova_id is null);
create unique index report_of_board on report (vlasnik_id, tabla) where tabla is not null;

-- What each tile asks for, by its id, as it was checked when the board was saved: {"parametri", "opis"}. An engine asks for that.
alter table board add pitanja jsonb not null default '{}'
    constraint board_pitanja_object check (jsonb_typeof(pitanja) = 'object' and octet_length(pitanja::text) <= 262144);
