//! The searches that are measured, as the screen would ask for them, each with its goal.

use serde_json::{Value, json};

use crate::layout::Layout;

/// What a search may touch at most, at each size, and how fast that may grow with the data.
#[derive(Clone, Copy)]
pub struct Goal {
    pub buffers: [i64; 2],
    /// Times a fetch by primary key.
    pub ratio: [f64; 2],
    pub exponent: f64,
}

const WINDOW: Goal = Goal { buffers: [25_000, 25_000], ratio: [100.0, 100.0], exponent: 0.25 };
/// A name or a text finds only patients whom the institution knows, three in ten here: three times as many are probed.
const KNOWN_WINDOW: Goal = Goal { ratio: [300.0, 300.0], ..WINDOW };
/// Whether a value stands in the newest entry takes two look-ups of each patient: the entry, then its value.
const NEWEST: Goal = Goal { ratio: [200.0, 200.0], ..WINDOW };
const TEXT: Goal = Goal { buffers: [25_000, 32_000], ratio: [200.0, 400.0], exponent: 0.25 };
/// A text finds only patients whom the institution knows: three in ten here, so three times as many are probed, and not
/// always in a window.
const KNOWN_TEXT: Goal = Goal { buffers: [75_000, 180_000], ratio: [600.0, 1_500.0], exponent: 0.75 };
const SETS: Goal = Goal { buffers: [65_000, 180_000], ratio: [300.0, 1_500.0], exponent: 0.75 };
/// An order that the searcher chose: all who match are compared, which is the register read once.
const SORTED: Goal = Goal { buffers: [25_000, 25_000], ratio: [1_500.0, 15_000.0], exponent: 1.05 };
const HARD: Goal = Goal { buffers: [120_000, 400_000], ratio: [500.0, 2_500.0], exponent: 0.75 };
pub const LOOK_UP: Goal = Goal { buffers: [40, 40], ratio: [2.0, 2.0], exponent: 0.25 };
/// Twenty people of the large size were born on a day: each is looked up in the register, and whether the institution knows them.
const BIRTH_DATE: Goal = Goal { buffers: [60, 200], ratio: [4.0, 4.0], exponent: 1.05 };

pub struct Case {
    pub name: &'static str,
    pub what: &'static str,
    pub goal: Goal,
    /// A place in the list of institutions: who asks.
    pub institution: usize,
    /// Only the newest entry of a form counts.
    pub latest_only: bool,
    /// Institutions hide no identity from each other.
    pub open: bool,
    pub request: Value,
}

/// A search by rows: link, form, field code, operator, value.
fn rows(layout: &Layout, rows: &[(&str, usize, &str, &str, &str)]) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|(link, form, code, operator, value)| {
            let field = layout.forms[*form].field(code);
            let value = match value.strip_prefix("item ") {
                Some(place) => field.items[place.parse::<usize>().expect("a place")].to_string(),
                None => (*value).to_owned(),
            };
            json!({ "veza": (!link.is_empty()).then_some(link), "poljeID": field.id, "operator": operator, "vrednost": value })
        })
        .collect();
    json!({ "redPretrage": rows })
}

fn with(mut request: Value, more: Value) -> Value {
    request.as_object_mut().expect("a record").extend(more.as_object().expect("a record").clone());
    request
}

/// The same with another order of the results.
fn by_column(request: Value, column: &str, falling: bool) -> Value {
    with(request, json!({ "redosled": { "po": column, "opadajuce": falling } }))
}

pub fn all(layout: &Layout, jmbg: &str) -> Vec<Case> {
    let by = |list: &[(&str, usize, &str, &str, &str)]| rows(layout, list);
    let small = layout.institutions.len() - 1;
    let case = |name, what, goal, request| Case { name, what, goal, institution: 0, latest_only: false, open: false, request };
    let spot = || by(&[("", 0, "t0", "sadrzi", "žuta mrlja")]);
    let three = || by(&[("", 0, "n0", ">", "5"), ("i", 0, "t0", "sadrzi", "žut"), ("i", 0, "c10", "izabrano", "1")]);
    let parts = || json!({ "ime": "m", "prezime": "i" });
    let negatives = || by(&[("", 0, "n0", "!=", "5"), ("i", 0, "t0", "neSadrzi", "žuta"), ("i", 0, "s0", "nijeIzabrano", "item 2")]);
    let mut cases = vec![
        case("Q0", "no criterion: the newest", WINDOW, json!({})),
        case("Q1", "rare choice, 0.2%", SETS, by(&[("", 0, "c0", "izabrano", "1")])),
        case("Q2", "common choice, 60%", WINDOW, by(&[("", 0, "c2", "izabrano", "1")])),
        Case { open: true, ..case("Q3", "number and text and choice", TEXT, three()) },
        case("Q3b", "the same, of known patients only", KNOWN_TEXT, three()),
        case("Q4", "either of two fields", WINDOW, by(&[("", 0, "c8", "izabrano", "1"), ("ili", 1, "n0", ">", "7")])),
        Case { open: true, ..case("Q5", "text contains, 3.5%", TEXT, spot()) },
        case("Q5b", "the same, of known patients only", KNOWN_TEXT, spot()),
        Case { open: true, ..case("Q6", "parts of both names", WINDOW, parts()) },
        case("Q6a", "the same, of known patients only", WINDOW, parts()),
        case("Q6b", "short parts of both names, seldom met", SETS, json!({ "ime": "mi", "prezime": "ov" })),
        case("Q7", "years of birth and sex", WINDOW, json!({ "godinaOd": 1955, "godinaDo": 1965, "pol": 1 })),
        case("Q8", "name and number", SETS, with(by(&[("", 0, "n0", ">", "7")]), json!({ "prezime": "mark" }))),
        case("Q9", "item of a set and a date", SETS, by(&[("", 0, "s0", "izabrano", "item 7"), ("i", 0, "d0", ">=", "2024-01-01")])),
        Case { open: true, ..case("Q10", "three broad negatives", WINDOW, negatives()) },
        case("Q10b", "the same, of known patients only", KNOWN_WINDOW, negatives()),
        case("Q11", "very rare text", HARD, by(&[("", 0, "t0", "sadrzi", "hemofagocit")])),
        case("Q12", "two common that never meet", HARD, by(&[("", 0, "n2", ">=", "75"), ("i", 0, "n4", ">=", "75")])),
        case("Q13", "common and rare number", SETS, by(&[("", 0, "c2", "izabrano", "1"), ("i", 0, "n8", ">", "36.5")])),
        case("Q14", "rare or rare", SETS, by(&[("", 0, "c0", "izabrano", "1"), ("ili", 0, "n8", ">", "36.8")])),
        case(
            "Q15",
            "not an item that most have, and rare",
            SETS,
            by(&[("", 0, "s0", "nijeIzabrano", "item 0"), ("i", 0, "c0", "izabrano", "1")]),
        ),
        case("Q16", "rare years of birth", SETS, json!({ "godinaOd": 1900, "godinaDo": 1937, "pol": 0 })),
        case("Q17", "a name that nobody has", SETS, json!({ "ime": "xyz", "prezime": "qwx" })),
        case("Q17b", "a name with a typing error", SETS, json!({ "prezime": "petrovc" })),
        Case { latest_only: true, ..case("Q18", "rare choice, in the newest entry", SETS, by(&[("", 0, "c0", "izabrano", "1")])) },
        Case { latest_only: true, ..case("Q19", "common choice, in the newest entry", NEWEST, by(&[("", 0, "c2", "izabrano", "1")])) },
        case("O1", "no criterion, by the first entry", SORTED, by_column(json!({}), "prviUnos", false)),
        case("O2", "no criterion, by the last entry from the oldest", SORTED, by_column(json!({}), "poslednjiUnos", false)),
        case(
            "O3",
            "common choice, by the first entry, the newest",
            HARD,
            by_column(by(&[("", 0, "c2", "izabrano", "1")]), "prviUnos", true),
        ),
        case("O4", "rare choice, by the first entry", SETS, by_column(by(&[("", 0, "c0", "izabrano", "1")]), "prviUnos", false)),
        case("O5", "a part of a name, by name", SORTED, by_column(json!({ "prezime": "mark" }), "imePrezime", false)),
        case("U1", "finished entries of one's own", SETS, json!({ "stanjeUnosa": "zavrsen" })),
        case("U2", "signed entries of one's own, of the last years", SETS, json!({ "stanjeUnosa": "potpisan", "unosOd": "2024-01-01" })),
        case("U3", "entries in work, as most are", KNOWN_WINDOW, json!({ "stanjeUnosa": "uRadu" })),
        case("U4", "entries with an open question, 0.2%", SETS, json!({ "otvoreno": "upit" })),
        case(
            "U5",
            "finished entries of one's own, and a common choice",
            SETS,
            with(by(&[("", 0, "c2", "izabrano", "1")]), json!({ "stanjeUnosa": "zavrsen" })),
        ),
        case("F1", "those who were lost, 5%", WINDOW, json!({ "status": "izgubljen" })),
        case("F2", "those who are not lost", WINDOW, json!({ "status": "aktivan" })),
        case("J1", "JMBG, whole", LOOK_UP, json!({ "jmbg": jmbg })),
        case("J2", "JMBG, birth date", BIRTH_DATE, json!({ "jmbg": &jmbg[..7] })),
        case("J3", "LBO, whole", LOOK_UP, json!({ "lbo": "10007368787" })),
    ];
    // A clinic that knows one patient in five thousand may find only those by name.
    for (name, what, request) in [
        ("B1", "a common name, from a small clinic", json!({ "prezime": "ić" })),
        ("B2", "name and number, from a small clinic", with(by(&[("", 0, "n0", ">", "5")]), json!({ "ime": "mil" }))),
        ("B3", "common choice, from a small clinic", by(&[("", 0, "c2", "izabrano", "1")])),
    ] {
        cases.push(Case {
            name,
            what,
            goal: if name == "B3" { WINDOW } else { SETS },
            institution: small,
            latest_only: false,
            open: false,
            request,
        });
    }
    cases
}
