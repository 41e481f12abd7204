//! The print of a patient's summary: who it is, the last visit and what changed at it, the newest values, and the course.

use domain::{
    access,
    entry::{
        chart,
        form::EntryForm,
        summary::{self, FormSummary, Summary},
    },
    register::ValueType,
    shown::number,
    time,
};
use jiff::civil::Date;
use sqlx::PgConnection;

use super::{
    failure::{self, Stop},
    logo,
    print::{Asker, Row, row},
    words,
};
use crate::render::{
    chart::of_entry,
    entry::{EntryDocument, EntryPart},
};

/// Of the patient and the register of an entry that the asker may read.
pub async fn document(db: &mut PgConnection, asker: &Asker, entry: i64) -> Result<EntryDocument, Stop> {
    let row = row(db, entry).await?.ok_or_else(failure::print_gone)?;
    let asks = Some(asker.ustanova_id);
    if !access::knows_entry(&mut *db, asks, row.pacijent_id, row.ustanova_id).await? {
        return Err(failure::print_unauthorised().into());
    }
    let summary = summary::of(db, row.pacijent_id, row.registar_id, asks).await?;
    let mut parts = changes(&summary.obrasci);
    parts.extend(summary.obrasci.iter().flat_map(values));
    parts.extend(course(db, &row, asks).await?);
    let today = row.now.to_jiff().to_zoned(time::zone());
    Ok(EntryDocument {
        naslov: format!("Sažetak – {} {}, {}", row.prezime, row.ime, time::date_text(today.date())),
        obrazac: "Sažetak pacijenta".to_owned(),
        podaci: head(&row, &summary, today.date()),
        parts,
        marks: logo::of(&mut *db, asker.ustanova_id).await?.marks(),
        radnik: asker.radnik.clone(),
        generisano: today.datetime(),
        registar: row.registar,
        ustanova: row.ustanova,
    })
}

fn head(row: &Row, summary: &Summary, today: Date) -> Vec<[(&'static str, String); 2]> {
    let born = row.datum_rodjenja.to_jiff();
    let day = |day: Option<Date>| day.map(time::date_text).unwrap_or_default();
    let last = summary.poseta.as_ref();
    let told = |text: Option<&String>| text.cloned().unwrap_or_default();
    let sex = if row.pol_trenutni { "Muški" } else { "Ženski" };
    vec![
        [("Pacijent", format!("{} {}", row.prezime, row.ime)), ("Poslednja poseta", day(last.map(|visit| visit.datum)))],
        [("Datum rođenja", time::date_text(born)), ("Lekar", told(last.and_then(|visit| visit.lekar.as_ref())))],
        [("Starost", time::age_text(born, today).unwrap_or_default()), ("Ustanova posete", told(last.map(|visit| &visit.ustanova)))],
        [("Pol", sex.to_owned()), ("Prva poseta", day(summary.prva_poseta))],
        [("JMBG", row.jmbg.clone()), ("Poseta", number(summary.broj_poseta as f64))],
        [("LBO", row.lbo.clone()), ("Unosa", number(summary.broj_unosa as f64))],
        [("Broj kartona", row.broj_kartona.clone().unwrap_or_default()), ("", String::new())],
    ]
}

/// Of the forms of the last visit; those that say nothing new are not named.
fn changes(forms: &[FormSummary]) -> Vec<EntryPart> {
    let changed = forms.iter().filter(|form| form.poslednja_poseta && !form.promene.promene.is_empty());
    let told: Vec<EntryPart> =
        changed.flat_map(|form| [EntryPart::Heading { level: 3, text: form.naziv.clone() }, words::changes(&form.promene)]).collect();
    if told.is_empty() {
        return told;
    }
    [EntryPart::Heading { level: 1, text: "Od prošle posete".to_owned() }].into_iter().chain(told).collect()
}

fn values(form: &FormSummary) -> Vec<EntryPart> {
    let heading = EntryPart::Heading { level: 2, text: format!("{}, {}", form.naziv, time::date_text(form.datum)) };
    let told = form.vrednosti.iter().map(|value| EntryPart::Answer {
        label: Some(value.naziv.clone()),
        value: Some(value.tekst.clone()),
        reference: None,
        mark: None,
    });
    [heading].into_iter().chain(told).collect()
}

/// The charts of the register's forms.
async fn course(db: &mut PgConnection, row: &Row, institution: Option<i64>) -> Result<Vec<EntryPart>, Stop> {
    let forms =
        sqlx::query_scalar!("select id from form where registar_id = $1 and aktivan order by prikazni_redosled, id", row.registar_id)
            .fetch_all(&mut *db)
            .await?;
    let mut charts = Vec::new();
    for form in forms {
        for field in EntryForm::load(db, form).await?.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::Chart) {
            let lines = chart::lines(field);
            let codes: Vec<String> = lines.iter().map(|line| line.sifra.clone()).collect();
            let points = chart::points(db, row.pacijent_id, row.registar_id, &codes, institution).await?;
            charts.extend(of_entry(Some(field.naziv.clone()), &lines, &points).map(|chart| EntryPart::Chart(Box::new(chart))));
        }
    }
    Ok(charts)
}
