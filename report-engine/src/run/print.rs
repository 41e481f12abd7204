//! The print of one entry: read in one snapshot, as its worker may read it, put into words, and set as a document.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use domain::{
    access,
    entry::{
        around::around,
        changes::since_earlier,
        chart,
        form::{EntryForm, FormError, FormVersion},
        outline::outline,
        stale, values,
    },
    formula::evaluate_form,
    picture::Photo,
    register::ValueType,
    runs::{Lease, Stage},
    time,
};
use jiff::{Timestamp, civil::Date};
use sqlx::{PgConnection, PgPool};
use tokio::sync::Semaphore;

use super::{
    failure::{self, Stop},
    logo,
    produce::ProducedFiles,
    progress::Progress,
    runner::Runner,
    summary, visit_dates, words,
};
use crate::{
    failpoint,
    jobs::Stopper,
    plan::Format,
    render::{
        Limits,
        chart::{Picture, of_entry},
        entry::{self, EntryDocument, EntryPart},
        photo::PIXELS,
    },
    store::Draft,
};

/// Setting the largest entries takes some seconds; what takes longer is stuck.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Pictures of files in one print: more of them are looked at on a screen.
const MOST_PHOTOS: usize = 40;
/// Pictures that the engine makes smaller at one time: one may take much memory.
static SHRINKING: Semaphore = Semaphore::const_new(1);

/// What a run prints.
#[derive(Clone, Copy)]
pub struct OrderedPrint {
    entry: i64,
    /// Of the entry's patient in its register, in the place of the entry.
    is_summary: bool,
    /// The dates on which that patient is awaited, in the place of both.
    is_dates: bool,
}

/// `None`: the run makes a report.
pub async fn of_run(app: &PgPool, lease: Lease) -> sqlx::Result<Option<OrderedPrint>> {
    let row = sqlx::query!("select unos_id, sazetak, termini from report_run where id = $1", lease.run).fetch_one(app).await?;
    Ok(row.unos_id.map(|entry| OrderedPrint { entry, is_summary: row.sazetak, is_dates: row.termini }))
}

pub async fn file(
    runner: &Arc<Runner>,
    lease: Lease,
    ordered: OrderedPrint,
    draft: &Draft,
    stopper: &Stopper,
    progress: &Progress,
) -> Result<ProducedFiles, Stop> {
    let document = tokio::select! {
        document = read(runner, lease, ordered) => document?,
        () = stopper.token().cancelled() => return Err(Stop::Cancelled),
    };
    failpoint::reached_async("query").await;
    progress.stage(Stage::Render);
    let path = draft.path(Format::Pdf);
    let rendering = tokio::task::spawn_blocking(move || {
        failpoint::reached("render");
        entry::print_entry(&document, &path, Limits::default().bytes)
    });
    let rendered = rendering.await.map_err(|panic| Stop::panicked(&panic))?.map_err(|error| failure::print(&error))?;
    if stopper.token().is_cancelled() {
        return Err(Stop::Cancelled);
    }
    if !rendered.missing_glyphs.is_empty() {
        tracing::warn!(count = rendered.missing_glyphs.len(), "the font of prints lacks characters");
    }
    Ok(ProducedFiles { rows: rendered.rows, files: vec![(Format::Pdf.into(), rendered)], truncated: false, note: None })
}

/// Who asked, and where.
pub(super) struct Asker {
    radnik_id: i64,
    pub ustanova_id: i64,
    pub radnik: String,
}

async fn read(runner: &Runner, lease: Lease, ordered: OrderedPrint) -> Result<EntryDocument, Stop> {
    let mut tx = runner.app.begin().await?;
    sqlx::query("set transaction isolation level repeatable read, read only").execute(&mut *tx).await?;
    let asker = asker(&mut tx, lease).await?;
    if !access::may_read_patients(&mut tx, asker.radnik_id, asker.ustanova_id).await? {
        tracing::warn!(radnik = asker.radnik_id, "the worker of a print may not read patients of the institution any more");
        return Err(failure::print_unauthorised().into());
    }
    let mut document = match (ordered.is_dates, ordered.is_summary) {
        (true, _) => visit_dates::document(&mut tx, &asker, ordered.entry).await?,
        (false, true) => summary::document(&mut tx, &asker, ordered.entry).await?,
        (false, false) => document(&mut tx, &asker, ordered.entry).await?,
    };
    let paths = paths_of_photos(&mut tx, &document).await?;
    tx.commit().await?;
    read_photos(runner, &mut document, &paths).await?;
    Ok(document)
}

/// Where the pictures of files lie in the store.
async fn paths_of_photos(db: &mut PgConnection, document: &EntryDocument) -> sqlx::Result<BTreeMap<i64, String>> {
    let photo = |part: &EntryPart| if let EntryPart::Photo { file, .. } = part { Some(*file) } else { None };
    let files: Vec<i64> = document.parts.iter().filter_map(photo).collect();
    let found = sqlx::query!("select id, putanja from entry_file where id = any ($1) and sacuvan and not uklanja_se", &files);
    Ok(found.fetch_all(db).await?.into_iter().map(|file| (file.id, file.putanja)).collect())
}

/// One after the other; a picture that is not there is told of in its place.
async fn read_photos(runner: &Runner, document: &mut EntryDocument, paths: &BTreeMap<i64, String>) -> Result<(), Stop> {
    let mut printed = 0;
    for part in &mut document.parts {
        let EntryPart::Photo { file, photo, .. } = part else { continue };
        printed += 1;
        if printed > MOST_PHOTOS {
            *photo = Err(format!("štampa se najviše {MOST_PHOTOS} slika."));
            continue;
        }
        let Some(path) = paths.get(file) else { continue };
        let Some(bytes) = runner.store.find(path).await? else {
            tracing::error!(file, "a file of an entry is not in the store");
            continue;
        };
        let _turn = SHRINKING.acquire().await.expect("it is never closed");
        let shrunk = tokio::task::spawn_blocking(move || Photo::read(&bytes, PIXELS)).await.map_err(|panic| Stop::panicked(&panic))?;
        *photo = shrunk.ok_or_else(|| "ne može da se prikaže.".to_owned());
    }
    Ok(())
}

async fn asker(db: &mut PgConnection, lease: Lease) -> sqlx::Result<Asker> {
    sqlx::query_as!(
        Asker,
        r#"select r.radnik_id, r.ustanova_id, w.ime || ' ' || w.prezime as "radnik!"
             from report_run r
             join worker w on w.id = r.radnik_id
            where r.id = $1"#,
        lease.run,
    )
    .fetch_one(db)
    .await
}

pub(super) struct Row {
    pub pacijent_id: i64,
    pub ustanova_id: i64,
    pub registar_id: i64,
    form_version_id: i64,
    datum_unosa: jiff_sqlx::Date,
    datum_kreiranja: jiff_sqlx::Timestamp,
    datum_izmene: Option<jiff_sqlx::Timestamp>,
    verzija: i32,
    vrednosti: serde_json::Value,
    pub registar: String,
    pub ustanova: String,
    kreirao: String,
    izmenio: Option<String>,
    lekar: Option<String>,
    /// The other forms of its visit.
    poseta: Option<String>,
    pub ime: String,
    pub prezime: String,
    pub datum_rodjenja: jiff_sqlx::Date,
    pub pol_trenutni: bool,
    pub jmbg: String,
    pub lbo: String,
    pub broj_kartona: Option<String>,
    datum_smrti: Option<jiff_sqlx::Date>,
    stanje: String,
    /// Who signed it, and when: those that hold.
    potpisi: Option<String>,
    /// What rules have found and what is asked, still open: how many, and never what.
    nalaza: i64,
    upita: i64,
    pub now: jiff_sqlx::Timestamp,
}

async fn document(db: &mut PgConnection, asker: &Asker, entry: i64) -> Result<EntryDocument, Stop> {
    let row = row(db, entry).await?.ok_or_else(failure::print_gone)?;
    let asks = Some(asker.ustanova_id);
    if !access::knows_entry(db, asks, row.pacijent_id, row.ustanova_id).await? {
        return Err(failure::print_unauthorised().into());
    }
    let form = EntryForm::of_version(db, row.form_version_id).await?;
    let charts = charts(db, &form, &row, asks).await?;
    let drawn: BTreeSet<i64> = charts.iter().map(|(id, _)| *id).collect();
    let saved = values::from_json(&row.vrednosti);
    // What formulas hid when the entry was saved is hidden in its print, whatever day it is now.
    let around =
        around(db, &form, row.pacijent_id, row.ustanova_id, Some(row.datum_unosa.to_jiff()), Some(entry), day_of_save(&row)).await?;
    let hidden = evaluate_form(&form.formulas, &saved, &around).hidden;
    let mut parts = words::parts(&outline(&form.fields, &saved, &hidden, &drawn), &charts, &stale::of_entry(db, entry).await?);
    let holder = (row.pacijent_id, Some(row.ustanova_id));
    let changes = since_earlier(db, &form, (&saved, &hidden), holder, row.datum_unosa.to_jiff(), entry).await?;
    if !changes.promene.is_empty() {
        parts.push(EntryPart::Heading { level: 1, text: "Od prošle posete".to_owned() });
        parts.push(words::changes(&changes));
    }
    let patient = format!("{} {}", row.prezime, row.ime);
    Ok(EntryDocument {
        naslov: format!("{} – {patient}, {}", form.naziv, time::date_text(row.datum_unosa.to_jiff())),
        podaci: head(&row, &patient, form.version.as_ref(), asker.ustanova_id == row.ustanova_id),
        parts,
        obrazac: form.naziv,
        registar: row.registar,
        ustanova: row.ustanova,
        marks: logo::of(&mut *db, row.ustanova_id).await?.marks(),
        radnik: asker.radnik.clone(),
        generisano: row.now.to_jiff().to_zoned(time::zone()).datetime(),
    })
}

pub(super) async fn row(db: &mut PgConnection, entry: i64) -> sqlx::Result<Option<Row>> {
    sqlx::query_as!(
        Row,
        r#"select e.pacijent_id, e.ustanova_id, e.registar_id, e.form_version_id, e.datum_unosa as "datum_unosa: _", e.datum_kreiranja as "datum_kreiranja: _",
                  e.datum_izmene as "datum_izmene: _", e.verzija, e.vrednosti, g.naziv as registar, u.naziv as ustanova,
                  c.prezime || ' ' || c.ime as "kreirao!", m.prezime || ' ' || m.ime as izmenio, l.prezime || ' ' || l.ime as lekar,
                  (select string_agg(g.naziv, ', ' order by g.prikazni_redosled, g.id, o.id) from entry o join form g on g.id = o.tsa_id
                    where o.poseta_id = e.poseta_id and o.aktivan and o.id <> e.id) as poseta,
                  p.ime, p.prezime, p.datum_rodjenja as "datum_rodjenja: _", p.pol_trenutni, p.jmbg, p.lbo, p.broj_kartona,
                  death_day(p.id) as "datum_smrti: _",
                  case when exists (select from lock_over(e.id, e.registar_id, e.ustanova_id, e.datum_unosa)) then 'zaključan'
                       else case state_of_entry(e.id) when 'zavrsen' then 'završen' when 'potpisan' then 'potpisan' else 'u radu' end end as "stanje!",
                  (select string_agg(w.ime || ' ' || w.prezime || ' (' || case s.znacenje when 'autor' then 'autor unosa' else s.znacenje end || '), '
                                     || to_char(s.vreme at time zone 'Europe/Belgrade', 'DD.MM.YYYY. HH24:MI'), '; ' order by s.id)
                     from entry_state s join worker w on w.id = s.radnik_id
                    where s.unos_id = e.id and s.id in (select signatures_of_entry(e.id))) as potpisi,
                  (select count(*) from open_finding n where n.unos_id = e.id) as "nalaza!",
                  (select count(*) from open_question q where q.unos_id = e.id) as "upita!",
                  now() as "now!: jiff_sqlx::Timestamp"
             from entry e
             join patient p on p.id = e.pacijent_id
             join register g on g.id = e.registar_id
             join institution u on u.id = e.ustanova_id
             join worker c on c.id = e.radnik_kreirao_id
             left join worker m on m.id = e.radnik_izmenio_id
             left join worker l on l.id = e.radnik_odgovoran_id
            where e.id = $1 and e.aktivan"#,
        entry,
    )
    .fetch_optional(db)
    .await
}

async fn charts(db: &mut PgConnection, form: &EntryForm, row: &Row, institution: Option<i64>) -> sqlx::Result<Vec<(i64, Picture)>> {
    let mut charts = Vec::new();
    for field in form.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::Chart) {
        let lines = chart::lines(field);
        let codes: Vec<String> = lines.iter().map(|line| line.sifra.clone()).collect();
        let points = chart::points(db, row.pacijent_id, row.registar_id, &codes, institution).await?;
        let title = field.ispisuje_se_labela.then(|| field.naziv.clone());
        charts.extend(of_entry(title, &lines, &points).map(|chart| (field.id, chart)));
    }
    Ok(charts)
}

fn saved_at(row: &Row) -> Timestamp {
    row.datum_izmene.unwrap_or(row.datum_kreiranja).to_jiff()
}

fn day_of_save(row: &Row) -> Date {
    saved_at(row).to_zoned(time::zone()).date()
}

/// Findings and questions are the institution's that holds the entry: paper of others says nothing of them.
fn head(row: &Row, patient: &str, version: Option<&FormVersion>, is_own: bool) -> Vec<[(&'static str, String); 2]> {
    let moment = |at: Timestamp| time::date_time_text(at.to_zoned(time::zone()).datetime());
    let deed = |who: &str, at: Timestamp| format!("{who}, {}", moment(at));
    let changed = row.izmenio.as_deref().zip(row.datum_izmene).map(|(who, at)| deed(who, at.to_jiff()));
    let (born, visit) = (row.datum_rodjenja.to_jiff(), row.datum_unosa.to_jiff());
    let age = time::age_text(born, visit).map(|age| format!("{age} na dan pregleda"));
    let made = |at: Timestamp| time::date_text(at.to_zoned(time::zone()).date());
    let form = version.map(|version| format!("verzija {} formulara, od {}", version.broj, made(version.napravljena)));
    let sex = if row.pol_trenutni { "Muški" } else { "Ženski" };
    let mut told = vec![
        [("Pacijent", patient.to_owned()), ("Datum pregleda", time::date_text(visit))],
        [("Datum rođenja", time::date_text(born)), ("Odgovorni lekar", row.lekar.clone().unwrap_or_default())],
        [("Pol", sex.to_owned()), ("Kreirao", deed(&row.kreirao, row.datum_kreiranja.to_jiff()))],
        [("JMBG", row.jmbg.clone()), ("Izmenio", changed.unwrap_or_default())],
        [("LBO", row.lbo.clone()), ("Verzija", format!("{}, snimljena {}", row.verzija, moment(saved_at(row))))],
        [("Broj kartona", row.broj_kartona.clone().unwrap_or_default()), ("Starost", age.unwrap_or_default())],
        [("Formular", form.unwrap_or_default()), ("U istoj poseti", row.poseta.clone().unwrap_or_default())],
    ];
    told.push([("Stanje unosa", row.stanje.clone()), ("Potpis", row.potpisi.clone().unwrap_or_default())]);
    if is_own && row.nalaza + row.upita > 0 {
        told.push([("Otvorenih nalaza", row.nalaza.to_string()), ("Otvorenih upita", row.upita.to_string())]);
    }
    let died = row.datum_smrti.map(|day| [("Dan smrti", time::date_text(day.to_jiff())), ("", String::new())]);
    told.extend(died);
    told
}

impl From<FormError> for Stop {
    fn from(error: FormError) -> Self {
        match error {
            FormError::Missing => failure::print_gone().into(),
            FormError::Database(error) => error.into(),
            FormError::Formula { field, cause } => {
                tracing::error!(field, %cause, "a formula of a form cannot be read");
                failure::print_defect().into()
            }
        }
    }
}
