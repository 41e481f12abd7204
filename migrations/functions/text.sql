-- Folding of Serbian text, and the words of names. Indexes are made of both: a change of either needs a migration that makes them anew.


-- š=s, č=ć=c, ž=z, đ=dj (also Ð, a common mistyping), Cyrillic and digraphs as Latin. The same table stands in
-- domain/src/fold.rs; tests/fold-cases.csv is read by both.
create or replace function fold(t text) returns text language sql immutable parallel safe strict as $$
    select replace(replace(replace(replace(replace(replace(replace(replace(replace(
        translate(lower(normalize(t, nfc)),
            'čćšžáàâäãéèêëíìîïóòôöõúùûüýñабвгдежзијклмнопрстћуфхцчш',
            'ccszaaaaaeeeeiiiiooooouuuuynabvgdezzijklmnoprstcufhccs'),
        'đ', 'dj'), 'ð', 'dj'), 'ђ', 'dj'), 'љ', 'lj'), 'њ', 'nj'), 'џ', 'dz'), 'ǆ', 'dz'), 'ǉ', 'lj'), 'ǌ', 'nj')
$$;

-- The words of a name that are looked for with a typing error; with d for dj.
create or replace function name_words(ime_f text, prezime_f text) returns setof text language sql immutable parallel safe as $$
    select distinct word from regexp_split_to_table(replace(ime_f || ' ' || prezime_f, 'dj', 'd'), '[^[:alnum:]]+') word where length(word) > 2
$$;
