-- A box to tick that was shown and left without a tick is answered with No, as a save stores it from now on. Entries from before have
-- it blank; where it is known that the box was shown they get their No here, in the name of the system worker, and the history says so.
--
-- Known means: the entry was saved on the screen (not brought in by an import), the box was in its form then, and neither it nor what
-- lies around it could be hidden by a formula or was switched on, off or moved since. A box that a formula of its form reads stays
-- blank as well, since what was calculated from it is stored with it. What is left gets its No at the next save of the entry.
do $$
declare
    answered bigint;
    entries bigint;
    left_blank bigint;
begin
    perform set_config('app.worker', '1', true);

    create temp table tick_box on commit drop as
    with recursive around as (
        select f.id as box, f.tip_skupa_atributa_id as form, f.sifra, f.id as field, f.nadredjeni_atribut_u_tipu_skupa_id as outer_field,
               f.prikazuje_se and f.formula_za_prikaz_ast is null as always_shown, f.vreme_kreiranja as since, array[f.id] as way
          from form_field f join attribute_type t on t.id = f.tip_atributa_id
         where f.aktivan and t.tip_vrednosti_atributa = 1 and f.formula_za_racunanje_ast is null and (f.ima_cek_box or not f.radio_button)
        union all
        select a.box, a.form, a.sifra, o.id, o.nadredjeni_atribut_u_tipu_skupa_id,
               a.always_shown and o.prikazuje_se and o.formula_za_prikaz_ast is null, a.since, a.way || o.id
          from around a join form_field o on o.id = a.outer_field and o.aktivan
         where not o.id = any (a.way)
    )
    select a.box, a.form, a.since, bool_and(a.always_shown) as always_shown,
           exists (select from form_field r
                    where r.tip_skupa_atributa_id = a.form and r.aktivan
                      and (r.formula_za_racunanje_ast -> 'deps' ? a.sifra or r.formula_za_prikaz_ast -> 'deps' ? a.sifra)) as is_read,
           (select max(l.vreme_pristupa) from audit_log l
             where l.klasa = 'form_field' and l.akcija <> 'kreiranje' and l.red_id = any (array_agg(a.field::text))
               and exists (select from jsonb_array_elements(l.polja) p
                            where p ->> 'naziv' in ('prikazuje_se', 'ima_cek_box', 'radio_button', 'nadredjeni_atribut_u_tipu_skupa_id',
                                                    'formula_za_prikaz', 'formula_za_racunanje', 'aktivan'))) as changed
      from around a
     group by a.box, a.form, a.sifra, a.since;

    create temp table unticked on commit drop as
    select e.id as entry, jsonb_object_agg(b.box, false) as answers, count(*) as boxes
      from entry e join tick_box b on b.form = e.tsa_id
     where e.aktivan and b.always_shown and not b.is_read and not e.vrednosti ? b.box::text
       and greatest(b.since, b.changed) <= coalesce(e.datum_izmene, e.datum_kreiranja)
       and not exists (select from import_record i where i.unos_id = e.id)
     group by e.id;

    update entry e set vrednosti = e.vrednosti || u.answers from unticked u where e.id = u.entry;

    select count(*), coalesce(sum(boxes), 0) into entries, answered from unticked;
    select count(*) into left_blank from entry e join tick_box b on b.form = e.tsa_id where e.aktivan and not e.vrednosti ? b.box::text;
    if answered + left_blank > 0 then
        insert into audit_log (radnik_id, klasa, akcija, opis)
        values (1, 'entry', 'migracija',
                format('Polja za potvrdu bez oznake dobila su odgovor Ne: %s vrednosti u %s unosa. Prazno je ostalo %s, gde se ne zna da li su bila prikazana.',
                       answered, entries, left_blank));
        raise notice 'boxes without a tick that became No: % in % entries; left blank, since nobody knows whether they were shown: %',
            answered, entries, left_blank;
    end if;
end
$$;
