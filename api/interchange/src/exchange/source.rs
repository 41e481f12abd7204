//! A file that somebody sends, read into a definition. It is not trusted: its size, what a packed one unpacks to, and how much it describes
//! are bounded.

use base64::{Engine, prelude::BASE64_STANDARD};
use platform::{
    error::{Error, Result},
    parsers::{Input, Parsers, TOO_HEAVY},
};
use sha2::{Digest, Sha256};

use super::{
    fhir,
    foreign::{self, Foreign},
    proof::Proof,
    redcap,
    report::Note,
    xlsform,
};
use crate::import::definition::{self, Definition};

/// The longest call: a file in base64, and what is said with it.
pub const LONGEST_BODY: usize = 22 << 20;
const LONGEST_FILE: usize = 16 << 20;
/// More than any register has.
const MOST_FORMS: usize = 200;
const MOST_FIELDS: usize = 10_000;
const MOST_ITEMS: usize = 50_000;

/// Of the thread that reads here. The child has half of it: what nests too deep for this one has ended the child.
pub const STACK: usize = 8 << 20;

pub struct Source {
    pub definition: Definition,
    pub faults: Vec<Note>,
    pub unmapped: Vec<Note>,
    pub warnings: Vec<Note>,
    pub proof: Proof,
    /// Of the file's bytes.
    pub digest: String,
}

/// Reads a file that a child process has read within its limits: so it is read here as soon, and no file keeps a thread of the api for
/// longer.
pub async fn read(parsers: &Parsers, name: &str, content: &str) -> Result<Source> {
    let bytes = BASE64_STANDARD.decode(content).map_err(|_| Error::invalid("sadrzaj", "Fajl nije ispravno poslat."))?;
    if bytes.is_empty() {
        return Err(Error::invalid("sadrzaj", "Fajl je prazan."));
    }
    if bytes.len() > LONGEST_FILE {
        return Err(Error::TooLarge);
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let kind = match ending.as_str() {
        "toml" => Kind::Toml,
        "xlsx" => Kind::Xlsform,
        "csv" => Kind::Redcap,
        "json" => Kind::Fhir,
        "xls" => return Err(Error::invalid("imeFajla", "Stari Excel (.xls) se ne uvozi: snimite ga kao .xlsx, pa pošaljite taj fajl.")),
        _ => {
            return Err(Error::invalid("imeFajla", "Fajl može biti .toml, .xlsx (XLSForm), .csv (REDCap) ili .json (FHIR Questionnaire)."));
        }
    };
    match parsers.read::<()>(&["definition", &ending], Input::Bytes(bytes.clone())).await? {
        Some(()) => {
            let (answer, reading) = tokio::sync::oneshot::channel();
            let read = move || {
                // Nobody waits any more.
                let _ = answer.send(read_bytes(kind, &bytes));
            };
            std::thread::Builder::new().stack_size(STACK).spawn(read).map_err(anyhow::Error::from)?;
            Ok(reading.await.map_err(anyhow::Error::from)?)
        }
        None => Ok(of(Err(Note::new("", TOO_HEAVY)), &bytes)),
    }
}

/// What a file is by its ending.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Kind {
    Toml,
    #[value(name = "xlsx")]
    Xlsform,
    #[value(name = "csv")]
    Redcap,
    #[value(name = "json")]
    Fhir,
}

pub fn read_bytes(kind: Kind, bytes: &[u8]) -> Source {
    let read = match kind {
        Kind::Toml => toml(bytes),
        Kind::Xlsform => xlsform::read(bytes),
        Kind::Redcap => redcap::read(bytes),
        Kind::Fhir => fhir::read(bytes),
    };
    of(read, bytes)
}

fn of(read: Result<Foreign, Note>, bytes: &[u8]) -> Source {
    let digest = hex::encode(Sha256::digest(bytes));
    match read {
        Ok(Foreign { definition, unmapped, warnings, proof }) => {
            Source { faults: too_much(&definition), definition, unmapped, warnings, proof, digest }
        }
        Err(fault) => {
            let (unmapped, warnings) = (vec![], vec![]);
            Source { definition: Definition::default(), faults: vec![fault], unmapped, warnings, proof: Proof::default(), digest }
        }
    }
}

fn toml(bytes: &[u8]) -> Result<Foreign, Note> {
    let text = foreign::text(bytes)?;
    let no_file = |name: &str| anyhow::bail!("slika „{name}” nije u fajlu: slike se u fajl koji se šalje upisuju kao base64");
    match definition::parse(text, no_file) {
        Ok(definition) => Ok(Foreign { definition, ..Foreign::default() }),
        Err(error) => Err(match error.downcast_ref::<toml::de::Error>() {
            Some(fault) => Note::new(line_of(text, fault.span()), format!("TOML nije ispravan: {}", fault.message())),
            None => Note::new("", format!("{error:#}")),
        }),
    }
}

fn line_of(text: &str, span: Option<std::ops::Range<usize>>) -> String {
    let before = span.and_then(|span| text.get(..span.start));
    before.map(|before| format!("red {}", before.matches('\n').count() + 1)).unwrap_or_default()
}

fn too_much(definition: &Definition) -> Vec<Note> {
    let fields: usize = definition.forms.iter().map(|form| form.polja.len()).sum();
    let items: usize = definition.attribute_types.iter().map(|known| known.stavke.len()).sum();
    let many = [
        (definition.forms.len() > MOST_FORMS, "formulara", MOST_FORMS),
        (fields > MOST_FIELDS, "polja", MOST_FIELDS),
        (definition.attribute_types.len() > MOST_FIELDS, "tipova atributa", MOST_FIELDS),
        (items > MOST_ITEMS, "stavki", MOST_ITEMS),
    ];
    let mut found: Vec<Note> =
        many.iter().filter(|(over, ..)| *over).map(|(_, what, most)| Note::new("", format!("Fajl ima više od {most} {what}."))).collect();
    if super::file::text(definition).contains("\\u0000") {
        found.push(Note::new("", "Fajl sadrži znak koji baza ne može da čuva (U+0000)."));
    }
    if definition.forms.is_empty() && definition.register.is_none() {
        found.push(Note::new("", "Fajl ne opisuje nijedan formular."));
    }
    found
}
