-- The demo's accounts have their names as passwords; every other password that is easily guessed is changed at the next sign-in.
alter table worker add column demo_nalog boolean not null default false;
