//! What a designer chooses in place of writing: which entries, and what is shown of them. Every choice is held against the form before
//! anything is made of it.

use clinical::patients::search::criteria::{self, CriterionRow, Groups, SearchField};
use domain::{
    clock,
    register::ValueType,
    typed::{NumberReading, ambiguous, typed_number},
};
use platform::error::{Error, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    form::{Field, Form},
    indicator::{Indicator, IndicatorChoice},
};

const MOST_GROUPS: usize = 2;
const MOST_MEASURES: usize = 8;
const MOST_COLUMNS: usize = 12;
const OLDEST: i16 = 150;

/// A report that is chosen. Each entry of the form that passes the conditions is one row.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReport)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Choice {
    #[serde(rename = "registarID")]
    pub registar_id: i64,
    #[serde(rename = "tipUnosaID")]
    pub tip_unosa_id: i64,
    /// Only entries of the institution that runs it; otherwise also those that others made of patients whom it knows.
    #[serde(default)]
    pub samo_moja_ustanova: bool,
    /// Asks for the days `od` and `do` of the visit.
    #[serde(default)]
    pub period: bool,
    /// Only men (true) or women.
    pub pol: Option<bool>,
    /// Whole years on the day of the visit, inclusive.
    pub starost_od: Option<i16>,
    pub starost_do: Option<i16>,
    /// As the rows of a search; each speaks about the entry itself.
    #[serde(default)]
    pub filteri: Vec<CriterionRow>,
    pub prikaz: View,
    #[serde(default)]
    pub grupe: Vec<GroupChoice>,
    #[serde(default)]
    pub mere: Vec<MeasureChoice>,
    pub grafikon: Option<ChartChoice>,
    #[serde(default)]
    pub kolone: Vec<ColumnChoice>,
    /// Of an indicator: `filteri` say of whom it is, and this for whom of them it is so.
    pub indikator: Option<IndicatorChoice>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportView)]
#[serde(rename_all = "camelCase")]
pub enum View {
    /// One row a group.
    Grupe,
    /// One row an entry.
    Lista,
    /// A share of quality.
    Indikator,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportGroup)]
#[serde(deny_unknown_fields)]
pub struct GroupChoice {
    pub po: GroupBy,
    #[serde(rename = "poljeID")]
    pub polje_id: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportGroupBy)]
#[serde(rename_all = "camelCase")]
pub enum GroupBy {
    Polje,
    Pol,
    /// Ten years of age at the visit.
    Dob,
    Mesec,
    Godina,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportMeasure)]
#[serde(deny_unknown_fields)]
pub struct MeasureChoice {
    pub mera: MeasureKind,
    #[serde(rename = "poljeID")]
    pub polje_id: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportMeasureKind)]
#[serde(rename_all = "camelCase")]
pub enum MeasureKind {
    BrojUnosa,
    BrojPacijenata,
    /// Of all entries, in percent.
    Udeo,
    /// Entries in which the field holds something.
    Popunjeno,
    SrednjaVrednost,
    Medijana,
    Minimum,
    Maksimum,
    /// Of the entries in which the choice is answered, in percent.
    UdeoDa,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportChart)]
#[serde(deny_unknown_fields)]
pub struct ChartChoice {
    pub vrsta: ChartKind,
    /// Which of `mere`, from 0.
    pub mera: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportChartKind)]
#[serde(rename_all = "camelCase")]
pub enum ChartKind {
    Stubici,
    Linija,
    /// Bars of the second grouping on one another.
    Naslagani,
    /// Shares of a whole.
    Pita,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportColumn)]
#[serde(deny_unknown_fields)]
pub struct ColumnChoice {
    pub kolona: ColumnKind,
    #[serde(rename = "poljeID")]
    pub polje_id: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportColumnKind)]
#[serde(rename_all = "camelCase")]
pub enum ColumnKind {
    Polje,
    Pacijent,
    Datum,
    Ustanova,
    Pol,
    Starost,
}

/// The choice after it was held against its form.
pub struct CheckedChoice<'a> {
    pub form: &'a Form,
    /// Entries of the asking institution only.
    pub own: bool,
    /// Of all institutions: groups of patients, never rows.
    pub of_all: bool,
    pub period: bool,
    pub male: Option<bool>,
    pub age: (Option<i16>, Option<i16>),
    pub filters: Groups,
    /// The same as they were typed; none is empty.
    pub rows: &'a [CriterionRow],
    pub shows: Shows<'a>,
}

pub enum Shows<'a> {
    Groups { by: Vec<By<'a>>, measures: Vec<Measure<'a>>, chart: Option<(ChartKind, usize)> },
    List(Vec<Cell<'a>>),
    Indicator(Indicator<'a>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By<'a> {
    Field(&'a Field),
    Sex,
    Age,
    Month,
    Year,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Measure<'a> {
    Entries,
    Patients,
    Share,
    Filled(&'a Field),
    Mean(&'a Field),
    Median(&'a Field),
    Least(&'a Field),
    Greatest(&'a Field),
    ShareOfYes(&'a Field),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cell<'a> {
    Field(&'a Field),
    Patient,
    Date,
    Institution,
    Sex,
    Age,
}

impl<'a> By<'a> {
    /// Its groups follow one another.
    pub fn is_time(&self) -> bool {
        matches!(self, Self::Month | Self::Year)
    }

    /// The field of which an entry may stand in several groups.
    pub fn set(self) -> Option<&'a Field> {
        match self {
            Self::Field(field) if field.tip_vrednosti == ValueType::Set => Some(field),
            _ => None,
        }
    }
}

impl<'a> Measure<'a> {
    pub fn field(self) -> Option<&'a Field> {
        match self {
            Self::Entries | Self::Patients | Self::Share => None,
            Self::Filled(field)
            | Self::Mean(field)
            | Self::Median(field)
            | Self::Least(field)
            | Self::Greatest(field)
            | Self::ShareOfYes(field) => Some(field),
        }
    }
}

impl Choice {
    /// Without what its way of showing does not use, so that nothing unchecked is kept.
    pub fn tidied(mut self) -> Self {
        match self.prikaz {
            View::Grupe => {
                self.kolone.clear();
                self.indikator = None;
            }
            View::Lista => {
                self.drop_groups();
                self.indikator = None;
            }
            View::Indikator => {
                self.drop_groups();
                self.kolone.clear();
            }
        }
        self
    }

    fn drop_groups(&mut self) {
        self.grupe.clear();
        self.mere.clear();
        self.grafikon = None;
    }

    /// Refuses whatever the form or the scope of the report does not give.
    pub fn against<'a>(&'a self, form: &'a Form, obim: &str) -> Result<CheckedChoice<'a>> {
        if form.id != self.tip_unosa_id || form.registar_id != self.registar_id {
            return Err(Error::invalid("tipUnosaID", "Izabrani formular ne pripada izabranom registru."));
        }
        let of_all = obim == "sve";
        Ok(CheckedChoice {
            form,
            own: self.samo_moja_ustanova && !of_all,
            of_all,
            period: self.period,
            male: self.pol,
            age: self.age()?,
            filters: filters(&self.filteri, form, of_all, "filteri")?,
            rows: &self.filteri,
            shows: match self.prikaz {
                View::Grupe => self.groups(form, of_all)?,
                View::Lista if of_all => return Err(Error::invalid("prikaz", NO_LIST)),
                View::Lista => Shows::List(self.cells(form)?),
                View::Indikator => Shows::Indicator(Indicator::of(self.indikator.as_ref(), form, of_all)?),
            },
        })
    }

    fn age(&self) -> Result<(Option<i16>, Option<i16>)> {
        for (field, age) in [("starostOd", self.starost_od), ("starostDo", self.starost_do)] {
            if age.is_some_and(|age| !(0..=OLDEST).contains(&age)) {
                return Err(Error::invalid(field, format!("Starost se unosi u celim godinama, od 0 do {OLDEST}.")));
            }
        }
        match (self.starost_od, self.starost_do) {
            (Some(from), Some(to)) if from > to => Err(Error::invalid("starostDo", "Starost „do” je manja od starosti „od”.")),
            ages => Ok(ages),
        }
    }

    fn groups<'a>(&self, form: &'a Form, of_all: bool) -> Result<Shows<'a>> {
        if self.grupe.len() > MOST_GROUPS {
            return Err(Error::invalid("grupe", format!("Izveštaj može imati najviše {MOST_GROUPS} grupisanja.")));
        }
        let mut by = Vec::new();
        for group in &self.grupe {
            let next = match (group.po, group.polje_id) {
                (GroupBy::Polje, id) => By::Field(grouping(field_of(form, id, "grupe")?, of_all)?),
                (_, Some(_)) => return Err(Error::invalid("grupe", "Samo grupisanje po polju ima polje.")),
                (GroupBy::Pol, None) => By::Sex,
                (GroupBy::Dob, None) => By::Age,
                (GroupBy::Mesec, None) => By::Month,
                (GroupBy::Godina, None) => By::Year,
            };
            if by.contains(&next) {
                return Err(Error::invalid("grupe", "Isto grupisanje je izabrano dva puta."));
            }
            by.push(next);
        }
        if self.mere.is_empty() {
            return Err(Error::invalid("mere", "Izaberite bar jednu meru."));
        }
        if self.mere.len() > MOST_MEASURES {
            return Err(Error::invalid("mere", format!("Izveštaj može imati najviše {MOST_MEASURES} mera.")));
        }
        let mut measures = Vec::new();
        for choice in &self.mere {
            let next = measure(form, choice)?;
            if measures.contains(&next) {
                return Err(Error::invalid("mere", "Ista mera je izabrana dva puta."));
            }
            if of_all && matches!(next, Measure::Least(_) | Measure::Greatest(_)) {
                return Err(Error::invalid("mere", NO_EXTREMES));
            }
            if next == Measure::Share && by.is_empty() {
                return Err(Error::invalid("mere", "Udeo traži bar jedno grupisanje."));
            }
            measures.push(next);
        }
        Ok(Shows::Groups { chart: self.chart(&by, &measures)?, by, measures })
    }

    fn chart(&self, by: &[By], measures: &[Measure]) -> Result<Option<(ChartKind, usize)>> {
        let Some(chart) = &self.grafikon else { return Ok(None) };
        let measure = measures.get(chart.mera).ok_or_else(|| Error::invalid("grafikon", "Izaberite meru koju grafikon prikazuje."))?;
        if by.is_empty() {
            return Err(Error::invalid("grafikon", "Grafikon traži bar jedno grupisanje."));
        }
        let is_calendar = |field: &Field| matches!(field.tip_vrednosti, ValueType::Date | ValueType::Time | ValueType::Moment);
        if measure.field().is_some_and(is_calendar) && !matches!(measure, Measure::Filled(_)) {
            return Err(Error::invalid("grafikon", "Grafikon ne prikazuje datume i vremena; izaberite meru koja je broj."));
        }
        let groups = match chart.vrsta {
            ChartKind::Linija if !by.iter().any(By::is_time) => {
                return Err(Error::invalid("grafikon", "Linija pokazuje tok: traži grupisanje po mesecu ili godini. Izaberite stubiće."));
            }
            ChartKind::Stubici | ChartKind::Linija => return Ok(Some((chart.vrsta, chart.mera))),
            ChartKind::Naslagani => 2,
            ChartKind::Pita => 1,
        };
        if by.len() != groups {
            let what = if groups == 1 { "Pita traži tačno jedno grupisanje." } else { "Naslagani stubići traže dva grupisanja." };
            return Err(Error::invalid("grafikon", what));
        }
        if !matches!(measure, Measure::Entries | Measure::Share | Measure::Filled(_)) {
            return Err(Error::invalid("grafikon", "Pita i naslagani stubići prikazuju delove celine: izaberite broj ili udeo unosa."));
        }
        if by.iter().any(|by| by.set().is_some_and(|field| field.multiselect)) {
            return Err(Error::invalid(
                "grafikon",
                "Pita i naslagani stubići prikazuju delove celine, a unos sa više izabranih stavki je u više grupa. Izaberite stubiće.",
            ));
        }
        Ok(Some((chart.vrsta, chart.mera)))
    }

    fn cells<'a>(&self, form: &'a Form) -> Result<Vec<Cell<'a>>> {
        if self.kolone.is_empty() {
            return Err(Error::invalid("kolone", "Izaberite bar jednu kolonu."));
        }
        if self.kolone.len() > MOST_COLUMNS {
            return Err(Error::invalid("kolone", format!("Lista može imati najviše {MOST_COLUMNS} kolona.")));
        }
        let mut cells = Vec::new();
        for choice in &self.kolone {
            let next = match (choice.kolona, choice.polje_id) {
                (ColumnKind::Polje, id) => Cell::Field(field_of(form, id, "kolone")?),
                (_, Some(_)) => return Err(Error::invalid("kolone", "Samo kolona polja ima polje.")),
                (ColumnKind::Pacijent, None) => Cell::Patient,
                (ColumnKind::Datum, None) => Cell::Date,
                (ColumnKind::Ustanova, None) => Cell::Institution,
                (ColumnKind::Pol, None) => Cell::Sex,
                (ColumnKind::Starost, None) => Cell::Age,
            };
            if cells.contains(&next) {
                return Err(Error::invalid("kolone", "Ista kolona je izabrana dva puta."));
            }
            cells.push(next);
        }
        Ok(cells)
    }
}

impl CheckedChoice<'_> {
    /// The conditions as whoever reads the report is told.
    pub fn conditions(&self) -> Option<String> {
        let mut said = Vec::new();
        match self.male {
            Some(true) => said.push("pol muški".to_owned()),
            Some(false) => said.push("pol ženski".to_owned()),
            None => {}
        }
        let age = if self.of_all { YEARS } else { "starost" };
        match self.age {
            (Some(from), Some(to)) => said.push(format!("{age} od {from} do {to}")),
            (Some(from), None) => said.push(format!("{age} od {from}")),
            (None, Some(to)) => said.push(format!("{age} do {to}")),
            (None, None) => {}
        }
        if !self.rows.is_empty() {
            said.push(self.said_rows(&self.filters, self.rows));
        }
        (!said.is_empty()).then(|| said.join("; "))
    }

    /// Rows as whoever reads the report is told.
    pub fn said_rows(&self, groups: &Groups, rows: &[CriterionRow]) -> String {
        // "And" binds before "or", which is said by brackets where both are there.
        let whole = groups.len() > 1;
        let mut rows = rows.iter();
        let groups = groups.iter().map(|group| {
            let said = rows.by_ref().take(group.len()).map(|row| self.said(row)).collect::<Vec<_>>().join(" i ");
            if whole && group.len() > 1 { format!("({said})") } else { said }
        });
        groups.collect::<Vec<_>>().join(" ili ")
    }

    fn said(&self, row: &CriterionRow) -> String {
        let Some(field) = row.polje_id.and_then(|id| self.form.field(id)) else { return String::new() };
        let typed = row.vrednost.as_deref().unwrap_or_default().trim();
        let value = match field.tip_vrednosti {
            ValueType::Choice => "Da".to_owned(),
            ValueType::Number => match typed_number(typed) {
                NumberReading::Number(number) => domain::shown::number(number),
                _ => typed.to_owned(),
            },
            ValueType::Date => {
                typed.parse().map_or_else(|_| typed.to_owned(), |date: jiff::civil::Date| date.strftime("%d.%m.%Y.").to_string())
            }
            ValueType::Time => typed.to_owned(),
            ValueType::Moment => clock::moment_in(typed).map_or_else(|| typed.to_owned(), clock::moment_text),
            ValueType::Set => field.stavke.iter().find(|item| item.id.to_string() == typed).map_or("", |item| &item.naziv).to_owned(),
            _ => format!("„{typed}”"),
        };
        let name = format!("„{}”", field.naziv);
        match row.operator.as_deref().unwrap_or_default().trim() {
            "popunjeno" => format!("{name} je popunjeno"),
            "nijePopunjeno" => format!("{name} nije popunjeno"),
            "izabrano" => format!("{name}: {value}"),
            "nijeIzabrano" => format!("{name} nije: {value}"),
            "sadrzi" => format!("{name} sadrži {value}"),
            "neSadrzi" => format!("{name} ne sadrži {value}"),
            "pocinje" => format!("{name} počinje sa {value}"),
            "zavrsava" => format!("{name} se završava sa {value}"),
            "!=" => format!("{name} ≠ {value}"),
            "<=" => format!("{name} ≤ {value}"),
            ">=" => format!("{name} ≥ {value}"),
            sign => format!("{name} {sign} {value}"),
        }
    }
}

/// Rows of conditions, held against the form; `part` is what of the choice they are.
pub fn filters(rows: &[CriterionRow], form: &Form, of_all: bool, part: &'static str) -> Result<Groups> {
    let refuse = |index: usize, what: String| Error::invalid(part, format!("Uslov {}: {what}", index + 1));
    for (index, row) in rows.iter().enumerate() {
        let filled = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
        let Some(id) = row.polje_id else { return Err(refuse(index, "izaberite polje.".to_owned())) };
        let field = form.field(id).ok_or_else(|| refuse(index, GONE.to_owned()))?;
        if row.tip_unosa_id.is_some_and(|id| id != form.id) {
            return Err(refuse(index, GONE.to_owned()));
        }
        if of_all && field.tip_vrednosti == ValueType::Text {
            return Err(refuse(index, unseen(field)));
        }
        if !filled(&row.operator) {
            return Err(refuse(index, "izaberite poređenje.".to_owned()));
        }
        let asks = !matches!(row.operator.as_deref().map(str::trim), Some("popunjeno" | "nijePopunjeno"));
        if asks && field.tip_vrednosti != ValueType::Choice {
            let value = row.vrednost.as_deref().unwrap_or_default().trim();
            if value.is_empty() {
                return Err(refuse(index, "unesite vrednost.".to_owned()));
            }
            match field.tip_vrednosti {
                ValueType::Number => match typed_number(value) {
                    NumberReading::Number(_) => {}
                    NumberReading::Either { .. } => return Err(refuse(index, ambiguous(&field.naziv, value))),
                    NumberReading::Blank | NumberReading::Unreadable => {
                        return Err(refuse(index, "vrednost mora biti broj.".to_owned()));
                    }
                },
                ValueType::Date if !value.parse().is_ok_and(|date: jiff::civil::Date| (1..=9999).contains(&date.year())) => {
                    return Err(refuse(index, "vrednost mora biti datum.".to_owned()));
                }
                ValueType::Time if clock::time_in(value).is_none() => {
                    return Err(refuse(index, "vrednost mora biti vreme, na primer 08:30.".to_owned()));
                }
                ValueType::Moment if !clock::moment_in(value).is_some_and(|at| (1..=9999).contains(&at.year())) => {
                    return Err(refuse(index, "vrednost mora biti datum sa vremenom.".to_owned()));
                }
                ValueType::Set if !value.parse().is_ok_and(|item: i64| field.stavke.iter().any(|known| known.id == item)) => {
                    return Err(refuse(index, format!("izabrana stavka nije među stavkama polja „{}”.", field.naziv)));
                }
                _ => {}
            }
        }
    }
    let searchable =
        form.polja.iter().map(|field| (field.id, SearchField { id: field.id, form_id: form.id, value_type: field.tip_vrednosti }));
    criteria::groups(rows, &searchable.collect()).map_err(|error| match error {
        Error::Invalid { message, .. } => Error::Invalid { field: Some(part.into()), message },
        other => other,
    })
}

/// Over all institutions days of birth are not known: an age is the difference of the years.
const YEARS: &str = "uzrast po kalendarskoj godini";
const NO_LIST: &str = "Izveštaj nad svim ustanovama prikazuje samo zbirne podatke: izaberite grupe.";
const NO_EXTREMES: &str = "Minimum i maksimum su vrednost jednog pacijenta, pa ih izveštaj nad svim ustanovama nema. Izaberite medijanu.";
const GONE: &str = "polje više nije na ovom formularu. Izaberite drugo.";

fn unseen(field: &Field) -> String {
    format!("Polje „{}” je tekstualno, a izveštaj nad svim ustanovama ne prikazuje tekstove.", field.naziv)
}

fn field_of<'a>(form: &'a Form, id: Option<i64>, part: &'static str) -> Result<&'a Field> {
    let Some(id) = id else { return Err(Error::invalid(part, "Izaberite polje.")) };
    form.field(id).ok_or_else(|| Error::invalid(part, format!("Izabrano {GONE}")))
}

fn grouping(field: &Field, of_all: bool) -> Result<&Field> {
    match field.tip_vrednosti {
        ValueType::Text if of_all => Err(Error::invalid("grupe", unseen(field))),
        ValueType::Choice | ValueType::Set | ValueType::Number | ValueType::Text => Ok(field),
        _ => Err(Error::invalid("grupe", format!("Po polju „{}” se ne grupiše.", field.naziv))),
    }
}

fn measure<'a>(form: &'a Form, choice: &MeasureChoice) -> Result<Measure<'a>> {
    let of_none = |measure| match choice.polje_id {
        None => Ok(measure),
        Some(_) => Err(Error::invalid("mere", "Ova mera nema polje.")),
    };
    let of = |kinds: &[ValueType], what: &str| {
        let field = field_of(form, choice.polje_id, "mere")?;
        if kinds.contains(&field.tip_vrednosti) {
            return Ok(field);
        }
        Err(Error::invalid("mere", format!("{what} se ne računa za polje „{}”.", field.naziv)))
    };
    let numbers = [ValueType::Number];
    let ordered = [ValueType::Number, ValueType::Date, ValueType::Time, ValueType::Moment];
    Ok(match choice.mera {
        MeasureKind::BrojUnosa => of_none(Measure::Entries)?,
        MeasureKind::BrojPacijenata => of_none(Measure::Patients)?,
        MeasureKind::Udeo => of_none(Measure::Share)?,
        MeasureKind::Popunjeno => Measure::Filled(field_of(form, choice.polje_id, "mere")?),
        MeasureKind::SrednjaVrednost => Measure::Mean(of(&numbers, "Srednja vrednost")?),
        MeasureKind::Medijana => Measure::Median(of(&numbers, "Medijana")?),
        MeasureKind::Minimum => Measure::Least(of(&ordered, "Minimum")?),
        MeasureKind::Maksimum => Measure::Greatest(of(&ordered, "Maksimum")?),
        MeasureKind::UdeoDa => Measure::ShareOfYes(of(&[ValueType::Choice], "Udeo odgovora „Da”")?),
    })
}
