//! A definition's formulas, parsed and checked against their form: unknown codes and circles are defects with their place.

use std::collections::HashMap;

use domain::{
    entry::other_forms::codes_in_texts,
    formula::{self, CompiledFormula, Formula, FormulaError, FormulaTexts, Item, form_and_field},
};
use rust_decimal::{Decimal, prelude::ToPrimitive};

use super::definition::{AttributeType, Definition, FieldDefinition, FormDefinition};

/// The parsed formulas of one field.
#[derive(Default, Clone)]
pub struct FieldFormulas {
    pub prikaz: Option<Formula>,
    pub racunanje: Option<Formula>,
    pub obavezan: Option<Formula>,
}

#[derive(Default)]
pub struct Formulas {
    /// By form and field code.
    pub parsed: HashMap<(String, String), FieldFormulas>,
    /// The conditions of rules by form, in their order.
    pub rules: HashMap<String, Vec<Formula>>,
    pub defects: Vec<String>,
    /// The same, each by what it is about.
    pub faulty: Vec<Faulty>,
    /// A logarithm or a division that the bounds of its fields let blow up.
    pub warnings: Vec<String>,
}

/// A formula that cannot be.
#[derive(Clone, Debug)]
pub struct Faulty {
    pub form: String,
    pub whose: FormulaPlace,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FormulaPlace {
    /// A field's by code, and the property that it stands in.
    Field(String, &'static str),
    /// The condition of the rule in this place.
    Rule(usize),
}

/// Parses every formula; the definition's codes and types are right.
pub fn compile(definition: &Definition) -> Formulas {
    compile_beside(definition, None)
}

/// The same of a file that is read into a register: `stored` are its forms, of which those that the file does not name stay as they are.
pub fn compile_beside(definition: &Definition, stored: Option<&Definition>) -> Formulas {
    let mut found = Formulas::default();
    let types: HashMap<&str, &AttributeType> = definition.attribute_types.iter().map(|t| (t.mark(), t)).collect();
    for form in &definition.forms {
        let mut fields = fields(form, &types);
        fields.extend(of_other_forms(form, definition, stored));
        let written = form.polja.iter().map(|field| FormulaTexts {
            racunanje: field.own.formula_za_racunanje.as_deref(),
            prikaz: field.own.formula_za_prikaz.as_deref(),
        });
        let compiled = formula::compile_form(&mut fields, &written.collect::<Vec<_>>());
        for (at, (field, compiled)) in form.polja.iter().zip(compiled).enumerate() {
            let mut told = |compiled: Option<Result<CompiledFormula, FormulaError>>, name: &'static str| {
                let place = format!("forms.{}.{}.{name}", form.sifra_veza, field.sifra);
                match compiled? {
                    Ok(compiled) => {
                        let warnings =
                            compiled.warnings.iter().map(|warning| format!("{place}: {} (mesto {})", warning.message, warning.position));
                        found.warnings.extend(warnings);
                        Some(compiled.formula)
                    }
                    Err(error) => {
                        found.defects.push(format!("{place}: {error}"));
                        let whose = FormulaPlace::Field(field.sifra.clone(), name);
                        found.faulty.push(Faulty { form: form.sifra_veza.clone(), whose, message: error.to_string() });
                        None
                    }
                }
            };
            let prikaz = told(compiled.prikaz, "formulaZaPrikaz");
            let racunanje = told(compiled.racunanje, "formulaZaRacunanje");
            if let Some(examples) = field.own.primeri.as_deref().filter(|_| racunanje.is_some()) {
                let place = format!("forms.{}.{}.primeri", form.sifra_veza, field.sifra);
                let id = id_at(at);
                found.defects.extend(formula::failing(&fields, id, examples).into_iter().map(|message| format!("{place}: {message}")));
            }
            found.parsed.insert((form.sifra_veza.clone(), field.sifra.clone()), FieldFormulas { prikaz, racunanje, obavezan: None });
        }
        compile_conditions(&mut found, form, &fields);
    }
    found
}

/// Where fields are required, and the rules. `fields` have their formulas.
fn compile_conditions(found: &mut Formulas, form: &FormDefinition, fields: &[formula::Field]) {
    let asked: Vec<&FieldDefinition> = form.polja.iter().filter(|field| field.own.obavezan_ako.is_some()).collect();
    let texts = asked.iter().filter_map(|field| field.own.obavezan_ako.as_deref());
    let texts: Vec<&str> = texts.chain(form.pravila.iter().map(|rule| rule.own.uslov.as_str())).collect();
    let mut compiled = formula::compile_conditions(&texts, fields).into_iter();
    for (field, compiled) in asked.into_iter().zip(compiled.by_ref()) {
        let place = format!("forms.{}.{}.obavezanAko", form.sifra_veza, field.sifra);
        let obavezan = found.condition(&place, (form, FormulaPlace::Field(field.sifra.clone(), "obavezanAko")), compiled);
        found.parsed.entry((form.sifra_veza.clone(), field.sifra.clone())).or_default().obavezan = obavezan;
    }
    let place = |at: usize| format!("forms.{}.pravila.{}.uslov", form.sifra_veza, at + 1);
    let rules =
        compiled.enumerate().filter_map(|(at, compiled)| found.condition(&place(at), (form, FormulaPlace::Rule(at)), compiled)).collect();
    found.rules.insert(form.sifra_veza.clone(), rules);
}

impl Formulas {
    fn condition(
        &mut self,
        place: &str,
        (form, whose): (&FormDefinition, FormulaPlace),
        compiled: Result<CompiledFormula, FormulaError>,
    ) -> Option<Formula> {
        match compiled {
            Ok(compiled) => {
                let warnings = compiled.warnings.iter().map(|warning| format!("{place}: {} (mesto {})", warning.message, warning.position));
                self.warnings.extend(warnings);
                Some(compiled.formula)
            }
            Err(error) => {
                self.defects.push(format!("{place}: {error}"));
                self.faulty.push(Faulty { form: form.sifra_veza.clone(), whose, message: error.to_string() });
                None
            }
        }
    }
}

/// The fields of other forms that the form's formulas name, in the file or else in the register.
fn of_other_forms(form: &FormDefinition, definition: &Definition, stored: Option<&Definition>) -> Vec<formula::Field> {
    let of_fields =
        form.polja.iter().flat_map(|field| [&field.own.formula_za_racunanje, &field.own.formula_za_prikaz, &field.own.obavezan_ako]);
    let texts = of_fields.filter_map(|text| text.as_deref()).chain(form.pravila.iter().map(|rule| rule.own.uslov.as_str()));
    let mut found = Vec::new();
    for code in codes_in_texts(texts) {
        let Some((of, name)) = form_and_field(&code).filter(|(of, _)| *of != form.sifra_veza) else { continue };
        let holds = |definition: &&Definition| definition.forms.iter().any(|other| other.sifra_veza == of);
        let Some(definition) = [Some(definition), stored].into_iter().flatten().find(holds) else { continue };
        let types: HashMap<&str, &AttributeType> = definition.attribute_types.iter().map(|t| (t.mark(), t)).collect();
        let Some(other) = definition.forms.iter().find(|other| other.sifra_veza == of) else { continue };
        let Some(place) = other.polja.iter().position(|field| field.sifra == name) else { continue };
        // Ids of the form's own fields count from 1.
        let id = -id_at(found.len());
        let field = known(other, place, &other.polja[place], &types);
        found.push(formula::Field { id, sifra: Some(code.clone()), parent: None, other_form: Some(id), ..field });
    }
    found
}

fn id_at(place: usize) -> i64 {
    i64::try_from(place + 1).expect("a form has fewer fields")
}

/// The fields of a form as formulas see them, without their own formulas; ids count from 1.
pub fn fields(form: &FormDefinition, types: &HashMap<&str, &AttributeType>) -> Vec<formula::Field> {
    form.polja.iter().enumerate().map(|(place, field)| known(form, place, field, types)).collect()
}

/// The field as formulas see it; ids count from 1 within the form.
fn known(form: &FormDefinition, place: usize, field: &FieldDefinition, types: &HashMap<&str, &AttributeType>) -> formula::Field {
    let attribute_type = types[field.tip_atributa.as_str()];
    let number = |bound: Option<Decimal>| bound.and_then(|bound| bound.to_f64());
    let items = attribute_type.stavke.iter().enumerate().map(|(place, item)| Item {
        id: id_at(place),
        num: number(item.num_vrednost),
        name: item.naziv.clone(),
        code: item.sifra_veza.clone(),
    });
    let parent = field.nadredjeni.as_ref().and_then(|code| form.polja.iter().position(|other| other.sifra == *code));
    formula::Field {
        id: id_at(place),
        sifra: field.own.sifra.clone(),
        parent: parent.map(id_at),
        tip_vrednosti: attribute_type.tip_vrednosti,
        items: items.collect(),
        multiple: field.own.multiselect,
        donja_granica: number(attribute_type.own.donja_granica_brojne_vrednosti),
        gornja_granica: number(attribute_type.own.gornja_granica_brojne_vrednosti),
        racunanje: None,
        prikaz: None,
        sekcija: parent.filter(|place| form.polja[*place].own.ponavlja_se).map(id_at),
        other_form: None,
    }
}
