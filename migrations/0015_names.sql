-- Names are found whether đ was written as đ, dj or d: what is folded is compared with d for dj, on both sides.
drop index patient_prezime_trgm;
drop index patient_ime_trgm;
create index patient_prezime_trgm on patient using gin (replace(prezime_f, 'dj', 'd') gin_trgm_ops);
create index patient_ime_trgm on patient using gin (replace(ime_f, 'dj', 'd') gin_trgm_ops);

-- The words of all names: one that was typed with an error is looked for here, among some thousands, instead of among all patients.
-- A word stays when nobody has it any more, and two that came at one time may both stand here: nobody waits for another's name.
create table name_word (rec text not null);
create index name_word_begin on name_word (rec text_pattern_ops);
create index name_word_end on name_word (reverse(rec) text_pattern_ops);

create function name_words(ime_f text, prezime_f text) returns setof text language sql immutable parallel safe as $$
    select distinct word from regexp_split_to_table(replace(ime_f || ' ' || prezime_f, 'dj', 'd'), '[^[:alnum:]]+') word where length(word) > 2
$$;

insert into name_word (rec) select distinct word from patient p cross join lateral name_words(p.ime_f, p.prezime_f) word;

create function patient_name_words() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into name_word (rec)
    select word from name_words(new.ime_f, new.prezime_f) word where not exists (select from name_word k where k.rec = word);
    return null;
end
$$;
create trigger patient_name_words after insert on patient for each row execute function patient_name_words();
create trigger patient_name_words_changed after update on patient for each row
    when ((old.ime_f, old.prezime_f) is distinct from (new.ime_f, new.prezime_f)) execute function patient_name_words();
revoke execute on function patient_name_words from public;
revoke insert, update, delete on name_word from regix_app;
analyze patient;
analyze name_word;
