//! Whether a query and a template make a report: all that is wrong with them at once, each fault with its place. The query is planned by
//! the server under the report role, as a run does it, and no row is read.

use std::time::Duration;

use accounts::auth::Actor;
use domain::report_sql::{
    Bind, Binds, GROUP_COLUMN, HOW_TO_GROUP, PATIENT_COLUMN, Place, PlannedStatement, READABLE, ReportSqlError, ResultColumn, Scope,
    Statement, UNGROUPED, is_readable, leaves_years_untold, session_binds,
};
use jiff::civil::DateTime;
use platform::{
    error::{Error, Result},
    state::AppState,
};
use report_template::{
    plan::{ColumnKind, DeliveredColumn, Format, Mismatch, NamedPicture, Plan, TemplateError},
    template::{Context, ReportTemplate, Templates},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    months,
    store::{Report, Texts, parameters},
};
use crate::setup::report::opening::EVERYWHERE;

/// The time that the server has to plan a query.
const PLANNING: Duration = Duration::from_secs(10);
const REGISTER: &str = "registarID";
/// The record of looks would not know whom the report has shown.
const UNTRACEABLE: &str = "Upit čita ko su pacijenti, a ne vraća kolonu „pacijent_id”.";
const TRACEABLE: &str = "Dodajte je kao ceo broj (na primer: p.id as pacijent_id), i kad se ne štampa: po njoj evidencija uvida zna koga je \
                         izveštaj pokazao. Ako se pacijenti samo broje, brojte ih po koloni „id”: count(distinct p.id).";

/// Over all institutions only years of birth are known.
const YEARS_OF_CALENDAR: &str = "Upit čita godinu rođenja, a razlika godina nije uvek broj navršenih: recite u zaglavlju kolone „uzrast po \
                                 kalendarskoj godini”.";

/// A report's own words; those of the data are not known.
const UNJOINED: &str = "U izveštaju ima arapskih reči: u PDF-u stoje pravim redom, ali im slova nisu spojena. U XLSX i CSV su ispravne.";

/// What is wrong with a version.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = ReportCheck)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// None: it can be published.
    greske: Vec<Finding>,
    /// What is odd and may be meant.
    upozorenja: Vec<Finding>,
    /// What the query delivers, where it can be planned.
    kolone: Vec<CheckedColumn>,
    /// Whoever runs it must choose a register.
    trazi_registar: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReportFinding)]
pub struct Finding {
    gde: Part,
    red: Option<usize>,
    kolona: Option<usize>,
    /// The server's own words about the query; ours about the rest.
    poruka: String,
    savet: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReportPart)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Upit,
    Sablon,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportColumn)]
pub struct CheckedColumn {
    naziv: String,
    /// As SQL is written.
    tip: String,
}

impl Check {
    pub fn refuse_faults(&self, broj: i32) -> Result<()> {
        let Some(first) = self.greske.first() else { return Ok(()) };
        let part = match first.gde {
            Part::Upit => "upit",
            Part::Sablon => "šablon",
        };
        let place = first.red.map(|red| format!(", red {red}")).unwrap_or_default();
        let count = domain::text::number_of(self.greske.len() as i64, ["grešku", "greške", "grešaka"]);
        Err(Error::invalid("provera", format!("Verzija {broj} nije objavljena: ima {count}. Prva ({part}{place}): {}", first.poruka)))
    }

    /// Of what the server has written itself: the first thing that is wrong with it, if any.
    pub fn first_fault(&self) -> Option<&str> {
        self.greske.first().map(|fault| fault.poruka.as_str())
    }

    /// Of a trial: its rows are shown as those of any run.
    pub fn refuse_untraceable(&self) -> Result<()> {
        match self.greske.iter().any(|fault| fault.poruka == UNTRACEABLE) {
            true => Err(Error::invalid("upit", format!("{UNTRACEABLE} {TRACEABLE}"))),
            false => Ok(()),
        }
    }

    fn fault(&mut self, finding: Finding) {
        if !self.greske.contains(&finding) {
            self.greske.push(finding);
        }
    }
}

impl Finding {
    fn new(gde: Part, place: Option<Place>, poruka: impl Into<String>) -> Self {
        Self { gde, red: place.map(|place| place.line), kolona: place.map(|place| place.column), poruka: poruka.into(), savet: None }
    }

    fn with(mut self, savet: Option<String>) -> Self {
        self.savet = savet;
        self
    }

    fn template(error: TemplateError) -> Self {
        Self { gde: Part::Sablon, red: error.line, kolona: error.column, poruka: format!("{}.", error.message), savet: None }
    }
}

pub async fn check(state: &AppState, actor: &Actor, report: &Report, texts: &Texts) -> Result<Check> {
    check_with(state, actor, report, texts, &[]).await
}

/// As if the report had these parameters too.
pub async fn check_with(state: &AppState, actor: &Actor, report: &Report, texts: &Texts, more: &[&str]) -> Result<Check> {
    let mut check = Check::default();
    let columns = query(state, actor, report, texts, more, &mut check).await?;
    if let Some(named) = template(report, texts, columns.as_deref(), &mut check)
        && !has_picture(state, named.name.clone()).await?
    {
        let told = format!("Slike „{}” nema u folderu „pictures” šablona na serveru, ili se ne može pročitati.", named.name);
        check.fault(Finding::new(Part::Sablon, place_of(&texts.sablon, &named.name), told));
    }
    Ok(check)
}

/// The columns of the query; none where it cannot be planned.
async fn query(
    state: &AppState,
    actor: &Actor,
    report: &Report,
    Texts { upit, sablon }: &Texts,
    more: &[&str],
    check: &mut Check,
) -> Result<Option<Vec<ResultColumn>>> {
    let statement = match Statement::scan(upit) {
        Ok(statement) => statement,
        Err(fault) => {
            let place = fault.line().map(|line| Place { line, column: 1 });
            check.fault(Finding::new(Part::Upit, place, format!("Upit nije ispravan: {}", fault.in_serbian())));
            return Ok(None);
        }
    };
    let binds = binds(state, actor, report, &statement, more, check).await?;
    check.trazi_registar = report.registar_id.is_none() && statement.names().iter().any(|name| name == REGISTER);
    let PlannedStatement { columns, names_patients } = match plan(state, actor, report, &statement, &binds).await {
        Ok(planned) => planned,
        Err(ReportSqlError::Passing(error)) => return Err(anyhow::Error::from(error).into()),
        Err(ReportSqlError::Refused(said) | ReportSqlError::NoIdentity(said) | ReportSqlError::Query(said)) => {
            check.fault(Finding::new(Part::Upit, said.place, said.for_author()).with(said.hint_for_author()));
            return Ok(None);
        }
        Err(ReportSqlError::Ungrouped) => {
            check.fault(Finding::new(Part::Upit, None, format!("Upit {UNGROUPED}")).with(Some(HOW_TO_GROUP.into())));
            return Ok(None);
        }
        Err(ReportSqlError::UnknownCell(name)) => {
            check.fault(Finding::new(Part::Upit, None, format!("Kolona „{GROUP_COLUMN}” čuva kolonu „{name}”, koju upit ne vraća.")));
            return Ok(None);
        }
        Err(error) => {
            tracing::warn!(report = report.id, cause = %error, "the query of a designer could not be planned");
            check.fault(Finding::new(Part::Upit, None, "Server nije uspeo da isplanira upit u predviđenom vremenu."));
            return Ok(None);
        }
    };
    for (index, column) in columns.iter().enumerate() {
        let sql =
            READABLE.iter().find(|readable| readable.kind == column.kind).map_or(column.kind.to_lowercase(), |known| known.sql.to_owned());
        if !is_readable(&column.kind) {
            let allowed: Vec<&str> = READABLE.iter().map(|readable| readable.sql).collect();
            check.fault(
                Finding::new(Part::Upit, None, format!("Kolona „{}” je tipa {sql}, koji izveštaj ne ume da prikaže.", column.name))
                    .with(Some(format!("Pretvorite je u jedan od tipova: {}.", allowed.join(", ")))),
            );
        }
        if columns[..index].iter().any(|earlier| earlier.name == column.name) {
            let odd = format!("Upit vraća više kolona sa nazivom „{}”; izveštaj čita prvu.", column.name);
            check.upozorenja.push(Finding::new(Part::Upit, None, odd));
        }
        check.kolone.push(CheckedColumn { naziv: column.name.clone(), tip: sql });
    }
    if report.obim == EVERYWHERE && leaves_years_untold(upit, sablon) {
        check.upozorenja.push(Finding::new(Part::Upit, None, YEARS_OF_CALENDAR));
    }
    if [upit, sablon].iter().any(|text| text.chars().any(|letter| matches!(letter, '\u{600}'..='\u{6FF}'))) {
        check.upozorenja.push(Finding::new(Part::Sablon, None, UNJOINED));
    }
    if names_patients && !traceable(&columns) {
        check.fault(Finding::new(Part::Upit, None, UNTRACEABLE).with(Some(TRACEABLE.into())));
    }
    Ok(Some(columns))
}

/// Whether each row says by its number who its patient is. Of columns of one name the first is read.
fn traceable(columns: &[ResultColumn]) -> bool {
    let column = columns.iter().find(|column| column.name == PATIENT_COLUMN);
    column.is_some_and(|column| matches!(column.kind.as_str(), "INT2" | "INT4" | "INT8"))
}

/// Every name is a parameter of the report or what the server knows of a request; others are told, and null while the rest is looked at.
async fn binds(state: &AppState, actor: &Actor, report: &Report, statement: &Statement, more: &[&str], check: &mut Check) -> Result<Binds> {
    let mut binds = session_binds(actor.radnik_id, actor.ustanova_id.unwrap_or_default(), report.registar_id);
    let servers: Vec<String> = binds.keys().map(|name| format!(":{name}")).collect();
    let rows = sqlx::query!("select request_naziv, multi_select from report_parameter where izvestaj_id = $1 and aktivan", report.id);
    for row in rows.fetch_all(&state.db).await? {
        let bind = if row.multi_select { Bind::List(None) } else { Bind::Text(None) };
        binds.entry(row.request_naziv).or_insert(bind);
    }
    for name in more {
        binds.entry((*name).to_owned()).or_insert(Bind::Text(None));
    }
    for name in statement.names() {
        if !binds.contains_key(name) {
            let message = format!("Izveštaj nema parametar sa nazivom u zahtevu „{name}”.");
            let advice = format!("Dodajte ga na tabu „Parametri”, ili ispravite naziv. Uvek postoje {}.", servers.join(", "));
            check.fault(Finding::new(Part::Upit, statement.first_use(name), message).with(Some(advice)));
            binds.insert(name.clone(), Bind::Text(None));
        }
    }
    for (request_naziv, naziv) in parameters(&state.db, report.id).await? {
        if !statement.names().contains(&request_naziv) {
            let odd = format!("Upit ne koristi parametar „{naziv}” (:{request_naziv}).");
            check.upozorenja.push(Finding::new(Part::Upit, None, odd));
        }
    }
    Ok(binds)
}

/// Why a run in this scope would be refused before its first row; none where it would not be, or the server has no time to say.
pub async fn refusal(state: &AppState, actor: &Actor, scope: Scope, report: &Report, upit: &str) -> Result<Option<ReportSqlError>> {
    let Ok(statement) = Statement::scan(upit) else { return Ok(None) };
    let binds = binds(state, actor, report, &statement, &[], &mut Check::default()).await?;
    let opened = async {
        let mut session = state.report_db.open(scope, "regix-provera", PLANNING).await?;
        let declared = session.declare(&statement, &binds, 1).await;
        session.close().await;
        declared
    };
    match tokio::time::timeout(PLANNING + Duration::from_secs(1), opened).await {
        Ok(Err(ReportSqlError::Passing(error))) => Err(anyhow::Error::from(error).into()),
        Ok(Err(refusal)) => Ok(Some(refusal)),
        _ => Ok(None),
    }
}

/// Has the server plan the statement as a run would, in the scope of the report and of its designer.
async fn plan(
    state: &AppState,
    actor: &Actor,
    report: &Report,
    statement: &Statement,
    binds: &Binds,
) -> Result<PlannedStatement, ReportSqlError> {
    let institution = (report.obim != EVERYWHERE).then(|| actor.ustanova_id.unwrap_or_default());
    let scope = Scope { run: None, radnik_id: actor.radnik_id, ustanova_id: institution };
    let planned = state.report_db.plan(scope, "regix-provera", PLANNING, statement, binds);
    tokio::time::timeout(PLANNING + Duration::from_secs(1), planned).await.map_err(|_| ReportSqlError::Stopped)?
}

/// Lays the template's plan over the columns; gives the picture that it asks for.
fn template(report: &Report, Texts { upit, sablon }: &Texts, columns: Option<&[ResultColumn]>, check: &mut Check) -> Option<NamedPicture> {
    let template = match ReportTemplate::parse(sablon) {
        Ok(template) => template,
        Err(error) => {
            check.fault(Finding::template(error));
            return None;
        }
    };
    let mut picture = None;
    let delivered: Option<Vec<DeliveredColumn>> = columns
        .map(|columns| columns.iter().map(|column| DeliveredColumn { name: column.name.clone(), kind: kind_of(&column.kind) }).collect());
    for format in [Format::Pdf, Format::Xlsx, Format::Csv] {
        let plan: Plan = match template.plan(&context(report, format)) {
            Ok(plan) => plan,
            Err(error) => {
                check.fault(Finding::template(error));
                continue;
            }
        };
        picture = plan.heading.picture.clone();
        for odd in delivered.iter().flat_map(|columns| months::odd(&plan, upit, columns)) {
            let finding = Finding::new(Part::Sablon, None, odd).with(Some(months::ADVICE.into()));
            if !check.upozorenja.contains(&finding) {
                check.upozorenja.push(finding);
            }
        }
        for mismatch in delivered.iter().flat_map(|columns| plan.mismatches(columns)) {
            check.fault(match mismatch {
                Mismatch::Missing(name) => {
                    let offered: Vec<&str> = delivered.iter().flatten().map(|column| column.name.as_str()).collect();
                    Finding::new(Part::Sablon, place_of(sablon, &name), format!("Šablon traži kolonu „{name}”, koju upit ne vraća."))
                        .with(Some(format!("Upit vraća: {}.", offered.join(", "))))
                }
                Mismatch::NotNumeric(name) => {
                    Finding::new(Part::Sablon, place_of(sablon, &name), format!("Šablon sabira kolonu „{name}”, koja nije broj."))
                }
                Mismatch::Template(error) => Finding::template(error),
            });
        }
    }
    picture
}

fn kind_of(kind: &str) -> ColumnKind {
    match kind {
        "INT2" | "INT4" | "INT8" | "NUMERIC" | "FLOAT4" | "FLOAT8" => ColumnKind::Number,
        "DATE" | "TIMESTAMP" | "TIMESTAMPTZ" => ColumnKind::Time,
        _ => ColumnKind::Other,
    }
}

async fn has_picture(state: &AppState, name: String) -> Result<bool> {
    let templates = Templates::new(state.config.template_dir.join("reports"));
    let found = tokio::task::spawn_blocking(move || templates.picture(&name).is_some());
    Ok(found.await.map_err(anyhow::Error::from)?)
}

fn context(report: &Report, format: Format) -> Context {
    trial_context(report.naziv.clone(), format)
}

/// What a template is planned with while there is no run.
pub fn trial_context(naziv: String, format: Format) -> Context {
    Context {
        naziv,
        parametri: vec![("Parametar".to_owned(), "vrednost".to_owned())],
        ustanova: "Ustanova".to_owned(),
        radnik_ime_prezime: "Ime Prezime".to_owned(),
        generisano: DateTime::constant(2026, 1, 31, 12, 0, 0, 0),
        format,
        extra: serde_json::Value::Null,
    }
}

/// Where the template first has this word.
fn place_of(sablon: &str, name: &str) -> Option<Place> {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let whole = |byte: &usize| !is_part(sablon[..*byte].chars().next_back()) && !is_part(sablon[*byte + name.len()..].chars().next());
    let byte = sablon.match_indices(name).map(|(byte, _)| byte).find(whole)?;
    Some(Place::of(sablon, byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_found_as_a_whole_word() {
        assert_eq!(place_of("{{#report}}\n{{col \"umrlih\"}} {{col \"umrli\"}}", "umrli"), Some(Place { line: 2, column: 25 }));
        assert_eq!(place_of("{{zbir.č}}", "č"), Some(Place { line: 1, column: 8 }));
        assert_eq!(place_of("{{a}}", "b"), None);
    }
}
