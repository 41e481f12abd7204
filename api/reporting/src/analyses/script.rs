//! An analysis as a script of R, with its data in it: what repeats the numbers outside. Data leave as by an export without identity: to who may
//! take data out, of at least so many patients, without fields that tell who somebody is, and of ages over 89 only that.

use std::{collections::HashSet, time::Duration};

use accounts::{
    audit::{Look, look_of, told},
    rights::{Allowed, Reports, Right},
};
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use domain::{
    parameters::{self, LEAST_EXPORT},
    register::{ExportMark, UnnamedOutput, ValueType},
    report_sql::{Scope, Value, session_binds},
};
use platform::{
    error::{Error, Result},
    extract::Path,
    file_name,
    routes::{Routes, routes},
    state::AppState,
};
use sqlx::types::Json as Jsonb;

use super::{
    choice::{AnalysisChoice, AnalysisScope, AnalysisView, ModelChoice, ShownAs},
    cohorts::UsableCohort,
    parts::Parts,
    query,
    variable::{Classes, Source, Variable},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(script))
}

const READING: Duration = Duration::from_secs(60);
const MOST_ROWS: u32 = 100_000;
/// The functions that the scripts share.
const FUNCTIONS: &str = include_str!("script.R");

#[utoipa::path(get, path = "/api/analyses/{id}/r-script", tag = "analize", params(("id" = i64, Path)),
    responses((status = 200, content_type = "*/*", body = Vec<u8>), (status = 403, description = "Nema pravo izvoza podataka"), (status = 409, description = "Podaci ne mogu da izađu")))]
async fn script(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<i64>) -> Result<Response> {
    if actor.require(Right::DataExport).is_err() {
        return Err(Error::refused("R skripta nosi podatke pacijenata: za nju je potrebno pravo „Izvoz podataka”."));
    }
    let row = sqlx::query!(
        r#"select naziv, kohorta_id, izbor as "izbor: Jsonb<AnalysisChoice>" from analysis
            where id = $1 and aktivan and sees_owned($2, radnik_id, case when deljena then ustanova_id end)"#,
        id,
        actor.radnik_id
    );
    let row = row.fetch_optional(&state.db).await?.ok_or(Error::NotFound)?;
    let choice = row.izbor.0;
    if choice.obim == AnalysisScope::Sve {
        return Err(Error::conflict("Analiza nad svim ustanovama nema podatke pojedinačnih pacijenata, pa ni R skriptu."));
    }
    let cohort = UsableCohort::find(&state, &actor, row.kohorta_id)
        .await
        .map_err(|_| Error::conflict("Kohorta ove analize više nije podeljena."))?;
    let parts = Parts::of(&cohort.source, &choice)?;
    let ages = refuse_identity(&state, &parts).await?;
    let institution = actor.ustanova()?;
    let scope = Scope { run: None, radnik_id: actor.radnik_id, ustanova_id: Some(institution) };
    let binds = session_binds(actor.radnik_id, institution, None);
    let found = state.report_db.small(scope, &query::query_of_patients(&parts)?, &binds, READING, MOST_ROWS).await;
    let found = found.map_err(|error| anyhow::Error::from(error).context("the data of a script"))?;
    if found.truncated {
        return Err(Error::conflict(format!("Analiza ima više od {MOST_ROWS} redova, koliko R skripta može da nosi.")));
    }
    let patients: HashSet<i64> =
        found.rows.iter().filter_map(|row| if let Some(Value::Int(id)) = row.first() { Some(*id) } else { None }).collect();
    let least = parameters::load(&state.db).await?.number(&LEAST_EXPORT);
    if patients.len() < usize::try_from(least).unwrap_or(usize::MAX) {
        return Err(Error::conflict(format!("Podaci bez identiteta izlaze od {least} pacijenata, a ova analiza ih ima manje.")));
    }
    let text = write(&parts, &ages, (&row.naziv, &cohort.source.told("ustanova")?), &found.columns[1..], &found.rows);
    let mut patients: Vec<i64> = patients.into_iter().collect();
    patients.sort_unstable();
    let look = Look {
        klasa: "analysis",
        akcija: "preuzimanje",
        red_id: Some(id.to_string()),
        opis: Some("R skripta".to_owned()),
        polja: vec![told("Redova", found.rows.len())],
        pacijenti: &patients,
    };
    look_of(&state.db, actor.radnik_id, Some(institution), &look).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, file_name::content_disposition(&row.naziv, "R")),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    Ok((headers, text).into_response())
}

/// Refuses fields that an export without identity leaves out, and parts of dates; gives those that are ages.
async fn refuse_identity(state: &AppState, parts: &Parts<'_>) -> Result<HashSet<i64>> {
    let columns = parts.columns();
    if columns.iter().any(|(_, variable)| variable.source == Source::Year) {
        return Err(Error::conflict("Godina unosa je deo datuma, a datumi bez identiteta ne izlaze: uklonite je iz analize."));
    }
    let fields = columns.iter().filter_map(|(_, variable)| if let Source::Field(field) = variable.source { Some(field) } else { None });
    let fields = fields
        .chain(parts.event.iter().chain(&parts.competing).filter_map(|event| event.field))
        .chain(parts.time.iter().filter_map(|time| time.field));
    let ids: Vec<i64> = fields.map(|field| field.id).collect();
    let marks = sqlx::query!(
        r#"select f.id, f.naziv, f.sifra, f.oznaka_izvoza as "mark: ExportMark", t.tip_vrednosti_atributa as "kind: ValueType"
             from form_field f join attribute_type t on t.id = f.tip_atributa_id where f.id = any($1)"#,
        &ids
    );
    let mut ages = HashSet::new();
    for field in marks.fetch_all(&state.db).await? {
        match ExportMark::of(field.kind, field.mark, &field.naziv, field.sifra.as_deref()).0 {
            UnnamedOutput::IzostavljaSe => {
                return Err(Error::conflict(format!("Polje „{}” bez identiteta ne izlazi: uklonite ga iz analize.", field.naziv)));
            }
            UnnamedOutput::OgranicavaSe => drop(ages.insert(field.id)),
            UnnamedOutput::Izlazi => {}
        }
    }
    Ok(ages)
}

fn write(parts: &Parts, ages: &HashSet<i64>, (naziv, told): (&str, &str), columns: &[String], rows: &[Vec<Value>]) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = format!("# Regix, R skripta analize: {}\n# {}\n", one_line(naziv), one_line(told));
    out.push_str("# Podaci su bez identiteta; redosled redova ne govori ništa, a starost od 90 i više je 90.\n\n");
    out.push_str(FUNCTIONS);
    let heads: Vec<String> = columns.iter().map(|name| format!("\"{name}\"")).collect();
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| row[1..].iter().zip(columns).map(|(value, name)| cell(value, is_age(parts, ages, name))).collect::<Vec<_>>().join(";"))
        .collect();
    // In the order of the query they would tell whose visit was before whose.
    lines.sort_unstable();
    out.push_str(&format!(
        "\npodaci <- read.csv(text = r\"-----(\n{}\n{}\n)-----\", sep = \";\", na.strings = \"NA\", stringsAsFactors = FALSE)\n",
        heads.join(";"),
        lines.join("\n")
    ));
    let labels: Vec<String> = parts.columns().iter().map(|(name, variable)| format!("{name} = {}", text(&variable.label))).collect();
    out.push_str(&format!("oznake <- c({})\n", labels.join(", ")));
    for (name, variable) in parts.columns() {
        if let Some(order) = variable.order().filter(|_| !variable.is_yes_or_no() || matches!(name.as_str(), "po" | "sloj")) {
            let levels: Vec<String> = order.iter().map(|name| text(name)).collect();
            out.push_str(&format!("podaci${name} <- droplevels(factor(podaci${name}, levels = c({})))\n", levels.join(", ")));
        }
    }
    for (name, variable) in parts.columns() {
        let Some(reference) = variable.reference.as_ref().filter(|_| parts.view == AnalysisView::Povezanost) else { continue };
        // Answers are of R's own kind of truth in the data.
        let first =
            if variable.is_yes_or_no() { matches!(reference.as_str(), "Da" | "Yes").to_string().to_uppercase() } else { reference.clone() };
        out.push_str(&format!("podaci${name} <- relevel(factor(podaci${name}), ref = {})\n", text(&first)));
    }
    out.push_str(&call(parts));
    out
}

/// Whether the column holds an age that is not cut into classes.
fn is_age(parts: &Parts, ages: &HashSet<i64>, column: &str) -> bool {
    let of = |(_, variable): &(String, &Variable)| match variable.source {
        Source::Age => variable.classes == Classes::None,
        Source::Field(field) => variable.is_number() && ages.contains(&field.id),
        _ => false,
    };
    parts.columns().iter().filter(|(name, _)| name == column).any(of)
}

fn cell(value: &Value, is_age: bool) -> String {
    match value {
        Value::Null => "NA".to_owned(),
        Value::Bool(true) => "TRUE".to_owned(),
        Value::Bool(false) => "FALSE".to_owned(),
        value if is_age && value.as_f64().is_some_and(|age| age >= 90.0) => "90".to_owned(),
        // The end of the raw string, which no text of a form may hold.
        Value::Text(text) => format!("\"{}\"", text.replace('"', "\"\"").replace(['\r', '\n'], " ").replace(")-----", ") ----")),
        value => value.clone().into_text().unwrap_or_default(),
    }
}

/// A text of R.
fn text(words: &str) -> String {
    let plain: String = words.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What is computed, by the functions of the script.
fn call(parts: &Parts) -> String {
    let numbered: Vec<String> = (1..=parts.variables.len()).map(|number| format!("\"v{number}\"")).collect();
    let medians: Vec<String> = parts
        .variables
        .iter()
        .enumerate()
        .filter(|(_, variable)| variable.show == Some(ShownAs::Medijana))
        .map(|(index, _)| format!("\"v{}\"", index + 1))
        .collect();
    let (variables, medians) = (format!("c({})", numbered.join(", ")), format!("c({})", medians.join(", ")));
    let terms = numbered.iter().map(|name| name.trim_matches('"')).collect::<Vec<_>>().join(" + ");
    let products: String = parts.products.iter().map(|product| format!(" + v{}:v{}", product.prva + 1, product.druga + 1)).collect();
    let terms = terms + &products;
    let by = if parts.by.is_some() { "podaci$po" } else { "NULL" };
    match parts.view {
        AnalysisView::Tabela1 => format!("tabela1(podaci, {variables}, {by}, {medians}, oznake)\n"),
        AnalysisView::Poredjenje if parts.second.is_some() => {
            let by_median = if parts.variables[0].show == Some(ShownAs::Medijana) { "TRUE" } else { "FALSE" };
            format!("parovi(podaci$v1, podaci$sa, {by_median})\n")
        }
        AnalysisView::Poredjenje => format!("tabela1(podaci, {variables}, {by}, {medians}, oznake)\n"),
        AnalysisView::Prezivljavanje => {
            let at: Vec<String> = parts.times.iter().map(f64::to_string).collect();
            let until = parts.until.map_or_else(|| "NULL".to_owned(), |time| time.to_string());
            match &parts.competing {
                Some(_) => format!("incidencija(podaci, {by}, c({}))\n", at.join(", ")),
                None => format!("prezivljavanje(podaci, {by}, c({}), {until})\n", at.join(", ")),
            }
        }
        AnalysisView::Povezanost => match parts.model {
            Some(ModelChoice::Koksova) if parts.strata.is_some() => {
                format!("strata <- survival::strata\nkoks(survival::Surv(vreme, dogadjaj) ~ {terms} + strata(sloj), podaci)\n")
            }
            Some(ModelChoice::Koksova) => format!("koks(survival::Surv(vreme, dogadjaj) ~ {terms}, podaci)\n"),
            Some(ModelChoice::Linearna) => format!("linearna(ishod ~ {terms}, podaci)\n"),
            Some(ModelChoice::Logisticka) | None => format!("logisticka(dogadjaj ~ {terms}, podaci)\n"),
        },
        AnalysisView::Tacnost => {
            let cuts: Vec<String> = parts.cuts.iter().map(f64::to_string).collect();
            format!("tacnost(podaci, {variables}, oznake, c({}))\n", cuts.join(", "))
        }
        AnalysisView::Stope => format!("stope(podaci, {by}, {})\n", parts.per),
        AnalysisView::Raspodela => format!("raspodela(podaci, {variables}, {by}, oznake)\n"),
    }
}
