-- An item of a set may have no weight: one that its source does not weigh gets none, and no other gets another for it.
select set_config('app.worker', '1', true);

alter table enum_item alter num_vrednost drop not null;
