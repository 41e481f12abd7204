-- The zone by whose clock a fire was due: its schedule may be in another one since. Runs made before this have none.
alter table report_run add column fire_zone text;
