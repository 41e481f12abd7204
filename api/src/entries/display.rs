//! What the entry screen shows: the form, the values (saved, or the initial ones of a new entry), who made it, what may be done.

use axum::extract::State;
use domain::{
    db,
    report_sql::{self, Bind, ReportSqlError, Scope},
    time,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    form::{CHOICE, DATE, EntryField, Form, NUMBER, SET, TEXT},
    values::{self, Values},
};
use crate::{
    auth::Actor,
    error::{Error, Result},
    extract::{Json, Query},
    patients::{Access, deed_on_patient, look_at_patient},
    state::AppState,
};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(display))
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
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Display {
    registar: Named,
    pacijent: PatientHead,
    tsa: EntryHead,
    autsi_array: Vec<EntryField>,
    /// Values by field id.
    #[schema(value_type = Object)]
    vrednosti: Value,
    radnici_odgovorni: Vec<ResponsibleOption>,
    pravo_izmene: bool,
    pravo_brisanja: bool,
}

#[derive(Serialize, ToSchema)]
struct Named {
    id: i64,
    naziv: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientHead {
    id: i64,
    ime: String,
    prezime: String,
    datum_rodjenja: Date,
    pol_trenutni: bool,
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
    let shown = match (query.ha_id, query.tsa_id, query.pacijent_id) {
        (Some(id), _, _) => existing(&mut tx, &actor, id).await?,
        (None, Some(form), Some(patient)) => fresh(&mut tx, &state, &actor, form, patient).await?,
        _ => return Err(Error::malformed("Nedostaje unos, ili tip unosa i pacijent.")),
    };
    tx.commit().await?;
    Ok(Json(shown))
}

async fn existing(db: &mut PgConnection, actor: &Actor, id: i64) -> Result<Display> {
    let entry = sqlx::query!(
        r#"
        select e.pacijent_id, e.tsa_id, e.datum_unosa, e.datum_kreiranja, e.datum_izmene, e.radnik_odgovoran_id, e.popunjeni_relevantni,
               e.verzija, e.vrednosti, e.ustanova_id, c.prezime || ' ' || c.ime as "kreirao!", m.prezime || ' ' || m.ime as izmenio
          from entry e join worker c on c.id = e.radnik_kreirao_id left join worker m on m.id = e.radnik_izmenio_id
         where e.id = $1 and e.aktivan
        "#,
        id
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::NotFound)?;
    let access = Access::to(db, actor, entry.pacijent_id).await?;
    let own = actor.ustanova_id == Some(entry.ustanova_id);
    let form = Form::load(db, entry.tsa_id).await?;
    deed_on_patient(db, actor, "entry", "pregled", id, entry.pacijent_id).await?;
    Ok(Display {
        registar: register(db, form.registar_id).await?,
        pacijent: patient(db, entry.pacijent_id).await?,
        tsa: EntryHead {
            id: form.id,
            naziv: form.naziv,
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
        autsi_array: form.fields,
        vrednosti: entry.vrednosti,
        radnici_odgovorni: responsible_options(db, actor, entry.radnik_odgovoran_id).await?,
        pravo_izmene: access.change && own,
        pravo_brisanja: access.delete && own,
    })
}

async fn fresh(db: &mut PgConnection, state: &AppState, actor: &Actor, form: i64, pacijent: i64) -> Result<Display> {
    let access = Access::to(db, actor, pacijent).await?;
    access.require_change()?;
    look_at_patient(db, actor, pacijent).await?;
    let form = Form::load(db, form).await?;
    let mut initial = Values::new();
    for field in form.fields.iter().filter(|field| field.holds_value() && !field.is_calculated()) {
        if let Some(value) = initial_value(db, state, actor, field, &form, pacijent).await? {
            initial.insert(field.id, value);
        }
    }
    Ok(Display {
        registar: register(db, form.registar_id).await?,
        pacijent: patient(db, pacijent).await?,
        tsa: EntryHead {
            id: form.id,
            naziv: form.naziv,
            unos_id: None,
            datum_unosa: None,
            datum_kreiranja: None,
            datum_izmene: None,
            doktor_kreirao: None,
            doktor_izmenio: None,
            radnik_odgovoran: None,
            popunjeni_relevantni: false,
            verzija: None,
        },
        autsi_array: form.fields,
        vrednosti: values::to_json(&initial),
        radnici_odgovorni: responsible_options(db, actor, None).await?,
        pravo_izmene: access.change,
        pravo_brisanja: false,
    })
}

/// The newest saved value where the field asks for it, else its query's, else its own initial value.
async fn initial_value(
    db: &mut PgConnection,
    state: &AppState,
    actor: &Actor,
    field: &EntryField,
    form: &Form,
    pacijent: i64,
) -> Result<Option<Value>> {
    if field.initial.last_saved {
        let last = sqlx::query_scalar!(
            r#"select vrednosti -> $3 as "value!" from entry
                where pacijent_id = $1 and tsa_id = $2 and aktivan and vrednosti ? $3 order by datum_unosa desc, id desc limit 1"#,
            pacijent,
            form.id,
            field.id.to_string(),
        )
        .fetch_optional(&mut *db)
        .await?;
        if let Some(last) = last.and_then(|last| still_offered(field, last)) {
            return Ok(Some(last));
        }
    }
    if let Some(sql) = field.initial.query.as_deref().filter(|sql| !sql.trim().is_empty()) {
        match queried(state, actor.radnik_id, actor.ustanova()?, sql, form.registar_id, pacijent).await {
            Ok(Some(text)) => return Ok(typed(field, &text)),
            Ok(None) => {}
            // An initial value is a convenience: a query that fails must not keep a clinician from the form.
            Err(error) => tracing::warn!(field = field.id, %error, "the query of an initial value failed"),
        }
    }
    Ok(match field.tva_num_vrednost {
        CHOICE => field.initial.choice.map(Value::Bool),
        NUMBER => field.inicijalna_brojna_vrednost.map(|number| json!(number)),
        TEXT => field.initial.text.clone().map(Value::String),
        SET => field.initial.item.and_then(|item| still_offered(field, json!([item]))),
        DATE => field.initial.text.as_deref().and_then(|text| typed(field, text)),
        _ => None,
    })
}

/// A value without the items that are not to be chosen any more.
fn still_offered(field: &EntryField, value: Value) -> Option<Value> {
    let Value::Array(mut chosen) = value else { return Some(value) };
    chosen.retain(|id| field.enum_stavke_sve.iter().any(|item| item.aktivan && id.as_i64() == Some(item.id)));
    (!chosen.is_empty()).then_some(Value::Array(chosen))
}

/// The first column of the first row, read under the report role within the worker's institution.
async fn queried(
    state: &AppState,
    radnik_id: i64,
    ustanova_id: i64,
    sql: &str,
    register: i64,
    patient: i64,
) -> std::result::Result<Option<String>, ReportSqlError> {
    let mut binds = report_sql::session_binds(radnik_id, ustanova_id, Some(register));
    binds.insert("pacijentID".to_owned(), Bind::Text(Some(patient.to_string())));
    let scope = Scope { run: None, radnik_id, ustanova_id: Some(ustanova_id) };
    let found = state.report_db.options(scope, sql, &binds, 1).await?;
    Ok(found.into_iter().next().map(|first| first.value))
}

/// A text as the field's type reads it; what does not fit is no value.
fn typed(field: &EntryField, text: &str) -> Option<Value> {
    let text = text.trim();
    match field.tva_num_vrednost {
        CHOICE => match text {
            "true" | "t" | "1" => Some(Value::Bool(true)),
            "false" | "f" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        NUMBER => text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| json!(number)),
        TEXT => (!text.is_empty()).then(|| json!(text)),
        SET => text.parse::<i64>().ok().and_then(|id| still_offered(field, json!([id]))),
        DATE => text.parse::<Date>().ok().map(|date| json!(date.to_string())),
        _ => None,
    }
}

async fn register(db: &mut PgConnection, id: i64) -> Result<Named> {
    Ok(sqlx::query_as!(Named, "select id, naziv from register where id = $1", id).fetch_one(db).await?)
}

async fn patient(db: &mut PgConnection, id: i64) -> Result<PatientHead> {
    let row = sqlx::query!("select id, ime, prezime, datum_rodjenja, pol_trenutni from patient where id = $1", id).fetch_one(db).await?;
    Ok(PatientHead {
        id: row.id,
        ime: row.ime,
        prezime: row.prezime,
        datum_rodjenja: row.datum_rodjenja.to_jiff(),
        pol_trenutni: row.pol_trenutni,
    })
}

/// Workers of the institution who hold a role, by name; and the one whom the entry already names, whoever that is.
pub async fn responsible_options(db: &mut PgConnection, actor: &Actor, saved: Option<i64>) -> sqlx::Result<Vec<ResponsibleOption>> {
    sqlx::query_as!(
        ResponsibleOption,
        r#"
        select w.id, w.prezime || ' ' || w.ime as "ime_prezime!", o.dostupan as "dostupan!"
          from worker w
          cross join lateral (
            select w.aktivan and exists (select from worker_role r where r.radnik_id = w.id)
                   and (w.ustanova_id = $1 or exists (select from worker_institution i where i.radnik_id = w.id and i.ustanova_id = $1))
                   as dostupan) o
         where o.dostupan or w.id = $2
         order by w.prezime, w.ime, w.id
        "#,
        actor.ustanova_id,
        saved
    )
    .fetch_all(db)
    .await
}
