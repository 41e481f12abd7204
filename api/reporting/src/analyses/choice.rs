//! What is chosen of an analysis: a view, its variables, and what a view needs beside them.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalysisChoice {
    pub prikaz: AnalysisView,
    /// What is described, compared or measured: rows of Table 1, predictors, scores.
    #[serde(default)]
    pub promenljive: Vec<VariableChoice>,
    /// The groups.
    pub po: Option<VariableChoice>,
    /// A second measurement of the same entries, in place of groups.
    pub sa: Option<VariableChoice>,
    /// A yes, an item, or a date that is filled.
    pub dogadjaj: Option<EventChoice>,
    pub vreme: Option<TimeChoice>,
    /// Of survival: what keeps the event from ever happening, as `dogadjaj`. Curves are then of incidence.
    pub konkurentni: Option<EventChoice>,
    /// Of survival: the time up to which the restricted mean is told.
    pub do_vremena: Option<f64>,
    pub model: Option<ModelChoice>,
    /// Of a linear model.
    pub ishod: Option<VariableChoice>,
    /// Products of two predictors, which a model has beside them.
    #[serde(default)]
    pub proizvodi: Vec<ProductChoice>,
    /// Of a Cox model: each group has a baseline hazard of its own.
    pub slojevi: Option<VariableChoice>,
    /// Times at which survival is told.
    #[serde(default)]
    pub vremena: Vec<f64>,
    /// Cuts of the one score that are told.
    #[serde(default)]
    pub granice: Vec<f64>,
    /// A rate is told of so much time; none: 1000.
    pub na: Option<f64>,
    #[serde(default)]
    pub smd: bool,
    /// Of the words that are not the chooser's own.
    #[serde(default)]
    pub jezik: LabelLanguage,
    /// `ustanova`: what the institution knows; `sve`: groups over all institutions.
    #[serde(default)]
    pub obim: AnalysisScope,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AnalysisView {
    Tabela1,
    Poredjenje,
    Prezivljavanje,
    Povezanost,
    Tacnost,
    Stope,
    Raspodela,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisVariable)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VariableChoice {
    pub izvor: VariableSource,
    #[serde(rename = "poljeID")]
    pub polje_id: Option<i64>,
    /// Of a number of the cohort's own form.
    #[serde(default)]
    pub trenutak: Moment,
    pub prikaz: Option<ShownAs>,
    /// Where a number is cut into classes, from the least.
    #[serde(default)]
    pub rezovi: Vec<f64>,
    /// Classes by the quartiles of the cohort.
    #[serde(default)]
    pub kvartili: bool,
    /// Of a predictor: the category that others are compared with; none: the first.
    #[serde(default, deserialize_with = "domain::text::optional")]
    pub referenca: Option<String>,
    /// What it is called in the result; none: as the form has it.
    #[serde(default, deserialize_with = "domain::text::optional")]
    pub naziv: Option<String>,
}

/// Places in the list of variables, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisProduct)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProductChoice {
    pub prva: usize,
    pub druga: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisVariableSource)]
#[serde(rename_all = "camelCase")]
pub enum VariableSource {
    Polje,
    Pol,
    Starost,
    Godina,
}

/// Of which of the patient's entries a number is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisMoment)]
#[serde(rename_all = "camelCase")]
pub enum Moment {
    /// The cohort's.
    #[default]
    Unos,
    Prva,
    Poslednja,
    /// The last less the first, where there are two.
    Promena,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisShownAs)]
#[serde(rename_all = "camelCase")]
pub enum ShownAs {
    Prosek,
    Medijana,
    Kategorija,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisEvent)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EventChoice {
    /// None: the death that the patient's status tells, whose day it has.
    #[serde(rename = "poljeID")]
    pub polje_id: Option<i64>,
    /// Of a set: the item that is the event.
    #[serde(rename = "stavkaID")]
    pub stavka_id: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisTime)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimeChoice {
    pub vrsta: TimeKind,
    /// The number that is the time; of `datumi`, the date from which it runs (none: the day of the entry).
    #[serde(rename = "poljeID")]
    pub polje_id: Option<i64>,
    #[serde(default)]
    pub jedinica: TimeUnit,
    /// The last day on which everybody was followed. Of `datumi`, whoever had no event is censored on it (none: the day of the run).
    #[schema(value_type = Option<String>, format = Date)]
    pub cenzura: Option<Date>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisTimeKind)]
#[serde(rename_all = "camelCase")]
pub enum TimeKind {
    Polje,
    /// From a date to the date of the event.
    Datumi,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisTimeUnit)]
#[serde(rename_all = "camelCase")]
pub enum TimeUnit {
    #[default]
    Dana,
    Meseci,
    Godina,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisModel)]
#[serde(rename_all = "camelCase")]
pub enum ModelChoice {
    Koksova,
    Logisticka,
    Linearna,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AnalysisLanguage)]
#[serde(rename_all = "camelCase")]
pub enum LabelLanguage {
    #[default]
    Sr,
    En,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AnalysisScope {
    #[default]
    Ustanova,
    Sve,
}

impl AnalysisScope {
    /// As a report says it.
    pub fn obim(self) -> &'static str {
        match self {
            Self::Ustanova => "ustanova",
            Self::Sve => "sve",
        }
    }
}

impl LabelLanguage {
    pub fn of<'a>(self, serbian: &'a str, english: &'a str) -> &'a str {
        match self {
            Self::Sr => serbian,
            Self::En => english,
        }
    }
}

impl TimeUnit {
    pub fn words(self, language: LabelLanguage) -> &'static str {
        match self {
            Self::Dana => language.of("dana", "days"),
            Self::Meseci => language.of("meseci", "months"),
            Self::Godina => language.of("godina", "years"),
        }
    }

    /// Days of one.
    pub fn days(self) -> &'static str {
        match self {
            Self::Dana => "1",
            Self::Meseci => "30.4375",
            Self::Godina => "365.25",
        }
    }
}
