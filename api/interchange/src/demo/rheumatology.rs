//! Invented courses of rheumatoid arthritis: activity falls with therapy, now and then flares up, and drives all figures.

use jiff::{
    ToSpan,
    civil::{Date, date},
};

use super::{
    dice::Dice,
    people::{COLUMNS, People},
};

pub const PATIENTS: u64 = 60;

/// The 28 joints of DAS28 by the ends of their field codes.
const JOINTS: [&str; 14] =
    ["Rame", "Lakat", "Koleno", "RucniZglob", "Mcp1", "Pip1", "Mcp2", "Pip2", "Mcp3", "Pip3", "Mcp4", "Pip4", "Mcp5", "Pip5"];

/// Sections of HAQ-DI and how many questions each has.
const HAQ: [(&str, usize); 8] = [("A", 2), ("B", 2), ("C", 3), ("D", 2), ("E", 3), ("F", 2), ("G", 3), ("H", 3)];

const COMPLAINTS: [&str; 4] = [
    "Mučnina dan nakon uzimanja metotreksata.",
    "Povišene transaminaze, doza je smanjena.",
    "Crvenilo na mestu uboda.",
    "Učestale infekcije gornjih disajnih puteva.",
];

/// The columns of a drug: a visit with several drugs has a line for each.
const DRUG: [&str; 5] = ["lek", "lekDoza", "lekRitam", "lekOd", "lekDo"];

/// One line is one drug of a visit; a patient comes in several.
pub fn file(people: &mut People) -> anyhow::Result<Vec<u8>> {
    let mut file = csv::Writer::from_writer(vec![]);
    let own = ["pacijent", "pregled", "datumPregleda", "ustanovaPacijenta", "ustanova", "odgovoran"].map(str::to_owned);
    let fields: Vec<String> = Visit::default().cells().into_iter().map(|(name, _)| name).collect();
    file.write_record(own.into_iter().chain(COLUMNS.map(str::to_owned)).chain(fields).chain(DRUG.map(str::to_owned)))?;
    for number in 1..=PATIENTS {
        let course = Course::of(number);
        let person = people.person("reumatologija", number, course.institution, course.male, course.age, course.first_visit);
        let mut dice = Dice::of("reumatologija-pregledi", number);
        let mut swelling = Dice::of("reumatologija-otoci", number);
        let mut kidneys = Dice::of("reumatologija-bubrezi", number);
        let mut day = course.first_visit;
        let mut flare = 0.0;
        for visit in 0..course.visits {
            flare = if dice.chance(0.08) { dice.between(0.2, 0.4) } else { flare * 0.4 };
            let activity = (course.activity(visit) + flare + dice.noise(0.03)).clamp(0.01, 1.05);
            let institution = if dice.chance(0.08) { "KCS" } else { course.institution };
            let doctor = if institution == "IRH" { "lekar2" } else { "lekar" };
            let key = [number.to_string(), (visit + 1).to_string(), day.to_string()];
            let places = [course.institution, institution, doctor].map(str::to_owned);
            let cells = Visit::at(&course, visit, activity, &mut dice, &mut swelling, &mut kidneys).cells();
            for (line, drug) in course.drugs(visit, day).into_iter().enumerate() {
                // The questionnaire has no drugs: it stands in the first line alone.
                let own = cells.iter().map(|(name, text)| if line > 0 && name.starts_with("haq") { String::new() } else { text.clone() });
                file.write_record(key.iter().chain(&places).cloned().chain(person.cells()).chain(own).chain(drug))?;
            }
            day += i64::try_from(75 + dice.below(40))?.days();
        }
    }
    Ok(file.into_inner()?)
}

/// What makes one patient's disease run as it does. Activities are 0 (none) to 1 (very high).
struct Course {
    institution: &'static str,
    male: bool,
    age: i16,
    first_visit: Date,
    diagnosed: Date,
    visits: u64,
    /// Activity at the first visit, and the one that therapy leads to.
    severity: f64,
    floor: f64,
    /// How fast therapy works, a visit.
    response: f64,
    /// Lasting damage that keeps HAQ up.
    damage: f64,
    rheumatoid_factor: bool,
    anti_ccp: bool,
}

impl Course {
    fn of(number: u64) -> Self {
        let mut dice = Dice::of("reumatologija-tok", number);
        let institution = match dice.below(100) {
            0..55 => "IRH",
            55..85 => "KCV",
            _ => "KCS",
        };
        let first_visit = date(2022, 1, 10) + (dice.below(240) as i64).days();
        let rheumatoid_factor = dice.chance(0.72);
        Self {
            institution,
            male: dice.chance(0.22),
            age: 28 + dice.below(50) as i16,
            first_visit,
            diagnosed: first_visit - (dice.below(3000) as i64).days(),
            visits: 9 + dice.below(4),
            severity: dice.between(0.55, 1.0),
            floor: dice.between(0.02, 0.4),
            response: dice.between(0.2, 0.6),
            damage: dice.between(0.0, 0.7),
            rheumatoid_factor,
            anti_ccp: dice.chance(if rheumatoid_factor { 0.8 } else { 0.2 }),
        }
    }

    /// Those who stay active get a biological drug at the fourth visit.
    fn on_biologics(&self, visit: u64) -> bool {
        self.floor > 0.22 && visit >= 3
    }

    /// Of weekly methotrexate.
    fn methotrexate(visit: u64) -> f64 {
        10.0 + visit.min(4) as f64 * 2.5
    }

    fn biologic(&self) -> (&'static str, &'static str, &'static str) {
        [
            ("Adalimumab", "40", "Na 2 nedelje"),
            ("Etanercept", "50", "Nedeljno"),
            ("Tocilizumab", "162", "Nedeljno"),
            ("Rituksimab", "1000", "Na 6 meseci"),
        ][self.age as usize % 4]
    }

    fn biologic_since(&self) -> Date {
        self.first_visit + 220.days()
    }

    /// What the patient takes at a visit, in the order of `DRUG`; steroids end with the third one.
    fn drugs(&self, visit: u64, day: Date) -> Vec<[String; 5]> {
        let row = |drug: &str, dose: &str, rhythm: &str, since: Date, until: Option<Date>| {
            [drug.to_owned(), dose.to_owned(), rhythm.to_owned(), since.to_string(), until.map(|day| day.to_string()).unwrap_or_default()]
        };
        let mut drugs = vec![row("Metotreksat", &Self::methotrexate(visit).to_string(), "Nedeljno", self.first_visit, None)];
        if visit < 3 {
            let dose = ["10", "5", "2.5"][visit as usize];
            drugs.push(row("Glukokortikoid", dose, "Dnevno", self.first_visit, (visit == 2).then_some(day)));
        }
        if self.on_biologics(visit) {
            let (_, dose, rhythm) = self.biologic();
            drugs.push(row("Biološki lek", dose, rhythm, self.biologic_since(), None));
        }
        drugs
    }

    fn activity(&self, visit: u64) -> f64 {
        let floor = if self.on_biologics(visit) { self.floor * 0.4 } else { self.floor };
        floor + (self.severity - floor) * (-self.response * visit as f64).exp()
    }
}

/// What is written down at a visit; a blank text is what was not measured.
#[derive(Default)]
struct Visit {
    diagnosed: String,
    rf: String,
    anti_ccp: String,
    tjc28: String,
    sjc28: String,
    stiffness: String,
    se: String,
    crp: String,
    creatinine: String,
    gh: String,
    ptga: String,
    phga: String,
    therapy: String,
    methotrexate: String,
    biologic: String,
    therapy_since: String,
    adverse: String,
    adverse_text: String,
    note: String,
    /// Joints marked on the two pictures. The count is written down only where none is marked.
    tender: [bool; 28],
    swollen: [bool; 28],
    haq: Vec<String>,
}

impl Visit {
    fn at(course: &Course, visit: u64, activity: f64, dice: &mut Dice, swelling: &mut Dice, kidneys: &mut Dice) -> Self {
        let joints = |value: f64| value.round().clamp(0.0, 28.0) as usize;
        let tender_count = joints(activity * 15.0 + dice.noise(1.3));
        let swollen_count = joints(activity * 11.0 + dice.noise(1.0));
        // The register had no pictures at first: a first visit holds the counts alone.
        let on_pictures = |joints: [bool; 28]| if visit == 0 { [false; 28] } else { joints };
        let typed = |count: usize| if visit > 0 && count > 0 { String::new() } else { count.to_string() };
        let gh = (8.0 + activity * 70.0 + dice.noise(7.0)).round().clamp(0.0, 100.0);
        let missed = |text: String, probability: f64, dice: &mut Dice| if dice.chance(probability) { String::new() } else { text };
        let se = (6.0 + activity * 58.0 + dice.noise(6.0)).round().clamp(2.0, 140.0);
        let crp = tenth(0.8 + activity * activity * 45.0 + dice.noise(1.5).abs());
        let ptga = tenth((gh / 10.0 + dice.noise(0.4)).clamp(0.0, 10.0));
        let phga = tenth((activity * 8.0 + dice.noise(0.5)).clamp(0.0, 10.0));
        let adverse = dice.chance(0.06);
        let biologic = course.on_biologics(visit);
        Self {
            diagnosed: course.diagnosed.to_string(),
            rf: yes_no(course.rheumatoid_factor),
            anti_ccp: yes_no(course.anti_ccp),
            tjc28: typed(tender_count),
            sjc28: typed(swollen_count),
            stiffness: ((activity * 22.0).round() * 5.0).to_string(),
            se: missed(se.to_string(), 0.03, dice),
            crp: missed(crp, 0.06, dice),
            creatinine: creatinine(course, kidneys),
            gh: missed(gh.to_string(), 0.04, dice),
            ptga: missed(ptga, 0.04, dice),
            phga: missed(phga, 0.08, dice),
            therapy: therapy(visit, biologic),
            methotrexate: Course::methotrexate(visit).to_string(),
            biologic: if biologic { course.biologic().0 } else { "" }.to_owned(),
            therapy_since: if biologic { course.biologic_since() } else { course.first_visit }.to_string(),
            adverse: yes_no(adverse),
            adverse_text: if adverse { (*dice.pick(&COMPLAINTS)).to_owned() } else { String::new() },
            note: if dice.chance(0.05) { "Savetovana fizikalna terapija.".to_owned() } else { String::new() },
            tender: on_pictures(marked(tender_count, dice)),
            swollen: on_pictures(marked(swollen_count, swelling)),
            haq: haq(0.1 + activity * 1.7 + course.damage * 0.9, dice),
        }
    }

    /// Every column with its text.
    fn cells(self) -> Vec<(String, String)> {
        let mut cells: Vec<(String, String)> = [
            ("datumDijagnoze", self.diagnosed),
            ("rf", self.rf),
            ("antiCcp", self.anti_ccp),
            ("tjc28", self.tjc28),
            ("sjc28", self.sjc28),
            ("jutarnjaUkocenost", self.stiffness),
            ("se", self.se),
            ("crp", self.crp),
            ("kreatinin", self.creatinine),
            ("gh", self.gh),
            ("ptga", self.ptga),
            ("phga", self.phga),
            ("terapija", self.therapy),
            ("dozaMetotreksata", self.methotrexate),
            ("bioloskiLek", self.biologic),
            ("pocetakTerapije", self.therapy_since),
            ("nezeljeniEfekat", self.adverse),
            ("opisNezeljenog", self.adverse_text),
            ("napomena", self.note),
        ]
        .map(|(name, text)| (name.to_owned(), text))
        .into();
        for (what, joints) in [("bol", self.tender), ("otok", self.swollen)] {
            let sides = JOINTS.iter().flat_map(|joint| ["D", "L"].map(|side| format!("{what}{joint}{side}")));
            // On a picture that was used a joint without a mark is a No; of one that was not nobody knows anything.
            let used = joints.contains(&true);
            cells.extend(sides.zip(joints.map(|marked| if used { yes_no(marked) } else { String::new() })));
        }
        let questions = HAQ.iter().flat_map(|(section, count)| {
            (1..=*count).map(move |question| format!("haq{section}{question}")).chain([format!("haq{section}Pomoc")])
        });
        cells.extend(questions.zip(self.haq.into_iter().chain(std::iter::repeat(String::new()))));
        cells
    }
}

fn yes_no(yes: bool) -> String {
    if yes { "1" } else { "0" }.to_owned()
}

/// One decimal.
fn tenth(value: f64) -> String {
    format!("{value:.1}")
}

/// In mg/dL, as the laboratory writes it; now and then not measured, seldom raised.
fn creatinine(course: &Course, dice: &mut Dice) -> String {
    let raised = if dice.chance(0.03) { 0.8 } else { 0.0 };
    let usual = if course.male { 0.82 } else { 0.66 } + f64::from(course.age) * 0.003;
    let measured = (usual + raised + dice.noise(0.07)).max(0.4);
    if dice.chance(0.1) { String::new() } else { format!("{measured:.2}") }
}

fn therapy(visit: u64, biologic: bool) -> String {
    let mut drugs = vec!["Metotreksat"];
    if visit < 2 {
        drugs.push("Glukokortikoid");
    }
    if biologic {
        drugs.push("Biološki lek");
    }
    drugs.join("|")
}

/// As many joints as counted, anywhere.
fn marked(count: usize, dice: &mut Dice) -> [bool; 28] {
    let mut marked = [false; 28];
    let mut left = count;
    while left > 0 {
        let joint = dice.below(28) as usize;
        if !std::mem::replace(&mut marked[joint], true) {
            left -= 1;
        }
    }
    marked
}

/// Answers 0-3 of every question, then the section's aid; nothing where the questionnaire was not given.
fn haq(difficulty: f64, dice: &mut Dice) -> Vec<String> {
    if dice.chance(0.15) {
        return vec![];
    }
    let answered = match dice.below(100) {
        0..3 => 5,
        3..9 => 7,
        _ => 8,
    };
    let mut answers = vec![];
    for (place, (_, questions)) in HAQ.iter().enumerate() {
        let given: Vec<u8> = (0..*questions).map(|_| (difficulty - 0.35 + dice.noise(0.5)).round().clamp(0.0, 3.0) as u8).collect();
        let aid = given.iter().any(|answer| *answer >= 2) && dice.chance(0.25);
        let text = |text: String| if place < answered { text } else { String::new() };
        answers.extend(given.iter().map(|answer| text(answer.to_string())));
        answers.push(text(yes_no(aid)));
    }
    answers
}
