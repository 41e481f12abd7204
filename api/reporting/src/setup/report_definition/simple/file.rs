//! A chosen report as a file: the choice with the names of all that it speaks of, so that another register, or another server, reads it. A
//! file is held against the form like any choice, and nothing is kept: its designer opens it as conditions, looks, and saves.

use accounts::rights::Allowed;
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use clinical::patients::search::criteria::CriterionRow;
use configuration::crud::{ReadAccess, WriteAccess};
use domain::{fold::fold, register::ValueType};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    file_name::content_disposition,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{
    super::store,
    choice::Choice,
    form::{self, Field, Form, NamedRow},
    form_of, made,
};
use crate::setup::report::Report;

/// What the file says that it is.
const KIND: &str = "regix-izbor-izvestaja";
/// Raised where an older program would read a file otherwise than it is meant.
const EDITION: u32 = 1;
const LARGEST: usize = 512 * 1024;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(write_file)).routes(routes!(read_file))
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChoiceFile {
    vrsta: String,
    izdanje: u32,
    naziv: String,
    registar: FileName,
    formular: FileName,
    /// As the body of `simple-definitions` has it. Its numbers of fields and items are those of `polja`.
    izbor: Choice,
    polja: Vec<FileField>,
}

/// By its code where it has one, else by its name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileName {
    sifra: Option<String>,
    naziv: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileField {
    id: i64,
    sifra: Option<String>,
    naziv: String,
    tip: ValueType,
    jedinica: Option<String>,
    stavke: Vec<NamedRow>,
}

/// What every file says first, whatever its edition.
#[derive(Deserialize)]
struct FileHead {
    vrsta: String,
    izdanje: u32,
}

impl FileName {
    fn is(&self, sifra: Option<&str>, naziv: &str) -> bool {
        match (&self.sifra, sifra) {
            (Some(own), Some(other)) => fold(own) == fold(other),
            _ => fold(&self.naziv) == fold(naziv),
        }
    }
}

impl FileField {
    fn of(field: &Field) -> Self {
        FileField {
            id: field.id,
            sifra: field.sifra.clone(),
            naziv: field.naziv.clone(),
            tip: field.tip_vrednosti,
            jedinica: field.jedinica.clone(),
            stavke: field.stavke.clone(),
        }
    }

    /// The field of this form that it means, or why there is none.
    fn within<'a>(&self, form: &'a Form) -> std::result::Result<&'a Field, String> {
        let own = FileName { sifra: self.sifra.clone(), naziv: self.naziv.clone() };
        let Some(field) = form.polja.iter().find(|field| own.is(field.sifra.as_deref(), &field.naziv)) else {
            let code = self.sifra.as_ref().map_or_else(String::new, |sifra| format!(" (šifra „{sifra}”)"));
            return Err(format!("nema polja „{}”{code}", self.naziv));
        };
        if field.tip_vrednosti != self.tip {
            return Err(format!("polje „{}” ovde prima drugu vrstu vrednosti", self.naziv));
        }
        let unit = |jedinica: &Option<String>| jedinica.as_deref().map(str::trim).filter(|unit| !unit.is_empty()).map(str::to_owned);
        match (unit(&self.jedinica), unit(&field.jedinica)) {
            (own, other) if own == other => Ok(field),
            (own, other) => {
                let told = |unit: Option<String>| unit.map_or_else(|| "bez jedinice".to_owned(), |unit| format!("u „{unit}”"));
                Err(format!("polje „{}” je u fajlu {}, a ovde {}", self.naziv, told(own), told(other)))
            }
        }
    }
}

/// Each place of a choice that names a field, but for its conditions.
fn places(choice: &mut Choice) -> impl Iterator<Item = &mut Option<i64>> {
    let groups = choice.grupe.iter_mut().map(|group| &mut group.polje_id);
    let measures = choice.mere.iter_mut().map(|measure| &mut measure.polje_id);
    let columns = choice.kolone.iter_mut().map(|column| &mut column.polje_id);
    groups.chain(measures).chain(columns)
}

fn conditions(choice: &mut Choice) -> impl Iterator<Item = &mut CriterionRow> {
    choice.filteri.iter_mut().chain(choice.indikator.iter_mut().flat_map(|indicator| indicator.brojilac.iter_mut()))
}

/// A chosen version as a file. What is gone from its form since it was chosen is refused in words.
#[utoipa::path(get, path = "/api/reports/{id}/definitions/{broj}/file", tag = "izvestaji", params(("id" = i64, Path), ("broj" = i32, Path)),
    responses((status = 200, content_type = "*/*", body = Vec<u8>), (status = 422, description = "Polje i poruka")))]
async fn write_file(State(state): State<AppState>, _: Allowed<ReadAccess<Report>>, Path((id, broj)): Path<(i64, i32)>) -> Result<Response> {
    let report = store::Report::find(&state.db, id).await?;
    let kept = store::izbor(&state.db, id, broj).await?.ok_or(Error::NotFound)?;
    let mut izbor: Choice = serde_json::from_value(kept).map_err(anyhow::Error::from)?;
    made(&state, &report, &izbor).await?;
    let form = form_of(&state, &izbor).await?;
    let mut named: Vec<i64> = places(&mut izbor).filter_map(|place| *place).collect();
    named.extend(conditions(&mut izbor).filter_map(|row| row.polje_id));
    let file = ChoiceFile {
        vrsta: KIND.to_owned(),
        izdanje: EDITION,
        naziv: report.naziv.clone(),
        registar: FileName { sifra: form.registar_sifra.clone(), naziv: form.registar.clone() },
        formular: FileName { sifra: form.sifra.clone(), naziv: form.naziv.clone() },
        polja: form.polja.iter().filter(|field| named.contains(&field.id)).map(FileField::of).collect(),
        izbor,
    };
    let content = serde_json::to_string_pretty(&file).map_err(anyhow::Error::from)?;
    let disposition = content_disposition(&report.naziv, "json");
    Ok(([(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_DISPOSITION, disposition)], content).into_response())
}

#[derive(Deserialize, ToSchema)]
struct SimpleReportFile {
    /// The text of the file.
    fajl: String,
    /// A form for it; none: the one that is called as the file says.
    #[serde(rename = "tipUnosaID")]
    tip_unosa_id: Option<i64>,
}

/// A file as a choice of this installation, held against its form and the report; nothing is kept.
#[utoipa::path(post, path = "/api/reports/{id}/simple-definition-file", tag = "izvestaji", params(("id" = i64, Path)), request_body = SimpleReportFile,
    responses((status = 200, body = Choice), (status = 422, description = "Polje i poruka")))]
async fn read_file(
    State(state): State<AppState>,
    _: Allowed<WriteAccess<Report>>,
    Path(id): Path<i64>,
    Json(request): Json<SimpleReportFile>,
) -> Result<Json<Choice>> {
    let report = store::Report::find(&state.db, id).await?;
    let file = parsed(&request.fajl)?;
    let form = match request.tip_unosa_id {
        Some(form) => form::find(&state.db, form).await?,
        None => meant_form(&state.db, &file, report.registar_id).await?,
    };
    let choice = translated(file, &form)?.tidied();
    made(&state, &report, &choice).await?;
    Ok(Json(choice))
}

fn parsed(text: &str) -> Result<ChoiceFile> {
    let refuse = |message: String| Error::invalid("fajl", message);
    if text.len() > LARGEST {
        return Err(refuse(format!("Fajl je veći od {} KB, koliko izbor izveštaja nikada nije.", LARGEST / 1024)));
    }
    let text = text.trim_start_matches('\u{feff}');
    let head: FileHead = serde_json::from_str(text)
        .map_err(|_| refuse("Fajl nije izbor izveštaja, ili je oštećen. Izaberite fajl koji pravi dugme „Preuzmi izbor”.".to_owned()))?;
    if head.vrsta != KIND {
        return Err(refuse(format!("Fajl je „{}”, a ne izbor izveštaja. Izaberite fajl koji pravi dugme „Preuzmi izbor”.", head.vrsta)));
    }
    if head.izdanje > EDITION {
        return Err(refuse("Fajl je napravila novija verzija programa, koju ova ne ume da pročita. Nadogradite program.".to_owned()));
    }
    serde_json::from_str(text).map_err(|error| {
        refuse(format!("Fajl je menjan ili oštećen: red {}, znak {} ne razumemo. Preuzmite izbor ponovo.", error.line(), error.column()))
    })
}

/// The form that the file names, in the register of the report where it has one.
async fn meant_form(db: &PgPool, file: &ChoiceFile, register: Option<i64>) -> Result<Form> {
    let rows = sqlx::query!(
        "select g.id, g.sifra_veza, g.naziv, r.id as registar_id, r.sifra as registar_sifra, r.naziv as registar
           from form g join register r on r.id = g.registar_id and r.aktivan where g.aktivan order by g.id"
    )
    .fetch_all(db)
    .await?;
    let refuse = |what: String| Error::invalid("fajl", format!("{what} Izaberite registar i formular, pa ponovo učitajte fajl."));
    let is_register = |id: i64, sifra: Option<&str>, naziv: &str| match register {
        Some(own) => own == id,
        None => file.registar.is(sifra, naziv),
    };
    let of_register: Vec<_> =
        rows.iter().filter(|row| is_register(row.registar_id, row.registar_sifra.as_deref(), &row.registar)).collect();
    if of_register.is_empty() && register.is_none() {
        return Err(refuse(format!("Ovde nema registra „{}” iz fajla.", file.registar.naziv)));
    }
    let mut found = of_register.iter().filter(|row| file.formular.is(row.sifra_veza.as_deref(), &row.naziv));
    match (found.next(), found.next()) {
        (Some(row), None) => form::find(db, row.id).await,
        (Some(_), Some(_)) => Err(refuse(format!("Više formulara odgovara formularu „{}” iz fajla.", file.formular.naziv))),
        (None, _) => Err(refuse(format!("Registar nema formular „{}” iz fajla.", file.formular.naziv))),
    }
}

/// The choice with the numbers that this form has for what the file names; all that does not fit is told at once.
fn translated(file: ChoiceFile, form: &Form) -> Result<Choice> {
    let ChoiceFile { mut izbor, polja, .. } = file;
    let mut faults: Vec<String> = Vec::new();
    let mut fault = |told: String| {
        if !faults.contains(&told) {
            faults.push(told);
        }
    };
    let mut meant = |id: i64| {
        let Some(own) = polja.iter().find(|own| own.id == id) else {
            fault(format!("fajl ne kaže kako se zove polje br. {id}"));
            return None;
        };
        own.within(form).map_err(&mut fault).ok().map(|field| (own, field))
    };
    izbor.registar_id = form.registar_id;
    izbor.tip_unosa_id = form.id;
    for place in places(&mut izbor) {
        if let Some((_, field)) = place.and_then(&mut meant) {
            *place = Some(field.id);
        }
    }
    let mut without_item = Vec::new();
    for row in conditions(&mut izbor) {
        row.tip_unosa_id = row.tip_unosa_id.map(|_| form.id);
        let Some((own, field)) = row.polje_id.and_then(&mut meant) else { continue };
        row.polje_id = Some(field.id);
        let typed = row.vrednost.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
        if let Some(typed) = typed.filter(|_| field.tip_vrednosti == ValueType::Set) {
            match item_of(own, field, typed) {
                Ok(item) => row.vrednost = Some(item.to_string()),
                Err(told) => without_item.push(told),
            }
        }
    }
    without_item.into_iter().for_each(fault);
    match faults.is_empty() {
        true => Ok(izbor),
        false => Err(Error::invalid("fajl", format!("Fajl ne odgovara formularu „{}”: {}.", form.naziv, faults.join("; ")))),
    }
}

fn item_of(own: &FileField, field: &Field, id: &str) -> std::result::Result<i64, String> {
    let Some(item) = own.stavke.iter().find(|item| item.id.to_string() == id) else {
        return Err(format!("fajl ne kaže koja je stavka br. {id} polja „{}”", own.naziv));
    };
    let mut found = field.stavke.iter().filter(|one| fold(&one.naziv) == fold(&item.naziv));
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one.id),
        (None, _) => Err(format!("polje „{}” nema stavku „{}”", own.naziv, item.naziv)),
        (Some(_), Some(_)) => Err(format!("polje „{}” ima više stavki „{}”", own.naziv, item.naziv)),
    }
}
