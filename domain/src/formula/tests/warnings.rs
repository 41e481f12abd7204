//! What the compiler warns of: parts that can blow up, and values of the wrong kind.

use super::*;

#[test]
fn a_logarithm_or_division_that_can_blow_up_is_warned_of() {
    const NONE: [usize; 0] = [];
    let bounded = |id, sifra, low, high| Field { donja_granica: Some(low), gornja_granica: Some(high), ..numeric(id, sifra) };
    let fields =
        [numeric(1, "x"), bounded(2, "se", 1.0, 200.0), bounded(3, "crp", 0.0, 500.0), bounded(4, "visina", 50.0, 250.0), numeric(5, "r")];
    let numbered = vec![
        Item { id: 1, num: Some(1.0), name: "blag".into(), ..Item::default() },
        Item { id: 2, num: Some(2.0), name: "težak".into(), ..Item::default() },
    ];
    let set = |id, sifra, multiple| Field { tip_vrednosti: ValueType::Set, items: numbered.clone(), multiple, ..numeric(id, sifra) };
    let fields = [
        &fields[..],
        &[
            bounded(6, "oko", -1.0, 1.0),
            Field { tip_vrednosti: ValueType::Choice, ..numeric(7, "da") },
            set(8, "stepen", false),
            set(9, "stepeni", true),
        ],
    ]
    .concat();
    let warned = |text: &str| compile(text, calculation(5), &fields).unwrap().warnings.iter().map(|w| w.position).collect::<Vec<_>>();
    assert_eq!(warned("0.7 * ln($(se))"), NONE);
    assert_eq!(warned("0.36 * ln($(crp) + 1)"), NONE);
    assert_eq!(warned("0.36 * ln($(crp))"), [8]);
    assert_eq!(warned("100 / $(visina) / ($(visina) * $(visina))"), NONE);
    assert_eq!(warned("100 / pow($(visina) / 100, 2)"), NONE);
    assert_eq!(warned("1 / $(x) + ln($(x))"), [3, 12]);
    assert_eq!(warned("1 / ($(se) - 100)"), [3]);
    assert_eq!(warned("sqrt($(crp))"), NONE);
    assert_eq!(warned("sqrt($(crp) - 1)"), [1]);
    assert_eq!(warned("$(x) % 2 + $(x) / 2"), NONE);
    // What is divided by zero may be any number.
    assert_eq!(warned("sqrt(1 / $(crp))"), [1, 8]);
    assert_eq!(warned("ln(1 + 1 / (0 - $(crp)))"), [1, 10]);
    assert_eq!(warned("1 / (10 - log10($(crp)))"), [3, 11]);
    let told =
        |text: &str| compile(text, calculation(5), &fields).unwrap().warnings.into_iter().next().map_or(String::new(), |w| w.message);
    let wanted = [
        ("1 / $(crp)", "Moguće je deljenje nulom"),
        ("1 / (0 - $(crp))", "Moguće je deljenje nulom"),
        ("$(x) % $(crp)", "Moguće je deljenje nulom"),
        ("1 / ($(crp) * 0)", "Deli se nulom"),
        ("$(x) % 0", "Deli se nulom"),
        ("ln($(crp))", "Logaritam može"),
        ("log10(0 - $(crp))", "Logaritam može"),
        ("ln(0 - $(se))", "Broj je uvek negativan"),
        ("log10(0 - $(se))", "Broj je uvek negativan"),
        ("sqrt(0 - $(se))", "Broj je uvek negativan"),
        ("sqrt(0 - $(crp))", "Koren može"),
        // What the parts make of the bounds.
        ("1 / max($(se), $(visina))", ""),
        ("1 / min($(se), $(crp))", "Moguće je deljenje nulom"),
        ("1 / if($(x) > 1, $(se), $(visina))", ""),
        ("1 / if($(x) > 1, $(se), $(crp))", "Moguće je deljenje nulom"),
        ("1 / abs($(se))", ""),
        ("1 / abs(0 - $(se))", ""),
        ("1 / abs(0 - $(crp))", "Moguće je deljenje nulom"),
        ("1 / abs($(crp) - 10)", "Moguće je deljenje nulom"),
        ("sqrt(300 + $(se) / $(oko))", "Koren može"),
        ("1 / ($(se) / (0 - $(se)))", ""),
        ("sqrt(10 - ln($(crp)))", "Koren može"),
        ("sqrt(10 - ln($(se)))", ""),
        ("sqrt($(da))", ""),
        ("1 / ($(da) + 1)", ""),
        ("1 / $(da)", "Moguće je deljenje nulom"),
        ("1 / $(stepen)", ""),
        ("1 / $(stepeni)", "Moguće je deljenje nulom"),
        ("1 / sqrt($(se))", ""),
        ("1 / exp($(crp))", ""),
        ("1 / pow($(se), 2)", ""),
        ("1 / pow($(crp), 2)", "Moguće je deljenje nulom"),
        ("ln(ln($(visina)))", ""),
        ("ln(ln($(se)))", "Logaritam može"),
        ("ln(log10($(visina)))", ""),
        ("1 / floor($(visina) / 60)", "Moguće je deljenje nulom"),
        ("1 / ceil($(visina) / 60)", ""),
        ("1 / round($(se) / 2)", "Moguće je deljenje nulom"),
        ("1 / round($(visina))", ""),
        ("1 / lookup($(x), < 1 : $(se), $(visina))", ""),
        ("1 / lookup($(x), < 1 : $(se), $(crp))", "Moguće je deljenje nulom"),
        ("1 / ($(se) + $(visina))", ""),
        ("1 / ($(se) * $(visina))", ""),
        ("1 / ($(visina) - $(se))", "Moguće je deljenje nulom"),
        ("1 / (0 - $(se) / $(visina))", ""),
        ("1 / prethodno($(se))", ""),
        ("sqrt(pow($(crp), 2))", ""),
        ("ln((0 - $(visina)) + 60)", "Logaritam može"),
        ("sqrt(-$(crp))", "Koren može"),
        ("1 / -$(se)", ""),
        ("ln(round(0 - $(se)) + 0.8)", "Logaritam može"),
        ("1 / round($(se) + 0.2)", ""),
        ("sqrt($(x) + exp($(visina) * 100))", "Koren može"),
        ("1 / count($(x), $(se))", "Moguće je deljenje nulom"),
        ("sqrt(count($(x), $(se)))", ""),
        ("sqrt($(x) > 1)", ""),
        ("1 / ($(x) > 1)", "Moguće je deljenje nulom"),
        ("sqrt(age(pacijent.datumRodjenja, datumPregleda))", ""),
        ("sqrt(abs(0 - $(se)))", ""),
        ("sqrt(abs($(crp) - 10))", ""),
        ("1 / (abs($(oko) * 100 - 50) - 120)", "Moguće je deljenje nulom"),
        ("1 / (round($(crp)) - 400)", "Moguće je deljenje nulom"),
    ];
    let otherwise = wanted.into_iter().filter_map(|(text, words)| {
        let message = told(text);
        let as_wanted = if words.is_empty() { message.is_empty() } else { message.starts_with(words) };
        (!as_wanted).then_some((text, message))
    });
    assert_eq!(otherwise.collect::<Vec<_>>(), []);
}

#[test]
fn a_sum_over_rows_has_no_bound_of_one_row() {
    let bounded = |id, sifra, low, high| Field { donja_granica: Some(low), gornja_granica: Some(high), ..numeric(id, sifra) };
    let column = |id, sifra, low, high| Field { sekcija: Some(1), parent: Some(1), ..bounded(id, sifra, low, high) };
    let fields = [
        Field { tip_vrednosti: ValueType::Panel, ..numeric(1, "terapija") },
        column(2, "doza", 1.0, 5.0),
        numeric(3, "x"),
        column(4, "pad", -5.0, -1.0),
        column(5, "manjak", -5.0, 0.0),
        bounded(6, "jedan", 1.0, 5.0),
    ];
    let warned = |text: &str| compile(text, calculation(3), &fields).unwrap().warnings.len();
    assert_eq!([warned("1 / sum($(doza))"), warned("1 / (10 - sum($(doza)))"), warned("1 / (10 - max($(doza)))")], [0, 1, 0]);
    assert_eq!([warned("1 / sum($(pad))"), warned("sqrt(10 + sum($(pad)))"), warned("1 / (sum($(manjak)) - 1)")], [0, 1, 0]);
    assert_eq!(warned("1 / (10 - sum($(jedan), 2))"), 0, "what stands in no row is summed once");
}

#[test]
fn a_text_used_as_a_number_and_a_formula_without_a_value_are_warned_of() {
    let set = vec![
        Item { id: 1, num: Some(0.0), name: "niska".into(), ..Item::default() },
        Item { id: 2, num: Some(1.0), name: "visoka".into(), ..Item::default() },
    ];
    let fields = [
        numeric(1, "broj"),
        Field { tip_vrednosti: ValueType::Text, ..numeric(2, "tekst") },
        Field { tip_vrednosti: ValueType::Date, ..numeric(3, "dan") },
        Field { tip_vrednosti: ValueType::Set, items: set, ..numeric(4, "nivo") },
        numeric(5, "rezultat"),
        Field { tip_vrednosti: ValueType::Date, ..numeric(6, "kontrola") },
        Field { tip_vrednosti: ValueType::Choice, ..numeric(7, "ima") },
        Field { tip_vrednosti: ValueType::Text, ..calculated(8, "ispis", "concat($(broj))") },
        Field { tip_vrednosti: ValueType::Panel, ..numeric(9, "terapija") },
        Field { tip_vrednosti: ValueType::Text, sekcija: Some(9), parent: Some(9), ..numeric(10, "lek") },
    ];
    let warned = |field: i64, text: &str| {
        let compiled = compile(text, calculation(field), &fields).unwrap();
        compiled.warnings.into_iter().map(|warning| (warning.position, warning.message)).collect::<Vec<_>>()
    };
    for quiet in [
        "$(broj) + 1",
        "if($(broj) > 1, 2, null)",
        "$(dan) - today()",
        "age(pacijent.datumRodjenja, datumPregleda)",
        "if(pacijent.pol == 'M', 1, 0.9)",
        "lookup($(broj), < 2.6 : 0, <= 3.2 : 1, 2)",
        "$(nivo) == 'niska'",
        "$(tekst) == 'abc'",
        "min($(broj), prethodno($(broj)))",
        "$(broj) * '5'",
        "$(broj) > '5' || '5' < $(broj)",
        "$(dan) > '2026-01-01' && '2026-01-01' < $(dan)",
        "null && $(broj) > 1",
        "'' || $(broj) > 1",
        "!($(broj) > 1)",
        "if(pacijent.pol == '', 0, 1)",
        "isblank($(tekst)) + count($(tekst), $(dan)) + selected($(nivo), 'niska')",
        "1 + $(ispis)",
        "brojRedova($(lek)) + nekiRed($(lek) == 'MTX')",
    ] {
        assert_eq!(warned(5, quiet), [], "{quiet}");
    }
    for quiet in ["$(dan) + 28", "28 + $(dan)", "1 + $(dan) + 2", "$(dan) - $(broj)", "add_days($(dan), 28)", "prethodno($(dan)) + 28"] {
        assert_eq!(warned(6, quiet), [], "{quiet}");
    }
    assert_eq!(warned(4, "if($(broj) > 1, 'visoka', 0)"), []);
    assert_eq!(warned(5, "1 + $(tekst)"), [(5, "Tekst polja „tekst” koristi se kao broj: gde to nije, rezultat je prazan.".into())]);
    let never = (1, "Formula nikad nema vrednost.".to_owned());
    assert_eq!(warned(5, "$(broj) * 'pet'")[1].1, "„pet” nije broj: ovaj deo formule nikad nema vrednost.");
    for text in [
        "$(broj) * 'pet'",
        "null",
        "$(dan) * 2",
        "age($(broj), today())",
        "$(dan) > 3",
        "if($(broj) > 1, null, '')",
        "-$(dan)",
        "$(broj) > 'pet'",
        "'pet' > $(broj)",
        "$(dan) > 'juče'",
        "'juče' < $(dan)",
        "'' && !''",
        "!null",
        "null > $(broj)",
        "$(broj) - $(dan)",
        "$(dan) + $(dan)",
        "lookup(null, < 2 : 1, 3)",
    ] {
        assert!(warned(5, text).contains(&never), "{text}: {:?}", warned(5, text));
    }
    assert_eq!(warned(5, "$(broj) * null"), std::slice::from_ref(&never), "nothing is not called a wrong number as well");
    for text in ["add_days($(broj), 28)", "add_days($(dan), 'pet')"] {
        assert!(warned(6, text).contains(&never), "{text}: {:?}", warned(6, text));
    }
    assert!(warned(5, "1 + $(dan) * 2").contains(&never));
    let as_number = (17, "Tekst se koristi kao broj: gde to nije, rezultat je prazan.".to_owned());
    assert_eq!(warned(5, "concat($(broj)) + 1"), [as_number]);
    assert_eq!(warned(5, "today()"), [(1, "Rezultat je datum, a polje je brojno: ostaje prazno.".into())]);
    assert_eq!(warned(5, "ln(-1)"), [(1, "Broj je uvek negativan: ovaj deo formule nikad nema vrednost.".into())]);
    assert_eq!(warned(5, "if($(broj) > 1, 'visoka', 'niska')"), [(1, "Rezultat je tekst, a polje je brojno: ostaje prazno.".into())]);
    for text in ["lookup($(broj), < 1 : 'niska', 'visoka')", "concat($(broj), 'a')"] {
        assert_eq!(warned(5, text), [(1, "Rezultat je tekst, a polje je brojno: ostaje prazno.".into())], "{text}");
    }
    for text in ["$(tekst)", "today()"] {
        assert_eq!(warned(7, text), [(1, "Rezultat nije „da” ili „ne”: polje je „Da” kad god ima vrednosti.".into())], "{text}");
    }
    assert_eq!(warned(4, "if($(broj) > 1, 5, 0)"), [(1, "Polje nema stavku sa brojem 5: tada ostaje prazno.".into())]);
    assert_eq!(warned(6, "$(nivo)"), [(1, "Rezultat nije datum, a polje jeste: ostaje prazno.".into())]);
    assert_eq!(warned(4, "if($(broj) > 1, 'srednja', 'niska')"), [(1, "Polje nema stavku „srednja”: tada ostaje prazno.".into())]);
    assert_eq!(warned(6, "$(broj) + 1"), [(1, "Rezultat nije datum, a polje jeste: ostaje prazno.".into())]);
}

fn pain() -> Vec<Item> {
    let item = |id, num, name: &str, code: &str| Item { id, num, name: name.into(), code: Some(code.into()) };
    vec![item(1, Some(0.0), "Nema", "0"), item(2, Some(2.0), "Umeren", "2"), item(3, None, "Nepoznato", "UNK"), item(4, None, "2", "REF")]
}

#[test]
fn a_set_read_as_a_number_while_some_of_its_items_have_no_weight_is_warned_of() {
    let set = |id, sifra, items: &[Item]| Field { tip_vrednosti: ValueType::Set, items: items.to_vec(), ..numeric(id, sifra) };
    let fields = [set(1, "bol", &pain()), set(2, "jutro", &pain()[..3]), set(3, "sve", &pain()[..2]), numeric(4, "r")];
    let warned = |text: &str| {
        let compiled = compile(text, calculation(4), &fields).unwrap();
        compiled.warnings.into_iter().map(|warning| (warning.position, warning.message)).collect::<Vec<_>>()
    };
    let both = "Stavke „Nepoznato”, „2” polja „bol” nemaju težinu: kada je takva izabrana, ovaj deo formule je prazan.";
    let one = "Stavka „Nepoznato” polja „jutro” nema težinu: kada je takva izabrana, ovaj deo formule je prazan.";
    assert_eq!(warned("$!(bol) + $!(jutro) + $!(bol)"), [(1, both.to_owned()), (11, one.to_owned())], "each set once");
    assert_eq!(warned("1 + prethodno($!(jutro))"), [(15, one.to_owned())]);
    for text in ["$(jutro)", "sum($(jutro), 1)", "if($(jutro) > 1, 1, 0)", "max($(jutro), 1)"] {
        assert_eq!(warned(text).into_iter().map(|(_, message)| message).collect::<Vec<_>>(), [one], "{text}");
    }
    for quiet in ["$!(sve) + $(sve)", "selected($(bol), 'UNK') + 0", "selected($(bol), 2)", "count($(bol))", "$(bol) == 'Nema'"] {
        assert_eq!(warned(quiet), [], "{quiet}");
    }
}

#[test]
fn a_text_that_is_a_code_and_the_name_of_another_item_is_warned_of() {
    let fields = [Field { tip_vrednosti: ValueType::Set, items: pain(), ..numeric(1, "bol") }, numeric(2, "r")];
    let compiled = compile("selected($(bol), '2') + selected($(bol), 'UNK')", calculation(2), &fields).unwrap();
    let told: Vec<_> = compiled.warnings.iter().map(|warning| (warning.position, warning.message.as_str())).collect();
    assert_eq!(told, [(18, "„2” je šifra stavke „Umeren” i naziv druge stavke: važi šifra.")]);
}
