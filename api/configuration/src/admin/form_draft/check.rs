//! What a document must keep before it may be published, by the rules that the screens and definition files keep too. A draft may be
//! saved with faults.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{
    entry::{other_forms, rules::EntryRule},
    fold::fold,
    formula::{self, CompiledField, Formula, FormulaError, FormulaTexts, Item},
    refusal::Refusal,
    register::{ValueType, rules},
};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::document::{Document, DraftField, DraftItem, DraftRule, DraftType};

/// What a fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DraftPlace)]
#[serde(rename_all = "camelCase")]
pub enum Place {
    Formular,
    Polje,
    Tip,
    Stavka,
    Pravilo,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DraftFault)]
pub struct Fault {
    pub gde: Place,
    pub id: Option<i64>,
    /// A field's code, or a name.
    pub naziv: String,
    /// The property.
    pub svojstvo: String,
    /// Of a formula: the character at which it was noticed, from 1.
    pub mesto: Option<usize>,
    pub poruka: String,
}

impl Fault {
    pub fn of_field(field: &DraftField, property: &str, message: impl Into<String>) -> Self {
        Self {
            gde: Place::Polje,
            id: Some(field.id),
            naziv: field.called().to_owned(),
            svojstvo: property.to_owned(),
            mesto: None,
            poruka: message.into(),
        }
    }

    pub fn of_type(known: &DraftType, property: &str, message: impl Into<String>) -> Self {
        let naziv = known.own.naziv.clone();
        Self { gde: Place::Tip, id: Some(known.id), naziv, svojstvo: property.to_owned(), mesto: None, poruka: message.into() }
    }

    pub fn of_rule(rule: &DraftRule, property: &str, message: impl Into<String>) -> Self {
        let naziv = rule.own.poruka.clone();
        Self { gde: Place::Pravilo, id: Some(rule.id), naziv, svojstvo: property.to_owned(), mesto: None, poruka: message.into() }
    }

    pub fn of_item(item: &DraftItem, property: &str, message: impl Into<String>) -> Self {
        let naziv = item.naziv.clone();
        Self { gde: Place::Stavka, id: Some(item.id), naziv, svojstvo: property.to_owned(), mesto: None, poruka: message.into() }
    }
}

/// The parsed formulas of a field.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = DraftFormulas)]
pub struct ParsedFormulas {
    #[schema(value_type = Option<Object>)]
    pub prikaz: Option<Formula>,
    #[schema(value_type = Option<Object>)]
    pub racunanje: Option<Formula>,
    #[schema(value_type = Option<Object>)]
    pub obavezan: Option<Formula>,
}

#[derive(Default)]
pub struct DraftCheck {
    pub faults: Vec<Fault>,
    /// What refuses nothing.
    pub warnings: Vec<Fault>,
    /// By field; only of fields that have any.
    pub formulas: BTreeMap<i64, ParsedFormulas>,
    /// Rules whose conditions can be read, in their order.
    pub rules: Vec<EntryRule>,
}

/// `live`: what stands there already is not held to rules that came later than it. `beside`: the fields of other forms that its formulas
/// name (`beside` below).
pub fn check(document: &Document, live: &Document, beside: Vec<formula::Field>) -> DraftCheck {
    let mut found = DraftCheck::default();
    let name = |Refusal { property, message }: Refusal| Fault {
        gde: Place::Formular,
        id: None,
        naziv: document.naziv.clone(),
        svojstvo: property.to_owned(),
        mesto: None,
        poruka: message,
    };
    found.faults.extend(rules::of_form(&document.naziv, None, None).into_iter().map(name));
    let types = document.types();
    let items = document.items();
    for known in &document.tipovi {
        if document.has_type_otherwise(live, known.id) {
            check_type(&mut found.faults, known, items.get(&known.id).map_or(&[], Vec::as_slice));
        }
    }
    let fields: HashMap<i64, &DraftField> = document.polja.iter().map(|field| (field.id, field)).collect();
    let mut codes = HashSet::new();
    for field in &document.polja {
        let twice = field.own.sifra.as_deref().is_some_and(|code| !codes.insert(code));
        check_field(&mut found.faults, field, &fields, &types, &items);
        if twice {
            found.faults.push(Fault::of_field(field, "sifra", rules::CODE_TAKEN));
        }
    }
    check_formulas(&mut found, document, &types, &items, beside);
    found
}

/// The fields of other forms that formulas of the document name.
pub async fn beside(db: &mut PgConnection, form: i64, document: &Document) -> sqlx::Result<Vec<formula::Field>> {
    let of_fields =
        document.polja.iter().flat_map(|field| [&field.own.formula_za_racunanje, &field.own.formula_za_prikaz, &field.own.obavezan_ako]);
    let texts = of_fields.filter_map(|text| text.as_deref()).chain(document.pravila.iter().map(|rule| rule.own.uslov.as_str()));
    let codes = other_forms::codes_in_texts(texts);
    if codes.is_empty() {
        return Ok(Vec::new());
    }
    let register = sqlx::query_scalar!("select registar_id from form where id = $1", form).fetch_one(&mut *db).await?;
    other_forms::beside(db, register, form, &codes).await
}

fn check_type(found: &mut Vec<Fault>, known: &DraftType, items: &[&DraftItem]) {
    let refusals = known.own.refusals().into_iter().chain(known.own.refusals_of(known.tip_vrednosti_atributa));
    found.extend(refusals.map(|Refusal { property, message }| Fault::of_type(known, property, message)));
    let is_set = known.tip_vrednosti_atributa == ValueType::Set;
    if is_set && items.is_empty() {
        found.push(Fault::of_type(known, "stavke", "Skup nema nijednu stavku."));
    }
    if !is_set && !items.is_empty() {
        found.push(Fault::of_type(known, "stavke", "Stavke ima samo skup."));
    }
    let mut names: HashSet<String> = HashSet::new();
    for item in items {
        found.extend(rules::unnamed(&item.naziv).map(|Refusal { property, message }| Fault::of_item(item, property, message)));
        if !item.naziv.is_empty() && !names.insert(fold(&item.naziv)) {
            found.push(Fault::of_item(item, "naziv", format!("Stavka „{}” stoji više puta.", item.naziv)));
        }
        // Two items may have one number, as on the screen of the items: scores are so.
        match (item.num_vrednost, item.bez_tezine) {
            (None, false) => found.push(Fault::of_item(item, "numVrednost", rules::NO_NUMBER)),
            (Some(_), true) => found.push(Fault::of_item(item, "numVrednost", rules::NUMBER_AND_NONE)),
            _ => {}
        }
    }
}

fn check_field(
    found: &mut Vec<Fault>,
    field: &DraftField,
    fields: &HashMap<i64, &DraftField>,
    types: &HashMap<i64, &DraftType>,
    items: &HashMap<i64, Vec<&DraftItem>>,
) {
    let mut told = |refusals: Vec<Refusal>| {
        found.extend(refusals.into_iter().map(|Refusal { property, message }| Fault::of_field(field, property, message)));
    };
    told(field.own.refusals());
    let Some(own) = types.get(&field.tip_atributa_id) else {
        return found.push(Fault::of_field(field, "tipAtributaID", rules::UNKNOWN_TYPE));
    };
    let parent = field.nadredjeni.map(|id| fields.get(&id));
    let kind = |parent: &&DraftField| types.get(&parent.tip_atributa_id).map(|known| known.tip_vrednosti_atributa);
    told(field.own.refusals_of(own.tip_vrednosti_atributa, parent.flatten().and_then(kind)));
    if parent.flatten().is_some_and(|parent| parent.own.ponavlja_se) {
        told(field.own.refusals_in_rows(own.tip_vrednosti_atributa));
    }
    if parent.is_some_and(|parent| parent.is_none()) {
        found.push(Fault::of_field(field, "nadredjeniAtributUTipuSkupaID", rules::STRANGE_PARENT));
    }
    if rules::is_in_itself(field.id, field.nadredjeni, |outer| fields.get(&outer)?.nadredjeni) {
        found.push(Fault::of_field(field, "nadredjeniAtributUTipuSkupaID", rules::IN_ITSELF));
    }
    let known = items.get(&field.tip_atributa_id);
    let is_known = |item: i64| known.is_some_and(|items| items.iter().any(|known| known.id == item));
    if field.inicijalna_stavka.is_some_and(|item| !is_known(item)) {
        found.push(Fault::of_field(field, "inicijalnaEnumStavkaID", rules::STRANGE_FIRST_ITEM));
    }
}

fn check_formulas(
    found: &mut DraftCheck,
    document: &Document,
    types: &HashMap<i64, &DraftType>,
    items: &HashMap<i64, Vec<&DraftItem>>,
    beside: Vec<formula::Field>,
) {
    let sections: HashSet<i64> = document.polja.iter().filter(|field| field.own.ponavlja_se).map(|field| field.id).collect();
    let section_of = |field: &DraftField| field.nadredjeni.filter(|id| sections.contains(id));
    let of = |field: &DraftField| formula::Field { sekcija: section_of(field), ..known(field, types, items) };
    // Those of other forms come last: the texts below are of the form's own, in their order.
    let mut fields: Vec<formula::Field> = document.polja.iter().map(of).chain(beside).collect();
    let written: Vec<FormulaTexts<'_>> = document
        .polja
        .iter()
        .map(|field| FormulaTexts { racunanje: field.own.formula_za_racunanje.as_deref(), prikaz: field.own.formula_za_prikaz.as_deref() })
        .collect();
    let compiled = formula::compile_form(&mut fields, &written);
    check_conditions(found, document, &fields);
    for (field, CompiledField { racunanje, prikaz }) in document.polja.iter().zip(compiled) {
        let mut told = |property: &'static str, compiled: Option<Result<formula::CompiledFormula, FormulaError>>| match compiled? {
            Ok(compiled) => {
                let warning = |warning: &formula::Warning| Fault {
                    mesto: Some(warning.position),
                    ..Fault::of_field(field, property, warning.message.clone())
                };
                found.warnings.extend(compiled.warnings.iter().map(warning));
                Some(compiled.formula)
            }
            Err(error) => {
                found.faults.push(Fault { mesto: Some(error.position), ..Fault::of_field(field, property, error.message) });
                None
            }
        };
        let (racunanje, prikaz) = (told("formulaZaRacunanje", racunanje), told("formulaZaPrikaz", prikaz));
        if let Some(examples) = field.own.primeri.as_deref().filter(|_| racunanje.is_some()) {
            let failing = formula::failing(&fields, field.id, examples).into_iter();
            found.faults.extend(failing.map(|message| Fault::of_field(field, "primeri", message)));
        }
        if racunanje.is_some() || prikaz.is_some() {
            let parsed = found.formulas.entry(field.id).or_default();
            (parsed.racunanje, parsed.prikaz) = (racunanje, prikaz);
        }
    }
}

/// Where fields are required, and the rules. `fields` have their formulas.
fn check_conditions(found: &mut DraftCheck, document: &Document, fields: &[formula::Field]) {
    let asked: Vec<&DraftField> = document.polja.iter().filter(|field| field.own.obavezan_ako.is_some()).collect();
    let texts = asked.iter().filter_map(|field| field.own.obavezan_ako.as_deref());
    let texts: Vec<&str> = texts.chain(document.pravila.iter().map(|rule| rule.own.uslov.as_str())).collect();
    let mut compiled = formula::compile_conditions(&texts, fields).into_iter();
    for (field, compiled) in asked.into_iter().zip(compiled.by_ref()) {
        if let Some(formula) = condition(found, compiled, &|message| Fault::of_field(field, "obavezanAko", message)) {
            found.formulas.entry(field.id).or_default().obavezan = Some(formula);
        }
    }
    let holds_value = |code: &str| fields.iter().any(|field| field.sifra.as_deref() == Some(code) && field.tip_vrednosti.holds_value());
    for (rule, compiled) in document.pravila.iter().zip(compiled) {
        let refusals = rule.own.refusals(holds_value);
        found.faults.extend(refusals.into_iter().map(|Refusal { property, message }| Fault::of_rule(rule, property, message)));
        if rule.own.uslov.is_empty() {
            continue;
        }
        if let Some(formula) = condition(found, compiled, &|message| Fault::of_rule(rule, "uslov", message)) {
            found.rules.push(EntryRule { id: rule.id, own: rule.own.clone(), formula });
        }
    }
}

fn condition(
    found: &mut DraftCheck,
    compiled: Result<formula::CompiledFormula, FormulaError>,
    fault: &dyn Fn(String) -> Fault,
) -> Option<Formula> {
    match compiled {
        Ok(compiled) => {
            let warnings = compiled.warnings.into_iter();
            found.warnings.extend(warnings.map(|warning| Fault { mesto: Some(warning.position), ..fault(warning.message) }));
            Some(compiled.formula)
        }
        Err(error) => {
            found.faults.push(Fault { mesto: Some(error.position), ..fault(error.message) });
            None
        }
    }
}

/// The field as formulas see it, without its formulas.
fn known(field: &DraftField, types: &HashMap<i64, &DraftType>, items: &HashMap<i64, Vec<&DraftItem>>) -> formula::Field {
    let own = types.get(&field.tip_atributa_id);
    let number = |bound: Option<Decimal>| bound.and_then(|bound| bound.to_f64());
    let item =
        |item: &&DraftItem| Item { id: item.id, num: number(item.num_vrednost), name: item.naziv.clone(), code: item.sifra_veza.clone() };
    formula::Field {
        id: field.id,
        sifra: field.own.sifra.clone(),
        parent: field.nadredjeni,
        tip_vrednosti: own.map(|own| own.tip_vrednosti_atributa).unwrap_or_default(),
        items: items.get(&field.tip_atributa_id).into_iter().flatten().map(item).collect(),
        multiple: field.own.multiselect,
        donja_granica: own.and_then(|own| number(own.own.donja_granica_brojne_vrednosti)),
        gornja_granica: own.and_then(|own| number(own.own.gornja_granica_brojne_vrednosti)),
        racunanje: None,
        prikaz: None,
        sekcija: None,
        other_form: None,
    }
}
