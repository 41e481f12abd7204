//! A Questionnaire is read: groups as tabs and panels, questions as fields, `enableWhen` as a formula. What is carried is what was read here;
//! all else is told (`element`).

use std::collections::{BTreeSet, HashMap};

use domain::{clock, register::ValueType};
use serde_json::Value;

use super::{
    CALCULATED, CONTROL, HIDDEN, LEAST, MOST, SHOWN, VARIABLE,
    calculations::{self, Calculation, Property, QuestionnaireParts, Variable},
    condition::{self, Answers, Question, Unit},
    element::{Element, Marks},
    limits,
    own::{self, OwnProperties},
    proof, times, words,
};
use crate::{
    exchange::{
        foreign::{self, Builder, Foreign, NO_FILES_IN_ROWS, note, together},
        known_field::Kind,
        report::{Note, ROWS_IN_ROWS},
        words::designer_note,
    },
    import::definition::{FieldDefinition, RuleDefinition},
};

const DEEPEST: usize = 20;
const MOST_ITEMS: usize = 10_000;

pub fn read(bytes: &[u8]) -> Result<Foreign, Note> {
    let text = foreign::text(bytes)?;
    let root: Value = serde_json::from_str(text)
        .map_err(|error| Note::new(format!("red {}, znak {}", error.line(), error.column()), "JSON nije ispravan."))?;
    if root["resourceType"] != "Questionnaire" {
        return Err(Note::new("resourceType", "Fajl nije FHIR Questionnaire."));
    }
    let marks = Marks::default();
    let file = Element::new(&root, &marks);
    file.at("resourceType").text();
    let word = |name: &str| file.at(name).text().unwrap_or_default();
    let (id, title) = (root["id"].as_str().unwrap_or_default(), word("title"));
    let code = [word("name"), id].into_iter().find(|code| !code.is_empty()).unwrap_or_default();
    let name = [title, code].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    let mut builder = Builder::new(code, name);
    builder.form.opis = file.at("description").text().map(str::to_owned);
    let mut reader = Reader {
        builder,
        title: name.to_owned(),
        sets: value_sets(file),
        own: OwnProperties::default(),
        questions: HashMap::new(),
        tree: Vec::new(),
        within: Vec::new(),
        conditions: Vec::new(),
        rules: Vec::new(),
        calculations: Vec::new(),
        variables: file.extensions(VARIABLE).map(|one| Variable { value: one.value(), section: None }).collect(),
        read: Vec::new(),
        systems: BTreeSet::new(),
        count: 0,
    };
    if reader.own.read_form(file) {
        ["url", "version", "status", "date"].into_iter().for_each(|name| file.at(name).take());
    }
    // Whoever confirms the import decides whether the form is used.
    if ["draft", "active"].map(Value::from).contains(&root["status"]) {
        file.at("status").take();
    }
    if root["subjectType"] == serde_json::json!(["Patient"]) {
        file.at("subjectType").take();
    }
    reader.all(file.at("item"), "item", &Holder::default(), 0)?;
    Ok(reader.finish(file))
}

/// Contained value sets by `#id` and by address.
fn value_sets(file: Element<'_>) -> HashMap<String, Element<'_>> {
    let contained = file.at("contained").each().filter(|one| one.raw()["resourceType"] == "ValueSet");
    let names = |one: Element<'_>| {
        let id = one.raw()["id"].as_str().map(|id| format!("#{id}"));
        id.into_iter().chain(one.raw()["url"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    contained.flat_map(|one| names(one).into_iter().map(move |name| (name, one))).collect()
}

/// What an item stands in.
#[derive(Clone, Default)]
struct Holder<'a> {
    /// The group, by its `linkId`.
    group: Option<&'a str>,
    /// Conditions of the questions around it, which have no field that could hide it.
    clauses: Vec<Clause<'a>>,
}

/// The conditions of one item.
#[derive(Clone)]
pub(super) struct Clause<'a> {
    pub when: Element<'a>,
    pub any: bool,
}

/// A field that shows under these conditions, and they as a formula.
pub(super) struct Claim<'a> {
    pub code: String,
    /// The section in whose row it shows.
    pub row: Option<String>,
    pub place: String,
    pub clauses: Vec<Clause<'a>>,
    pub formula: Result<String, String>,
}

/// Conditions that wait until all items are known.
struct Condition<'a> {
    field: usize,
    place: String,
    clauses: Vec<Clause<'a>>,
}

/// A rule that the form gets, and what is told where it cannot.
pub(super) struct Rule<'a> {
    pub rule: RuleDefinition,
    pub read: Vec<Element<'a>>,
}

pub(super) struct Reader<'a> {
    pub(super) builder: Builder,
    title: String,
    pub(super) sets: HashMap<String, Element<'a>>,
    pub(super) own: OwnProperties,
    /// By `linkId`.
    pub(super) questions: HashMap<&'a str, Question>,
    /// Items by `linkId`, each with the one that it stands in.
    tree: Vec<(&'a str, Option<&'a str>)>,
    /// The items that are being read, from the outside in.
    within: Vec<&'a str>,
    conditions: Vec<Condition<'a>>,
    pub(super) rules: Vec<Rule<'a>>,
    calculations: Vec<Calculation<'a>>,
    /// Expressions that have names.
    variables: Vec<Variable<'a>>,
    /// Items with their places: of each is told what nobody read.
    read: Vec<(Element<'a>, String)>,
    /// Of which options have codes.
    pub(super) systems: BTreeSet<&'a str>,
    count: usize,
}

impl<'a> Reader<'a> {
    fn all(&mut self, items: Element<'a>, place: &str, holder: &Holder<'a>, depth: usize) -> Result<(), Note> {
        if depth > DEEPEST {
            return Err(Note::new(place, format!("Stavke su dublje od {DEEPEST} nivoa.")));
        }
        for (at, item) in items.each().enumerate() {
            self.one(item, &format!("{place}[{at}]"), holder, depth)?;
        }
        Ok(())
    }

    fn one(&mut self, item: Element<'a>, place: &str, holder: &Holder<'a>, depth: usize) -> Result<(), Note> {
        let link = item.raw()["linkId"].as_str().unwrap_or_default();
        self.tree.push((link, self.within.last().copied()));
        self.within.push(link);
        let done = self.item(item, place, holder, depth);
        self.within.pop();
        done
    }

    fn item(&mut self, item: Element<'a>, place: &str, holder: &Holder<'a>, depth: usize) -> Result<(), Note> {
        self.count += 1;
        if self.count > MOST_ITEMS {
            return Err(Note::new(place, format!("Fajl ima više od {MOST_ITEMS} stavki.")));
        }
        let link = item.at("linkId").text().unwrap_or_default();
        let place = format!("{place} (linkId „{link}”)");
        let text = item.raw()["text"].as_str().unwrap_or_default();
        let kind = item.at("type").text().unwrap_or_default();
        if link.is_empty() || self.builder.is_known(link) {
            item.take();
            self.builder.lost(Note::of(place, "stavka nema linkId, ili ga ima i druga", text));
            return Ok(());
        }
        if holder.group.is_some_and(|group| self.builder.is_section(group)) {
            match kind {
                "group" if is_section(item) => {
                    item.take();
                    self.builder.lost(Note::of(&place, ROWS_IN_ROWS, text));
                    return Ok(());
                }
                "group" => {
                    item.at("text").text();
                    item.at("repeats").flag();
                    self.take_of_one_group(item);
                    self.builder.warnings.push(Note::of(&place, "grupa u ponavljanju: njena polja su kolone sekcije", text));
                    self.read.push((item, place.clone()));
                    let mut holder = holder.clone();
                    holder.clauses.extend(self.clause_of(item, &place));
                    return self.all(item.at("item"), &place, &holder, depth + 1);
                }
                "display" => {
                    item.take();
                    self.builder.lost(Note::of(&place, "napomena u ponavljanju se ne prenosi: sekcija ima samo kolone", text));
                    return Ok(());
                }
                "attachment" => {
                    item.take();
                    self.builder.lost(Note::of(&place, NO_FILES_IN_ROWS, text));
                    return Ok(());
                }
                _ => {}
            }
        }
        if is_said_elsewhere(item) {
            item.take();
            return Ok(());
        }
        let Some(at) = self.typed(item, kind, link, &place, holder) else {
            // Its children are fields of their own, and hidden as it was.
            let mut holder = holder.clone();
            holder.clauses.extend(self.clause_of(item, &place));
            return self.inside(item, None, &place, &holder, depth);
        };
        self.read.push((item, place.clone()));
        let clauses = self.common(item, link, &place, at, holder);
        if kind == "group" {
            let holder = Holder { group: Some(link), clauses: Vec::new() };
            return self.all(item.at("item"), &place, &holder, depth + 1);
        }
        self.inside(item, Some(at), &place, &Holder { group: holder.group, clauses }, depth)
    }

    /// What stands in a question: a text to be shown is its help, the rest stands behind it and is hidden as it is.
    fn inside(&mut self, item: Element<'a>, at: Option<usize>, place: &str, holder: &Holder<'a>, depth: usize) -> Result<(), Note> {
        if depth >= DEEPEST {
            return Err(Note::new(place, format!("Stavke su dublje od {DEEPEST} nivoa.")));
        }
        let question = place;
        let mut is_told = false;
        for (number, one) in item.at("item").each().enumerate() {
            let place = format!("{place}[{number}]");
            match at.filter(|_| one.raw()["type"] == "display") {
                Some(_) if is_said_elsewhere(one) => one.take(),
                Some(at) => {
                    note(&mut self.builder.field(at).own, one.at("text").text().unwrap_or_default());
                    ["linkId", "type"].into_iter().for_each(|name| one.at(name).take());
                    self.read.push((one, place));
                }
                None => {
                    if !std::mem::replace(&mut is_told, true) {
                        self.builder.warnings.push(Note::new(question, "stavke unutar pitanja stoje iza njega"));
                    }
                    self.one(one, &place, holder, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn typed(&mut self, item: Element<'a>, kind: &str, link: &'a str, place: &str, holder: &Holder<'a>) -> Option<usize> {
        let (prefix, text) = (item.at("prefix").text().unwrap_or_default(), item.at("text").text().unwrap_or_default());
        let name = format!("{prefix} {text}").trim().to_owned();
        let parent = holder.group;
        let name = match name.is_empty() {
            true if kind == "group" && parent.is_none() => self.title.clone(),
            true => link.to_owned(),
            false => name,
        };
        let builder = &mut self.builder;
        let has_options = item.at("answerOption").each().next().is_some() || item.at("answerValueSet").is_there();
        let (type_name, kind_here, answers) = match kind {
            "group" if is_section(item) => {
                item.at("repeats").flag();
                let most = item.extension(MOST).whole().and_then(|most| i32::try_from(most).ok());
                self.questions.insert(link, question("", Answers::Nothing, None));
                return Some(builder.section(link, &name, parent, most, place));
            }
            "group" | "display" => {
                let usual = match kind {
                    "group" if parent.is_none() => ValueType::Tab,
                    "group" => ValueType::Panel,
                    _ => ValueType::Heading,
                };
                let (type_name, value_type) = arranging(own::kind_of(item).unwrap_or(usual));
                (builder.plain_type(type_name, value_type), Kind::Nothing, Answers::Nothing)
            }
            "choice" | "open-choice" | "coding" => return self.choice(item, kind, link, &name, place, parent),
            "string" | "text" | "integer" | "decimal" | "date" if has_options => {
                return self.choice(item, kind, link, &name, place, parent);
            }
            "boolean" => (builder.plain_type("Da/Ne", ValueType::Choice), Kind::Choice, Answers::Boolean),
            "integer" | "decimal" | "quantity" => {
                let (type_name, unit) = limits::number_type(builder, item, kind);
                (type_name, Kind::Number, Answers::Number { unit })
            }
            "attachment" => (limits::file_type(builder, item), Kind::File, Answers::Files),
            "date" => (builder.plain_type("Datum", ValueType::Date), Kind::Date, Answers::Date),
            "time" => (builder.plain_type("Vreme", ValueType::Time), Kind::Clock, Answers::Time),
            "dateTime" => (builder.plain_type("Datum i vreme", ValueType::Moment), Kind::Clock, Answers::Moment),
            "string" => (builder.text_type(false), Kind::Text, Answers::Text),
            "text" => (builder.text_type(true), Kind::Text, Answers::Text),
            other => {
                builder.lost(Note::unknown_kind(place, other, name));
                take_but_items(item);
                return None;
            }
        };
        let at = builder.add(link, &name, type_name, kind_here, parent, place);
        let known = self.question(at, answers, parent);
        self.questions.insert(link, known);
        if kind == "group" {
            item.at("repeats").flag();
            self.take_of_one_group(item);
        }
        if kind == "boolean" {
            // A box to tick is answered from the beginning: with No, until it is ticked.
            let first = item.raw()["initial"][0]["valueBoolean"].as_bool();
            let is_box = control(item) == Some("check-box") && first.is_some();
            let own = &mut self.builder.field(at).own;
            own.radio_button = !is_box;
            if is_box {
                own.inicijalna_boolean_vrednost = first.filter(|first| *first);
                item.at("initial").take();
            }
            if is_box || control(item) == Some("radio-button") {
                item.extension(CONTROL).take();
            }
        }
        Some(at)
    }

    /// What is said of every group: that it need not be there, and that one at most may be.
    fn take_of_one_group(&self, item: Element<'a>) {
        if item.at("required").raw() == false {
            item.at("required").take();
        }
        for (url, usual) in [(LEAST, 0), (MOST, 1)] {
            if item.extension(url).raw().as_i64() == Some(usual) {
                item.extension(url).take();
            }
        }
    }

    pub(super) fn question(&mut self, at: usize, answers: Answers, parent: Option<&str>) -> Question {
        question(&self.builder.field(at).sifra.clone(), answers, parent.and_then(|parent| self.section(parent)))
    }

    /// The code of the section that this group is.
    fn section(&self, group: &str) -> Option<String> {
        self.builder.known(group).filter(|_| self.builder.is_section(group)).map(|known| known.code.clone())
    }

    /// Gives the conditions under which it shows.
    fn common(&mut self, item: Element<'a>, link: &str, place: &str, at: usize, holder: &Holder<'a>) -> Vec<Clause<'a>> {
        let kind = item.raw()["type"].as_str().unwrap_or_default();
        let is_value = self.builder.known(link).is_some_and(|known| !matches!(known.kind, Kind::Nothing));
        let row = holder.group.and_then(|group| self.section(group));
        let is_column = row.is_some();
        let code = self.builder.field(at).sifra.clone();
        if !self.own.is_known(&code) {
            self.own.read_field(&code, item, &[]);
        }
        let section = self.section(link).or_else(|| row.clone());
        self.variables.extend(item.extensions(VARIABLE).map(|one| Variable { value: one.value(), section: section.clone() }));
        for (url, property) in [(CALCULATED, Property::Computes), (SHOWN, Property::Shows)] {
            let value = item.extension(url);
            if value.is_there() {
                let (code, place, row) = (code.clone(), place.to_owned(), row.clone());
                self.calculations.push(Calculation { code, property, place, row, item, value });
            }
        }
        let least = item.extension(LEAST);
        let asked = item.at("required").raw() == true || least.raw().as_i64().is_some_and(|least| least > 0);
        if is_value || !asked {
            item.at("required").flag();
        }
        if (is_value && least.raw().as_i64().is_some_and(|least| least <= 1)) || least.raw().as_i64() == Some(0) {
            least.whole();
        }
        let own = &mut self.builder.field(at).own;
        own.opcioni = !(is_value && asked);
        if let Some(first) = item.at("code").each().next() {
            own.sifra_veza = first.at("code").text().map(str::to_owned);
            self.systems.extend(first.at("system").text());
        }
        let mut clauses = holder.clauses.clone();
        clauses.extend(self.clause_of(item, place));
        if !clauses.is_empty() {
            self.conditions.push(Condition { field: at, place: place.to_owned(), clauses: clauses.clone() });
        }
        if item.at("repeats").raw() == false {
            item.at("repeats").flag();
        }
        if self.own.has(&code, "formulaZaRacunanje") || item.at("readOnly").raw() == false {
            item.at("readOnly").flag();
        }
        if item.extension(HIDDEN).raw() == false || self.own.has(&code, "vrsta") {
            item.extension(HIDDEN).flag();
        }
        if !is_column {
            self.first_value(item, at, link);
            self.rules.extend(limits::day_rules(item, kind, &code).into_iter().map(|(rule, read)| Rule { rule, read }));
        }
        clauses
    }

    fn clause_of(&mut self, item: Element<'a>, place: &str) -> Option<Clause<'a>> {
        let when = item.at("enableWhen");
        when.each().next()?;
        let behavior = item.at("enableBehavior").text();
        if behavior.is_none() && when.each().count() > 1 {
            let message = "uslova je više, a enableBehavior nije naveden: uzeto je da važe svi (all)";
            self.builder.warnings.push(Note::of(place, message, when.raw().to_string()));
        }
        Some(Clause { when, any: behavior == Some("any") })
    }

    /// A first value of a kind that the field keeps.
    fn first_value(&mut self, item: Element<'a>, at: usize, link: &str) {
        let mut all = item.at("initial").each();
        let (Some(first), None) = (all.next(), all.next()) else { return };
        let Some(question) = self.questions.get(link) else { return };
        let value = first.value();
        let own = &mut self.builder.field(at).own;
        match &question.answers {
            Answers::Number { unit } => {
                let same = Unit::of(value.raw()).is_none_or(|given| unit.as_ref().is_some_and(|own| given.factor(own) == Some(1.into())));
                let number = value.number().or_else(|| value.at("value").number().filter(|_| same));
                if number.is_some() && same {
                    value.take();
                    own.inicijalna_brojna_vrednost = number;
                }
            }
            Answers::Text => own.inicijalna_string_vrednost = value.text().map(str::to_owned),
            Answers::Date => {
                let day = value.raw().as_str().filter(|day| day.len() == 10 && day.parse::<jiff::civil::Date>().is_ok());
                own.inicijalna_string_vrednost = day.map(str::to_owned);
                if day.is_some() {
                    value.take();
                }
            }
            Answers::Time | Answers::Moment => {
                let stored = value.raw().as_str().and_then(|text| match &question.answers {
                    Answers::Time => times::time(text).map(clock::time_stored),
                    _ => times::moment(text).map(clock::moment_stored),
                });
                if stored.is_some() {
                    value.take();
                }
                own.inicijalna_string_vrednost = stored;
            }
            Answers::Boolean if own.radio_button => own.inicijalna_boolean_vrednost = value.flag(),
            Answers::Boolean | Answers::Options { .. } | Answers::Files | Answers::Nothing => {}
        }
    }

    fn clause(&self, clause: &Clause<'a>, row: Option<&str>) -> Result<String, String> {
        let one = |when: &Value| {
            let link = when["question"].as_str().unwrap_or_default();
            condition::formula(when, self.questions.get(link).ok_or_else(|| format!("nema stavke „{link}”"))?, row)
        };
        let parts: Vec<String> = clause.when.each().map(|when| one(when.raw())).collect::<Result<_, _>>()?;
        Ok(parts.join(if clause.any { " or " } else { " and " }))
    }

    /// Several clauses hold together.
    fn formula(&self, clauses: &[Clause<'a>], row: Option<&str>) -> Result<String, String> {
        let parts: Vec<String> = clauses.iter().map(|clause| self.clause(clause, row)).collect::<Result<_, _>>()?;
        let bracketed = |(part, clause): (String, &Clause)| if clause.any && clauses.len() > 1 { format!("({part})") } else { part };
        Ok(parts.into_iter().zip(clauses).map(bracketed).collect::<Vec<_>>().join(" and "))
    }

    /// The section in whose row a field stands.
    fn row_of(&self, at: usize) -> Option<String> {
        let polja = &self.builder.form.polja;
        let holder = polja[at].nadredjeni.as_ref()?;
        polja.iter().find(|field| field.own.ponavlja_se && field.sifra == *holder).map(|field| field.sifra.clone())
    }

    fn finish(mut self, file: Element<'a>) -> Foreign {
        let mut claims = Vec::new();
        for Condition { field, place, clauses } in std::mem::take(&mut self.conditions) {
            clauses.iter().for_each(|clause| clause.when.take());
            let row = self.row_of(field);
            let formula = self.formula(&clauses, row.as_deref());
            claims.push(Claim { code: self.builder.field(field).sifra.clone(), row, place, clauses, formula });
        }
        let Self { builder, mut own, questions, tree, rules, calculations, variables, read, systems, .. } = self;
        let mut foreign = together(vec![builder], None, Vec::new(), Vec::new());
        // They lose the code that they had for a while.
        let marks = own.marks();
        foreign.warnings.retain(|note| !note.izvorno.as_ref().is_some_and(|text| marks.contains(text)));
        proof::settle(&mut foreign, &mut own, &questions, &claims);
        calculations::settle(&mut foreign, &own, QuestionnaireParts { questions: &questions, tree, variables: &variables }, &calculations);
        for Rule { rule, read } in rules {
            let form = foreign.definition.forms.first_mut();
            if let Some(form) = form.filter(|form| form.polja.iter().any(|field| rule.own.polje.as_ref() == Some(&field.sifra))) {
                form.pravila.push(rule);
                read.into_iter().for_each(Element::take);
            }
        }
        foreign.unmapped.extend(own.give_to(&mut foreign.definition));
        let mut notes = words::of_root(file);
        notes.extend(words::of_contained(file.at("contained")));
        if !systems.is_empty() {
            let all: Vec<&str> = systems.into_iter().collect();
            notes.push(Note::of("Questionnaire", "sistem šifara se ne prenosi: opcije i pojmovi zadržavaju samo šifre", all.join(", ")));
        }
        let fields = foreign.definition.forms.iter_mut().flat_map(|form| &mut form.polja);
        let mut fields: HashMap<String, &mut FieldDefinition> = fields.map(|field| (field.sifra.clone(), field)).collect();
        for (item, place) in read {
            let lost = words::of_item(item, &place);
            let code = item.raw()["linkId"].as_str().and_then(|link| questions.get(link)).map(|question| &question.code);
            if let Some(field) = code.and_then(|code| fields.get_mut(code)) {
                // What an extension computes stays where only the designer reads it.
                lost.iter().filter_map(words::expression).for_each(|text| designer_note(&mut field.own, &text));
            }
            notes.extend(lost);
        }
        foreign.unmapped.extend(words::counted(notes));
        foreign
    }
}

/// The type of what only arranges the form.
fn arranging(kind: ValueType) -> (&'static str, ValueType) {
    match kind {
        ValueType::Tab => ("Segment", kind),
        ValueType::Image => ("Slika", kind),
        ValueType::Separator => ("Separator", kind),
        ValueType::Chart => ("Grafik", kind),
        ValueType::Heading => ("Naslov", kind),
        _ => ("Panel", ValueType::Panel),
    }
}

fn question(code: &str, answers: Answers, section: Option<String>) -> Question {
    Question { code: code.to_owned(), answers, section }
}

/// A text of ours that says in words what an extension says too.
fn is_said_elsewhere(item: Element) -> bool {
    item.raw()["type"] == "display" && item.extension(own::IN_WORDS).is_there()
}

/// Some tools say of every group that it repeats, and beside it that there is one at most: that one is a group.
fn is_section(item: Element) -> bool {
    item.at("repeats").raw() == true && item.extension(MOST).raw().as_i64() != Some(1)
}

/// How the question is drawn there.
pub(super) fn control<'a>(item: Element<'a>) -> Option<&'a str> {
    item.extension(CONTROL).raw()["coding"][0]["code"].as_str()
}

/// A question that was told as a whole; what stands in it is read.
pub(super) fn take_but_items(item: Element) {
    item.members().filter(|(name, _)| *name != "item").for_each(|(_, member)| member.take());
}
