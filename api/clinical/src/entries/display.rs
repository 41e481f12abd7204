//! What the entry screen shows: the form, the values (saved, or the initial ones of a new entry), who made it, what may be done.

use accounts::{
    audit::{deed_on_patient, look_at_patient},
    auth::Actor,
};
use axum::extract::State;
use domain::{
    db,
    entry::{
        around::{OtherEntry, others},
        other_forms::{self, OtherFormEntries},
        previous::{self, PreviousValue},
        rules::EntryRule,
        stale::{self, Stale},
        values::from_json,
    },
    time,
};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    known_forms::ShownFields,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{
    NO_ENTRY,
    form::{EntryField, EntryForm},
    form_version::{self, FormStamp},
    initial::{self, FirstValue, Initial, QueryFault, Visit},
    layout::Layout,
    values,
    visit::{VisitHead, VisitKey},
};
use crate::patients::{PatientAccess, PatientHead};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(display))
}

#[derive(Deserialize, IntoParams)]
struct DisplayQuery {
    /// An existing entry.
    #[serde(rename = "haID")]
    ha_id: Option<i64>,
    /// A new entry of this form, for this patient.
    #[serde(rename = "tsaID")]
    tsa_id: Option<i64>,
    #[serde(rename = "pacijentID")]
    pacijent_id: Option<i64>,
    /// The day of a new entry, up to which first values are taken; today where it is not known yet.
    #[serde(rename = "datumUnosa")]
    datum_unosa: Option<Date>,
    /// An existing entry as the newest version of its form would show it.
    #[serde(default)]
    najnoviji: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Display {
    registar: NamedRecord,
    pacijent: PatientHead,
    tsa: EntryHead,
    /// The visit of the entry; of a new one, that of its day, which it would join.
    poseta: Option<VisitHead>,
    obrazac: FormStamp,
    #[schema(value_type = Vec<EntryField>)]
    autsi_array: ShownFields,
    pravila: Vec<EntryRule>,
    #[serde(flatten)]
    raspored: Layout,
    /// Values by field id.
    #[schema(value_type = Object)]
    vrednosti: Value,
    /// What of the values was typed in other units, by field id: `{"broj", "jedinica"}`; of a section by row and column.
    #[schema(value_type = Object)]
    uneto_u: Value,
    /// For formulas that ask for the previous entry: whose date that is changes with the date of this one.
    drugi_unosi: Vec<OtherEntry>,
    /// For formulas that name fields of other forms of the register: what those hold in the patient's entries.
    drugi_formulari: Vec<OtherFormEntries>,
    /// Beside fields that ask for it: what earlier entries held last, by the day of this one.
    prethodne: Vec<PreviousValue>,
    radnici_odgovorni: Vec<ResponsibleOption>,
    /// Stored values that this version of the form would give or read otherwise.
    zastareli: Vec<Stale>,
    /// The server's day: the last on which an examination may have been.
    danas: Date,
    /// Of a new entry: values that nobody typed for it, with their sources; they wait for somebody to confirm them.
    preuzeto: Vec<FirstValue>,
    /// Of a new entry: fields whose queries failed.
    upozorenja: Vec<QueryFault>,
    /// Itself, or its period: nobody changes it.
    zakljucan: bool,
    pravo_izmene: bool,
    pravo_brisanja: bool,
}

#[derive(Serialize, ToSchema)]
struct NamedRecord {
    id: i64,
    naziv: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryHead {
    /// The form's id (tsaID).
    id: i64,
    naziv: String,
    #[serde(rename = "unosID")]
    unos_id: Option<i64>,
    datum_unosa: Option<Date>,
    datum_kreiranja: Option<String>,
    datum_izmene: Option<String>,
    doktor_kreirao: Option<String>,
    doktor_izmenio: Option<String>,
    radnik_odgovoran: Option<i64>,
    popunjeni_relevantni: bool,
    verzija: Option<i32>,
}

/// A doctor whom an entry may name as responsible.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResponsibleOption {
    pub id: i64,
    pub ime_prezime: String,
    /// No where the entry names a doctor who is not to be chosen any more: shown, and kept by a save that leaves it.
    pub dostupan: bool,
}

#[utoipa::path(get, path = "/api/entry-display", params(DisplayQuery), responses((status = 200, body = Display)))]
async fn display(State(state): State<AppState>, actor: Actor, Query(query): Query<DisplayQuery>) -> Result<Json<Display>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if let Some(id) = query.ha_id {
        let shown = existing(&mut tx, &state, &actor, id, query.najnoviji).await?;
        tx.commit().await?;
        return Ok(Json(shown));
    }
    let (Some(form), Some(patient)) = (query.tsa_id, query.pacijent_id) else {
        return Err(Error::malformed(NO_ENTRY));
    };
    let visit = Visit { state: &state, actor: &actor, patient, day: query.datum_unosa.unwrap_or(today(&state)) };
    let (mut shown, fields, mut first) = fresh(&mut tx, &visit, form).await?;
    tx.commit().await?;
    first.ask(&visit, shown.registar.id, &fields).await?;
    shown.raspored = Layout::of(&fields);
    shown.autsi_array = ShownFields::Own(fields);
    shown.vrednosti = values::to_json(&first.values);
    shown.preuzeto = first.taken;
    shown.upozorenja = first.faults;
    Ok(Json(shown))
}

fn today(state: &AppState) -> Date {
    state.clock.now().to_zoned(time::zone()).date()
}

async fn existing(db: &mut PgConnection, state: &AppState, actor: &Actor, id: i64, newest: bool) -> Result<Display> {
    let entry = sqlx::query!(
        r#"
        select e.pacijent_id, e.tsa_id, e.datum_unosa, e.datum_kreiranja, e.datum_izmene, e.radnik_odgovoran_id, e.popunjeni_relevantni,
               e.verzija, e.vrednosti, e.uneto_u, e.ustanova_id, e.form_version_id, c.prezime || ' ' || c.ime as "kreirao!", m.prezime || ' ' || m.ime as izmenio,
               exists (select from lock_over(e.id, e.registar_id, e.ustanova_id, e.datum_unosa)) as "locked!"
          from entry e join worker c on c.id = e.radnik_kreirao_id left join worker m on m.id = e.radnik_izmenio_id
         where e.id = $1 and e.aktivan
        "#,
        id
    )
    .fetch_optional(&mut *db)
    .await?;
    let (entry, access) = PatientAccess::to_entry(db, actor, entry, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
    let kept = state.known_forms.of_version(db, entry.form_version_id).await?;
    let mut zastareli = stale::known_to_version(db, id).await?;
    let taken_over = if newest { Some(EntryForm::load(db, entry.tsa_id).await?) } else { None };
    let form = taken_over.as_ref().unwrap_or(&kept.form);
    let stamp = if newest {
        // The save by the newest version marks numbers anew, in the units of that one.
        zastareli.retain(|mark| mark.razlog != "jedinica");
        let entered = stale::entered_units(db, id).await?;
        zastareli.extend(form_version::marks(&kept.form, form, &from_json(&entry.vrednosti), &entered));
        FormStamp::today(db, form).await?
    } else {
        FormStamp::kept(db, form).await?
    };
    deed_on_patient(db, actor, "entry", "pregled", id, entry.pacijent_id).await?;
    let day = entry.datum_unosa.to_jiff();
    let key = VisitKey { patient: entry.pacijent_id, register: form.registar_id, day, institution: Some(entry.ustanova_id) };
    Ok(Display {
        poseta: VisitHead::at(db, &key, Some(id)).await?,
        registar: register(db, form.registar_id).await?,
        pacijent: PatientHead::of(db, entry.pacijent_id).await?,
        tsa: EntryHead {
            id: form.id,
            naziv: form.naziv.clone(),
            unos_id: Some(id),
            datum_unosa: Some(entry.datum_unosa.to_jiff()),
            datum_kreiranja: Some(time::server_text(entry.datum_kreiranja.to_jiff())),
            datum_izmene: entry.datum_izmene.map(|at| time::server_text(at.to_jiff())),
            doktor_kreirao: Some(entry.kreirao),
            doktor_izmenio: entry.izmenio,
            radnik_odgovoran: entry.radnik_odgovoran_id,
            popunjeni_relevantni: entry.popunjeni_relevantni,
            verzija: Some(entry.verzija),
        },
        drugi_unosi: others(db, form, entry.pacijent_id, Some(entry.ustanova_id), Some(id)).await?,
        drugi_formulari: other_forms::shown(db, form, entry.pacijent_id, Some(entry.ustanova_id)).await?,
        prethodne: previous::values(db, form, entry.pacijent_id, Some(entry.ustanova_id), entry.datum_unosa.to_jiff(), Some(id)).await?,
        obrazac: stamp,
        pravila: form.rules.clone(),
        raspored: Layout::of(&form.fields),
        autsi_array: match taken_over {
            Some(form) => ShownFields::Own(form.fields),
            None => ShownFields::Known(kept),
        },
        vrednosti: entry.vrednosti,
        uneto_u: entry.uneto_u.unwrap_or_else(|| serde_json::json!({})),
        radnici_odgovorni: responsible_options(db, actor, entry.radnik_odgovoran_id).await?,
        zastareli,
        danas: today(state),
        preuzeto: Vec::new(),
        upozorenja: Vec::new(),
        zakljucan: entry.locked,
        pravo_izmene: access.change && !entry.locked,
        pravo_brisanja: access.delete && !entry.locked,
    })
}

/// What is shown of a new entry but for its fields, these, and what it begins with as far as that is known.
async fn fresh(db: &mut PgConnection, visit: &Visit<'_>, form: i64) -> Result<(Display, Vec<EntryField>, Initial)> {
    let Visit { state, actor, patient, day } = *visit;
    let access = PatientAccess::to(db, actor, patient).await?;
    access.require_change()?;
    look_at_patient(db, actor, patient).await?;
    let form = EntryForm::load(db, form).await?;
    let first = initial::of_form(db, visit, &form).await?;
    let doctors = responsible_options(db, actor, None).await?;
    let key = VisitKey { patient, register: form.registar_id, day, institution: actor.ustanova_id };
    let poseta = VisitHead::at(db, &key, None).await?;
    let answers = |wanted: i64| doctors.iter().any(|doctor| doctor.id == wanted).then_some(wanted);
    // The visit has one doctor; of a new one she who begins it answers for it, until she chooses another.
    let doctor = poseta.as_ref().and_then(|visit| visit.lekar_id).and_then(answers).or_else(|| answers(actor.radnik_id));
    let shown = Display {
        poseta,
        registar: register(db, form.registar_id).await?,
        pacijent: PatientHead::of(db, patient).await?,
        tsa: EntryHead {
            id: form.id,
            naziv: form.naziv.clone(),
            unos_id: None,
            datum_unosa: None,
            datum_kreiranja: None,
            datum_izmene: None,
            doktor_kreirao: None,
            doktor_izmenio: None,
            radnik_odgovoran: doctor,
            popunjeni_relevantni: false,
            verzija: None,
        },
        drugi_unosi: others(db, &form, patient, actor.ustanova_id, None).await?,
        drugi_formulari: other_forms::shown(db, &form, patient, actor.ustanova_id).await?,
        prethodne: previous::values(db, &form, patient, actor.ustanova_id, day, None).await?,
        obrazac: FormStamp::today(db, &form).await?,
        raspored: Layout::default(),
        autsi_array: ShownFields::Own(Vec::new()),
        pravila: form.rules,
        vrednosti: Value::Null,
        uneto_u: serde_json::json!({}),
        radnici_odgovorni: doctors,
        zastareli: Vec::new(),
        danas: today(state),
        preuzeto: Vec::new(),
        upozorenja: Vec::new(),
        zakljucan: false,
        pravo_izmene: access.change,
        pravo_brisanja: false,
    };
    Ok((shown, form.fields, first))
}

async fn register(db: &mut PgConnection, id: i64) -> Result<NamedRecord> {
    Ok(sqlx::query_as!(NamedRecord, "select id, naziv from register where id = $1", id).fetch_one(db).await?)
}

/// Active workers of the institution whose roles let them answer for an entry, by name; and the one whom the entry already names,
/// whoever that is.
pub async fn responsible_options(db: &mut PgConnection, actor: &Actor, saved: Option<i64>) -> sqlx::Result<Vec<ResponsibleOption>> {
    sqlx::query_as!(
        ResponsibleOption,
        r#"
        select w.id, w.prezime || ' ' || w.ime as "ime_prezime!", bool_or(o.dostupan) as "dostupan!"
          from (select radnik_id, true as dostupan from doctors_of($1) union all select $2, false) o
          join worker w on w.id = o.radnik_id
         group by w.id
         order by w.prezime, w.ime, w.id
        "#,
        actor.ustanova_id,
        saved
    )
    .fetch_all(db)
    .await
}
