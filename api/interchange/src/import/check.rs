//! What a register's definition must keep before it touches the database: codes, references, kinds. Every defect is
//! listed with its place.

use std::collections::{HashMap, HashSet};

use configuration::admin::queries::FirstValues;
use domain::{
    entry::quality::{QualityKind, Severity},
    refusal::Refusal,
    register::{ValueType, bad_causes, rules},
};

use super::definition::{AttributeType, Definition, FieldDefinition, FormDefinition, QualityRuleDefinition, Register};

/// Defects, each as `place: what is wrong`; empty when the definition can be stored.
pub fn defects(definition: &Definition) -> Vec<String> {
    defects_beside(definition, &[])
}

/// `elsewhere`: codes of fields in forms that the register has and the file does not, once for each form: charts may name them.
pub fn defects_beside(definition: &Definition, elsewhere: &[String]) -> Vec<String> {
    let mut found = Defects::default();
    let types: HashMap<&str, &AttributeType> = definition.attribute_types.iter().map(|t| (t.mark(), t)).collect();

    if let Some(register) = &definition.register {
        check_register(&mut found, register, &definition.forms);
    }
    found.unique("attributeTypes", "naziv", definition.attribute_types.iter().map(|t| t.mark().to_owned()));
    found.unique("forms", "šifra", definition.forms.iter().map(|f| f.sifra_veza.clone()));
    found.unique("planovi", "šifra", definition.planovi.iter().map(|plan| plan.sifra.clone()));
    definition.pravila_kvaliteta.iter().for_each(|rule| check_quality_rule(&mut found, rule));
    definition.attribute_types.iter().for_each(|attribute_type| check_type(&mut found, attribute_type));
    definition.forms.iter().for_each(|form| check_form(&mut found, definition, form, (&types, elsewhere)));
    found.list
}

/// What the server says of the queries of first values.
pub fn of_queries(definition: &Definition, queries: &FirstValues) -> Vec<String> {
    let mut found = Defects::default();
    for form in &definition.forms {
        for field in &form.polja {
            if let Some(fault) = queries.fault(field.own.upit_inicijalna_vrednost.as_deref()) {
                found.add(&format!("forms.{}.{}", form.sifra_veza, field.sifra), fault);
            }
        }
    }
    found.list
}

fn check_register(found: &mut Defects, register: &Register, forms: &[FormDefinition]) {
    found.filled("register.sifra", &register.sifra);
    found.refused("register", rules::of_register(&register.naziv, register.broj_rezultata_u_pretrazi));
    found.refused("register", bad_causes(register.uzroci_statusa.as_deref()));
    for code in [&register.prvi_tip_hijerarhije_atributa, &register.podrazumevani_tip_hijerarhije_atributa].into_iter().flatten() {
        if !forms.iter().any(|form| form.sifra_veza == *code) {
            found.add("register", format!("nema formulara sa šifrom „{code}”"));
        }
    }
}

/// What its form and fields are is looked at when they are stored.
fn check_quality_rule(found: &mut Defects, rule: &QualityRuleDefinition) {
    let place = format!("pravilaKvaliteta.{}", rule.naziv);
    found.filled(&format!("{place}.naziv"), &rule.naziv);
    if QualityKind::named(&rule.vrsta).is_none() {
        let known = QualityKind::ALL.map(QualityKind::name).join(", ");
        found.add(&place, format!("vrsta „{}” ne postoji; može biti {known}", rule.vrsta));
    }
    if Severity::named(&rule.tezina).is_none() {
        let known = Severity::ALL.map(Severity::name).join(", ");
        found.add(&place, format!("težina „{}” ne postoji; može biti {known}", rule.tezina));
    }
    if rule.formular.is_none() && (rule.polje.is_some() || rule.drugo_polje.is_some()) {
        found.add(&place, "polje se navodi uz formular: dodajte „formular”");
    }
}

#[derive(Default)]
struct Defects {
    list: Vec<String>,
}

impl Defects {
    fn add(&mut self, place: &str, what: impl AsRef<str>) {
        self.list.push(format!("{place}: {}", what.as_ref()));
    }

    fn refused(&mut self, place: &str, refusals: impl IntoIterator<Item = Refusal>) {
        for Refusal { message, .. } in refusals {
            self.add(place, message);
        }
    }

    fn filled(&mut self, place: &str, text: &str) {
        if text.trim().is_empty() {
            self.add(place, "ne sme biti prazno");
        }
    }

    fn unique(&mut self, place: &str, what: &str, keys: impl Iterator<Item = String>) {
        let mut seen = HashSet::new();
        for key in keys {
            if !seen.insert(domain::fold::fold(&key)) {
                self.add(place, format!("{what} „{key}” stoji više puta"));
            }
        }
    }
}

fn check_type(found: &mut Defects, attribute_type: &AttributeType) {
    let place = format!("attributeTypes.{}", attribute_type.mark());
    found.refused(&place, attribute_type.own.refusals());
    found.refused(&place, attribute_type.own.refusals_of(attribute_type.tip_vrednosti));
    let set = attribute_type.tip_vrednosti == ValueType::Set;
    if set && attribute_type.stavke.is_empty() {
        found.add(&place, "skup nema nijednu stavku");
    }
    if !set && !attribute_type.stavke.is_empty() {
        found.add(&place, "stavke ima samo skup (tipVrednosti = \"skupovni\")");
    }
    found.unique(&place, "stavka", attribute_type.stavke.iter().map(|item| item.naziv.clone()));
    found.refused(&format!("{place}.stavke"), attribute_type.stavke.iter().filter_map(|item| rules::unnamed(&item.naziv)));
}

fn check_form(
    found: &mut Defects,
    definition: &Definition,
    form: &FormDefinition,
    (types, elsewhere): (&HashMap<&str, &AttributeType>, &[String]),
) {
    let place = format!("forms.{}", form.sifra_veza);
    found.filled(&place, &form.sifra_veza);
    let (per_contact, per_patient) = (form.maksimalan_broj_instanci_po_kontaktu, form.maksimalan_broj_instanci_po_pacijentu);
    found.refused(&place, rules::of_form(&form.naziv, per_contact, per_patient));
    found.unique(&place, "šifra polja", form.polja.iter().map(|field| field.sifra.clone()));
    let fields: HashMap<&str, &FieldDefinition> = form.polja.iter().map(|field| (field.sifra.as_str(), field)).collect();
    let holds_value = |code: &str| {
        let of = fields.get(code).and_then(|field| types.get(field.tip_atributa.as_str()));
        of.is_some_and(|of| of.tip_vrednosti.holds_value())
    };
    for (at, rule) in form.pravila.iter().enumerate() {
        found.refused(&format!("{place}.pravila.{}", at + 1), rule.own.refusals(holds_value));
    }
    for field in &form.polja {
        check_field(found, &format!("{place}.{}", field.sifra), field, &fields, types);
        for line in field.own.grafik.iter().flatten() {
            let others = definition.forms.iter().filter(|other| other.polja.iter().any(|f| f.sifra == line.sifra)).count()
                + elsewhere.iter().filter(|code| **code == line.sifra).count();
            if !fields.contains_key(line.sifra.as_str()) && others != 1 {
                found.add(&format!("{place}.{}.grafik", field.sifra), format!("šifra „{}” ne određuje tačno jedno polje", line.sifra));
            }
        }
    }
}

fn check_field(
    found: &mut Defects,
    place: &str,
    field: &FieldDefinition,
    fields: &HashMap<&str, &FieldDefinition>,
    types: &HashMap<&str, &AttributeType>,
) {
    found.refused(place, field.own.refusals());
    let Some(attribute_type) = types.get(field.tip_atributa.as_str()) else {
        return found.add(place, format!("nema tipa atributa „{}”", field.tip_atributa));
    };
    check_parents(found, place, field, fields);
    let parent = field.nadredjeni.as_deref().and_then(|code| types.get(fields.get(code)?.tip_atributa.as_str()));
    found.refused(place, field.own.refusals_of(attribute_type.tip_vrednosti, parent.map(|parent| parent.tip_vrednosti)));
    if field.nadredjeni.as_deref().and_then(|code| fields.get(code)).is_some_and(|parent| parent.own.ponavlja_se) {
        found.refused(place, field.own.refusals_in_rows(attribute_type.tip_vrednosti));
    }
    if let Some(item) = &field.inicijalna_enum_stavka
        && !attribute_type.stavke.iter().any(|known| known.naziv == *item)
    {
        found.add(place, format!("tip „{}” nema stavku „{item}”", attribute_type.own.naziv));
    }
}

fn check_parents(found: &mut Defects, place: &str, field: &FieldDefinition, fields: &HashMap<&str, &FieldDefinition>) {
    let Some(code) = field.nadredjeni.as_deref() else { return };
    if !fields.contains_key(code) {
        return found.add(place, format!("nema nadređenog polja „{code}”"));
    }
    if rules::is_in_itself(field.sifra.as_str(), Some(code), |outer| fields.get(outer)?.nadredjeni.as_deref()) {
        found.add(place, "polje je nadređeno samo sebi");
    }
}
