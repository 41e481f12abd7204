//! An analysis whose every part was held against its cohort.

use domain::{register::ValueType, time::date_text};
use jiff::civil::Date;
use platform::error::{Error, Result};

use super::{
    choice::{
        AnalysisChoice, AnalysisScope, AnalysisView, EventChoice, LabelLanguage, ModelChoice, ProductChoice, TimeChoice, TimeKind,
        TimeUnit, VariableChoice,
    },
    cohort::CohortSource,
    variable::{Classes, Variable},
};
use crate::setup::report_definition::simple::form::Field;

const MOST_VARIABLES: usize = 40;
const MOST_SCORES: usize = 6;
const MOST_TIMES: usize = 12;
const MOST_PRODUCTS: usize = 10;
const MOST_CUTS: usize = 20;

/// What is computed. Variables, groups and events are columns of the query: `v1`…, `po`, `sa`, `dogadjaj`, `vreme`, `ishod`, `sloj`.
pub struct Parts<'a> {
    pub cohort: &'a CohortSource,
    pub view: AnalysisView,
    pub language: LabelLanguage,
    pub scope: AnalysisScope,
    pub variables: Vec<Variable<'a>>,
    pub by: Option<Variable<'a>>,
    pub second: Option<Variable<'a>>,
    pub event: Option<Event<'a>>,
    /// What keeps the event from happening: the column `konkurentni`.
    pub competing: Option<Event<'a>>,
    pub time: Option<Time<'a>>,
    pub model: Option<ModelChoice>,
    pub outcome: Option<Variable<'a>>,
    /// Places of two variables each.
    pub products: Vec<ProductChoice>,
    pub strata: Option<Variable<'a>>,
    pub times: Vec<f64>,
    /// The time up to which the restricted mean is told.
    pub until: Option<f64>,
    pub cuts: Vec<f64>,
    pub per: f64,
    pub smd: bool,
}

pub struct Event<'a> {
    /// None: the death that the patient's status tells.
    pub field: Option<&'a Field>,
    pub item: Option<i64>,
    pub label: String,
}

pub struct Time<'a> {
    pub kind: TimeKind,
    pub field: Option<&'a Field>,
    pub unit: TimeUnit,
    pub censored_on: Option<Date>,
}

const NO_EVENT: &str = "Izaberite događaj: šta se desilo, na primer smrt.";
const NO_TIME: &str = "Izaberite vreme praćenja: događaj bez vremena ne govori kada se desio.";
const NO_VARIABLES: &str = "Izaberite bar jednu promenljivu.";

impl<'a> Parts<'a> {
    pub fn of(cohort: &'a CohortSource, choice: &AnalysisChoice) -> Result<Self> {
        let language = choice.jezik;
        let one =
            |choice: &Option<VariableChoice>, part| choice.as_ref().map(|choice| Variable::of(cohort, choice, part, language)).transpose();
        let mut variables: Vec<Variable> = Vec::new();
        for variable in &choice.promenljive {
            let next = Variable::of(cohort, variable, "promenljive", language)?;
            if variables.iter().any(|known| known.is_like(&next)) {
                return Err(Error::invalid("promenljive", format!("Promenljiva „{}” je izabrana dva puta.", next.label)));
            }
            variables.push(next);
        }
        if variables.len() > MOST_VARIABLES {
            return Err(Error::invalid("promenljive", format!("Analiza može imati najviše {MOST_VARIABLES} promenljivih.")));
        }
        let parts = Self {
            cohort,
            view: choice.prikaz,
            language,
            scope: choice.obim,
            variables,
            by: one(&choice.po, "po")?,
            second: one(&choice.sa, "sa")?,
            event: choice.dogadjaj.map(|event| Event::of(cohort, event, "dogadjaj", language)).transpose()?,
            competing: choice.konkurentni.map(|event| Event::of(cohort, event, "konkurentni", language)).transpose()?,
            time: choice.vreme.as_ref().map(|time| Time::of(cohort, time)).transpose()?,
            model: choice.model,
            outcome: one(&choice.ishod, "ishod")?,
            products: choice.proizvodi.clone(),
            strata: one(&choice.slojevi, "slojevi")?,
            times: times(&choice.vremena)?,
            until: until(choice.do_vremena)?,
            cuts: cuts(&choice.granice)?,
            per: per(choice.na)?,
            smd: choice.smd,
        };
        parts.refuse_incomplete()?;
        Ok(parts.used())
    }

    fn refuse_incomplete(&self) -> Result<()> {
        if let Some(by) = &self.by
            && self.variables.iter().any(|variable| variable.is_like(by))
            && self.view != AnalysisView::Povezanost
        {
            return Err(Error::invalid(
                "po",
                format!("„{}” deli grupe, pa ne može da bude i promenljiva koja se po njima prikazuje.", by.label),
            ));
        }
        if let Some(by) = &self.by
            && by.is_number()
        {
            return Err(Error::invalid("po", format!("„{}” je broj: podelite ga na klase da bi delio grupe.", by.label)));
        }
        if self.scope == AnalysisScope::Sve {
            return self.refuse_single_patients();
        }
        match self.view {
            AnalysisView::Tabela1 | AnalysisView::Raspodela => self.needs_variables(),
            AnalysisView::Poredjenje => {
                self.needs_variables()?;
                match (&self.by, &self.second) {
                    (None, None) => Err(Error::invalid("po", "Izaberite grupe koje se porede, ili drugo merenje istih unosa.")),
                    (Some(_), Some(_)) => Err(Error::invalid("sa", "Porede se ili grupe ili dva merenja: izaberite jedno.")),
                    (None, Some(second)) if self.variables.len() != 1 || !self.variables[0].is_number() || !second.is_number() => {
                        Err(Error::invalid(
                            "sa",
                            "Dva merenja se porede kao brojevi: izaberite jednu brojnu promenljivu i drugo brojno merenje.",
                        ))
                    }
                    _ => Ok(()),
                }
            }
            AnalysisView::Prezivljavanje => {
                self.needs_follow_up()?;
                self.refuse_odd_competing()
            }
            AnalysisView::Stope => self.needs_follow_up(),
            AnalysisView::Povezanost => {
                self.needs_variables()?;
                self.refuse_odd_products()?;
                match self.model.ok_or_else(|| Error::invalid("model", "Izaberite model."))? {
                    ModelChoice::Koksova => {
                        self.refuse_odd_strata()?;
                        self.needs_follow_up()
                    }
                    ModelChoice::Logisticka => self.needs_event(),
                    ModelChoice::Linearna => match &self.outcome {
                        None => Err(Error::invalid("ishod", "Izaberite ishod: broj koji model objašnjava.")),
                        Some(outcome) if !outcome.is_number() => {
                            Err(Error::invalid("ishod", format!("Ishod linearnog modela je broj, a „{}” to nije.", outcome.label)))
                        }
                        Some(outcome) if self.variables.iter().any(|variable| variable.is_like(outcome)) => {
                            Err(Error::invalid("ishod", format!("„{}” je i ishod i prediktor.", outcome.label)))
                        }
                        Some(_) => Ok(()),
                    },
                }
            }
            AnalysisView::Tacnost => {
                self.needs_event()?;
                self.needs_variables()?;
                match self.variables.iter().find(|variable| !variable.is_number() && !variable.is_yes_or_no()) {
                    Some(odd) => Err(Error::invalid("promenljive", format!("Test je broj ili odgovor da/ne, a „{}” to nije.", odd.label))),
                    None if self.variables.len() > MOST_SCORES => {
                        Err(Error::invalid("promenljive", format!("Porede se najviše {MOST_SCORES} testova.")))
                    }
                    None if !self.cuts.is_empty() && self.variables.iter().filter(|variable| variable.is_number()).count() != 1 => {
                        Err(Error::invalid("granice", "Granice se navode uz jedan brojni test: granice jednog testa nisu granice drugog."))
                    }
                    None => Ok(()),
                }
            }
        }
    }

    fn refuse_odd_competing(&self) -> Result<()> {
        let (Some(event), Some(competing)) = (&self.event, &self.competing) else { return Ok(()) };
        let refuse = |message: String| Err(Error::invalid("konkurentni", message));
        if event.is_like(competing) {
            return refuse(format!("„{}” je i događaj i konkurentski događaj: izaberite dva različita.", event.label));
        }
        if event.has_a_day() != competing.has_a_day() {
            return refuse(
                "Konkurentski događaj se navodi kao i događaj: oba datumom, ili oba odgovorom da/ne ili stavkom skupa.".to_owned(),
            );
        }
        if self.until.is_some() {
            return Err(Error::invalid(
                "doVremena",
                "Ograničena srednja vrednost (RMST) ne ide uz konkurentski događaj: uklonite jedno od njih.",
            ));
        }
        Ok(())
    }

    /// Over all institutions rows are groups of patients.
    fn refuse_single_patients(&self) -> Result<()> {
        if self.view != AnalysisView::Tabela1 {
            return Err(Error::invalid(
                "prikaz",
                "Nad svim ustanovama postoji samo Tabela 1: ostale analize čitaju pojedinačne pacijente.",
            ));
        }
        if self.cohort.frozen.is_some() {
            return Err(Error::invalid(
                "obim",
                "Zamrznuta kohorta je jedne ustanove: nad svim ustanovama koristite kohortu koja nije zamrznuta.",
            ));
        }
        self.needs_variables()?;
        let by_people = |variable: &&Variable| variable.is_number() || variable.classes == Classes::Quartiles;
        match self.variables.iter().chain(&self.by).find(by_people) {
            Some(number) => Err(Error::invalid(
                "promenljive",
                format!("Nad svim ustanovama se broje grupe: podelite „{}” na klase zadatim granicama.", number.label),
            )),
            None => Ok(()),
        }
    }

    fn refuse_odd_products(&self) -> Result<()> {
        let refuse = |message: String| Err(Error::invalid("proizvodi", message));
        if self.products.len() > MOST_PRODUCTS {
            return refuse(format!("Model može imati najviše {MOST_PRODUCTS} interakcija."));
        }
        for (place, product) in self.products.iter().enumerate() {
            let (Some(first), Some(second)) = (self.variables.get(product.prva), self.variables.get(product.druga)) else {
                return refuse("Interakcija je proizvod dva izabrana prediktora.".to_owned());
            };
            if product.prva == product.druga {
                return refuse(format!("Interakcija ima dva različita prediktora, a „{}” je naveden dva puta.", first.label));
            }
            let is_same = |known: &ProductChoice| *known == *product || (known.prva, known.druga) == (product.druga, product.prva);
            if self.products[..place].iter().any(is_same) {
                return refuse(format!("Interakcija „{} × {}” je izabrana dva puta.", first.label, second.label));
            }
        }
        Ok(())
    }

    fn refuse_odd_strata(&self) -> Result<()> {
        let Some(strata) = &self.strata else { return Ok(()) };
        let refuse = |message: String| Err(Error::invalid("slojevi", message));
        if strata.is_number() {
            return refuse(format!("„{}” je broj: podelite ga na klase da bi delio slojeve.", strata.label));
        }
        if self.variables.iter().any(|variable| variable.is_like(strata)) {
            return refuse(format!("„{}” deli slojeve, pa ne može da bude i prediktor: unutar sloja je uvek isti.", strata.label));
        }
        Ok(())
    }

    fn needs_variables(&self) -> Result<()> {
        if self.variables.is_empty() { Err(Error::invalid("promenljive", NO_VARIABLES)) } else { Ok(()) }
    }

    fn needs_event(&self) -> Result<()> {
        match &self.event {
            None => Err(Error::invalid("dogadjaj", NO_EVENT)),
            Some(event) if event.has_a_day() && self.time.is_none() => {
                Err(Error::invalid("dogadjaj", "Događaj po datumu traži vreme između datuma."))
            }
            Some(_) => Ok(()),
        }
    }

    fn needs_follow_up(&self) -> Result<()> {
        let Some(event) = &self.event else { return Err(Error::invalid("dogadjaj", NO_EVENT)) };
        let Some(time) = &self.time else { return Err(Error::invalid("vreme", NO_TIME)) };
        let by_date = event.has_a_day();
        match time.kind {
            TimeKind::Polje if by_date => {
                Err(Error::invalid("dogadjaj", "Uz vreme iz polja događaj je odgovor da/ne ili stavka skupa, a ne datum."))
            }
            TimeKind::Datumi if !by_date => {
                Err(Error::invalid("dogadjaj", "Uz vreme između datuma događaj je datumsko polje: prazno znači da se nije desio."))
            }
            _ => Ok(()),
        }
    }

    /// Without what its view does not use, which would still be read.
    fn used(mut self) -> Self {
        let follows = matches!(self.view, AnalysisView::Prezivljavanje | AnalysisView::Stope) || self.model == Some(ModelChoice::Koksova);
        match self.view {
            AnalysisView::Prezivljavanje | AnalysisView::Stope => self.variables.clear(),
            AnalysisView::Povezanost | AnalysisView::Tacnost => self.by = None,
            _ => {}
        }
        if self.view != AnalysisView::Prezivljavanje {
            (self.competing, self.until) = (None, None);
        }
        if self.view != AnalysisView::Tacnost {
            self.cuts.clear();
        }
        if self.view != AnalysisView::Poredjenje {
            self.second = None;
        }
        if self.view != AnalysisView::Povezanost {
            self.model = None;
        }
        if self.view != AnalysisView::Povezanost {
            self.products.clear();
        }
        if self.model != Some(ModelChoice::Koksova) {
            self.strata = None;
        }
        if self.model != Some(ModelChoice::Linearna) {
            self.outcome = None;
        }
        if !(self.view == AnalysisView::Tacnost || self.model == Some(ModelChoice::Logisticka) || follows) {
            self.event = None;
        }
        let by_date = self.event.as_ref().is_some_and(Event::has_a_day);
        if !(follows || by_date) {
            self.time = None;
        }
        self
    }

    /// Whether an event is the death that the patient's status tells.
    pub fn reads_status(&self) -> bool {
        self.event.iter().chain(&self.competing).any(|event| event.field.is_none())
    }

    /// Every variable with the column that it is.
    pub fn columns(&self) -> Vec<(String, &Variable<'a>)> {
        let numbered = self.variables.iter().enumerate().map(|(index, variable)| (format!("v{}", index + 1), variable));
        let named = [("po", &self.by), ("sa", &self.second), ("ishod", &self.outcome), ("sloj", &self.strata)];
        numbered.chain(named.into_iter().filter_map(|(name, variable)| Some((name.to_owned(), variable.as_ref()?)))).collect()
    }

    /// The day to which everybody was followed, in words.
    pub fn censored_on(&self) -> Option<String> {
        let time = self.time.as_ref()?;
        match (time.censored_on, time.kind) {
            (Some(day), _) => Some(date_text(day)),
            (None, TimeKind::Datumi) => Some(self.language.of("dan izrade", "the day of the run").to_owned()),
            (None, TimeKind::Polje) => None,
        }
    }
}

impl<'a> Event<'a> {
    /// Whether it is told by its day, blank while it has not happened.
    pub fn has_a_day(&self) -> bool {
        self.field.is_none_or(|field| field.tip_vrednosti == ValueType::Date)
    }

    pub fn is_like(&self, other: &Event) -> bool {
        self.field.map(|field| field.id) == other.field.map(|field| field.id) && self.item == other.item
    }

    /// `part` is what of the analysis it stands for, as a refusal names it.
    fn of(cohort: &'a CohortSource, choice: EventChoice, part: &'static str, language: LabelLanguage) -> Result<Self> {
        let refuse = |message: String| Error::invalid(part, message);
        let Some(id) = choice.polje_id else {
            return Ok(Self { field: None, item: None, label: language.of("Smrt", "Death").to_owned() });
        };
        let field = cohort.field(id).ok_or_else(|| refuse("Polje događaja više nije na formularima kohorte.".to_owned()))?;
        match (field.tip_vrednosti, choice.stavka_id) {
            (ValueType::Choice | ValueType::Date, None) => Ok(Self { field: Some(field), item: None, label: field.naziv.clone() }),
            (ValueType::Set, Some(id)) => {
                let item = field.stavke.iter().find(|item| item.id == id);
                let item = item.ok_or_else(|| refuse(format!("Izabrana stavka nije među stavkama polja „{}”.", field.naziv)))?;
                Ok(Self { field: Some(field), item: Some(id), label: format!("{}: {}", field.naziv, item.naziv) })
            }
            (ValueType::Set, None) => Err(refuse(format!("Izaberite koja stavka polja „{}” je događaj.", field.naziv))),
            (ValueType::Choice | ValueType::Date, Some(_)) => Err(refuse(format!("Polje „{}” nema stavke.", field.naziv))),
            _ => Err(refuse(format!("Događaj je odgovor da/ne, stavka skupa ili datum, a polje „{}” to nije.", field.naziv))),
        }
    }
}

impl<'a> Time<'a> {
    fn of(cohort: &'a CohortSource, choice: &TimeChoice) -> Result<Self> {
        let refuse = |message: String| Error::invalid("vreme", message);
        let field = match choice.polje_id {
            Some(id) => Some(cohort.field(id).ok_or_else(|| refuse("Polje vremena više nije na formularima kohorte.".to_owned()))?),
            None => None,
        };
        match (choice.vrsta, field.map(|field| field.tip_vrednosti)) {
            (TimeKind::Polje, Some(ValueType::Number)) | (TimeKind::Datumi, None | Some(ValueType::Date)) => {}
            (TimeKind::Polje, None) => return Err(refuse(NO_TIME.to_owned())),
            (TimeKind::Polje, Some(_)) => return Err(refuse("Vreme praćenja je broj dana, meseci ili godina.".to_owned())),
            (TimeKind::Datumi, Some(_)) => return Err(refuse("Praćenje počinje danom unosa ili datumskim poljem.".to_owned())),
        }
        if choice.cenzura.is_some_and(|day| !(1900..=2200).contains(&day.year())) {
            return Err(refuse("Dan cenzurisanja mora biti između 1900. i 2200. godine.".to_owned()));
        }
        Ok(Self { kind: choice.vrsta, field, unit: choice.jedinica, censored_on: choice.cenzura })
    }
}

fn times(times: &[f64]) -> Result<Vec<f64>> {
    if times.len() > MOST_TIMES || times.iter().any(|time| !time.is_finite() || *time < 0.0) {
        return Err(Error::invalid("vremena", format!("Navedite najviše {MOST_TIMES} vremena, svako bar 0.")));
    }
    Ok(times.to_vec())
}

fn until(time: Option<f64>) -> Result<Option<f64>> {
    match time {
        Some(time) if !time.is_finite() || time <= 0.0 => Err(Error::invalid("doVremena", "Navedite vreme veće od 0, na primer 365.")),
        time => Ok(time),
    }
}

/// From the least.
fn cuts(cuts: &[f64]) -> Result<Vec<f64>> {
    if cuts.len() > MOST_CUTS || cuts.iter().any(|cut| !cut.is_finite()) {
        return Err(Error::invalid("granice", format!("Navedite najviše {MOST_CUTS} granica.")));
    }
    let mut cuts = cuts.to_vec();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    Ok(cuts)
}

fn per(per: Option<f64>) -> Result<f64> {
    let per = per.unwrap_or(1000.0);
    if (0.001..=1_000_000.0).contains(&per) { Ok(per) } else { Err(Error::invalid("na", "Stopa se navodi na 0,001 do 1.000.000 vremena.")) }
}
