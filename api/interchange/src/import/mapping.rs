//! A mapping: which columns of a CSV file become which fields of patients and entries, as its TOML file says it.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    #[serde(default)]
    pub file: FileOptions,
    pub patient: PatientMapping,
    #[serde(default)]
    pub entries: Vec<EntryMapping>,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct FileOptions {
    pub encoding: Encoding,
    pub delimiter: Delimiter,
    /// `.` or `,`. Where it is not said, a point is one unless it may part thousands as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// Date formats, tried in turn: `DD`, `MM`, `YYYY` and what stands between them.
    pub dates: Vec<String>,
    /// Texts that mean "no value", besides an empty cell.
    pub blank: Vec<String>,
    /// Stands between the items of a set in one cell.
    pub items: char,
}

impl Default for FileOptions {
    fn default() -> Self {
        Self {
            encoding: Encoding::Auto,
            delimiter: Delimiter::Auto,
            decimal: None,
            dates: vec!["YYYY-MM-DD".into(), "DD.MM.YYYY.".into(), "DD.MM.YYYY".into()],
            blank: vec![],
            items: '|',
        }
    }
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-16 where its mark stands first, UTF-8 where the bytes are UTF-8, Windows-1250 otherwise.
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "utf-16")]
    Utf16,
    #[serde(rename = "windows-1250")]
    Windows1250,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    /// The one that a first line `sep=` names, else the one of `,` `;` and tab that the header has most of.
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = ",")]
    Comma,
    #[serde(rename = ";")]
    Semicolon,
    #[serde(rename = "\t")]
    Tab,
}

impl Delimiter {
    pub fn of(mark: &str) -> Option<Self> {
        [Self::Comma, Self::Semicolon, Self::Tab].into_iter().find(|known| mark.bytes().eq([known.byte()]))
    }

    /// That of a comma where it is not known yet.
    pub fn byte(self) -> u8 {
        match self {
            Self::Auto | Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
        }
    }
}

/// What happens to a patient or an entry that is there already.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Existing {
    /// It stays as it is.
    #[default]
    Keep,
    /// Its mapped fields get the values of the file; others stay.
    Update,
}

/// What happens to a value whose field the entry's other values hide.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum HiddenValues {
    /// It is a defect.
    #[default]
    Refuse,
    /// It is left out, as saving on the screen does.
    Clear,
}

/// What happens to a patient whose LBO another one has.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum SharedLbo {
    /// It is a defect.
    #[default]
    Refuse,
    /// Whoever wrote the mapping confirms it: it is warned of, and logged.
    Confirm,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct PatientMapping {
    /// Columns that together name a patient in the source.
    pub key: Columns,
    #[serde(default)]
    pub existing: Existing,
    #[serde(default)]
    pub shared_lbo: SharedLbo,
    /// Name or code of the institution that registers the patient.
    pub institution: Source,
    pub fields: BTreeMap<String, Source>,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct EntryMapping {
    /// `sifraVeza` or name of the form.
    pub form: String,
    /// Columns that together name an entry of this form in the source.
    pub key: Columns,
    #[serde(default)]
    pub existing: Existing,
    #[serde(default)]
    pub hidden: HiddenValues,
    pub date: Source,
    /// The patient's institution where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub institution: Option<Source>,
    /// Username of the doctor who is responsible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responsible: Option<Source>,
    #[serde(default)]
    pub fields: BTreeMap<String, Source>,
    /// Columns of sections that repeat, by the section's code. Lines with one key are one entry then, each line a row of its sections.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rows: BTreeMap<String, BTreeMap<String, Source>>,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(untagged)]
pub enum Columns {
    One(String),
    Several(Vec<String>),
}

impl Columns {
    pub fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

/// Where a value comes from: a column's name, or a table that says more.
#[derive(Serialize, Deserialize, Clone, Default, Debug)]
#[serde(from = "RawSource", into = "RawSource")]
pub struct Source {
    pub column: Option<String>,
    /// The same value for every row.
    pub constant: Option<String>,
    /// Taken where the cell is blank.
    pub default: Option<String>,
    /// From the cell's text to the value; a text that is not here is a defect.
    pub translate: BTreeMap<String, String>,
    /// Date formats of this column alone.
    pub dates: Vec<String>,
    /// Rounds a number with more decimals than the field has, half away from zero; otherwise that is a defect.
    pub round: bool,
    /// The items of a set stand by their weights, where a text is no item's code.
    pub numbers: bool,
    /// A set of which each item has a column of its own, where Yes means that it is chosen: from the column to the item's code or name.
    pub columns: BTreeMap<String, String>,
    /// The unit in which the numbers are written; without it they are in their field's own.
    pub unit: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "naziv kolone, ili tabela sa column, columns, constant, default, translate, dates, round, numbers, unit")]
enum RawSource {
    Column(String),
    Table(Box<SourceTable>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceTable {
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    translate: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dates: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    round: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    numbers: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    columns: BTreeMap<String, String>,
}

impl Source {
    pub fn of_column(name: &str) -> Self {
        Self { column: Some(name.to_owned()), ..Self::default() }
    }

    pub fn of_constant(text: &str) -> Self {
        Self { constant: Some(text.to_owned()), ..Self::default() }
    }

    /// Every column that it reads.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.column.iter().chain(self.columns.keys()).map(String::as_str)
    }
}

/// A column alone is written as its name.
impl From<Source> for RawSource {
    fn from(source: Source) -> Self {
        let Source { column, constant, default, translate, dates, round, numbers, columns, unit } = source;
        let of_values = constant.is_some() || default.is_some() || !translate.is_empty();
        let says_more = of_values || !dates.is_empty() || unit.is_some() || !columns.is_empty();
        match column {
            Some(column) if !says_more && !round && !numbers => Self::Column(column),
            column => Self::Table(Box::new(SourceTable { column, constant, default, translate, dates, round, numbers, columns, unit })),
        }
    }
}

impl From<RawSource> for Source {
    fn from(raw: RawSource) -> Self {
        match raw {
            RawSource::Column(name) => Self::of_column(&name),
            RawSource::Table(table) => {
                let SourceTable { column, constant, default, translate, dates, round, numbers, columns, unit } = *table;
                Self { column, constant, default, translate, dates, round, numbers, columns, unit }
            }
        }
    }
}

impl Mapping {
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mapping: Self = toml::from_str(text)?;
        mapping.check()?;
        Ok(mapping)
    }

    /// What a file of it may not say, wherever it was written.
    pub fn check(&self) -> anyhow::Result<()> {
        if self.file.decimal.is_some_and(|mark| ![',', '.'].contains(&mark)) {
            bail!("file.decimal je „.” ili „,”");
        }
        for (place, source) in self.sources() {
            let ways = [source.column.is_some(), source.constant.is_some(), !source.columns.is_empty()];
            if ways.iter().filter(|said| **said).count() != 1 {
                bail!("{place}: navodi se ili column, ili columns, ili constant");
            }
            if !source.columns.is_empty() && (source.default.is_some() || !source.translate.is_empty() || source.numbers) {
                bail!("{place}: uz columns se ne navode default, translate i numbers");
            }
            for format in &source.dates {
                date_format(format).context(place.clone())?;
            }
        }
        for format in &self.file.dates {
            date_format(format).context("file.dates")?;
        }
        let of_entries = self.entries.iter().flat_map(|entry| [Some(&entry.date), entry.institution.as_ref(), entry.responsible.as_ref()]);
        let mut plain = self.patient.fields.values().chain([&self.patient.institution]).chain(of_entries.flatten());
        if plain.clone().any(|source| source.unit.is_some()) {
            bail!("jedinicu ima samo kolona brojnog polja formulara");
        }
        if plain.any(|source| !source.columns.is_empty()) {
            bail!("kolone po stavkama (columns) ima samo skup u formularu");
        }
        Ok(())
    }

    /// The column from which a field of the patient comes; the field's own name where there is none.
    pub fn column_of<'a>(&'a self, field: &'a str) -> &'a str {
        self.patient.fields.get(field).and_then(|source| source.column.as_deref()).unwrap_or(field)
    }

    /// Every source with its place in the mapping.
    pub fn sources(&self) -> Vec<(String, &Source)> {
        let mut found = vec![("patient.institution".to_owned(), &self.patient.institution)];
        found.extend(self.patient.fields.iter().map(|(name, source)| (format!("patient.fields.{name}"), source)));
        for entry in &self.entries {
            let place = format!("entries.{}", entry.form);
            found.push((format!("{place}.date"), &entry.date));
            found.extend(entry.institution.iter().map(|source| (format!("{place}.institution"), source)));
            found.extend(entry.responsible.iter().map(|source| (format!("{place}.responsible"), source)));
            found.extend(entry.fields.iter().map(|(name, source)| (format!("{place}.fields.{name}"), source)));
            for (section, columns) in &entry.rows {
                found.extend(columns.iter().map(|(name, source)| (format!("{place}.rows.{section}.{name}"), source)));
            }
        }
        found
    }

    /// Every column that the mapping reads, with the place that names it.
    pub fn columns(&self) -> Vec<(String, &str)> {
        let mut found: Vec<(String, &str)> =
            self.patient.key.names().iter().map(|name| ("patient.key".to_owned(), name.as_str())).collect();
        for entry in &self.entries {
            found.extend(entry.key.names().iter().map(|name| (format!("entries.{}.key", entry.form), name.as_str())));
        }
        for (place, source) in self.sources() {
            found.extend(source.names().map(|name| (place.clone(), name)));
        }
        found
    }
}

/// `DD.MM.YYYY.` as the pattern that jiff parses.
pub fn date_format(format: &str) -> anyhow::Result<String> {
    if ["DD", "MM", "YYYY"].iter().any(|part| format.matches(part).count() != 1) || format.contains('%') {
        bail!("format datuma „{format}” mora imati po jedno DD, MM i YYYY");
    }
    Ok(format.replace("DD", "%d").replace("MM", "%m").replace("YYYY", "%Y"))
}
