-- Making a patient anonymous: what of her stays, and every place from which the rest goes. History and log are append-only for the
-- application, so it is the owner's function, and asks for the proof of the right.

-- Whether a value tells nothing of who the patient is: a yes or no, a measurement, codes of a set, a date, a time of day. `identity` are numbers of
-- hers and the day of her birth; or, where that is not known any more, patterns of all days that it may be (`1950-%`). A number of nine
-- digits and more is of a person, and measures nothing.
create or replace function is_anonymous_value(value jsonb, identity text[]) returns boolean language sql immutable parallel safe as $$
    select case jsonb_typeof(value)
        when 'string' then (value #>> '{}') = '' or (value #>> '{}') ~ '^\d\d:\d\d$'
            or (value #>> '{}') ~ '^\d{4}-\d{2}-\d{2}([T ][\d:.+-]+)?$' and left(value #>> '{}', 10) not like all (identity)
        when 'number' then abs((value #>> '{}')::numeric) < 100000000 and (value #>> '{}') <> all (identity)
        when 'array' then coalesce((select bool_and(is_anonymous_value(one, identity)) from jsonb_array_elements(value) one), true)
        when 'object' then coalesce((select bool_and(is_anonymous_value(k.value, identity)) from jsonb_each(value) k), true)
        else true
    end
$$;

-- A value without what tells who the patient is; null where nothing is left. Of the rows of a section stays what is measured.
create or replace function anonymous_value(value jsonb, identity text[]) returns jsonb language sql immutable parallel safe as $$
    select case
        when is_anonymous_value(value, identity) then value
        when jsonb_typeof(value) = 'array' and jsonb_typeof(value -> 0 -> 'v') = 'object' then (
            select jsonb_agg(r.slog || jsonb_build_object('v', kept.v) order by r.n)
              from jsonb_array_elements(value) with ordinality r (slog, n)
             cross join lateral (select jsonb_object_agg(k.key, k.value) as v from jsonb_each(r.slog -> 'v') k where is_anonymous_value(k.value, identity)) kept
             where kept.v is not null and is_anonymous_value(r.slog -> 'id', identity))
    end
$$;

-- The fields of a row of the log about this one patient. The names of the fields stay.
create or replace function anonymous_fields(polja jsonb, identity text[]) returns jsonb language sql immutable parallel safe as $$
    select coalesce(jsonb_agg(f.field || jsonb_build_object(
               'stara', case when mine or not is_anonymous_value(f.field -> 'stara', identity) then '"•••"' else f.field -> 'stara' end,
               'nova', case when mine or not is_anonymous_value(f.field -> 'nova', identity) then '"•••"' else f.field -> 'nova' end) order by f.n), '[]')
      from jsonb_array_elements(polja) with ordinality f (field, n)
     cross join lateral (select f.field ->> 'naziv' = 'datum_rodjenja' as mine) m
$$;

-- The fields of a row of the log about several: what was typed of a person is not told, nor what holds a word of hers.
create or replace function anonymous_criteria(polja jsonb, pattern text) returns jsonb language sql stable parallel safe as $$
    select coalesce(jsonb_agg(case
               when jsonb_typeof(f.field -> 'nova') <> 'string' then f.field
               when f.field ->> 'naziv' in ('Ime', 'Prezime', 'JMBG', 'LBO', 'Traženo') or coalesce(fold(f.field ->> 'nova') ~ pattern, false)
                   then f.field || '{"nova": "•••"}'
               else f.field end order by f.n), '[]')
      from jsonb_array_elements(polja) with ordinality f (field, n)
$$;

-- The same document with ••• for every text in which the pattern is found.
create or replace function without_texts(doc jsonb, pattern text) returns jsonb language sql stable parallel safe as $$
    select case jsonb_typeof(doc)
        when 'string' then case when fold(doc #>> '{}') ~ pattern then '"•••"' else doc end
        when 'array' then coalesce((select jsonb_agg(without_texts(one, pattern) order by n) from jsonb_array_elements(doc) with ordinality a (one, n)), '[]')
        when 'object' then coalesce((select jsonb_object_agg(k.key, without_texts(k.value, pattern)) from jsonb_each(doc) k), '{}')
        else doc
    end
$$;

-- A text as a regular expression that finds it and nothing else.
create or replace function as_pattern(t text) returns text language sql immutable parallel safe as $$
    select regexp_replace(t, '([\\^$.|?*+()\[\]{}])', '\\\1', 'g')
$$;

-- A word of a name in any of its cases; a short one, which other words begin with, as it is.
create or replace function name_pattern(word text) returns text language sql immutable parallel safe as $$
    select '\m' || case when length(word) > 4 then as_pattern(regexp_replace(word, '[aeiou]$', '')) || '[[:alpha:]]{0,4}' else as_pattern(word) end || '\M'
$$;

-- Records that were merged into this one, and it.
create or replace function records_of(pacijent bigint) returns setof bigint language sql stable as $$
    select pacijent union all select l.id from patient l where l.spojen_u_id = pacijent
$$;

-- Everything by which the patient was ever known: the record as it is and as it was, and those that were merged into it.
create or replace function known_records(pacijent bigint) returns setof jsonb language sql stable as $$
    select to_jsonb(p) from records_of(pacijent) r (id) join patient p on p.id = r.id
    union all
    select h.slog from records_of(pacijent) r (id) join patient_history h on h.pacijent_id = r.id
    union all
    select s.slog from patient_merge m cross join lateral (values (m.pobednik_pre), (m.gubitnik_pre), (m.pobednik_posle)) s (slog)
     where m.razdvojeno_at is null and m.pobednik_id in (select records_of(pacijent)) and s.slog ? 'jmbg'
$$;

-- The words of her names and of the parent's, folded; `alone`: those that no other patient and no worker bears.
create or replace function known_names(pacijent bigint) returns table (word text, alone boolean) language sql stable as $$
    select w.word,
           not exists (select from patient p where p.id not in (select records_of(pacijent))
                          and (replace(p.ime_f, 'dj', 'd') like '%' || w.word || '%' or replace(p.prezime_f, 'dj', 'd') like '%' || w.word || '%')
                          and w.word in (select name_words(p.ime_f, p.prezime_f)))
           and not exists (select from worker k where w.word in (select name_words(fold(k.ime), fold(k.prezime))))
      from (select distinct name_words(fold(r ->> 'ime'), fold(concat_ws(' ', r ->> 'prezime', r ->> 'ime_roditelja'))) as word
              from known_records(pacijent) r) w
$$;

-- What finds her in a text: numbers, addresses, and the words of her names; `alone`: of those only the ones that are hers alone.
create or replace function identity_pattern(pacijent bigint, alone boolean) returns text language sql stable as $$
    -- A word of a name has d where a text is folded with dj.
    select string_agg(distinct case when parts.named then replace(parts.part, 'd', 'dj?') else parts.part end, '|') from (
        select as_pattern(fold(n.number)) as part, false as named from known_records(pacijent) r
         cross join lateral (values (r ->> 'jmbg'), (r ->> 'lbo'), (ltrim(r ->> 'jmbg', '0')), (ltrim(r ->> 'lbo', '0')), (r ->> 'kontakt_telefon'), (r ->> 'mobilni_telefon'),
             (replace(r ->> 'kontakt_telefon', '/', '')), (replace(r ->> 'mobilni_telefon', '/', '')), (r ->> 'adresa'),
             (case when not exists (select from worker w where lower(btrim(w.email)) = lower(btrim(r ->> 'email'))) then btrim(r ->> 'email') end)) n (number)
         where length(btrim(n.number)) > 7
        union
        select '\m' || as_pattern(fold(btrim(r ->> 'broj_kartona'))) || '\M', false from known_records(pacijent) r where length(btrim(r ->> 'broj_kartona')) > 4
        union
        select name_pattern(k.word), true from known_names(pacijent) k where k.alone or not identity_pattern.alone) parts
$$;

-- Numbers of the patient as an entry may hold them, and the days of birth that were ever written.
create or replace function identity_values(pacijent bigint) returns text[] language sql stable as $$
    select array_agg(distinct v.value)
      from known_records(pacijent) r
     cross join lateral (values (r ->> 'datum_rodjenja'), (case when length(btrim(r ->> 'broj_kartona')) > 4 then ltrim(btrim(r ->> 'broj_kartona'), '0') end), (ltrim(regexp_replace(r ->> 'kontakt_telefon', '\D', '', 'g'), '0')),
         (ltrim(regexp_replace(coalesce(r ->> 'mobilni_telefon', ''), '\D', '', 'g'), '0'))) v (value)
     where v.value <> ''
$$;

-- Takes out of the log between two moments what tells who a patient was: of rows about her alone every text, of rows about others too
-- what is typed of a person, and what the pattern finds, where there is one.
create or replace function anonymise_log(pacijent bigint, since timestamptz, until timestamptz, identity text[], pattern text) returns bigint
    language plpgsql set search_path = public, pg_temp as $$
declare
    one bigint;
    several bigint;
begin
    update audit_log l
       set polja = anonymous_fields(l.polja, identity), opis = case when fold(l.opis) ~ pattern then '•••' else l.opis end
     where l.pacijent_id = pacijent and l.vreme_pristupa >= since and l.vreme_pristupa < until;
    get diagnostics one = row_count;
    update audit_log l
       set polja = case when exists (select from audit_log_patient o
                                      where o.vreme_pristupa = l.vreme_pristupa and o.log_id = l.id and o.pacijent_id <> pacijent)
                        then anonymous_criteria(l.polja, pattern) else anonymous_fields(l.polja, identity) end,
           opis = case when fold(l.opis) ~ pattern then '•••' else l.opis end
      from audit_log_patient p
     where p.pacijent_id = pacijent and p.vreme_pristupa >= since and p.vreme_pristupa < until
       and l.vreme_pristupa = p.vreme_pristupa and l.id = p.log_id;
    get diagnostics several = row_count;
    return one + several;
end
$$;

-- The same in rows of the log that name nobody: somebody typed a number or a name and found nothing. A name that others bear is taken
-- out where both its parts were typed.
create or replace function anonymise_typed(pattern text, ime text, prezime text) returns bigint language plpgsql
    set search_path = public, pg_temp as $$
declare
    changed bigint;
begin
    update audit_log l
       set polja = without_texts(l.polja, f.found), opis = case when fold(l.opis) ~ f.found then '•••' else l.opis end
      from (select a.vreme_pristupa, a.id,
                   case when t.typed ~ pattern then pattern else name_pattern(ime) || '|' || name_pattern(prezime) end as found
              -- Folding takes the time here, so only what was typed is folded, and once.
              from audit_log a
             cross join lateral (select fold(concat_ws(' ', a.opis, string_agg(concat_ws(' ', f ->> 'stara', f ->> 'nova'), ' '))) as typed
                                   from jsonb_array_elements(a.polja) f offset 0) t
             where a.pacijent_id is null and a.klasa not in ('worker', 'session', 'second_factor', 'institution', 'role')
               and (t.typed ~ pattern
                    or t.typed ~ name_pattern(ime) and t.typed ~ name_pattern(prezime)
                       and not exists (select from audit_log_patient p where p.vreme_pristupa = a.vreme_pristupa and p.log_id = a.id))) f
     where l.vreme_pristupa = f.vreme_pristupa and l.id = f.id;
    get diagnostics changed = row_count;
    return changed;
end
$$;

-- What stands in a row of history instead of the record.
create or replace function anonymous_record(slog jsonb) returns jsonb language sql immutable parallel safe as $$
    select slog || jsonb_build_object('ime', 'pacijent', 'prezime', 'Anonimizovan', 'ime_roditelja', null, 'jmbg', null, 'lbo', null, 'adresa', null,
        'broj_kartona', null, 'kontakt_telefon', null, 'email', null, 'mobilni_telefon', null, 'zanimanje', null, 'strucna_sprema', null,
        'radno_mesto', null, 'medicinska_napomena', null, 'administrativna_napomena', null,
        'datum_rodjenja', to_char(make_date(left(slog ->> 'datum_rodjenja', 4)::int, 1, 1), 'YYYY-MM-DD'))
$$;

-- The histories of a patient between two moments.
create or replace function anonymise_history(pacijent bigint, since timestamptz, until timestamptz, identity text[]) returns bigint
    language plpgsql set search_path = public, pg_temp as $$
declare
    records bigint;
    texts bigint;
begin
    update patient_history h set slog = anonymous_record(h.slog)
     where h.pacijent_id = pacijent and h.vreme_prestanka_vazenja >= since and h.vreme_prestanka_vazenja < until;
    get diagnostics records = row_count;
    update value_history h set vrednost = '"•••"'
     where h.unos_id in (select e.id from entry e where e.pacijent_id = pacijent) and h.vrednost is not null
       and h.vreme_prestanka_vazenja >= since and h.vreme_prestanka_vazenja < until and not is_anonymous_value(h.vrednost, identity);
    get diagnostics texts = row_count;
    return records + texts;
end
$$;

-- Runs whose files name the patient: prints of her entries, and reports and exports that said whom they show.
create or replace function runs_naming(pacijent bigint) returns setof uuid language sql stable as $$
    select r.id from report_run r where r.unos_id in (select e.id from entry e where e.pacijent_id = pacijent)
    union
    select l.red_id::uuid from log_of_patient(pacijent) l
     where l.klasa in ('report_run', 'data_export') and l.red_id ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$'
$$;

-- Institutions beside the keeper that hold entries of the patient, deleted ones too, kept a record that was merged into hers, or have taken her
-- over.
create or replace function other_holders(pacijent bigint) returns setof bigint language sql stable set search_path = public, pg_temp as $$
    select e.ustanova_id from entry e join patient p on p.id = e.pacijent_id where p.id = pacijent and e.ustanova_id <> p.ustanova_id
    union
    select l.ustanova_id from patient l join patient p on p.id = l.spojen_u_id where p.id = pacijent and l.ustanova_id <> p.ustanova_id
    union
    select t.ustanova_id from patient_taking t where t.pacijent_id = pacijent and t.okoncano_at is null
$$;

-- Ends the files that name the patient, and what waits to make or mail them. The scheduler removes the files.
create or replace function end_runs_naming(pacijent bigint, pattern text) returns bigint language plpgsql
    set search_path = public, pg_temp as $$
declare
    ended uuid[] := array(select runs_naming(pacijent));
begin
    update report_run r
       set status = case when r.status = 'queued' then 'cancelled' else r.status end,
           finished_at = case when r.status = 'queued' then clock_timestamp() else r.finished_at end,
           cancel_requested_at = case when r.status = 'running' then coalesce(r.cancel_requested_at, clock_timestamp()) else r.cancel_requested_at end,
           expires_at = case when r.status = 'succeeded' then least(r.expires_at, clock_timestamp()) else r.expires_at end,
           parametri = without_texts(r.parametri, pattern), parametri_opis = without_texts(r.parametri_opis, pattern),
           error_text = case when fold(r.error_text) ~ pattern then '•••' else r.error_text end, error_detail = without_texts(r.error_detail, pattern)
     where r.id = any (ended);
    -- First lines that wait for their file: whose they are is not asked, for all of them come again with it.
    update report_run set ekran_pocetak = null where ekran_pocetak is not null;
    update report_delivery d set status = 'failed', stage = null, lease_until = null, fence = d.fence + 1
     where d.run_id = any (ended) and d.status in ('pending', 'sending', 'uncertain');
    update report_schedule s set parametri_opis = without_texts(s.parametri_opis, pattern)
     where s.id::text in (select l.red_id from log_of_patient(pacijent) l where l.klasa = 'report_schedule');
    return cardinality(ended);
end
$$;

-- The same texts in what names her without being about her: parameters of other reports, recipients, reasons, keys of imports.
create or replace function anonymise_elsewhere(pacijent bigint, pattern text) returns void language plpgsql
    set search_path = public, pg_temp as $$
declare
    -- Whatever may name her, of which few rows have anything.
    names text := identity_pattern(pacijent, false);
begin
    update report_run r
       set parametri = without_texts(r.parametri, coalesce(f.found, pattern)), parametri_opis = without_texts(r.parametri_opis, coalesce(f.found, pattern)),
           emails = array(select e from unnest(r.emails) with ordinality u (e, n) where fold(e) !~ pattern order by n),
           error_text = case when fold(r.error_text) ~ coalesce(f.found, pattern) then '•••' else r.error_text end,
           error_detail = without_texts(r.error_detail, coalesce(f.found, pattern))
      from (select a.id, pattern_that_names(t.said, pacijent, pattern) as found
              from report_run a
             cross join lateral (select concat_ws(' ', a.parametri::text, a.parametri_opis::text, a.error_text, a.error_detail::text) as said) t
             where fold(concat_ws(' ', t.said, a.emails::text)) ~ names) f
     where f.id = r.id and (f.found is not null or fold(r.emails::text) ~ pattern);
    update report_schedule s
       set parametri = without_texts(s.parametri, coalesce(f.found, pattern)), parametri_opis = without_texts(s.parametri_opis, coalesce(f.found, pattern)),
           emails = array(select e from unnest(s.emails) with ordinality u (e, n) where fold(e) !~ pattern order by n)
      from (select a.id, pattern_that_names(t.said, pacijent, pattern) as found
              from report_schedule a
             cross join lateral (select concat_ws(' ', a.parametri::text, a.parametri_opis::text) as said) t
             where fold(concat_ws(' ', t.said, a.emails::text)) ~ names) f
     where f.id = s.id and (f.found is not null or fold(s.emails::text) ~ pattern);
    update recipient_group g
       set emails = array(select e from unnest(g.emails) with ordinality u (e, n) where fold(e) !~ pattern order by n),
           naziv = case when may_name(g.naziv, pacijent, pattern) then 'Uklonjen naziv ' || g.id else g.naziv end
     where fold(g.emails::text) ~ pattern or may_name(g.naziv, pacijent, pattern);
    update mail_server s set answer = '•••' where may_name(s.answer, pacijent, pattern);
    -- Nothing more is mailed to an address of hers.
    update report_delivery d
       set address = 'uklonjena adresa ' || d.id, smtp_text = null, stage = null, lease_until = null, fence = d.fence + 1,
           status = case when d.status in ('pending', 'sending', 'uncertain') then 'failed' else d.status end
     where fold(d.address) ~ pattern;
    update report_delivery d set smtp_text = '•••' where fold(d.smtp_text) ~ pattern;
    update report_recipient r set adresa = 'uklonjena adresa ' || r.redosled where fold(r.adresa) ~ pattern;
    update data_export x set razlog = 'Uklonjeno: tekst je imenovao pacijenta.' where may_name(x.razlog, pacijent, pattern);
    update import_record i set kljuc = 'anonimizovano ' || gen_random_uuid()
     where i.pacijent_id = pacijent or i.unos_id in (select e.id from entry e where e.pacijent_id = pacijent);
end
$$;

-- Whether a text may name the patient: by a number or an address of hers, by a word that is hers alone (`pattern`), or by both her names
-- of one time, wherever they stand.
create or replace function may_name(t text, pacijent bigint, pattern text) returns boolean language sql stable as $$
    select coalesce((select f.t ~ pattern
                         or exists (select from known_records(pacijent) r
                                     where f.t ~ name_pattern(fold(btrim(r ->> 'ime'))) and f.t ~ name_pattern(fold(btrim(r ->> 'prezime'))))
                       -- Folding a file takes the time here, so it is folded once.
                       from (select fold(t) as t offset 0) f), false)
$$;

-- What finds her in a text that may name her: `pattern`, or both her names of one time where others bear each; null where it names her by
-- neither.
create or replace function pattern_that_names(t text, pacijent bigint, pattern text) returns text language sql stable as $$
    select case when f.t ~ pattern then pattern
                else (select string_agg(distinct n.ime || '|' || n.prezime, '|') from known_records(pacijent) r
                       cross join lateral (select name_pattern(fold(btrim(r ->> 'ime'))) as ime, name_pattern(fold(btrim(r ->> 'prezime'))) as prezime) n
                       where f.t ~ n.ime and f.t ~ n.prezime) end
      from (select fold(t) as t offset 0) f
$$;

-- What a file says, in whichever letters; null where that cannot be told here (UTF-16, or no text at all).
create or replace function text_of_file(bytes bytea) returns text language plpgsql immutable as $$
declare
    encoding text;
begin
    foreach encoding in array '{UTF8,WIN1250}'::text[] loop
        begin
            return convert_from(bytes, encoding);
        exception when character_not_in_repertoire or untranslatable_character then null;
        end;
    end loop;
    return null;
end
$$;

-- Ends the imports that wait and may bring her back: those whose file, its name or its mapping may name her, and those whose file cannot
-- be read here. An attempt under way finds that it is not its own any more, and stores nothing.
create or replace function end_imports_naming(pacijent bigint, pattern text) returns bigint language plpgsql
    set search_path = public, pg_temp as $$
declare
    ended bigint[] := array(
        select i.id from data_import i join data_import_file f on f.uvoz_id = i.id
          left join lateral (select text_of_file(f.sadrzaj) as said) t on true
         where t.said is null or may_name(concat_ws(' ', i.fajl, i.izvor, f.mapiranje::text, t.said), pacijent, pattern));
begin
    update data_import i
       set status = 'left', prekid = 'anonimizacija', prekid_poruka = null, ishod = null, otisak = null, lease_until = null, fence = i.fence + 1,
           vreme_izmene = clock_timestamp()
     where i.id = any (ended) and i.status in ('open', 'checking', 'checked', 'importing');
    delete from data_import_file f where f.uvoz_id = any (ended);
    return cardinality(ended);
end
$$;

-- Names of files are names of sources too, and those stand in the keys of what was imported: each gets one other name everywhere.
create or replace function rename_sources_naming(pacijent bigint, pattern text) returns void language plpgsql
    set search_path = public, pg_temp as $$
declare
    source text;
    other text;
begin
    for source in
        select s.izvor from (select izvor from data_import union select regexp_replace(izvor, '^ustanova \d+/', '') from import_record) s (izvor)
         where may_name(s.izvor, pacijent, pattern)
    loop
        other := 'uklonjen naziv ' || gen_random_uuid();
        update data_import i set izvor = other where i.izvor = source;
        update import_record r set izvor = regexp_replace(r.izvor, '^(ustanova \d+/)?.*$', '\1') || other
         where regexp_replace(r.izvor, '^ustanova \d+/', '') = source;
    end loop;
    update data_import i
       set fajl = case when may_name(i.fajl, pacijent, pattern) then 'uklonjen naziv' else i.fajl end, ishod = without_texts(i.ishod, pattern)
     where may_name(i.fajl || ' ' || coalesce(i.ishod::text, ''), pacijent, pattern);
    -- A mapping that names her is proposed anew from the next file.
    delete from import_mapping m where may_name(concat_ws(' ', m.naziv, m.izvor, m.mapiranje::text), pacijent, pattern);
    -- So does a search whose name is hers.
    delete from saved_search s where may_name(concat_ws(' ', s.naziv, s.upit::text), pacijent, pattern);
end
$$;

-- Her numbers where somebody has written a report about her alone. The words of her names stay, which SQL may mean otherwise.
create or replace function anonymise_reports(pacijent bigint, pattern text) returns void language plpgsql
    set search_path = public, pg_temp as $$
declare
    number text;
begin
    update report_definition d
       set napomena = case when may_name(d.napomena, pacijent, pattern) then '•••' else d.napomena end, izbor = without_texts(d.izbor, f.found)
      from (select a.id, pattern_that_names(concat_ws(' ', a.napomena, a.izbor::text), pacijent, pattern) as found from report_definition a) f
     where f.id = d.id and f.found is not null;
    update cohort k
       set naziv = case when may_name(k.naziv, pacijent, pattern) then '•••' else k.naziv end, izbor = without_texts(k.izbor, f.found)
      from (select a.id, pattern_that_names(concat_ws(' ', a.naziv, a.izbor::text), pacijent, pattern) as found from cohort a) f
     where f.id = k.id and f.found is not null;
    update analysis k
       set naziv = case when may_name(k.naziv, pacijent, pattern) then '•••' else k.naziv end, izbor = without_texts(k.izbor, f.found)
      from (select a.id, pattern_that_names(concat_ws(' ', a.naziv, a.izbor::text), pacijent, pattern) as found from analysis a) f
     where f.id = k.id and f.found is not null;
    update report r set naziv = '•••' where r.vlasnik_id is not null and may_name(r.naziv, pacijent, pattern);
    for number in
        select distinct n.number from known_records(pacijent) r
         cross join lateral (values (r ->> 'jmbg'), (r ->> 'lbo'), (btrim(r ->> 'email'))) n (number) where length(n.number) > 7
    loop
        update report_definition d set upit = replace(d.upit, number, '•••'), sablon = replace(d.sablon, number, '•••')
         where strpos(d.upit, number) > 0 or strpos(d.sablon, number) > 0;
        update report_parameter p set podrazumevano = '•••' where strpos(p.podrazumevano, number) > 0;
    end loop;
end
$$;

-- Sums of numbers and of searches that somebody typed: hers go, and so do all that count no more.
create or replace function forget_typed_numbers(pacijent bigint) returns void language plpgsql set search_path = public, pg_temp as $$
begin
    delete from number_check c
     where c.vreme <= clock_timestamp() - interval '1 hour'
        or c.otisak in (select sha256(convert_to(n.number, 'UTF8')) from known_records(pacijent) r
                         cross join lateral (values (r ->> 'jmbg'), (r ->> 'lbo')) n (number) where n.number <> '');
    delete from search_of_others s where s.vreme <= clock_timestamp() - interval '1 hour';
end
$$;

-- Makes a patient anonymous, for good. `proof` is the session in which the worker of the transaction has given the password again.
create or replace function anonymise_patient(pacijent bigint, razlog text, proof bytea) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
declare
    who bigint := acting_worker();
    was patient;
    identity text[];
    own text;
    elsewhere text;
    runs bigint;
    imports bigint;
    all_records bigint[];
    one bigint;
begin
    -- Entries before the patient, as a save locks them; and no month is moved into a file meanwhile.
    perform pg_advisory_xact_lock_shared(7231840005);
    perform from entry e where e.pacijent_id = pacijent order by e.id for update;
    select * into strict was from patient p where p.id = pacijent for update;
    if was.spojen_u_id is not null then raise exception 'the record is merged into another one' using errcode = 'invalid_parameter_value'; end if;
    all_records := array(select records_of(pacijent));
    perform from patient p where p.id = any (all_records) order by p.id for update;
    if was.anonimizovan_at is not null then raise exception 'the patient is anonymous already' using errcode = 'invalid_parameter_value'; end if;
    if not holds_any(who, '{16}') or not works_at(who, was.ustanova_id) or not changes_patients(who)
       or not exists (select from session s where s.token_hash = proof and s.radnik_id = who and s.potvrdjeno_at is not null)
       or exists (select other_holders(pacijent)) and not administers_all(who)
    then
        raise exception 'this worker makes no patient anonymous here' using errcode = 'insufficient_privilege';
    end if;
    identity := identity_values(pacijent);
    own := identity_pattern(pacijent, false);
    elsewhere := identity_pattern(pacijent, true);
    if fold(razlog) ~ own then raise exception 'the reason names the patient' using errcode = 'check_violation', constraint = 'patient_erasure_reason'; end if;

    runs := end_runs_naming(pacijent, own);
    imports := end_imports_naming(pacijent, elsewhere);
    delete from name_word n using known_names(pacijent) k
     where n.rec = k.word and not exists (select from patient p where p.id <> all (all_records)
        and (replace(p.ime_f, 'dj', 'd') like '%' || k.word || '%' or replace(p.prezime_f, 'dj', 'd') like '%' || k.word || '%')
        and k.word in (select name_words(p.ime_f, p.prezime_f)));
    delete from entry_draft d where d.pacijent_id = pacijent;
    delete from cohort_member m using entry e where e.id = m.unos_id and e.pacijent_id = pacijent;
    -- Her files go for good, those of the history too; the scheduler removes them from the store.
    update entry_file f set uklanja_se = true, naziv = '•••' where f.pacijent_id = pacijent;
    delete from entry_save s where s.unos_id in (select e.id from entry e where e.pacijent_id = pacijent);
    update patient_taking t
       set razlog = 'Uklonjeno: pacijent je anonimizovan.',
           razlog_okoncanja = case when t.razlog_okoncanja is not null then 'Uklonjeno: pacijent je anonimizovan.' end
     where t.pacijent_id = any (all_records);
    update patient_status s set napomena = 'Uklonjeno: pacijent je anonimizovan.'
     where s.pacijent_id = any (all_records) and s.napomena is not null;
    update patient_consent c set napomena = 'Uklonjeno: pacijent je anonimizovan.'
     where c.pacijent_id = any (all_records) and c.napomena is not null;
    update question_message m set tekst = 'Uklonjeno: pacijent je anonimizovan.'
      from question q where q.pacijent_id = any (all_records) and m.upit_id = q.id and m.tekst is not null;
    -- The sum of a text is not kept either; what was open ends, and nobody looks at her entries again.
    update quality_finding f
       set napomena = case when f.napomena is not null then 'Uklonjeno: pacijent je anonimizovan.' end, otisak = '-',
           kraj = coalesce(f.kraj, clock_timestamp()), razlog_kraja = coalesce(f.razlog_kraja, 'unos')
     where f.pacijent_id = any (all_records);
    update planned_visit v set otkaz_razlog = 'Uklonjeno: pacijent je anonimizovan.'
      from patient_plan o where o.pacijent_id = any (all_records) and v.patient_plan_id = o.id and v.otkaz_razlog is not null;
    -- The sum of what was signed would tell whoever guesses the values whether they are right.
    update entry_state s set otisak = null, razlog = case when s.razlog is not null then 'Uklonjeno: pacijent je anonimizovan.' end
      from entry e where e.id = s.unos_id and e.pacijent_id = pacijent and (s.razlog is not null or s.otisak is not null);
    -- Locks let it pass (entry_state.sql).
    perform set_config('app.erasure', 'on', true);
    update entry e
       set vrednosti = coalesce((select jsonb_object_agg(k.key, kept.value) from jsonb_each(e.vrednosti) k
                                  cross join lateral (select anonymous_value(k.value, identity) as value) kept where kept.value is not null), '{}')
     where e.pacijent_id = pacijent and not is_anonymous_value(e.vrednosti, identity);
    perform set_config('app.erasure', '', true);
    update patient_transfer t
       set razlog = 'Uklonjeno: pacijent je anonimizovan.', razlog_odgovora = case when t.razlog_odgovora is not null then 'Uklonjeno: pacijent je anonimizovan.' end
     where t.pacijent_id = any (all_records);
    update patient_merge_proposal q
       set razlog = 'Uklonjeno: pacijent je anonimizovan.', razlog_odgovora = case when q.razlog_odgovora is not null then 'Uklonjeno: pacijent je anonimizovan.' end
     where q.pobednik_id = any (all_records) or q.gubitnik_id = any (all_records);
    perform anonymise_elsewhere(pacijent, elsewhere);
    perform rename_sources_naming(pacijent, elsewhere);
    perform anonymise_reports(pacijent, elsewhere);
    perform forget_typed_numbers(pacijent);
    -- Of the birth only the year stays, and of those over 89 not even that.
    update patient p
       set ime = 'pacijent', prezime = 'Anonimizovan', ime_roditelja = null, jmbg = '', lbo = '', adresa = null, broj_kartona = null,
           kontakt_telefon = '', email = null, mobilni_telefon = null, zanimanje = null, strucna_sprema = null, radno_mesto = null,
           medicinska_napomena = null, administrativna_napomena = null, anonimizovan_at = clock_timestamp(),
           datum_rodjenja = make_date(least(greatest(extract(year from p.datum_rodjenja), extract(year from today()) - 90),
               (select extract(year from min(e.datum_unosa)) from entry e where e.pacijent_id = p.id),
               (select extract(year from min(s.dan)) from patient_status s where s.pacijent_id = p.id))::int, 1, 1)
     where p.id = any (all_records);
    insert into patient_erasure (pacijent_id, radnik_id, ustanove)
    select r.id, who, array(select was.ustanova_id union select other_holders(pacijent)) from unnest(all_records) r (id);
    -- What was kept so that a merge could be undone, which it cannot be any more. Of one that was undone, only what is hers.
    delete from patient_merge_row r using patient_merge m
     where m.id = r.spajanje_id and (m.pobednik_id = any (all_records) or m.gubitnik_id = any (all_records)) and r.tabela in ('import_record', 'entry_draft');
    delete from patient_alias a where a.pacijent_id = any (all_records);
    update patient_merge m
       set pobednik_pre = anonymous_record(m.pobednik_pre) - '{ime_f,prezime_f}'::text[], gubitnik_pre = anonymous_record(m.gubitnik_pre) - '{ime_f,prezime_f}'::text[],
           pobednik_posle = anonymous_record(m.pobednik_posle) - '{ime_f,prezime_f}'::text[], razlog = 'Uklonjeno: pacijent je anonimizovan.'
     where m.pobednik_id = any (all_records) or m.gubitnik_id = any (all_records);
    -- What the triggers have just kept goes with the rest.
    foreach one in array all_records loop
        perform anonymise_history(one, '-infinity', 'infinity', identity);
        perform anonymise_log(one, '-infinity', 'infinity', identity, own);
    end loop;
    perform anonymise_typed(elsewhere, was.ime_f, was.prezime_f);
    insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id, opis, polja)
    values (who, 'patient', 'anonimizacija', pacijent::text, pacijent, razlog, jsonb_build_array(
        jsonb_build_object('naziv', 'Unosa', 'stara', null, 'nova', (select count(*) from entry e where e.pacijent_id = pacijent)),
        jsonb_build_object('naziv', 'Okončanih fajlova', 'stara', null, 'nova', runs),
        jsonb_build_object('naziv', 'Okončanih uvoza', 'stara', null, 'nova', imports)));
end
$$;

-- Asked after the erasure: what is read from now on names the patient no more. Where it was never asked, a minute is waited for.
create or replace function erasure_is_over(pacijent bigint) returns void language sql security definer set search_path = public, pg_temp as $$
    update patient_erasure e set zavrseno_at = clock_timestamp() where e.pacijent_id = erasure_is_over.pacijent and e.zavrseno_at is null
$$;

-- What came back from a file between two moments is made as the rest is, of everybody who was made anonymous since. Of the day of birth only
-- the year is known, of those over 89 the latest that it may be: any day of such a year may be hers.
create or replace function anonymise_again(since timestamptz, until timestamptz) returns bigint language sql
    set search_path = public, pg_temp as $$
    select coalesce(sum(anonymise_log(e.pacijent_id, since, until, d.days, null) + anonymise_history(e.pacijent_id, since, until, d.days)), 0)::bigint
      from patient_erasure e join patient p on p.id = e.pacijent_id
     cross join lateral (select extract(year from p.datum_rodjenja)::int as latest) b
     cross join lateral (select array_agg(g.y || '-%') as days
                           from generate_series(b.latest - case when b.latest <= extract(year from e.vreme) - 90 then 40 else 0 end, b.latest) g (y)) d
$$;

-- An anonymous patient stays as she is, and nobody becomes one but by the function above.
create or replace function patient_stays_anonymous() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' and old.anonimizovan_at is not null or new.anonimizovan_at is not null and current_user = 'regix_app' then
        raise exception 'an anonymous patient is not changed' using errcode = 'check_violation', constraint = 'patient_anonimizovan';
    end if;
    return new;
end
$$;

create or replace trigger patient_stays_anonymous before insert or update on patient for each row execute function patient_stays_anonymous();

-- Nothing is written down of somebody who is nobody any more.
create or replace function entry_of_anonymous() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if exists (select from patient p where p.id = new.pacijent_id and p.anonimizovan_at is not null) then
        raise exception 'an anonymous patient gets no entries' using errcode = 'check_violation', constraint = 'patient_anonimizovan';
    end if;
    return new;
end
$$;

create or replace trigger entry_of_anonymous before insert or update on entry for each row execute function entry_of_anonymous();

-- Nor typed beside an entry, or told of why she was taken over. Who is being made anonymous at this moment is waited for.
create or replace function text_about_anonymous() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from patient p where p.id = new.pacijent_id for key share;
    if exists (select from patient p where p.id = new.pacijent_id and p.anonimizovan_at is not null) then
        raise exception 'nothing more is typed about an anonymous patient' using errcode = 'check_violation', constraint = 'patient_anonimizovan';
    end if;
    return new;
end
$$;

create or replace trigger entry_draft_of_anonymous before insert or update on entry_draft for each row execute function text_about_anonymous();
create or replace trigger entry_file_of_anonymous before insert on entry_file for each row execute function text_about_anonymous();
create or replace trigger patient_consent_of_anonymous before insert on patient_consent for each row execute function text_about_anonymous();
create or replace trigger patient_status_of_anonymous before insert on patient_status for each row execute function text_about_anonymous();
create or replace trigger patient_taking_of_anonymous before insert on patient_taking for each row execute function text_about_anonymous();

revoke execute on function records_of, is_anonymous_value, anonymous_value, anonymous_fields, anonymous_criteria, without_texts, as_pattern, name_pattern, known_records, known_names,
    identity_pattern, identity_values, anonymise_log, anonymise_typed, anonymous_record, anonymise_history, runs_naming, other_holders,
    end_runs_naming, may_name, pattern_that_names, text_of_file, end_imports_naming, rename_sources_naming, anonymise_reports, forget_typed_numbers, anonymise_elsewhere, anonymise_patient, erasure_is_over, anonymise_again, patient_stays_anonymous, entry_of_anonymous,
    text_about_anonymous from public;
grant execute on function anonymise_patient, erasure_is_over, other_holders, runs_naming, is_anonymous_value to regix_app;
