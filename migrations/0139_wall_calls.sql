-- How often the link of a display was asked for within the minute that stands beside it: screens that ask too often are told to wait.
alter table wall_display add minut timestamptz, add poziva int not null default 0;
