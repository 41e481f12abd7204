-- The logo of an institution, which heads what is printed for it. It stands apart from the institution, whose list every screen reads.
create table institution_logo (
    id bigint primary key references institution (id),
    -- PNG on white, as `domain::picture` makes it.
    slika bytea not null constraint institution_logo_slika_small check (octet_length(slika) <= 1100000)
);
