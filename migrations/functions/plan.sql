-- Visit plans: which windows a patient has, which entry is which visit, and what a window is on a day.

-- What a planned visit is on a day: the one place that says it. The patient's page, lists, the calendar, counts, letters and the views of
-- reports ask here; nothing of it is stored. `vanProzora`: an entry is linked to it that lies outside of its window.
create or replace function visit_state(v planned_visit, dan date) returns text language sql immutable parallel safe as $$
    select case
        when v.unos_dan between v.prozor_od and v.prozor_do then 'ispunjena'
        when v.unos_dan is not null then 'vanProzora'
        when v.otkazana_at is not null then 'otkazana'
        -- Of who is not awaited any more nothing is open, whatever the day: what could still have been done is called off.
        when v.prekid_dan is not null then case when v.prekid_dan <= v.ceka_do then 'otkazana' else 'propustena' end
        when dan < v.prozor_od then 'buduca'
        when dan <= v.prozor_do then 'otvorena'
        when dan <= v.ceka_do then 'kasni'
        else 'propustena'
    end
$$;

-- A number of days, weeks or months after a day. A month that is too short ends sooner: 31 January and a month is the last of February.
create or replace function day_after(dan date, pomeraj int, jedinica text) returns date language sql immutable strict parallel safe as $$
    select case jedinica
        when 'dan' then dan + pomeraj
        when 'nedelja' then dan + 7 * pomeraj
        when 'mesec' then (dan + make_interval(months => pomeraj))::date
    end
$$;

-- The target of a visit of the plan: `sidro` is the day it is counted from, `pre` the one before it in the row of repetitions (null: the first).
-- Repetitions are counted from the anchor, so that the 31st stays one where a month has it; after the previous visit from that.
create or replace function visit_target(s visit_plan_item, sidro date, pre date, red int) returns date language sql immutable parallel safe as $$
    select case
        when red = 0 then day_after(sidro, s.pomeraj, s.jedinica)
        when s.sidro = 'prethodna' then day_after(pre, s.ponavlja_meseci, 'mesec')
        when s.jedinica = 'mesec' then day_after(sidro, s.pomeraj + red * s.ponavlja_meseci, 'mesec')
        else day_after(day_after(sidro, s.pomeraj, s.jedinica), red * s.ponavlja_meseci, 'mesec')
    end
$$;

-- Whether the repetition with this target is one of the plan.
create or replace function is_repeated(s visit_plan_item, sidro date, cilj date) returns boolean language sql immutable parallel safe as $$
    select s.ponavlja_meseci is not null
       and (s.ponavlja_do_meseci is null or cilj <= day_after(sidro, s.ponavlja_do_meseci, 'mesec'))
$$;

-- Until when a visit is waited for: some days after its window, but not beyond the day on which the window of the next one opens.
create or replace function waited_to(prozor_do date, ceka_dana int, sledeci_od date) returns date language sql immutable parallel safe as $$
    select greatest(prozor_do, least(prozor_do + ceka_dana, sledeci_od - 1))
$$;

-- The newest value of a date field of a patient.
create or replace function newest_date(pacijent bigint, polje bigint) returns date language sql stable set search_path = public, pg_temp as $$
    select (e.vrednosti ->> polje::text)::date
      from form_field f join entry e on e.pacijent_id = pacijent and e.tsa_id = f.tip_skupa_atributa_id and e.aktivan
     where f.id = polje and e.vrednosti ->> polje::text ~ '^(19|20|21)\d\d-\d\d-\d\d$'
     order by e.datum_unosa desc, e.id desc limit 1
$$;

-- The days that a plan gives to a patient of whom nothing is known but the day of inclusion, as the designer of a plan looks at them. A visit that
-- is counted from a date field counts from `datumi`, by the field's id; conditions are taken to hold.
create or replace function preview_visits(stavke jsonb, ukljucenje date, datumi jsonb, kraj date)
    returns table (sifra text, red int, cilj date, prozor_od date, prozor_do date, ceka_do date) language plpgsql stable
    set search_path = public, pg_temp as $$
declare
    s visit_plan_item;
    sidro date;
    pre date;
    prethodna date := ukljucenje;
    found_days jsonb := '[]';
begin
    for s in select * from jsonb_populate_recordset(null::visit_plan_item, stavke) p order by p.redosled loop
        sidro := case s.sidro when 'ukljucenje' then ukljucenje when 'prethodna' then prethodna
                              else (datumi ->> s.sidro_polje_id::text)::date end;
        continue when sidro is null;
        red := 0;
        pre := null;
        loop
            cilj := visit_target(s, sidro, pre, red);
            exit when red > 0 and (not is_repeated(s, sidro, cilj) or cilj > kraj) or red > 1200;
            found_days := found_days || jsonb_build_object('sifra', s.sifra, 'red', red, 'cilj', cilj, 'od', cilj - s.prozor_pre,
                                                           'do', cilj + s.prozor_posle, 'ceka', s.ceka_dana);
            pre := cilj;
            prethodna := cilj;
            red := red + 1;
        end loop;
    end loop;
    return query
        select d.sifra, d.red, d.cilj, d.od, d."do",
               waited_to(d."do", d.ceka, (select min(n.od) from jsonb_to_recordset(found_days) n (cilj date, od date) where n.cilj > d.cilj))
          from jsonb_to_recordset(found_days) d (sifra text, red int, cilj date, od date, "do" date, ceka int)
         order by d.cilj, d.sifra, d.red;
end
$$;

-- The visits of a patient's plan. They are few, and looked through many times: whoever works on them reads them once.
create or replace function visits_of(plan bigint) returns planned_visit[] language sql stable set search_path = public, pg_temp as $$
    select array(select v from planned_visit v where v.patient_plan_id = plan)
$$;

-- Dates what is open of a patient's plan: makes what is missing, moves what is counted from another day now, takes away what is not of the plan.
-- What is done or called off stays as it is.
create or replace function date_visits(plan patient_plan, items visit_plan_item[], kraj date) returns void language plpgsql security definer
    set search_path = public, pg_temp as $$
declare
    s visit_plan_item;
    v planned_visit;
    anchor date;
    pre date;
    -- The day of the visit before it in the plan: when it was, or is to be.
    previous date := plan.ukljucenje;
    target date;
    place int;
    counted_from date;
    known planned_visit[] := visits_of(plan.id);
    changed boolean := false;
begin
    for s in select i.* from unnest(items) i where i.plan_version_id = plan.plan_version_id order by i.redosled, i.id loop
        anchor := case s.sidro when 'ukljucenje' then plan.ukljucenje when 'prethodna' then previous
                               else newest_date(plan.pacijent_id, s.sidro_polje_id) end;
        if s.uslov is not null
            and not exists (select from patient_plan_condition c where c.patient_plan_id = plan.id and c.stavka_id = s.id and c.vazi) then
            anchor := null;
        end if;
        place := 0;
        pre := null;
        while anchor is not null and place < 1200 loop
            target := visit_target(s, anchor, pre, place);
            exit when place > 0 and (not is_repeated(s, anchor, target) or target > kraj);
            counted_from := case when s.sidro = 'prethodna' then coalesce(pre, anchor) else anchor end;
            select k.* into v from unnest(known) k where k.sifra = s.sifra and k.red = place;
            if found and (v.unos_id is not null or v.otkazana_at is not null) then
                previous := coalesce(v.unos_dan, v.cilj);
            else
                -- Repetitions that were over before the patient came are none of hers.
                if place = 0 or target + s.prozor_posle >= plan.ukljucenje then
                    if v.id is null then
                        insert into planned_visit (patient_plan_id, stavka_id, sifra, red, sidro, cilj, prozor_od, prozor_do, ceka_do,
                                                   registar_id, ustanova_id, radnik_id, prekid_dan)
                        values (plan.id, s.id, s.sifra, place, counted_from, target, target - s.prozor_pre, target + s.prozor_posle,
                                target + s.prozor_posle + s.ceka_dana, plan.registar_id, plan.ustanova_id, plan.radnik_id, plan.prekid_dan);
                        changed := true;
                    elsif (v.stavka_id, v.cilj, v.prozor_od, v.prozor_do)
                          is distinct from (s.id, target, target - s.prozor_pre, target + s.prozor_posle) then
                        update planned_visit p
                           set stavka_id = s.id, sidro = counted_from, cilj = target,
                               prozor_od = target - s.prozor_pre, prozor_do = target + s.prozor_posle,
                               ceka_do = target + s.prozor_posle + s.ceka_dana
                         where p.id = v.id;
                        changed := true;
                    end if;
                elsif v.id is not null then
                    delete from planned_visit p where p.id = v.id;
                    changed := true;
                end if;
                previous := target;
            end if;
            pre := previous;
            place := place + 1;
        end loop;
        -- What the plan has no more of.
        for v in select k.* from unnest(known) k where k.sifra = s.sifra and k.red >= place and k.unos_id is null and k.otkazana_at is null loop
            delete from planned_visit p where p.id = v.id;
            changed := true;
        end loop;
    end loop;
    for v in select k.* from unnest(known) k
              where k.unos_id is null and k.otkazana_at is null
                and not exists (select from unnest(items) i where i.plan_version_id = plan.plan_version_id and i.sifra = k.sifra) loop
        delete from planned_visit p where p.id = v.id;
        changed := true;
    end loop;
    if changed then known := visits_of(plan.id); end if;
    -- Until when each is waited for follows from the others.
    for v.id, v.ceka_do in
        select w.id, w.ceka_do
          from (select o.id, o.ceka_do as was,
                       waited_to(o.prozor_do, i.ceka_dana,
                                 (select min(n.prozor_od) from unnest(known) n where n.otkazana_at is null and n.cilj > o.cilj)) as ceka_do
                  from unnest(known) o join unnest(items) i on i.id = o.stavka_id
                 where o.unos_id is null and o.otkazana_at is null) w
         where w.ceka_do <> w.was
    loop
        update planned_visit p set ceka_do = v.ceka_do where p.id = v.id;
    end loop;
end
$$;

-- Brings a patient's plan to what the entries, the status and the version say: who awaits the patient, the days of what is open, and which
-- entry is which visit. Asked as often as one likes.
create or replace function refresh_patient_plan(plan bigint) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
    p patient_plan;
    was patient_plan;
    mine planned_visit[];
    items visit_plan_item[];
    kraj date := today() + 730;
    entry_id bigint;
    entry_day date;
    visit bigint;
    is_there boolean;
begin
    select * into p from patient_plan where id = plan for update;
    if not found then return; end if;
    was := p;
    -- Who awaits the patient: the keeper where it has entries of hers in the register, or took her over and nobody has seen her since; else whoever
    -- saw her last; and that institution's doctor.
    select coalesce((select e.ustanova_id from entry e join patient k on k.id = e.pacijent_id and k.ustanova_id = e.ustanova_id
                      where e.pacijent_id = p.pacijent_id and e.registar_id = p.registar_id and e.aktivan limit 1),
                    (select k.ustanova_id from patient k
                       join patient_transfer t on t.pacijent_id = k.id and t.za_ustanovu_id = k.ustanova_id and t.status = 'prihvacen'
                      where k.id = p.pacijent_id
                        and not exists (select from entry e
                                         where e.pacijent_id = p.pacijent_id and e.registar_id = p.registar_id and e.aktivan
                                           and e.datum_unosa > (t.odgovoreno_at at time zone 'Europe/Belgrade')::date)
                      limit 1),
                    (select e.ustanova_id from entry e where e.pacijent_id = p.pacijent_id and e.registar_id = p.registar_id and e.aktivan
                      order by e.datum_unosa desc, e.id desc limit 1),
                    p.ustanova_id) into p.ustanova_id;
    p.radnik_id := (select e.radnik_odgovoran_id from entry e
                     where e.pacijent_id = p.pacijent_id and e.registar_id = p.registar_id and e.aktivan and e.ustanova_id = p.ustanova_id
                       and e.radnik_odgovoran_id is not null
                     order by e.datum_unosa desc, e.id desc limit 1);
    -- Nothing is expected of who was deleted or made anonymous, has died, left, or was lost, nor where nothing was ever entered.
    select case when p.ukljucenje_rucno then p.ukljucenje else coalesce(r.prvi_unos_datum, p.ukljucenje) end,
           case when not k.aktivan or r.prvi_unos_id is null then date '1900-01-01'
                when k.anonimizovan_at is not null then (k.anonimizovan_at at time zone 'Europe/Belgrade')::date
                when r.status <> 'aktivan' then r.status_dan end
      into p.ukljucenje, p.prekid_dan
      from patient k left join patient_register r on r.pacijent_id = k.id and r.registar_id = p.registar_id
     where k.id = p.pacijent_id;
    mine := visits_of(p.id);
    items := array(select i from visit_plan_item i
                    where i.plan_version_id = p.plan_version_id or i.id in (select m.stavka_id from unnest(mine) m));
    p.horizont := case when exists (select from unnest(items) i where i.plan_version_id = p.plan_version_id and i.ponavlja_meseci is not null) then kraj end;
    if (p.ustanova_id, p.radnik_id, p.ukljucenje, p.prekid_dan, p.horizont)
       is distinct from (was.ustanova_id, was.radnik_id, was.ukljucenje, was.prekid_dan, was.horizont) then
        update patient_plan q
           set ustanova_id = p.ustanova_id, radnik_id = p.radnik_id, ukljucenje = p.ukljucenje, prekid_dan = p.prekid_dan, horizont = p.horizont
         where q.id = p.id;
    end if;
    -- An entry that is gone, or has another day by now, is no visit until it is matched anew; one that a person linked keeps its visit.
    for visit, entry_day, is_there in
        select m.id, e.datum_unosa, e.aktivan and e.pacijent_id = p.pacijent_id and e.registar_id = p.registar_id and m.rucno
          from unnest(mine) m join entry e on e.id = m.unos_id
         where not e.aktivan or e.pacijent_id <> p.pacijent_id or e.registar_id <> p.registar_id or e.datum_unosa <> m.unos_dan
    loop
        update planned_visit v
           set unos_id = case when is_there then v.unos_id end, unos_dan = case when is_there then entry_day end, rucno = v.rucno and is_there
         where v.id = visit;
    end loop;
    perform date_visits(p, items, kraj);
    loop
        mine := visits_of(p.id);
        -- The earliest entry that is no visit yet and may be one, with the visit that it is: of those that are open and take its form one whose
        -- window holds its day before one that is only waited for, of these the nearest.
        select e.id, e.datum_unosa, v.id into entry_id, entry_day, visit
          from entry e
          join unnest(mine) v on v.unos_id is null and v.otkazana_at is null and e.datum_unosa between v.prozor_od and v.ceka_do
          join unnest(items) s on s.id = v.stavka_id and (s.formulari = '{}' or e.tsa_id = any (s.formulari))
         where e.pacijent_id = p.pacijent_id and e.registar_id = p.registar_id and e.aktivan
           and not exists (select from unnest(mine) o where o.unos_id = e.id)
           and not exists (select from unplanned_entry u where u.unos_id = e.id)
           -- Another form of the same day belongs to the visit that is there.
           and not exists (select from unnest(mine) o join unnest(items) f on f.id = o.stavka_id
                            where o.unos_dan = e.datum_unosa and (f.formulari = '{}' or e.tsa_id = any (f.formulari)))
         order by e.datum_unosa, e.id, e.datum_unosa > v.prozor_do, abs(e.datum_unosa - v.cilj), v.cilj, s.redosled, v.red limit 1;
        exit when not found;
        update planned_visit v set unos_id = entry_id, unos_dan = entry_day where v.id = visit;
        -- What is counted from the visit before it has another day now.
        if exists (select from unnest(items) i where i.plan_version_id = p.plan_version_id and i.sidro = 'prethodna') then
            perform date_visits(p, items, kraj);
        end if;
    end loop;
    if exists (select from unnest(mine) m where (m.ustanova_id, m.radnik_id, m.prekid_dan) is distinct from (p.ustanova_id, p.radnik_id, p.prekid_dan)) then
        update planned_visit v set ustanova_id = p.ustanova_id, radnik_id = p.radnik_id, prekid_dan = p.prekid_dan
         where v.patient_plan_id = p.id
           and (v.ustanova_id, v.radnik_id, v.prekid_dan) is distinct from (p.ustanova_id, p.radnik_id, p.prekid_dan);
    end if;
end
$$;

-- Gives a patient of a register its plan, where she has none; null: the register has no plan that patients get by themselves.
create or replace function assign_plan(pacijent bigint, registar bigint) returns bigint language sql security definer
    set search_path = public, pg_temp as $$
    insert into patient_plan (pacijent_id, registar_id, plan_id, plan_version_id, ukljucenje, ustanova_id, uslovi_zastareli)
    select r.pacijent_id, r.registar_id, p.id, w.id, r.prvi_unos_datum, e.ustanova_id,
           exists (select from visit_plan_item i where i.plan_version_id = w.id and i.uslov is not null)
      from visit_plan p
      join lateral (select n.id from visit_plan_version n where n.plan_id = p.id order by n.broj desc limit 1) w on true
      join patient_register r on r.pacijent_id = pacijent and r.registar_id = p.registar_id
      join entry e on e.id = r.prvi_unos_id
     where p.registar_id = registar and p.aktivan and p.podrazumevani
        on conflict do nothing
    returning id
$$;

-- Every write of an entry: the first one gives the patient the register's plan, each one may be a planned visit.
create or replace function entry_plan() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    plan bigint;
    one record;
begin
    if tg_op = 'UPDATE' then
        if old.pacijent_id <> new.pacijent_id then
            -- Of two records that became one: the visit that it was is the other's to say.
            for one in select pp.id from patient_plan pp where pp.pacijent_id = old.pacijent_id and pp.registar_id = old.registar_id loop
                perform refresh_patient_plan(one.id);
            end loop;
        end if;
    end if;
    select pp.id into plan from patient_plan pp where pp.pacijent_id = new.pacijent_id and pp.registar_id = new.registar_id;
    if plan is null and new.aktivan then
        plan := assign_plan(new.pacijent_id, new.registar_id);
    end if;
    if plan is null then return null; end if;
    update patient_plan pp set uslovi_zastareli = true
     where pp.id = plan and not pp.uslovi_zastareli
       and exists (select from visit_plan_item i where i.plan_version_id = pp.plan_version_id and i.uslov_form_id = new.tsa_id);
    if tg_op = 'UPDATE' then
        -- Values move nothing unless a visit is counted from a date among them.
        if (old.aktivan, old.datum_unosa, old.pacijent_id, old.ustanova_id, old.radnik_odgovoran_id)
           is not distinct from (new.aktivan, new.datum_unosa, new.pacijent_id, new.ustanova_id, new.radnik_odgovoran_id)
           and not exists (select from patient_plan pp join visit_plan_item i on i.plan_version_id = pp.plan_version_id and i.sidro = 'datum'
                            where pp.id = plan) then
            return null;
        end if;
    end if;
    perform refresh_patient_plan(plan);
    return null;
end
$$;

create or replace trigger entry_plan after insert on entry for each row execute function entry_plan();
create or replace trigger entry_plan_changed after update on entry for each row
    when ((old.aktivan, old.datum_unosa, old.pacijent_id, old.ustanova_id, old.radnik_odgovoran_id, old.vrednosti)
          is distinct from (new.aktivan, new.datum_unosa, new.pacijent_id, new.ustanova_id, new.radnik_odgovoran_id, new.vrednosti))
    execute function entry_plan();

-- What became of the patient, a plan or a day by which somebody moved it.
create or replace function plan_follows() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
    one bigint;
begin
    if tg_table_name = 'patient_plan' then
        perform refresh_patient_plan(new.id);
    elsif tg_table_name = 'patient_register' then
        for one in select pp.id from patient_plan pp where pp.pacijent_id = new.pacijent_id and pp.registar_id = new.registar_id loop
            perform refresh_patient_plan(one);
        end loop;
    else
        for one in select pp.id from patient_plan pp where pp.pacijent_id = new.id loop
            perform refresh_patient_plan(one);
        end loop;
    end if;
    return null;
end
$$;

create or replace trigger patient_plan_begun after insert on patient_plan for each row execute function plan_follows();
create or replace trigger patient_plan_changed after update of plan_version_id, ukljucenje_rucno on patient_plan for each row
    when ((old.plan_version_id, old.ukljucenje, old.ukljucenje_rucno) is distinct from (new.plan_version_id, new.ukljucenje, new.ukljucenje_rucno))
    execute function plan_follows();
create or replace trigger patient_register_plan after update on patient_register for each row
    when ((old.status, old.status_dan) is distinct from (new.status, new.status_dan)) execute function plan_follows();
create or replace trigger patient_plan_of after update on patient for each row
    when ((old.aktivan, old.ustanova_id, old.anonimizovan_at) is distinct from (new.aktivan, new.ustanova_id, new.anonimizovan_at))
    execute function plan_follows();

-- A visit whose days are moved keeps those that it had.
create or replace function planned_visit_moves() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into planned_visit_move (planned_visit_id, sidro, cilj, prozor_od, prozor_do, radnik_id)
    values (old.id, old.sidro, old.cilj, old.prozor_od, old.prozor_do, acting_worker());
    return null;
end
$$;

create or replace trigger planned_visit_moves after update on planned_visit for each row
    when ((old.cilj, old.prozor_od, old.prozor_do) is distinct from (new.cilj, new.prozor_od, new.prozor_do)) execute function planned_visit_moves();

-- What a person decides about a visit is in the log; what follows from entries is in theirs.
create or replace function planned_visit_deed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id, polja)
    select acting_worker(), 'planned_visit', 'izmena', new.id::text, pp.pacijent_id,
           (select coalesce(jsonb_agg(jsonb_build_object('naziv', k, 'stara', to_jsonb(old) -> k, 'nova', to_jsonb(new) -> k) order by k), '[]')
              from unnest(array['otkazana_at', 'otkaz_razlog', 'unos_id']) k where to_jsonb(old) -> k is distinct from to_jsonb(new) -> k)
      from patient_plan pp where pp.id = new.patient_plan_id;
    return null;
end
$$;

create or replace trigger planned_visit_deed after update on planned_visit for each row
    when ((old.otkazana_at, old.otkaz_razlog, old.rucno) is distinct from (new.otkazana_at, new.otkaz_razlog, new.rucno)
          or new.rucno and old.unos_id is distinct from new.unos_id)
    execute function planned_visit_deed();

-- How wide a window is at most, and how long after it one is waited for: between them lies the stretch of the index that a day asks for.
create or replace function widest_window() returns table (prozor int, cekanje int) language sql stable set search_path = public, pg_temp as $$
    select coalesce(max(i.prozor_pre + i.prozor_posle), 0), coalesce(max(i.ceka_dana), 0) from visit_plan_item i
$$;

-- Visits of an institution, or of one of its doctors, that are late on a day: those whose window closed last come first. A page goes on after
-- `(posle_dan, posle_id)`; the first one after the day itself. What is late says visit_state, by whoever reads the rows.
create or replace function late_visits(ustanova bigint, lekar bigint, registar bigint, dan date, posle_dan date, posle_id bigint, najvise int)
    returns table (id bigint) language plpgsql stable rows 50 set search_path = public, pg_temp as $$
declare
    since date := dan - (select cekanje from widest_window());
begin
    if lekar is null then
        return query select v.id from planned_visit v
         where v.ustanova_id = ustanova and v.unos_id is null and v.otkazana_at is null and v.prekid_dan is null
           and (v.prozor_do, v.id) < (posle_dan, posle_id) and v.prozor_do >= since and v.prozor_do < dan and v.ceka_do >= dan
           and (registar is null or v.registar_id = registar)
         order by v.prozor_do desc, v.id desc limit najvise;
    else
        return query select v.id from planned_visit v
         where v.ustanova_id = ustanova and v.radnik_id = lekar and v.unos_id is null and v.otkazana_at is null and v.prekid_dan is null
           and (v.prozor_do, v.id) < (posle_dan, posle_id) and v.prozor_do >= since and v.prozor_do < dan and v.ceka_do >= dan
           and (registar is null or v.registar_id = registar)
         order by v.prozor_do desc, v.id desc limit najvise;
    end if;
end
$$;

-- The same of those whose window is open: those that close first come first.
create or replace function open_visits(ustanova bigint, lekar bigint, registar bigint, dan date, posle_dan date, posle_id bigint, najvise int)
    returns table (id bigint) language plpgsql stable rows 50 set search_path = public, pg_temp as $$
declare
    until date := dan + (select prozor from widest_window());
begin
    if lekar is null then
        return query select v.id from planned_visit v
         where v.ustanova_id = ustanova and v.unos_id is null and v.otkazana_at is null and v.prekid_dan is null
           and (v.prozor_do, v.id) > (posle_dan, posle_id) and v.prozor_do >= dan and v.prozor_do <= until and v.prozor_od <= dan
           and (registar is null or v.registar_id = registar)
         order by v.prozor_do, v.id limit najvise;
    else
        return query select v.id from planned_visit v
         where v.ustanova_id = ustanova and v.radnik_id = lekar and v.unos_id is null and v.otkazana_at is null and v.prekid_dan is null
           and (v.prozor_do, v.id) > (posle_dan, posle_id) and v.prozor_do >= dan and v.prozor_do <= until and v.prozor_od <= dan
           and (registar is null or v.registar_id = registar)
         order by v.prozor_do, v.id limit najvise;
    end if;
end
$$;

-- Visits whose target is one day.
create or replace function visits_of_day(ustanova bigint, lekar bigint, registar bigint, dan date, posle_id bigint, najvise int)
    returns table (id bigint) language sql stable set search_path = public, pg_temp as $$
    select v.id from planned_visit v
     where v.ustanova_id = ustanova and v.cilj = dan and v.id > posle_id
       and v.unos_id is null and v.otkazana_at is null and v.prekid_dan is null
       and (lekar is null or v.radnik_id = lekar) and (registar is null or v.registar_id = registar)
     order by v.id limit najvise
$$;

-- The three lists by their names: `kasni`, `otvorene`, `danas`.
create or replace function listed_visits(vrsta text, ustanova bigint, lekar bigint, registar bigint, dan date, posle_dan date, posle_id bigint, najvise int)
    returns table (id bigint) language plpgsql stable rows 50 set search_path = public, pg_temp as $$
begin
    case vrsta
        when 'kasni' then
            return query select l.id from late_visits(ustanova, lekar, registar, dan, coalesce(posle_dan, dan), coalesce(posle_id, 0), najvise) l;
        when 'otvorene' then
            return query select l.id from open_visits(ustanova, lekar, registar, dan, coalesce(posle_dan, dan - 1),
                                                      coalesce(posle_id, 9223372036854775807), najvise) l;
        when 'danas' then
            return query select l.id from visits_of_day(ustanova, lekar, registar, dan, coalesce(posle_id, 0), najvise) l;
    end case;
end
$$;

-- How many there are to each day of a stretch.
create or replace function visits_by_day(ustanova bigint, lekar bigint, registar bigint, od date, kraj date)
    returns table (dan date, broj bigint) language sql stable set search_path = public, pg_temp as $$
    select v.cilj, count(*) from planned_visit v
     where v.ustanova_id = ustanova and v.cilj between od and kraj and v.unos_id is null and v.otkazana_at is null and v.prekid_dan is null
       and (lekar is null or v.radnik_id = lekar) and (registar is null or v.registar_id = registar)
     group by v.cilj order by v.cilj
$$;

-- What is left to do of plans: patients of a register that was given one, those of an earlier version, and visits that repeat beyond what is dated.
-- Gives how many patients; one at a time, whoever calls.
create or replace function advance_visit_plans(most int) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
    plan record;
    one record;
    done int := 0;
begin
    if not pg_try_advisory_xact_lock(7231840007) then return 0; end if;
    for plan in select p.id, p.registar_id, a.do_pacijenta
                  from visit_plan_assignment a join visit_plan p on p.id = a.plan_id and p.aktivan and p.podrazumevani order by p.id loop
        for one in select r.pacijent_id from patient_register r
                    where r.registar_id = plan.registar_id and r.pacijent_id > plan.do_pacijenta and r.prvi_unos_id is not null
                    order by r.pacijent_id limit most - done loop
            perform assign_plan(one.pacijent_id, plan.registar_id);
            update visit_plan_assignment a set do_pacijenta = one.pacijent_id where a.plan_id = plan.id;
            done := done + 1;
        end loop;
        if done >= most then return done; end if;
        -- All of them: whoever comes now gets it with the first entry.
        delete from visit_plan_assignment a where a.plan_id = plan.id;
    end loop;
    for one in select pp.id, n.id as version
                 from visit_plan_version n
                 join patient_plan pp on pp.plan_id = n.plan_id and pp.plan_version_id < n.id
                where n.za_postojece and not exists (select from visit_plan_version l where l.plan_id = n.plan_id and l.za_postojece and l.broj > n.broj)
                order by pp.id limit most - done loop
        update patient_plan pp
           set plan_version_id = one.version,
               uslovi_zastareli = exists (select from visit_plan_item i where i.plan_version_id = one.version and i.uslov is not null)
         where pp.id = one.id;
        done := done + 1;
    end loop;
    for one in select pp.id from patient_plan pp where pp.horizont < today() + 400 and pp.prekid_dan is null
                order by pp.horizont limit most - done loop
        perform refresh_patient_plan(one.id);
        done := done + 1;
    end loop;
    return done;
end
$$;

-- Writes the weekly letters of those who asked for one and are awaited there, once for each week; gives how many. The counts are of the worker's
-- own patients where she is a doctor of some, else of the institution. Letters go to those alone who may open patients.
create or replace function write_visit_digests() returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
    one record;
    monday date := date_trunc('week', today())::date;
    digest bigint;
    late int;
    opened int;
    written int := 0;
begin
    if now() at time zone 'Europe/Belgrade' < monday + time '06:00' then return 0; end if;
    -- Old ones tell nothing any more.
    delete from report_delivery d using visit_digest g where g.id = d.pregled_id and g.nedelja < monday - 60;
    delete from visit_digest g where g.nedelja < monday - 60;
    for one in select s.radnik_id, m.ustanova_id, w.email,
                      case when exists (select from patient_plan pp where pp.ustanova_id = m.ustanova_id and pp.radnik_id = s.radnik_id)
                           then s.radnik_id end as lekar
                 from worker_start s
                 join worker w on w.id = s.radnik_id and w.aktivan and btrim(coalesce(w.email, '')) <> ''
                 cross join lateral (select w.ustanova_id union select i.ustanova_id from worker_institution i where i.radnik_id = w.id) m
                where s.nedeljni_pregled and opens_patients(s.radnik_id) and works_at(s.radnik_id, m.ustanova_id)
                  and not exists (select from visit_digest d
                                   where d.radnik_id = s.radnik_id and d.ustanova_id = m.ustanova_id and d.nedelja = monday) loop
        select count(*) into late from late_visits(one.ustanova_id, one.lekar, null, today(), today(), 0, 1001) l (visit)
          join planned_visit v on v.id = l.visit where visit_state(v, today()) = 'kasni';
        select count(*) into opened from open_visits(one.ustanova_id, one.lekar, null, today(), today() - 1, 9223372036854775807, 1001) l (visit)
          join planned_visit v on v.id = l.visit where visit_state(v, today()) = 'otvorena';
        -- Whoever wrote it at this moment is waited for, and nothing is written twice.
        insert into visit_digest (radnik_id, ustanova_id, nedelja, kasni, otvoreno)
        values (one.radnik_id, one.ustanova_id, monday, late, opened) on conflict do nothing returning id into digest;
        -- A week in which nobody is awaited has no letter.
        if digest is not null and late + opened > 0 then
            insert into report_delivery (pregled_id, address, message_id)
            values (digest, one.email, '<pregled.' || digest || '.' || to_char(monday, 'YYYYMMDD') || '@regix>');
            written := written + 1;
        end if;
    end loop;
    return written;
end
$$;

call audited('visit_plan');
create or replace trigger visit_plan_version_audit after insert on visit_plan_version for each row execute function audit_change();
create or replace trigger patient_plan_audit after insert or delete or update of plan_id, plan_version_id, ukljucenje_rucno on patient_plan
    for each row execute function audit_change();
create or replace trigger patient_plan_touch before update of plan_id, plan_version_id, ukljucenje_rucno on patient_plan
    for each row execute function touch_row();

revoke execute on function visit_state, day_after, visit_target, is_repeated, waited_to, newest_date, preview_visits, visits_of, date_visits,
    refresh_patient_plan, assign_plan, entry_plan, plan_follows, planned_visit_moves, planned_visit_deed, widest_window, late_visits, open_visits,
    visits_of_day, listed_visits, visits_by_day, advance_visit_plans, write_visit_digests from public;
grant execute on function visit_state, day_after, visit_target, is_repeated, waited_to, preview_visits, refresh_patient_plan, assign_plan, widest_window,
    late_visits, open_visits, visits_of_day, listed_visits, visits_by_day, advance_visit_plans, write_visit_digests to regix_app;
-- By the view of planned visits: what a report's role calls in a view is asked of the role.
grant execute on function visit_state to regix_report_anonymous, regix_report_unnamed;
