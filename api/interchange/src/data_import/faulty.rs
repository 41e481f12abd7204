//! Faulty rows as a file: the columns as they were sent, and what is wrong in each row. Made when it is asked for, from what is kept.

use std::collections::{BTreeMap, BTreeSet};

use axum::{extract::State, response::Response};
use csv::{Terminator, WriterBuilder};
use platform::{
    error::{Error, Result},
    extract::Path,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};

use super::{
    Importer,
    edit::attachment,
    own::{Content, OwnImport},
};
use crate::import::{
    mapping::{FileOptions, Mapping},
    problems::{Problem, Problems},
    sheet::{FAULT_COLUMN, Sheet, SheetRow, guarded},
};

/// Faults that are kept of one file; more of them are counted only.
const KEPT: usize = 20_000;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(file))
}

#[derive(Serialize, Deserialize)]
struct Fault {
    red: Option<usize>,
    kolona: Option<String>,
    poruka: String,
}

/// As they are kept beside the file.
pub fn kept(defects: &[Problem]) -> serde_json::Result<serde_json::Value> {
    let fault = |problem: &Problem| Fault { red: problem.row, kolona: problem.column.clone(), poruka: problem.message.to_string() };
    serde_json::to_value(defects.iter().take(KEPT).map(fault).collect::<Vec<_>>())
}

#[utoipa::path(get, path = "/api/data-imports/{id}/faulty-rows", tag = "uvoz",
    responses((status = 200, content_type = "text/csv", body = Vec<u8>), (status = 410, description = "Fajl je obrisan")))]
async fn file(State(state): State<AppState>, actor: Importer, Path(id): Path<i64>) -> Result<Response> {
    let turn = state.parsers.sheet().await?;
    let mut db = state.db.acquire().await?;
    let own = OwnImport::load(&mut db, &actor, id).await?;
    let Content { bytes, mapping, faults } = own.content(&mut db).await?;
    drop(db);
    let faults: Vec<Fault> = serde_json::from_value(faults).map_err(anyhow::Error::from)?;
    let made = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        rows(&bytes, &mapping.file, &keys(&mapping), &faults)
    });
    let csv = made.await.map_err(anyhow::Error::from)??;
    let name = own.fajl.strip_suffix(".csv").unwrap_or(&own.fajl);
    Ok(attachment(csv, "text/csv; charset=utf-8", &format!("{name} - redovi sa greškom"), "csv"))
}

/// Columns that name an entry of several lines.
fn keys(mapping: &Mapping) -> Vec<Vec<String>> {
    mapping.entries.iter().filter(|entry| !entry.rows.is_empty()).map(|entry| entry.key.names().to_vec()).collect()
}

/// `whole`: columns that tell which lines are one entry. Those without a fault of their own go with the others, so that the file is the whole
/// entry when it is sent again.
fn rows(bytes: &[u8], options: &FileOptions, whole: &[Vec<String>], faults: &[Fault]) -> Result<Vec<u8>> {
    let sheet = Sheet::read(bytes, options, &mut Problems::default())?;
    let mut by_row: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for fault in faults {
        if let Some(row) = fault.red {
            let told = fault.kolona.as_ref().map_or_else(|| fault.poruka.clone(), |column| format!("{column}: {}", fault.poruka));
            by_row.entry(row).or_default().push(told);
        }
    }
    let wrong = |error: csv::Error| Error::Internal(error.into());
    let mut writer = WriterBuilder::new().delimiter(b';').terminator(Terminator::CRLF).flexible(true).from_writer(b"\xEF\xBB\xBF".to_vec());
    // A file that was mended and sent again has the column already.
    let kept: Vec<bool> = sheet.header().map(|name| name != FAULT_COLUMN).collect();
    let own = |cells: Vec<&str>| {
        cells
            .into_iter()
            .zip(kept.iter().chain(std::iter::repeat(&true)))
            .filter(|(_, kept)| **kept)
            .map(|(cell, _)| safe(cell))
            .collect::<Vec<_>>()
    };
    writer.write_record(own(sheet.header().collect()).into_iter().chain([FAULT_COLUMN.to_owned()])).map_err(wrong)?;
    let faulty: BTreeSet<(usize, String)> = sheet
        .rows()
        .filter(|row| by_row.contains_key(&row.number))
        .flat_map(|row| whole.iter().enumerate().filter_map(move |(at, columns)| Some((at, row.key(columns)?))))
        .collect();
    let belongs = |row: SheetRow<'_>| {
        let mut keys = whole.iter().enumerate().filter_map(|(at, columns)| Some((at, row.key(columns)?)));
        keys.any(|key| faulty.contains(&key))
    };
    for row in sheet.rows() {
        let messages = by_row.get(&row.number);
        if messages.is_some() || belongs(row) {
            let messages = messages.map(|messages| messages.join("; ")).unwrap_or_default();
            let cells = own(row.cells().collect());
            writer.write_record(cells.into_iter().chain([safe(&messages)])).map_err(wrong)?;
        }
    }
    writer.into_inner().map_err(|error| Error::Internal(anyhow::anyhow!("{error}")))
}

/// What a spreadsheet would take for a formula gets an apostrophe in front, which goes again when the mended file comes back; what it would
/// round or strip of zeros gets a tab behind.
fn safe(text: &str) -> String {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = text.parse::<f64>().is_ok() || text.replace(',', ".").parse::<f64>().is_ok();
    match text {
        _ if is_digits && (text.len() > 10 || text.len() > 1 && text.starts_with('0')) => format!("{text}\t"),
        _ if !is_number => guarded(text).unwrap_or_else(|| text.to_owned()),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_as_they_were_sent_and_nothing_in_them_is_a_formula() {
        let faults = [Fault { red: Some(3), kolona: Some("ime".into()), poruka: "=loše".into() }];
        let made = rows("ime,jmbg,rez\nAna,1,2\n=1+1,0101990715000,-5\n".as_bytes(), &FileOptions::default(), &[], &faults).unwrap();
        assert_eq!(String::from_utf8(made).unwrap(), "\u{FEFF}ime;jmbg;rez;greška\r\n'=1+1;0101990715000\t;-5;ime: =loše\r\n");
        let again = rows(
            "ime;greška\n@x;=staro\n".as_bytes(),
            &FileOptions::default(),
            &[],
            &[Fault { red: Some(2), kolona: None, poruka: "+a".into() }],
        );
        assert_eq!(String::from_utf8(again.unwrap()).unwrap(), "\u{FEFF}ime;greška\r\n'@x;'+a\r\n");
    }

    #[test]
    fn lines_of_one_entry_go_together() {
        let faults = [Fault { red: Some(3), kolona: Some("doza".into()), poruka: "loše".into() }];
        let file = "id;doza\n1;5\n1;x\n2;7\n".as_bytes();
        let made = rows(file, &FileOptions::default(), &[vec!["id".to_owned()]], &faults).unwrap();
        assert_eq!(String::from_utf8(made).unwrap(), "\u{FEFF}id;doza;greška\r\n1;5;\r\n1;x;doza: loše\r\n");
    }

    #[test]
    fn a_mended_file_brings_back_what_was_sent_first() {
        let sent = "ime,telefon,napomena\n=Ana,+381641234567,'-5 kg\n";
        let faults = [Fault { red: Some(2), kolona: None, poruka: "x".into() }];
        let file = rows(sent.as_bytes(), &FileOptions::default(), &[], &faults).unwrap();
        let again = Sheet::read(&file, &FileOptions::default(), &mut Problems::default()).unwrap();
        let row = again.rows().next().unwrap();
        assert_eq!(["ime", "telefon", "napomena"].map(|column| row.cell(column)), [Some("=Ana"), Some("+381641234567"), Some("'-5 kg")]);
    }
}
