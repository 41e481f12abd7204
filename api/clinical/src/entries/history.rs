//! An entry's history: what it is now, and every value that a field had before (A 2.9).

use accounts::{
    audit::{deed_on_patient, look_at_patient},
    auth::Actor,
};
use axum::extract::State;
use domain::{
    clock, db,
    entry::{files, form::EntryField, rows, units},
    register::ValueType,
    time,
};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    archived::{Kind, archived_before},
    error::{Error, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{files::EntryFile, form_version::day, words::Words};
use crate::patients::{PatientAccess, PatientHead};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(view)).routes(routes!(items)).routes(routes!(archive))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryView {
    naziv_unosa: String,
    pacijent: String,
    /// Who the entry is about, for the head of the screen.
    o_pacijentu: PatientHead,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    odgovoran_za_sadrzaj: Option<String>,
    datum_kreiranja: Date,
    radnik_kreirao: String,
    radnik_poslednji_izmenio: Option<String>,
    kreirano: String,
    vreme_poslednje_izmene: Option<String>,
    aktivan: bool,
    /// The version of the form that the entry has, and the day on which that was made.
    verzija_obrasca: i32,
    verzija_obrasca_od: Date,
    /// When the entry was taken to a newer version of its form, newest first.
    prelasci: Vec<VersionChange>,
}

#[derive(Serialize, ToSchema)]
struct VersionChange {
    sa: i32,
    na: i32,
    radnik: Option<String>,
    vreme: String,
    /// It was a recomputation of the form's results, which the worker had asked for.
    preracunato: bool,
}

/// Each version but the first one came in the place of the one before it.
fn version_changes(words: &Words) -> Vec<VersionChange> {
    let pairs = words.versions().windows(2).rev();
    let told = pairs.filter_map(|pair| {
        let (was, now) = (&pair[0], &pair[1]);
        let vreme = time::server_text(was.until?);
        Some(VersionChange { sa: was.broj, na: now.broj, radnik: was.radnik.clone(), vreme, preracunato: was.preracunato })
    });
    told.collect()
}

/// The entry's patient, whom the worker must know. A deleted entry's history stays readable.
async fn patient_of(db: &mut PgConnection, actor: &Actor, entry: i64) -> Result<i64> {
    let entry = sqlx::query!("select pacijent_id, ustanova_id from entry where id = $1", entry).fetch_optional(&mut *db).await?;
    let (entry, _) = PatientAccess::to_entry(db, actor, entry, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
    Ok(entry.pacijent_id)
}

#[utoipa::path(get, path = "/api/entries/{id}/view", responses((status = 200, body = EntryView)))]
async fn view(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<EntryView>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let patient = patient_of(&mut tx, &actor, id).await?;
    let row = sqlx::query!(
        r#"
        select v.opis ->> 'naziv' as "naziv!", v.broj, v.napravljena, p.prezime || ' ' || p.ime as "pacijent!", r.prezime || ' ' || r.ime as odgovoran, c.prezime || ' ' || c.ime as "kreirao!",
               m.prezime || ' ' || m.ime as izmenio, e.datum_unosa, e.datum_kreiranja, e.datum_izmene, e.aktivan
          from entry e join form_version v on v.id = e.form_version_id join patient p on p.id = e.pacijent_id join worker c on c.id = e.radnik_kreirao_id
          left join worker r on r.id = e.radnik_odgovoran_id left join worker m on m.id = e.radnik_izmenio_id
         where e.id = $1
        "#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    let words = Words::of(&mut tx, id).await?;
    let o_pacijentu = PatientHead::of(&mut tx, patient).await?;
    deed_on_patient(&mut tx, &actor, "entry", "pregled istorije", id, patient).await?;
    tx.commit().await?;
    Ok(Json(EntryView {
        naziv_unosa: row.naziv,
        pacijent: row.pacijent,
        o_pacijentu,
        pacijent_id: patient,
        odgovoran_za_sadrzaj: row.odgovoran,
        datum_kreiranja: row.datum_unosa.to_jiff(),
        radnik_kreirao: row.kreirao,
        radnik_poslednji_izmenio: row.izmenio,
        kreirano: time::server_text(row.datum_kreiranja.to_jiff()),
        vreme_poslednje_izmene: row.datum_izmene.map(|at| time::server_text(at.to_jiff())),
        aktivan: row.aktivan,
        verzija_obrasca: row.broj,
        verzija_obrasca_od: day(row.napravljena.to_jiff()),
        prelasci: version_changes(&words),
    }))
}

#[derive(Serialize, ToSchema)]
struct Items {
    data: Vec<Item>,
    total: usize,
}

#[derive(Serialize, ToSchema)]
struct Item {
    id: i64,
    naziv: String,
}

/// Fields that hold values: of the entry's versions of its form, and others of which the entry has or had a value.
#[utoipa::path(get, path = "/api/entries/{id}/items", responses((status = 200, body = Items)))]
async fn items(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<Items>> {
    let mut db = state.db.acquire().await?;
    patient_of(&mut db, &actor, id).await?;
    let words = Words::of(&mut db, id).await?;
    let data = items_of(&mut db, id, &words).await?;
    Ok(Json(Items { total: data.len(), data }))
}

/// Fields that were deleted before the entry's first version are called what they are called today.
async fn items_of(db: &mut PgConnection, entry: i64, words: &Words) -> sqlx::Result<Vec<Item>> {
    let mut items: Vec<Item> = words.fields().into_iter().map(|field| Item { id: field.id, naziv: field.naziv.clone() }).collect();
    let known: Vec<i64> = items.iter().map(|item| item.id).collect();
    let others = sqlx::query_as!(
        Item,
        "select f.id, f.naziv
           from entry e join form_field f on f.tip_skupa_atributa_id = e.tsa_id and f.id <> all ($2)
           join attribute_type t on t.id = f.tip_atributa_id and holds_value(t.tip_vrednosti_atributa)
           join form_field_place m on m.polje_id = f.id
          where e.id = $1 and (e.vrednosti ? f.id::text or exists (select from value_history h where h.unos_id = e.id and h.polje_id = f.id))
          order by m.mesto",
        entry,
        &known
    );
    items.extend(others.fetch_all(db).await?);
    Ok(items)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
struct ArchiveQuery {
    /// Ids of fields, a comma between them.
    #[serde(rename = "nizAutsID")]
    niz_auts_id: String,
}

#[derive(Serialize, ToSchema)]
struct ArchiveRows {
    data: Vec<ArchiveRow>,
    total: usize,
    /// The same as what was changed into what, newest first; the first values of an entry are no change.
    promene: Vec<ValueChange>,
    /// Values that ended before this day lie in files of the archive, but for the newest of each; none: all are here.
    #[serde(rename = "uArhiviPre")]
    archived_before: Option<Date>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ArchiveRow {
    /// None: the value that holds now.
    vreme_prestanka_vazenja: Option<String>,
    naziv_atributa: String,
    nabrojiva_vrednost: Option<String>,
    logicka_vrednost: Option<bool>,
    tekst_vrednost: Option<String>,
    /// Of a field with files: those that it held.
    fajlovi: Vec<EntryFile>,
    brojna_vrednost: Option<f64>,
    /// A number that was typed in another unit, as it was typed.
    uneto: Option<String>,
    datumska_vrednost: Option<String>,
    vreme_kreiranja: String,
    vreme_poslednje_izmene: Option<String>,
    /// The value that holds now, and that today's formula gives otherwise, or that was entered in another unit than the entry's version has.
    zastareo: bool,
    /// Who wrote the value; none where the history of that time is not kept any more.
    radnik_upisao: Option<String>,
    /// Who put another in its place.
    radnik: Option<String>,
    /// Whether a recomputation wrote the value.
    preracunato: bool,
}

/// One value in another's place.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ValueChange {
    polje: i64,
    naziv_atributa: String,
    tva_num_vrednost: ValueType,
    jedinica: Option<String>,
    staro: HistoryValue,
    novo: HistoryValue,
    /// Of a section that repeats and of files: what became of them, in words.
    redovi: Vec<String>,
    radnik: Option<String>,
    vreme: String,
    /// It was a recomputation of the form's results, which the worker had asked for: nobody corrected anything.
    preracunato: bool,
}

/// A value, or none; items of a set by their names too.
#[derive(Serialize, ToSchema)]
struct HistoryValue {
    #[schema(value_type = Object)]
    vrednost: Option<Value>,
    stavke: Option<String>,
    /// A number that was typed in another unit, as it was typed.
    uneto: Option<String>,
}

/// Every value that the fields had and have, newest first; those that a save cleared because they were hidden are among them.
#[utoipa::path(get, path = "/api/entries/{id}/archive", params(ArchiveQuery), responses((status = 200, body = ArchiveRows)))]
async fn archive(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Query(query): Query<ArchiveQuery>,
) -> Result<Json<ArchiveRows>> {
    let fields: Vec<i64> = query.niz_auts_id.split(',').filter_map(|id| id.trim().parse().ok()).collect();
    if fields.is_empty() {
        return Err(Error::invalid("nizAutsID", "Morate izabrati bar jednu stavku unosa."));
    }
    let mut db = state.db.acquire().await?;
    let patient = patient_of(&mut db, &actor, id).await?;
    look_at_patient(&mut db, &actor, patient).await?;
    let words = Words::of(&mut db, id).await?;
    let data = values_of(&mut db, id, &fields, &words).await?;
    let promene = changes_of(&mut db, id, &fields, &words).await?;
    let archived_before = archived_before(&mut db, Kind::Istorija).await?;
    Ok(Json(ArchiveRows { total: data.len(), data, promene, archived_before }))
}

/// A value was written by who ended the one before it; the first one of a field by who made the entry. Where months of the history
/// were moved away, nobody is named.
async fn values_of(db: &mut PgConnection, entry: i64, fields: &[i64], words: &Words) -> sqlx::Result<Vec<ArchiveRow>> {
    let rows = sqlx::query!(
        r#"
        with ended as (
            select h.id, h.polje_id, h.vrednost, h.uneto_u, h.vreme_kreiranja as since, h.vreme_prestanka_vazenja as until, h.radnik_id,
                   coalesce(lag(h.radnik_id) over (partition by h.polje_id order by h.vreme_prestanka_vazenja, h.id),
                            case when h.vreme_kreiranja = e.datum_kreiranja then e.radnik_kreirao_id end) as writer_id
              from entry e join value_history h on h.unos_id = e.id and h.vreme_prestanka_vazenja >= e.datum_kreiranja
             where e.id = $1 and h.polje_id = any ($2)
        )
        select f.id, t.tip_vrednosti_atributa as "kind: ValueType", v.vrednost as "value!", v.uneto_u as "uneto_u?", v.since as "since!", v.until,
               a.prezime || ' ' || a.ime as upisao, w.prezime || ' ' || w.ime as radnik,
               coalesce((select jsonb_object_agg(i.id, name_before('enum_item', i.id, v.since, $3)) from enum_item i
                          where jsonb_typeof(v.vrednost) = 'array' and v.vrednost @> to_jsonb(i.id)), '{}') as "items_then!",
               coalesce((select jsonb_object_agg(i.id, i.naziv) from enum_item i
                          where jsonb_typeof(v.vrednost) = 'array' and v.vrednost @> to_jsonb(i.id)), '{}') as "items_today!",
               f.naziv as today, name_before('form_field', f.id, v.since, $3) as then,
               exists (select from recomputation_entry r where r.unos_id = $1 and r.vreme = v.since)
                   or exists (select from entry_following r where r.unos_id = $1 and r.vreme = v.since) as "preracunato!",
               v.until is null and exists (select from stale_result s join entry e on e.id = s.unos_id join form_version m on m.id = e.form_version_id
                                            where s.unos_id = $1 and s.polje_id = f.id and (s.vreme <= m.napravljena or s.razlog <> 'jedinica')) as "stale!"
          from (
            select polje_id, vrednost, uneto_u, since, until, radnik_id, writer_id from ended where vrednost is not null
            union all
            select k.key::bigint, k.value, e.uneto_u -> k.key, coalesce(l.until, e.datum_kreiranja), null, null,
                   coalesce(l.radnik_id, case when l.until is null then e.radnik_kreirao_id end)
              from entry e cross join lateral jsonb_each(e.vrednosti) k
              left join lateral (select until, radnik_id from ended where polje_id = k.key::bigint order by until desc, id desc limit 1) l on true
             where e.id = $1 and k.key::bigint = any ($2)
          ) v
          join form_field f on f.id = v.polje_id
          join form_field_place m on m.polje_id = f.id
          join attribute_type t on t.id = f.tip_atributa_id
          left join worker w on w.id = v.radnik_id
          left join worker a on a.id = v.writer_id
         order by v.until desc nulls first, m.mesto, f.id
        "#,
        entry,
        fields,
        words.first_made().map(|at| at.to_sqlx()) as _
    )
    .fetch_all(db)
    .await?;
    let shown = rows.into_iter().map(|row| {
        let since = row.since.to_jiff();
        let text = || row.value.as_str().map(str::to_owned);
        let until = row.until.map(|at| time::server_text(at.to_jiff()));
        ArchiveRow {
            naziv_atributa: named(words, row.id, since, row.then, row.today),
            zastareo: row.stale,
            nabrojiva_vrednost: words
                .items(row.id, since, &row.value, &row.items_then, &row.items_today)
                .filter(|_| row.kind == ValueType::Set),
            logicka_vrednost: row.value.as_bool().filter(|_| row.kind == ValueType::Choice),
            tekst_vrednost: rows_text(words.field(row.id, since), &row.value)
                .or_else(|| files::are_files(&row.value).then(|| files::text(&row.value)))
                .or_else(|| told_text(row.kind, text()?)),
            fajlovi: files::of(Some(&row.value)).into_iter().map(EntryFile::from).collect(),
            uneto: units::told_of(row.uneto_u.as_ref()),
            brojna_vrednost: row.value.as_f64().filter(|_| row.kind == ValueType::Number),
            datumska_vrednost: text().filter(|_| row.kind == ValueType::Date),
            vreme_kreiranja: time::server_text(since),
            vreme_poslednje_izmene: until.clone(),
            vreme_prestanka_vazenja: until,
            radnik_upisao: row.upisao,
            radnik: row.radnik,
            preracunato: row.preracunato,
        }
    });
    Ok(shown.collect())
}

/// A text as people read it; a date is shown apart.
fn told_text(kind: ValueType, text: String) -> Option<String> {
    match kind {
        ValueType::Date => None,
        ValueType::Moment => Some(clock::moment_in(&text).map_or(text, clock::moment_text)),
        _ => Some(text),
    }
}

/// Rows of a section in words.
fn rows_text(field: Option<&EntryField>, value: &Value) -> Option<String> {
    field.filter(|field| field.is_section() && rows::are_rows(value)).map(|section| rows::text(section, value))
}

/// What became of the rows of a section, or of files. What was made unreadable is not told row by row.
fn parts_changed(field: Option<&EntryField>, old: Option<&Value>, new: Option<&Value>) -> Vec<String> {
    if [old, new].into_iter().flatten().any(files::are_files) {
        return files::changes(old, new);
    }
    let readable = [old, new].into_iter().flatten().all(rows::are_rows);
    field.filter(|field| field.is_section() && readable).map(|section| rows::changes(section, old, new)).unwrap_or_default()
}

/// A field has the name that it had in the entry's version of that moment; before the first version, the one that it had then.
fn named(words: &Words, field: i64, moment: jiff::Timestamp, then: Option<String>, today: String) -> String {
    then.or_else(|| words.field(field, moment).map(|field| field.naziv.clone())).unwrap_or(today)
}

/// What ended, and what stands in its place: the value that ended next, or the present one.
async fn changes_of(db: &mut PgConnection, entry: i64, fields: &[i64], words: &Words) -> sqlx::Result<Vec<ValueChange>> {
    let rows = sqlx::query!(
        r#"
        with ended as (
            select h.id, h.polje_id, h.vrednost as old, h.uneto_u as old_typed, h.vreme_kreiranja as since, h.vreme_prestanka_vazenja as moment, h.radnik_id,
                   case when lead(h.id) over later is null then e.vrednosti -> h.polje_id::text else lead(h.vrednost) over later end as new,
                   case when lead(h.id) over later is null then e.uneto_u -> h.polje_id::text else lead(h.uneto_u) over later end as new_typed
              from entry e join value_history h on h.unos_id = e.id and h.vreme_prestanka_vazenja >= e.datum_kreiranja
             where e.id = $1 and h.polje_id = any ($2)
            window later as (partition by h.polje_id order by h.vreme_prestanka_vazenja, h.id)
        )
        select f.id, t.tip_vrednosti_atributa as "kind: ValueType", t.jedinica, v.old, v.new as "new?", v.old_typed as "old_typed?", v.new_typed as "new_typed?", v.moment as "moment!",
               w.prezime || ' ' || w.ime as radnik, f.naziv as today, name_before('form_field', f.id, v.moment, $3) as then,
               v.since as "since!", exists (select from recomputation_entry r where r.unos_id = $1 and r.vreme = v.moment)
                   or exists (select from entry_following r where r.unos_id = $1 and r.vreme = v.moment) as "preracunato!",
               coalesce((select jsonb_object_agg(i.id, name_before('enum_item', i.id, v.since, $3)) from enum_item i
                          where jsonb_typeof(v.old) = 'array' and v.old @> to_jsonb(i.id)), '{}') as "old_then!",
               coalesce((select jsonb_object_agg(i.id, name_before('enum_item', i.id, v.moment, $3)) from enum_item i
                          where jsonb_typeof(v.new) = 'array' and v.new @> to_jsonb(i.id)), '{}') as "new_then!",
               coalesce((select jsonb_object_agg(i.id, i.naziv) from enum_item i
                          where jsonb_typeof(v.old) = 'array' and v.old @> to_jsonb(i.id)
                             or jsonb_typeof(v.new) = 'array' and v.new @> to_jsonb(i.id)), '{}') as "items_today!"
          from ended v
          join form_field f on f.id = v.polje_id
          join form_field_place m on m.polje_id = f.id
          join attribute_type t on t.id = f.tip_atributa_id
          left join worker w on w.id = v.radnik_id
         where v.old is distinct from v.new
         order by v.moment desc, m.mesto, f.id
        "#,
        entry,
        fields,
        words.first_made().map(|at| at.to_sqlx()) as _
    )
    .fetch_all(db)
    .await?;
    let shown = rows.into_iter().map(|row| {
        let (since, moment) = (row.since.to_jiff(), row.moment.to_jiff());
        let field = words.field(row.id, moment);
        let stavke = |value: &Option<Value>, at, then| words.items(row.id, at, value.as_ref()?, then, &row.items_today);
        ValueChange {
            polje: row.id,
            jedinica: field.map_or(row.jedinica, |field| field.tip_atributa.jedinica.clone()),
            naziv_atributa: named(words, row.id, moment, row.then, row.today),
            tva_num_vrednost: field.map_or(row.kind, |field| field.tva_num_vrednost),
            redovi: parts_changed(field, row.old.as_ref(), row.new.as_ref()),
            staro: HistoryValue {
                stavke: stavke(&row.old, since, &row.old_then),
                uneto: units::told_of(row.old_typed.as_ref()),
                vrednost: row.old,
            },
            novo: HistoryValue {
                stavke: stavke(&row.new, moment, &row.new_then),
                uneto: units::told_of(row.new_typed.as_ref()),
                vrednost: row.new,
            },
            radnik: row.radnik,
            vreme: time::server_text(moment),
            preracunato: row.preracunato,
        }
    });
    Ok(shown.collect())
}
